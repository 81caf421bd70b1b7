//! The live catalogue: the published generation, the older ones that traversals still need, and the swap between them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use catalogue_schema::{Refusal, Requested, Timestamp};

use crate::data_folder::DataFolder;
use crate::error::Error;
use crate::generation::list::Place;
use crate::generation::{Generation, Resource};
use crate::pages::cursor::Sealer;
use crate::pages::traversal::{Found, Page, Traversal};
use crate::retention::{self, ByNumber, Kept};

/// The catalogue as requests read it. Whoever takes a generation keeps it to the end, whatever is published meanwhile.
pub struct Catalogue {
    data: DataFolder,
    current: ArcSwapOption<Generation>,
    /// Generations that cursors were followed to, by number.
    older: Mutex<BTreeMap<u64, Arc<Generation>>>,
    sealer: Sealer,
    most_changes: u64,
}

impl Catalogue {
    /// Opens the published generation of `data`, if there is one. `secret` seals cursors, and must be the same on every gateway;
    /// `most_changes` is how many changes one traversal serves.
    ///
    /// # Errors
    /// Where the published generation is damaged.
    pub fn open(data: DataFolder, secret: &[u8; 32], most_changes: u64) -> Result<Self, Error> {
        let catalogue = Self {
            data,
            current: ArcSwapOption::empty(),
            older: Mutex::default(),
            sealer: Sealer::new(secret),
            most_changes,
        };
        catalogue.refresh()?;
        Ok(catalogue)
    }

    /// Serves the published generation from here on, where it is not served already; gives whether it swapped.
    ///
    /// # Errors
    /// Where the published generation is damaged; the one served so far stays.
    pub fn refresh(&self) -> Result<bool, Error> {
        self.let_go_of_pruned();
        let published = self.data.current_number()?;
        let served = self.current.load();
        if published == served.as_ref().map(|served| served.number()) {
            return Ok(false);
        }
        let Some(published) = published else { return Ok(false) };
        let generation = Arc::new(self.data.open_generation(published)?);
        let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        older.extend(served.as_ref().map(|served| (served.number(), Arc::clone(served))));
        self.current.store(Some(generation));
        Ok(true)
    }

    /// The generation that is served; `None` before the first publication.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Generation>> {
        self.current.load_full()
    }

    /// Begins a traversal at the instant `now`, or goes on where `cursor` stands.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] before the first publication, [`Refusal::InvalidParameter`] and [`Refusal::CursorFilterMismatch`]
    /// for cursors that cannot be followed, [`Refusal::WindowTooLarge`] for changes.
    pub fn traverse(
        &self,
        resource: Resource,
        asked: &Requested,
        cursor: Option<&str>,
        now: Timestamp,
    ) -> Result<Traversal, Refusal> {
        let Some(text) = cursor else {
            let current = self.current().ok_or(Refusal::Unavailable)?;
            return self.begin(current, resource, asked, now);
        };
        let Some(cursor) = self.sealer.open(text) else {
            return Err(Refusal::parameter("cursor", "it is not a cursor of this service"));
        };
        if cursor.resource != resource {
            return Err(Refusal::CursorFilterMismatch);
        }
        let generation = self.generation(cursor.generation);
        let generation = generation.filter(|found| found.manifest().publication().at == cursor.published_at);
        let Some(generation) = generation else {
            let reason =
                "the generation of the catalogue it belongs to is no longer kept: start again without a cursor";
            return Err(Refusal::parameter("cursor", reason));
        };
        Traversal::resume(generation, asked, &cursor, self.most_changes)
    }

    /// Begins a traversal of a generation that the caller has taken, at the instant `now`.
    ///
    /// # Errors
    /// [`Refusal::WindowTooLarge`] for changes.
    pub fn begin(
        &self,
        generation: Arc<Generation>,
        resource: Resource,
        asked: &Requested,
        now: Timestamp,
    ) -> Result<Traversal, Refusal> {
        Traversal::begin(generation, resource, asked, now, self.most_changes)
    }

    /// The generation that was the published one at `instant`, which is not after `now`: the catalogue as it stood.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] before the first publication, [`Refusal::InvalidParameter`] of `parameter` where the instant is ahead or
    /// its generation is no longer kept.
    pub fn as_of(&self, parameter: &str, instant: Timestamp, now: Timestamp) -> Result<Arc<Generation>, Refusal> {
        let current = self.current().ok_or(Refusal::Unavailable)?;
        if instant > now {
            return Err(Refusal::parameter(parameter, format!("it lies ahead, and it is {now} now")));
        }
        let publications = current.publications();
        let published = publications.partition_point(|publication| publication.at <= instant).checked_sub(1);
        let found = published.and_then(|index| self.generation(publications[index].generation));
        found.ok_or_else(|| {
            let oldest = self.kept_from().unwrap_or(now);
            Refusal::parameter(
                parameter,
                format!("the catalogue is kept from {oldest} on: ask for that instant or a later one"),
            )
        })
    }

    /// The instant of the oldest publication whose generation is kept: as far back as the catalogue can be read. `None` before the first.
    #[must_use]
    pub fn kept_from(&self) -> Option<Timestamp> {
        let current = self.current()?;
        let is_kept = |number| number == current.number() || self.data.generation(number).exists();
        current
            .publications()
            .iter()
            .find(|publication| is_kept(publication.generation))
            .map(|publication| publication.at)
    }

    /// The generations on disk, oldest first: the reports of the last reindexes.
    ///
    /// # Errors
    /// Where the pointer or the folder of generations cannot be read.
    pub fn kept(&self) -> Result<ByNumber<Kept>, Error> {
        retention::kept(&self.data)
    }

    /// Where a traversal goes on after a page; `None` where it is finished.
    #[must_use]
    pub fn next_cursor(&self, page: &Page<'_>) -> Option<String> {
        page.next_cursor(&self.sealer)
    }

    /// A cursor that goes on after a place of a traversal, whether anything follows or not.
    #[must_use]
    pub fn cursor_after(&self, traversal: &Traversal, place: Place) -> String {
        traversal.cursor_after(place, &self.sealer)
    }

    /// Finds the row of `slug` in the generation that is served.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] before the first publication, [`Refusal::NotFound`] where no row has the slug.
    pub fn find(&self, resource: Resource, slug: &str) -> Result<Found, Refusal> {
        let current = self.current().ok_or(Refusal::Unavailable)?;
        Found::of(current, resource, slug).ok_or(Refusal::NotFound)
    }

    /// Closes the generations that are no longer kept: until then their files take space on disk, though nobody sees them.
    fn let_go_of_pruned(&self) {
        let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        older.retain(|&number, _| self.data.generation(number).exists());
    }

    /// The generation of that number, opened again where it must be; `None` where it is no longer kept.
    fn generation(&self, number: u64) -> Option<Arc<Generation>> {
        let mut current = self.current()?;
        if number > current.number() {
            // Another gateway gave the cursor, and has seen a publication that this one has not looked for yet.
            self.refresh().ok()?;
            current = self.current()?;
        }
        if current.number() == number {
            return Some(current);
        }
        let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(generation) = older.get(&number) {
            return Some(Arc::clone(generation));
        }
        // A folder that was never published has a number above the published one.
        if number > current.number() || !self.data.generation(number).exists() {
            return None;
        }
        let generation = Arc::new(self.data.open_generation(number).ok()?);
        older.insert(number, Arc::clone(&generation));
        Some(generation)
    }
}
