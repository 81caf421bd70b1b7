//! Insight: what the rows of a list say together, counted over postings and columns, never over rows.
//!
//! A list is walked once, by the same walk that pages take, and every match is noted as one bit ([`Matches`]): of a million grants that
//! is 128 kB. Each question is then asked of the bits: a facet intersects them with the postings of each value, a series or a sum reads
//! a column where they are set. A list without a filter has no bits at all.
//!
//! All of this takes milliseconds rather than microseconds, so it is for threads that may be held up.

mod bits;
mod changes;
mod columns;
mod deadlines;
mod facets;
mod money;

use std::sync::Arc;

use catalogue_schema::Timestamp;
use tantivy::columnar::Column;

use self::bits::Bits;
pub use self::changes::changes_by_day;
pub use self::facets::FacetField;
use crate::error::Error;
use crate::generation::list::{List, Place};
use crate::generation::segment::{LENGTH, Segment};
use crate::generation::{Generation, Resource};
use crate::pages::traversal::Traversal;
use crate::pages::walk::Walk;

/// Every row that meets a traversal's filter, on whatever page it stands.
pub struct Matches {
    generation: Arc<Generation>,
    resource: Resource,
    as_of: Timestamp,
    /// Where the list begins at the instant: of grants, the first place whose deadline has not passed.
    start: Place,
    /// One for each segment.
    found: Vec<Bits>,
    total: u64,
}

impl Matches {
    /// Walks the whole list of a traversal. The change feed has no filter and no postings: nothing but its length is known of it.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn of(traversal: &Traversal) -> Result<Self, Error> {
        let generation = Arc::clone(traversal.generation());
        let resource = traversal.resource();
        let mut matches = Self {
            as_of: traversal.as_of(),
            start: traversal.start(),
            found: Vec::new(),
            total: traversal.changes_in_window(),
            resource,
            generation: Arc::clone(&generation),
        };
        let Some(list) = generation.list(resource) else { return Ok(matches) };
        let clauses = &traversal.filter().clauses;
        for segment in &list.segments {
            let mut bits = Bits::All(segment.count());
            if !clauses.is_empty() {
                bits = Bits::none();
                let mut target = 0;
                if let Some(mut walk) = Walk::begin(segment, &list.fields, clauses)? {
                    while let Some(document) = walk.next(target) {
                        bits.insert(document);
                        target = document + 1;
                    }
                    walk.finish()?;
                }
            }
            matches.total += u64::from(bits.count());
            matches.found.push(bits);
        }
        Ok(matches)
    }

    /// How many rows match.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    fn list(&self) -> Option<&List> {
        self.generation.list(self.resource)
    }

    /// The segments, each with its matches and its first place.
    fn segments(&self) -> impl Iterator<Item = (&Segment, &Bits, Place)> {
        let segments = self.list().map(|list| list.segments.as_slice()).unwrap_or_default();
        segments
            .iter()
            .zip(&self.found)
            .zip((0..).step_by(LENGTH as usize))
            .map(|((segment, bits), first)| (segment, bits, first))
    }

    /// Gives the value of a column for each match that has one.
    fn for_each_value(&self, name: &str, mut take: impl FnMut(u64)) -> Result<(), Error> {
        for (segment, bits, _) in self.segments() {
            let column: Column<u64> = columns::numbers(segment, name)?;
            for document in bits.iter() {
                if let Some(value) = column.first(document) {
                    take(value);
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Matches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matches").field("resource", &self.resource).field("total", &self.total).finish_non_exhaustive()
    }
}
