//! Traversals: the clock and the generation, pinned from the first page to the last.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalogue_schema::{Dropped, RecipientDetail, Refusal, Requested, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::cursor::{Cursor, Sealer, code_of};
use super::filter::{Filter, normalise};
use super::order;
use crate::error::Error;
use crate::generation::list::Place;
use crate::generation::{Generation, Resource};

/// One step of a traversal: everything that decides a page but its size.
pub struct Traversal {
    generation: Arc<Generation>,
    resource: Resource,
    filter: Filter,
    dropped: Vec<Dropped>,
    as_of: Timestamp,
    /// Where the list begins: the pivot of grants, the window's first entry of changes, 0 of the others.
    start: Place,
    /// The last row sent before.
    after: Option<Place>,
}

/// Equal tags mean equal `data` (decisions, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag([u8; 16]);

impl AsRef<str> for Tag {
    /// As it stands in a header, without its quotation marks.
    fn as_ref(&self) -> &str {
        // It is base64, and nothing else is made.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl Traversal {
    /// Begins a traversal at the instant `now`.
    ///
    /// # Errors
    /// [`Refusal::WindowTooLarge`] where the window holds more than `most_changes`.
    pub(crate) fn begin(
        generation: Arc<Generation>,
        resource: Resource,
        asked: &Requested,
        now: Timestamp,
        most_changes: u64,
    ) -> Result<Self, Refusal> {
        Self::at(generation, resource, asked, now, None, most_changes)
    }

    /// Goes on where a cursor stands, which is of this generation.
    pub(crate) fn resume(
        generation: Arc<Generation>,
        asked: &Requested,
        cursor: &Cursor,
        most_changes: u64,
    ) -> Result<Self, Refusal> {
        let traversal = Self::at(generation, cursor.resource, asked, cursor.as_of, Some(cursor.after), most_changes)?;
        if traversal.filter.fingerprint == cursor.fingerprint {
            Ok(traversal)
        } else {
            Err(Refusal::CursorFilterMismatch)
        }
    }

    fn at(
        generation: Arc<Generation>,
        resource: Resource,
        asked: &Requested,
        as_of: Timestamp,
        after: Option<Place>,
        most_changes: u64,
    ) -> Result<Self, Refusal> {
        let (filter, dropped) = normalise(&generation, resource, asked);
        let start = match resource {
            Resource::Grants => order::pivot(&generation.grants, as_of),
            Resource::Funders | Resource::Recipients => 0,
            Resource::Changes => window(&generation, asked.since, most_changes)?,
        };
        Ok(Self { generation, resource, filter, dropped, as_of, start, after })
    }

    /// The instant of the traversal's first page.
    #[must_use]
    pub fn as_of(&self) -> Timestamp {
        self.as_of
    }

    /// The generation it reads.
    #[must_use]
    pub fn generation(&self) -> &Arc<Generation> {
        &self.generation
    }

    pub(crate) fn resource(&self) -> Resource {
        self.resource
    }

    pub(crate) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Where the list begins.
    pub(crate) fn start(&self) -> Place {
        self.start
    }

    /// The values the catalogue cannot answer for, in the order given.
    #[must_use]
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// The tag of the page of `limit` rows, known before the search runs: the list changes only with the generation and the pivot.
    #[must_use]
    pub fn tag(&self, limit: usize) -> Tag {
        let after = self.after.map_or(-1, i64::from);
        let mut digest = identity(&self.generation, self.resource);
        digest.update(self.filter.fingerprint);
        digest.update(self.start.to_le_bytes());
        digest.update(after.to_le_bytes());
        digest.update(limit.to_le_bytes());
        tag(digest)
    }

    /// The next `limit` rows.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn page(&self, limit: usize) -> Result<Page<'_>, Error> {
        // One row more tells whether there is a next page.
        let mut places = match self.generation.list(self.resource) {
            Some(list) => order::places(list, &self.filter, self.start, self.after, limit + 1)?,
            None => self.changes(limit + 1),
        };
        let has_next = places.len() > limit;
        places.truncate(limit);
        Ok(Page { traversal: self, places, has_next })
    }

    /// Appends the row at a place of the list to `out`, as it is sent in a list.
    pub fn append_row(&self, place: Place, out: &mut Vec<u8>) {
        self.generation.append_row(self.resource, place, out);
    }

    /// Appends the row at a place of the list to `out`, as it is sent alone.
    pub fn append_single(&self, place: Place, out: &mut Vec<u8>) {
        self.generation.append_single(self.resource, place, out);
    }

    /// Reads the recipient at a place of a list of recipients, with its awards.
    ///
    /// # Errors
    /// [`Error::Damaged`] where it cannot be read.
    pub fn recipient(&self, place: Place) -> Result<RecipientDetail, Error> {
        self.generation.read_recipient(place)
    }

