//! The order of a list at an instant, without sorting anything.
//!
//! Grants lie with their deadlines ascending and the undated at the end. At an instant, the first place whose deadline has not
//! passed is the pivot, and the list is: from the pivot to the end, then from before the pivot back to the beginning. The other
//! lists lie in their one order, which is the same with a pivot of 0.

use catalogue_schema::Timestamp;

use super::filter::Filter;
use super::walk::Walk;
use crate::error::Error;
use crate::generation::list::{List, Place};
use crate::generation::segment::{LENGTH, Segment};

/// The fewest documents looked at in one go when walking backwards.
const SMALLEST_WINDOW: u32 = 256;

/// The place of the first grant whose deadline is at or after `instant`, or that has none.
pub(crate) fn pivot(grants: &List, instant: Timestamp) -> Place {
    let has_passed = |deadline: Option<i64>| deadline.is_some_and(|deadline| deadline < instant.unix_millis());
    // The segment of the pivot is the first whose last deadline has not passed.
    let index = grants.segments.partition_point(|segment| has_passed(segment.deadlines.first(segment.count() - 1)));
    let Some(segment) = grants.segments.get(index) else { return grants.count() };
    let (mut low, mut high) = (0, segment.count());
    while low < high {
        let middle = low + (high - low) / 2;
        if has_passed(segment.deadlines.first(middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    first_place(index) + low
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
        Some(after) if after < pivot => after,
        _ => {
            forwards(list, filter, after.map_or(pivot, |after| after + 1), limit, &mut places)?;
            pivot
        }
    };
    if places.len() < limit {
        backwards(list, filter, before, limit, &mut places)?;
    }
    Ok(places)
}

/// Appends matching places from `from` on until there are `limit`.
fn forwards(list: &List, filter: &Filter, from: Place, limit: usize, places: &mut Vec<Place>) -> Result<(), Error> {
    if filter.clauses.is_empty() {
        places.extend((from..list.count()).take(limit - places.len()));
        return Ok(());
    }
    let mut next = from;
    for (index, segment) in list.segments.iter().enumerate().skip((from / LENGTH) as usize) {
        let first = first_place(index);
        if let Some(mut walk) = Walk::begin(segment, &list.fields, &filter.clauses)? {
            let mut target = next - first;
            while let Some(found) = walk.next(target) {
                places.push(first + found);
                if places.len() == limit {
                    return Ok(());
                }
                target = found + 1;
            }
        }
        next = first + segment.count();
    }
    Ok(())
}

/// Appends matching places from before `before` back to the beginning until there are `limit`.
fn backwards(list: &List, filter: &Filter, before: Place, limit: usize, places: &mut Vec<Place>) -> Result<(), Error> {
    if filter.clauses.is_empty() {
        places.extend((0..before).rev().take(limit - places.len()));
        return Ok(());
    }
    let mut before = before;
    while before > 0 && places.len() < limit {
        let index = (before - 1) / LENGTH;
        let Some(segment) = list.segments.get(index as usize) else { return Ok(()) };
        let first = first_place(index as usize);
        backwards_in(list, segment, filter, (first, before - first), limit, places)?;
        before = first;
    }
    Ok(())
}

/// Walks a segment backwards: windows of documents are walked forwards and turned round, each larger than the one before.
fn backwards_in(
    list: &List,
    segment: &Segment,
    filter: &Filter,
    (first, mut before): (Place, u32),
    limit: usize,
    places: &mut Vec<Place>,
) -> Result<(), Error> {
    let mut window = 0;
    while before > 0 && places.len() < limit {
        let Some(mut walk) = Walk::begin(segment, &list.fields, &filter.clauses)? else { return Ok(()) };
        window = if window == 0 {
            first_window(walk.most_matches(), segment.count(), limit - places.len())
        } else {
            window.saturating_mul(4)
        };
        let start = before.saturating_sub(window);
        let mut found = Vec::new();
        let mut target = start;
        while let Some(place) = walk.next(target).filter(|&place| place < before) {
            found.push(first + place);
            target = place + 1;
        }
        places.extend(found.into_iter().rev().take(limit - places.len()));
        before = start;
    }
    Ok(())
}

/// A window that probably holds twice the rows that are wanted.
fn first_window(most_matches: u32, documents: u32, wanted: usize) -> u32 {
    let wanted = u64::try_from(wanted).unwrap_or(u64::MAX).saturating_mul(2);
    let window = wanted.saturating_mul(u64::from(documents)) / u64::from(most_matches.max(1));
    u32::try_from(window).unwrap_or(u32::MAX).clamp(SMALLEST_WINDOW, LENGTH)
}

/// The place of a segment's first document. Places are numbered with 32 bits, and so are a list's segments.
fn first_place(index: usize) -> Place {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_mul(LENGTH)
}
