//! The change feed.

use catalogue_index::{Catalogue, Resource, Traversal};
use catalogue_schema::{Refusal, Timestamp};

use super::ListRequest;

/// A page of the changes since an instant, or of the traversal that the request goes on with. The window is whole or refused.
///
/// # Errors
/// The refusals of [`Catalogue::traverse`].
pub fn list(catalogue: &Catalogue, request: &ListRequest, now: Timestamp) -> Result<Traversal, Refusal> {
    super::list(catalogue, Resource::Changes, request, now)
}