    /// How many entries of the change log the window holds; 0 for other lists.
    #[must_use]
    pub fn changes_in_window(&self) -> u64 {
        match self.resource {
            Resource::Changes => self.generation.log.entries().saturating_sub(u64::from(self.start)),
            _ => 0,
        }
    }

    /// A cursor that goes on after `place`.
    pub(crate) fn cursor_after(&self, place: Place, sealer: &Sealer) -> String {
        sealer.seal(&Cursor {
            resource: self.resource,
            as_of: self.as_of,
            generation: self.generation.number(),
            published_at: self.generation.manifest().publication().at,
            fingerprint: self.filter.fingerprint,
            after: place,
        })
    }

    /// The next entries of the change log.
    fn changes(&self, limit: usize) -> Vec<Place> {
        let from = self.after.map_or(self.start, |after| after + 1);
        let end = Place::try_from(self.generation.log.entries()).unwrap_or(Place::MAX);
        (from..end).take(limit).collect()
    }
}

/// The rows of a page.
pub struct Page<'a> {
    traversal: &'a Traversal,
    places: Vec<Place>,
    has_next: bool,
}

impl Page<'_> {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether there are rows behind these.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.has_next
    }

    /// Where the rows stand in their list.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Appends the rows to `out` as the elements of a JSON array.
    pub fn append_rows(&self, out: &mut Vec<u8>) {
        let mut first = true;
        for &place in &self.places {
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            self.traversal.generation.append_row(self.traversal.resource, place, out);
        }
    }

    /// Where the traversal goes on; `None` where it is finished.
    pub(crate) fn next_cursor(&self, sealer: &Sealer) -> Option<String> {
        let after = self.places.last().copied().filter(|_| self.has_next)?;
        Some(self.traversal.cursor_after(after, sealer))
    }
}

/// One row that was asked for by its slug.
pub struct Found {
    generation: Arc<Generation>,
    resource: Resource,
    place: Place,
}

impl Found {
    /// The row of `slug` in a generation; `None` where there is none.
    #[must_use]
    pub fn of(generation: Arc<Generation>, resource: Resource, slug: &str) -> Option<Self> {
        let place = generation.list(resource)?.find(slug)?;
        Some(Self { generation, resource, place })
    }

    /// The row's tag.
    #[must_use]
    pub fn tag(&self) -> Tag {
        let mut digest = identity(&self.generation, self.resource);
        digest.update(b"single");
        digest.update(self.place.to_le_bytes());
        tag(digest)
    }

    /// Appends the row to `out`, as it is sent in a list.
    pub fn append_in_list(&self, out: &mut Vec<u8>) {
        self.generation.append_row(self.resource, self.place, out);
    }

    /// The awards of a recipient by year, as they are sent.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the row is not JSON or has none.
    pub fn awards_by_year(&self) -> Result<&RawValue, Error> {
        #[derive(Deserialize)]
        struct Awarded<'r> {
            #[serde(borrow)]
            awards_by_year: &'r RawValue,
        }

        self.generation.read_recipient::<Awarded<'_>>(self.place).map(|awarded| awarded.awards_by_year)
    }

    /// Appends the row to `out`.
    pub fn append(&self, out: &mut Vec<u8>) {
        self.generation.append_single(self.resource, self.place, out);
    }
}

/// The first entry of the change log in the window.
fn window(generation: &Generation, since: Option<Timestamp>, most: u64) -> Result<Place, Refusal> {
    let end = generation.log.entries();
    let publications = generation.publications();
    let first = since.map_or(0, |since| publications.partition_point(|publication| publication.at < since));
    let entries_before = |index: usize| index.checked_sub(1).map_or(0, |before| publications[before].log_entries);
    let start = entries_before(first);
    if end - start > most {
        let fits = (first..publications.len()).find(|&index| end - entries_before(index) <= most);
        let fits_since = fits.map(|index| publications[index].at);
        return Err(Refusal::WindowTooLarge { limit: most, count: end - start, fits_since });
    }
    Ok(Place::try_from(start).unwrap_or(Place::MAX))
}

/// What tells a list of one generation from every other.
fn identity(generation: &Generation, resource: Resource) -> Sha256 {
    let publication = generation.manifest().publication();
    let mut digest = Sha256::new();
    digest.update([code_of(resource)]);
    digest.update(publication.generation.to_le_bytes());
    digest.update(publication.at.unix_millis().to_le_bytes());
    digest
}

fn tag(digest: Sha256) -> Tag {
    let mut tag = [0; 16];
    // Twelve bytes are sixteen characters of base64, which fit.
    let _written = URL_SAFE_NO_PAD.encode_slice(&digest.finalize()[..12], &mut tag);
    Tag(tag)
}
