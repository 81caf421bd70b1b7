//! The live catalogue: the published generation, the older ones that traversals still need, and the swap between them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwapOption;
use catalogue_schema::{Refusal, Requested, Timestamp};

use crate::data_folder::{DataFolder, PointerSeen};
use crate::error::Error;
use crate::generation::list::Place;
use crate::generation::{Generation, Resource};
use crate::pages::cursor::Sealer;
use crate::pages::traversal::{Found, Page, Traversal};
use crate::retention::{self, ByNumber, Kept};

/// How many older generations are open at the most: each takes memory, and a cursor to a closed one opens it again.
const MOST_OPEN: usize = 8;

/// The catalogue as requests read it. Whoever takes a generation keeps it to the end, whatever is published meanwhile.
pub struct Catalogue {
    data: DataFolder,
    current: ArcSwapOption<Generation>,
    /// The pointer as the last look found it; held while somebody looks, so that an older look never ends behind a newer one.
    seen: Mutex<Option<PointerSeen>>,
    /// Older generations, the last used last.
    older: Mutex<Vec<Arc<Generation>>>,
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
            seen: Mutex::default(),
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
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        self.let_go_of_pruned();
        let pointer = self.data.look_at_pointer()?;
        if pointer == *seen {
            return Ok(false);
        }
        let Some(published) = self.data.current_number()? else { return Ok(false) };
        let generation = self.data.open_generation(published)?;
        *seen = pointer;
        let served = self.current.load_full();
        if served.as_ref().is_some_and(|served| served.is_same_publication(&generation)) {
            return Ok(false);
        }
        let mut older = self.older();
        // Others were of a data folder that has been made anew since.
        let went_before = |other: &Generation| generation.publications().contains(&other.manifest().publication());
        older.retain(|older| went_before(older));
        if let Some(served) = served.filter(|served| went_before(served)) {
            keep(&mut older, served);
        }
        self.current.store(Some(Arc::new(generation)));
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
    /// for cursors that cannot be followed, [`Refusal::WindowTooLarge`] for changes, [`Refusal::InternalError`] where the cursor's
    /// generation is kept and cannot be opened.
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
        let generation = self.generation(cursor.generation)?;
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
    /// its generation is no longer kept, [`Refusal::InternalError`] where it is kept and cannot be opened.
    pub fn as_of(&self, parameter: &str, instant: Timestamp, now: Timestamp) -> Result<Arc<Generation>, Refusal> {
        let current = self.current().ok_or(Refusal::Unavailable)?;
        if instant > now {
            return Err(Refusal::parameter(parameter, format!("it lies ahead, and it is {now} now")));
        }
        let publications = current.publications();
        let published = publications.partition_point(|publication| publication.at <= instant).checked_sub(1);
        let number = published.map(|index| publications[index].generation);
        let found = number.map_or(Ok(None), |number| self.generation(number))?;
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
        self.older().retain(|older| self.data.generation(older.number()).exists());
    }

    fn older(&self) -> MutexGuard<'_, Vec<Arc<Generation>>> {
        self.older.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The generation of that number, opened again where it must be; `None` where it is no longer kept. Why one that is kept cannot
    /// be opened is told here, because a refusal does not carry it.
    fn generation(&self, number: u64) -> Result<Option<Arc<Generation>>, Refusal> {
        self.try_generation(number).map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                number,
                "a generation that is kept cannot be opened"
            );
            Refusal::InternalError
        })
    }

    fn try_generation(&self, number: u64) -> Result<Option<Arc<Generation>>, Error> {
        let Some(mut current) = self.current() else { return Ok(None) };
        if number > current.number() {
            // Another gateway gave the cursor, and has seen a publication that this one has not looked for yet.
            self.refresh()?;
            current = self.current().unwrap_or(current);
        }
        if current.number() == number {
            return Ok(Some(current));
        }
        let mut older = self.older();
        if let Some(index) = older.iter().position(|older| older.number() == number) {
            let generation = older.remove(index);
            older.push(Arc::clone(&generation));
            return Ok(Some(generation));
        }
        // A folder that was never published has a number above the published one.
        let is_kept = || number < current.number() && self.data.generation(number).exists();
        if !is_kept() {
            return Ok(None);
        }
        match self.data.open_generation(number) {
            Ok(generation) => {
                let generation = Arc::new(generation);
                keep(&mut older, Arc::clone(&generation));
                Ok(Some(generation))
            }
            // It may have been pruned while it was opened.
            Err(_) if !is_kept() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Adds the generation used last, and closes the one unused longest where there are too many. Traversals keep theirs open.
fn keep(older: &mut Vec<Arc<Generation>>, generation: Arc<Generation>) {
    if older.len() == MOST_OPEN {
        older.remove(0);
    }
    older.push(generation);
}
