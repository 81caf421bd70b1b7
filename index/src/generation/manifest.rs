//! A generation's manifest: what it holds, and when everything in it was published.

use std::fs;
use std::path::Path;

use catalogue_schema::Timestamp;
use serde::{Deserialize, Serialize};

use super::sums::Sums;
use crate::error::Error;
use crate::export::Counts;
use crate::reindex::ChangeCounts;

/// The only format opened. A generation of another is made anew from its export.
pub(crate) const FORMAT: &str = "catalogue-generation/3";

/// The file's name, in the generation's folder.
pub(crate) const NAME: &str = "manifest.json";

/// What a generation holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub(crate) format: String,
    /// The generation's number, which is that of its publication.
    pub generation: u64,
    /// When the crawl was made that it was built from.
    pub crawled_at: Timestamp,
    /// How many rows it holds.
    pub counts: Counts,
    /// How many changes its publication brought.
    pub changes: ChangeCounts,
    /// How many rows of the export were rejected.
    pub rejected: u64,
    /// The folded codes that occur in eligible entities.
    pub(crate) entities: Vec<String>,
    /// The folded codes that occur in industries.
    pub(crate) industries: Vec<String>,
    /// Every publication so far, this one last.
    pub(crate) publications: Vec<Publication>,
    /// Every file but this one: its length and check sum.
    pub(crate) files: Sums,
}

/// One publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publication {
    /// Its number: 1, 2, 3 and so on.
    pub generation: u64,
    /// The instant of the publication, later than that of every one before.
    pub at: Timestamp,
    /// How many entries the change log held then.
    pub log_entries: u64,
    /// How many bytes the change log held then.
    pub(crate) log_bytes: u64,
}

impl Manifest {
    /// Reads the manifest of the generation in `folder`.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(NAME);
        let text = fs::read(&path).map_err(Error::file("read", &path))?;
        let format =
            serde_json::from_slice::<Format>(&text).map_err(|error| Error::damaged(&path, error.to_string()))?;
        if format.format != FORMAT {
            let reason = format!("its format is {}, and only {FORMAT} is opened: build it anew", format.format);
            return Err(Error::damaged(&path, reason));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error.to_string()))?;
        let ascending = manifest.publications.is_sorted_by(|one, next| {
            one.generation < next.generation && one.at < next.at && one.log_entries <= next.log_entries
        });
        if !ascending || manifest.publications.last().is_none_or(|last| last.generation != manifest.generation) {
            return Err(Error::damaged(&path, "its publications are not in order"));
        }
        Ok(manifest)
    }

    /// This generation's own publication.
    #[must_use]
    pub fn publication(&self) -> Publication {
        // `read` and the builder see to it that there is one.
        self.publications.last().copied().unwrap_or(Publication {
            generation: self.generation,
            at: Timestamp::EPOCH,
            log_entries: 0,
            log_bytes: 0,
        })
    }
}

/// The part of a manifest that every format has.
#[derive(Deserialize)]
struct Format {
    format: String,
}
