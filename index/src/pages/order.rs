//! The order of a list at an instant, without sorting anything.
//!
//! Grants lie with their deadlines ascending and the undated at the end. At an instant, the first place whose deadline has not
//! passed is the pivot, and the list is: from the pivot to the end, then from before the pivot back to the beginning. On the way
//! back, records with one deadline keep their order by slug: each such group is read forwards. The other lists lie in their one
//! order, which is the same with a pivot of 0.

use std::ops::Range;
use std::sync::atomic::Ordering;

use catalogue_schema::Timestamp;

use super::filter::Filter;
use super::walk::Walk;
use crate::error::Error;
use crate::generation::list::{List, Place};
use crate::generation::segment::LENGTH;

/// The fewest documents looked at in one go when walking backwards.
const SMALLEST_WINDOW: u32 = 256;

/// The place of the first grant whose deadline is at or after `instant`, or that has none.
pub(crate) fn pivot(grants: &List, instant: Timestamp) -> Place {
    let has_passed = |place| deadline(grants, place).is_some_and(|deadline| deadline < instant.unix_millis());
    // Deadlines are days and the clock is read thousands of times a second: the pivot is mostly where it was found before.
    let before = grants.pivot_before.load(Ordering::Relaxed);
    let stands = (before == 0 || has_passed(before - 1)) && (before == grants.count() || !has_passed(before));
    if stands {
        return before;
    }
    let pivot = partition(0..grants.count(), has_passed);
    grants.pivot_before.store(pivot, Ordering::Relaxed);
    pivot
}

/// The first `limit` places after `after` that meet the filter, in the order that has this pivot.
pub(crate) fn places(
    list: &List,
    filter: &Filter,
    pivot: Place,
    after: Option<Place>,
    limit: usize,
) -> Result<Vec<Place>, Error> {
    let mut places = Vec::with_capacity(limit);
    let before = match after {
        Some(after) if after < pivot => {
            let tied = tied_with(list, after);
            forwards(list, filter, after + 1..tied.end, limit, &mut places)?;
            tied.start
        }
        _ => {
            forwards(list, filter, after.map_or(pivot, |after| after + 1)..list.count(), limit, &mut places)?;
            pivot
        }
    };
    backwards(list, filter, before, limit, &mut places)?;
    Ok(places)
}

/// Appends matching places of `range` until there are `limit` in all.
fn forwards(
    list: &List,
    filter: &Filter,
    range: Range<Place>,
    limit: usize,
    places: &mut Vec<Place>,
) -> Result<(), Error> {
    if filter.clauses.is_empty() {
        places.extend(range.take(limit.saturating_sub(places.len())));
        return Ok(());
    }
    let mut next = range.start;
    while next < range.end && places.len() < limit {
        let index = next / LENGTH;
        let Some(segment) = list.segments.get(index as usize) else { return Ok(()) };
        let first = index * LENGTH;
        if let Some(mut walk) = Walk::begin(segment, &list.fields, &filter.clauses)? {
            let mut target = next - first;
            while let Some(found) = walk.next(target).filter(|&found| found < range.end - first) {
                places.push(first + found);
                if places.len() == limit {
                    return Ok(());
                }
                target = found + 1;
            }
            walk.finish()?;
        }
        next = first + segment.count();
    }
    Ok(())
}

/// Appends matching places from before `before` back to the beginning until there are `limit` in all: windows of places are walked
/// forwards and turned round, each larger than the one before.
fn backwards(
    list: &List,
    filter: &Filter,
    mut before: Place,
    limit: usize,
    places: &mut Vec<Place>,
) -> Result<(), Error> {
    let mut size = 0;
    while before > 0 && places.len() < limit {
        let wanted = limit - places.len();
        size = if size == 0 { first_size(list, filter, before, wanted)? } else { size.saturating_mul(4).min(LENGTH) };
        let window = window(list, before, size);
        let mut found = Vec::new();
        // Of a window with one deadline the first matches are the ones that come next.
        let most = if deadline(list, window.start) == deadline(list, before - 1) { wanted } else { usize::MAX };
        forwards(list, filter, window.clone(), most, &mut found)?;
        let groups = found.chunk_by(|&one, &next| deadline(list, one) == deadline(list, next));
        places.extend(groups.rev().flatten().take(wanted));
        before = window.start;
    }
    Ok(())
}

/// The places before `before` to look at next: about `size`, and of a group with one deadline all or none.
fn window(list: &List, before: Place, size: u32) -> Range<Place> {
    let start = before.saturating_sub(size);
    let tied = tied_with(list, start);
    let start = if tied.start < start && tied.end < before { tied.end } else { tied.start };
    start..before
}

/// The places whose deadline is that of `place`. As a rule they are few, so they are looked for near it.
fn tied_with(list: &List, place: Place) -> Range<Place> {
    let own = deadline(list, place);
    let is_tied = |place| deadline(list, place) == own;
    let mut reach = 1;
    while reach <= place && is_tied(place - reach) {
        reach = reach.saturating_mul(2);
    }
    let start = partition(place.saturating_sub(reach)..place, |place| !is_tied(place));
    let mut reach = 1;
    while reach < list.count() - place && is_tied(place + reach) {
        reach = reach.saturating_mul(2);
    }
    let end = partition(place..place.saturating_add(reach).min(list.count()), is_tied);
    start..end
}

/// How many places probably hold twice the rows that are wanted.
fn first_size(list: &List, filter: &Filter, before: Place, wanted: usize) -> Result<u32, Error> {
    let mut part = (1, 1);
    if !filter.clauses.is_empty()
        && let Some(segment) = list.segments.get(((before - 1) / LENGTH) as usize)
    {
        let matches = Walk::begin(segment, &list.fields, &filter.clauses)?.map_or(1, |walk| walk.probable_matches());
        part = (segment.count(), matches.max(1));
    }
    let wanted = u64::try_from(wanted).unwrap_or(u64::MAX).saturating_mul(2);
    let size = wanted.saturating_mul(u64::from(part.0)) / u64::from(part.1);
    Ok(u32::try_from(size).unwrap_or(u32::MAX).clamp(SMALLEST_WINDOW, LENGTH))
}

/// The first place of `range` at which `is_before` does not hold, where it holds for none behind.
fn partition(range: Range<Place>, is_before: impl Fn(Place) -> bool) -> Place {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The deadline at a place, in Unix milliseconds.
fn deadline(list: &List, place: Place) -> Option<i64> {
    list.segments.get((place / LENGTH) as usize)?.deadlines.first(place % LENGTH)
}
