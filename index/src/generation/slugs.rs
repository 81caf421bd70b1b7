//! From a slug to its place in the list and back: the slugs in list order, and a hash table of places beside them.
//!
//! A look-up is one hash, one or two probes and one comparison, whatever the size of the list. The slugs stand apart from the rows
//! so that a reindex, which looks every one of them up, reads these few bytes and not the whole list.

use std::path::Path;

use super::mapped::Mapped;
use super::rows::{Rows, RowsWriter};
use crate::error::Error;
use crate::generation::files;

/// The table's file, beside the list's segments.
const TABLE: &str = "slugs.table";

/// The stem of the files that hold the slugs.
const TEXTS: &str = "slugs";

/// How many slots there are for each slug, at the least: so that probes are short.
const SLOTS_PER_SLUG: usize = 2;

/// Writes the slugs of a list, in list order.
pub(crate) fn write<'a>(folder: &Path, count: usize, slugs: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let slots = (count * SLOTS_PER_SLUG).next_power_of_two().max(2);
    let mut texts = RowsWriter::create(folder, TEXTS)?;
    // A slot holds a place plus one; 0 is an empty slot.
    let mut table = vec![0_u32; slots];
    for (slug, place) in slugs.zip(1_u32..) {
        texts.push(slug.as_bytes())?;
        let mut slot = first_slot(slug, slots);
        while table[slot] != 0 {
            slot = (slot + 1) % slots;
        }
        table[slot] = place;
    }
    texts.finish()?;
    let bytes: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
    files::write_synced(&folder.join(TABLE), &bytes)
}

/// The slugs of a list, mapped.
pub(crate) struct Slugs {
    texts: Rows,
    table: Mapped,
    slots: usize,
}

impl Slugs {
    /// Opens the slugs in `folder`, of which there must be `count`.
    pub(crate) fn open(folder: &Path, count: usize) -> Result<Self, Error> {
        let table = Mapped::open(folder, TABLE)?;
        let slots = table.len() / 4;
        if !slots.is_power_of_two() || slots <= count {
            return Err(Error::damaged(&folder.join(TABLE), format!("it has {slots} slots for {count} slugs")));
        }
        Ok(Self { texts: Rows::open(folder, TEXTS, count)?, table, slots })
    }

    /// The place of `slug`.
    pub(crate) fn find(&self, slug: &str) -> Option<u32> {
        let mut slot = first_slot(slug, self.slots);
        // A damaged table without an empty slot must end the search too.
        for _ in 0..self.slots {
            let place = self.table.u32_at(slot).checked_sub(1)?;
            if self.texts.get(place as usize) == slug.as_bytes() {
                return Some(place);
            }
            slot = (slot + 1) % self.slots;
        }
        None
    }

    /// The slug at `place`; empty outside the list.
    pub(crate) fn get(&self, place: u32) -> &str {
        std::str::from_utf8(self.texts.get(place as usize)).unwrap_or_default()
    }
}

fn first_slot(slug: &str, slots: usize) -> usize {
    // The multiplication spreads the check sum's bits over the high half, of which the slot is cut.
    let hash = u64::from(crc32fast::hash(slug.as_bytes())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(hash >> 32).unwrap_or(0) & (slots - 1)
}
