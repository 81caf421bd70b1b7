//! Grants.

use catalogue_index::{Catalogue, Found, Resource, Traversal};
use catalogue_schema::{Refusal, Slug, Timestamp};

use super::ListRequest;

/// A page of grants at the instant `now`, or of the traversal that the request goes on with.
///
/// # Errors
/// The refusals of [`Catalogue::traverse`].
pub fn list(catalogue: &Catalogue, request: &ListRequest, now: Timestamp) -> Result<Traversal, Refusal> {
    super::list(catalogue, Resource::Grants, request, now)
}

/// The grant of a slug.
///
/// # Errors
/// The refusals of [`Catalogue::find`].
pub fn find(catalogue: &Catalogue, slug: &Slug) -> Result<Found, Refusal> {
    catalogue.find(Resource::Grants, slug.as_str())
}
