//! What the last reindexes published, and what becomes of it.

pub use catalogue_index::retention::Kept;
use catalogue_index::{Catalogue, Error};

/// The generations that are kept, newest first: each with its rows, its changes and how many rows were rejected.
///
/// # Errors
/// Where a folder or a manifest cannot be read.
pub fn kept(catalogue: &Catalogue) -> Result<Vec<Kept>, Error> {
    let mut kept = catalogue.kept()?;
    kept.reverse();
    Ok(kept)
}
