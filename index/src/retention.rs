//! Which generations are kept, and the clearing away of the others.
//!
//! A generation is kept for 24 hours after it was superseded, so that traversals that began in it can end in it (decisions,
//! section 4).

use catalogue_schema::Timestamp;

use crate::data_folder::{ChangeLock, DataFolder};
use crate::error::Error;
use crate::generation::manifest::{Manifest, Publication};

/// For how long a generation is kept after it was superseded, in milliseconds.
const KEPT_FOR: i64 = 24 * 60 * 60 * 1000;

/// A generation on disk, and what becomes of it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What it holds.
    pub manifest: Manifest,
    /// Whether it is the published one.
    pub is_published: bool,
    /// Until when it is kept at the least; `None` for the published one.
    pub until: Option<Timestamp>,
}

/// Generations by number, each with what was read of it, or why that cannot be.
pub type ByNumber<T> = Vec<(u64, Result<T, Error>)>;

/// The generations on disk, oldest first.
///
/// # Errors
/// Where the pointer or the folder of generations cannot be read.
pub fn kept(data: &DataFolder) -> Result<ByNumber<Kept>, Error> {
    let current = data.current_number()?;
    let manifests = data.manifests()?;
    let latest = manifests.iter().rev().find_map(|(_, manifest)| manifest.as_ref().ok());
    let publications = latest.map(|latest| latest.publications.clone()).unwrap_or_default();
    let kept = |manifest: Manifest| Kept {
        until: kept_until(&publications, manifest.generation),
        is_published: current == Some(manifest.generation),
        manifest,
    };
    Ok(manifests.into_iter().map(|(number, manifest)| (number, manifest.map(kept))).collect())
}

/// Removes the generations that need not be kept at `now`; gives their numbers.
pub(crate) fn prune(_lock: &ChangeLock, data: &DataFolder, now: Timestamp) -> Result<Vec<u64>, Error> {
    let Some(current) = data.current_number()? else { return Ok(Vec::new()) };
    let publications = Manifest::read(&data.generation(current))?.publications;
    let mut pruned = Vec::new();
    for number in data.numbers_on_disk()? {
        if kept_until(&publications, number).is_some_and(|until| until <= now) {
            data.remove_generation(number)?;
            pruned.push(number);
        }
    }
    Ok(pruned)
}

/// Removes the generations that need not be kept any longer; gives their numbers.
///
/// # Errors
/// Where another process is changing the catalogue, or a folder cannot be removed.
pub fn prune_now(data: &DataFolder, now: Timestamp) -> Result<Vec<u64>, Error> {
    let lock = data.lock()?;
    prune(&lock, data, now)
}

/// Until when a generation is kept: `None` for the published one.
fn kept_until(publications: &[Publication], number: u64) -> Option<Timestamp> {
    let successor = publications.iter().find(|publication| publication.generation > number)?;
    successor.at.plus_millis(KEPT_FOR)
}
