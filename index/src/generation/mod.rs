//! Generations: one immutable folder for each publication of the catalogue.
//!
//! ```text
//! generations/00000007/
//!   manifest.json          what it holds, when everything was published, check sums
//!   grants/  funders/  recipients/
//!     slugs.*              from a slug to its place and back
//!     00000/ 00001/ ...    segments: a Tantivy index, the rows ready to send, and for grants their histories
//! ```

pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod manifest;
pub(crate) mod mapped;
pub(crate) mod rows;
pub(crate) mod segment;
pub(crate) mod slugs;
pub(crate) mod stamps;
pub(crate) mod sums;

use catalogue_schema::{Grant, Timestamp};
use serde::Deserialize;

use self::list::{List, Place};
use self::log::Log;
use self::manifest::{Manifest, Publication};
use self::stamps::{CHANGE, GRANT, Written};
use crate::data_folder::DataFolder;
use crate::error::Error;

/// What the catalogue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// Records.
    Grants,
    /// Funders.
    Funders,
    /// Recipients.
    Recipients,
    /// The change feed.
    Changes,
}

/// Which files the segments of a list have beside index and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The folder's name.
    pub(crate) name: &'static str,
    pub(crate) has_details: bool,
    pub(crate) has_histories: bool,
}

impl Shape {
    pub(crate) const GRANTS: Self = Self { name: "grants", has_details: false, has_histories: true };
    pub(crate) const FUNDERS: Self = Self { name: "funders", has_details: false, has_histories: false };
    pub(crate) const RECIPIENTS: Self = Self { name: "recipients", has_details: true, has_histories: false };
}

/// A published generation, opened. Nothing in it changes; a request keeps the one it took to its end.
pub struct Generation {
    manifest: Manifest,
    /// The instants of the publications, by number from 1, as rows hold them.
    instants: Vec<Written>,
    pub(crate) grants: List,
    pub(crate) funders: List,
    pub(crate) recipients: List,
    pub(crate) log: Log,
}

impl Generation {
    /// Opens the generation of that number after every file was compared with its check sum: for those who make another generation
    /// from it. Reading all of it takes too long for those who serve it.
    pub(crate) fn open_verified(data: &DataFolder, number: u64) -> Result<Self, Error> {
        let folder = data.generation(number);
        sums::verify(&folder, &Manifest::read(&folder)?.files)?;
        Self::open(data, number)
    }

    /// Opens the generation of that number, after a check that its files are there with their lengths.
    pub(crate) fn open(data: &DataFolder, number: u64) -> Result<Self, Error> {
        let folder = data.generation(number);
        let manifest = Manifest::read(&folder)?;
        if manifest.generation != number {
            let reason = format!("it is that of generation {}", manifest.generation);
            return Err(Error::damaged(&folder.join(manifest::NAME), reason));
        }
        for (name, expected) in &manifest.files {
            let path = folder.join(name);
            let found = std::fs::metadata(&path).map_err(Error::file("find", &path))?.len();
            if found != expected.bytes {
                return Err(Error::damaged(&path, format!("it has {found} bytes instead of {}", expected.bytes)));
            }
        }
        let list = |shape: Shape, count| List::open(&folder.join(shape.name), shape, count);
        let own = manifest.publication();
        Ok(Self {
            instants: instants_of(&manifest.publications),
            grants: list(Shape::GRANTS, manifest.counts.grants)?,
            funders: list(Shape::FUNDERS, manifest.counts.funders)?,
            recipients: list(Shape::RECIPIENTS, manifest.counts.recipients)?,
            log: Log::open(&data.log(), own.log_entries, own.log_bytes)?,
            manifest,
        })
    }

