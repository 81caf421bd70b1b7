//! What the last reindexes published, and what becomes of it.

pub use catalogue_index::retention::Kept;
use catalogue_index::{Catalogue, Error};

/// The generations that are kept, newest first: each with its rows, its changes and how many rows were rejected. One whose manifest cannot
/// be read is passed over: it is not served, and `catalogue generation list` says why.
///
/// # Errors
/// Where the folder of generations cannot be read.
pub fn kept(catalogue: &Catalogue) -> Result<Vec<Kept>, Error> {
    Ok(catalogue.kept()?.into_iter().rev().filter_map(|(_, kept)| kept.ok()).collect())
}
