//! Recipients.

use std::sync::Arc;

use catalogue_index::{Catalogue, Error, Found, Generation, Place, Resource, Traversal};
use catalogue_schema::{Refusal, Slug, Timestamp};
use serde_json::value::RawValue;

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

/// The awards by year of the recipient of a slug in a generation, as they are sent; `None` where the generation holds none.
///
/// # Errors
/// Where the recipient's row cannot be read.
pub fn awards_by_year(generation: &Arc<Generation>, slug: &str) -> Result<Option<Box<RawValue>>, Error> {
    let found = Found::of(Arc::clone(generation), Resource::Recipients, slug);
    found.map(|found| found.awards_by_year().map(ToOwned::to_owned)).transpose()
}

/// Appends the recipient at a place of a list to `out`, as it is sent alone, but with the awards of one funder only.
///
/// # Errors
/// Where the recipient's row cannot be read: as it is, it would show the awards of others.
pub fn append_awards(traversal: &Traversal, place: Place, funder: &Slug, out: &mut Vec<u8>) -> Result<(), Error> {
    let awarded = traversal.recipient(place)?.of_funder(funder);
    // A recipient always has a JSON form, and a Vec takes all.
    let _cannot_fail = serde_json::to_writer(out, &awarded);
    Ok(())
}
