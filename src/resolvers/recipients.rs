//! Recipients.

use std::sync::Arc;

use catalogue_index::{Catalogue, Found, Generation, Place, Resource, Traversal};
use catalogue_schema::{RecipientDetail, Refusal, Slug, Timestamp};

use super::ListRequest;

/// A page of recipients at the instant `now`, or of the traversal that the request goes on with.
///
/// # Errors
/// The refusals of [`Catalogue::traverse`].
pub fn list(catalogue: &Catalogue, request: &ListRequest, now: Timestamp) -> Result<Traversal, Refusal> {
    super::list(catalogue, Resource::Recipients, request, now)
}

/// The recipient of a slug.
///
/// # Errors
/// The refusals of [`Catalogue::find`].
pub fn find(catalogue: &Catalogue, slug: &Slug) -> Result<Found, Refusal> {
    catalogue.find(Resource::Recipients, slug.as_str())
}

/// The recipient of a slug in a generation, with its awards.
///
/// # Errors
/// [`Refusal::NotFound`] where the generation holds none.
pub fn details(generation: &Arc<Generation>, slug: &str) -> Result<RecipientDetail, Refusal> {
    let found = Found::of(Arc::clone(generation), Resource::Recipients, slug).ok_or(Refusal::NotFound)?;
    let mut row = Vec::new();
    found.append(&mut row);
    serde_json::from_slice(&row).map_err(|_| Refusal::InternalError)
}

/// Appends the recipient at a place of a list to `out`, as it is sent alone, but with the awards of one funder only.
pub fn append_awards(traversal: &Traversal, place: Place, funder: Option<&Slug>, out: &mut Vec<u8>) {
    let start = out.len();
    traversal.append_single(place, out);
    let Some(funder) = funder else { return };
    let details = serde_json::from_slice::<RecipientDetail>(&out[start..]);
    let Ok(awarded) = details.and_then(|details| serde_json::to_vec(&details.of_funder(funder))) else { return };
    out.truncate(start);
    out.extend_from_slice(&awarded);
}