    /// What it holds and when it was published.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its number, which is that of its publication.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.manifest.generation
    }

    /// Whether both are of one publication: a data folder made anew counts from 1 again.
    pub(crate) fn is_same_publication(&self, other: &Self) -> bool {
        self.manifest.publication() == other.manifest.publication()
    }

    /// How many bytes it takes on disk, with its part of the change log.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let files: u64 = self.manifest.files.values().map(|file| file.bytes).sum();
        files + self.manifest.publication().log_bytes
    }

    /// Every publication up to its own, in order.
    #[must_use]
    pub fn publications(&self) -> &[Publication] {
        &self.manifest.publications
    }

    /// The list of a resource; the change feed has none.
    pub(crate) fn list(&self, resource: Resource) -> Option<&List> {
        match resource {
            Resource::Grants => Some(&self.grants),
            Resource::Funders => Some(&self.funders),
            Resource::Recipients => Some(&self.recipients),
            Resource::Changes => None,
        }
    }

    /// Appends the row at `place` to `out`, as it is sent in a list.
    pub(crate) fn append_row(&self, resource: Resource, place: Place, out: &mut Vec<u8>) {
        match resource {
            Resource::Grants => {
                out.extend_from_slice(self.grants.row(place));
                self.stamp_grant(place, out);
            }
            Resource::Funders => out.extend_from_slice(self.funders.row(place)),
            Resource::Recipients => out.extend_from_slice(self.recipients.row(place)),
            Resource::Changes => {
                let entry = u64::from(place);
                out.extend_from_slice(self.log.get(entry));
                let publication = self.publications().partition_point(|publication| publication.log_entries <= entry);
                let number = self.publications().get(publication).map_or(0, |publication| publication.generation);
                CHANGE.append(out, [self.instant(number)]);
            }
        }
    }

    /// Reads a grant as it is sent, without mapping its row: for those who read many.
    pub(crate) fn read_grant(&self, place: Place, row: &mut Vec<u8>) -> Result<Grant, Error> {
        let file = self.grants.read_row(place, row)?;
        self.stamp_grant(place, row);
        serde_json::from_slice(row).map_err(|error| Error::damaged(file, error.to_string()))
    }

    /// Appends the row at `place` to `out`, as it is sent alone.
    pub(crate) fn append_single(&self, resource: Resource, place: Place, out: &mut Vec<u8>) {
        match resource {
            Resource::Recipients => out.extend_from_slice(self.recipients.details(place)),
            _ => self.append_row(resource, place, out),
        }
    }

    /// Reads the recipient at `place`, as it is sent alone.
    ///
    /// # Errors
    /// [`Error::Damaged`] where it is not such JSON.
    pub(crate) fn read_recipient<'g, T: Deserialize<'g>>(&'g self, place: Place) -> Result<T, Error> {
        serde_json::from_slice(self.recipients.details(place))
            .map_err(|error| Error::damaged(self.recipients.details_path(place), error.to_string()))
    }

    /// The failure of a funder's row that does not say which funder it is.
    #[must_use]
    pub fn nameless_funder(&self) -> Error {
        Error::damaged(self.funders.folder(), "the row of a funder has no slug")
    }

    /// The first publication at or after `since`; `None` where all were earlier.
    pub(crate) fn first_publication_since(&self, since: Timestamp) -> Option<&Publication> {
        let publications = self.publications();
        publications.get(publications.partition_point(|publication| publication.at < since))
    }

    /// Appends to a stored grant the fields that name publications.
    fn stamp_grant(&self, place: Place, out: &mut Vec<u8>) {
        let history = self.grants.history(place);
        let instant = |number: Option<u32>| self.instant(u64::from(number.unwrap_or(0)));
        let first_seen = instant(history.map(|history| history.first_seen));
        let updated = instant(history.map(|history| history.updated));
        GRANT.append(out, [first_seen, updated]);
    }

    fn instant(&self, number: u64) -> &Written {
        const UNKNOWN: &Written = b"1970-01-01T00:00:00.000Z";
        usize::try_from(number).ok().and_then(|number| self.instants.get(number)).unwrap_or(UNKNOWN)
    }
}

impl std::fmt::Debug for Generation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generation").field("number", &self.number()).finish_non_exhaustive()
    }
}

/// The instants by number; a number without a publication, as of one that a crash undid, holds that of the next.
fn instants_of(publications: &[Publication]) -> Vec<Written> {
    let mut instants = Vec::new();
    for publication in publications {
        let count = usize::try_from(publication.generation).unwrap_or(0) + 1;
        instants.resize(count.max(instants.len()), publication.at.written());
    }
    instants
}
