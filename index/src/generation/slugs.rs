//! From a slug to its place in the list: a hash table on disk.
//!
//! The table holds places, not slugs: a candidate is checked against the row itself, which begins with its slug. A look-up is one
//! hash, one or two probes and one comparison, whatever the size of the list.

use std::path::Path;

use super::mapped::Mapped;
use crate::error::Error;
use crate::generation::files;

/// The file's name, beside the list's segments.
const NAME: &str = "slugs.table";

/// How many slots there are for each slug, at the least: so that probes are short.
const SLOTS_PER_SLUG: usize = 2;

/// Writes the table of a list: `slugs` in list order.
pub(crate) fn write<'a>(folder: &Path, count: usize, slugs: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let slots = (count * SLOTS_PER_SLUG).next_power_of_two().max(2);
    // A slot holds a place plus one; 0 is an empty slot.
    let mut table = vec![0_u32; slots];
    for (slug, place) in slugs.zip(1_u32..) {
        let mut slot = first_slot(slug, slots);
        while table[slot] != 0 {
            slot = (slot + 1) % slots;
        }
        table[slot] = place;
    }
    let bytes: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
    files::write_synced(&folder.join(NAME), &bytes)
}

/// The table of a list, mapped.
pub(crate) struct Slugs {
    table: Mapped,
    slots: usize,
}

impl Slugs {
    /// Opens the table in `folder`, which must have room for `count` slugs.
    pub(crate) fn open(folder: &Path, count: usize) -> Result<Self, Error> {
        let table = Mapped::open(folder, NAME)?;
        let slots = table.len() / 4;
        if !slots.is_power_of_two() || slots <= count {
            return Err(Error::damaged(&folder.join(NAME), format!("it has {slots} slots for {count} slugs")));
        }
        Ok(Self { table, slots })
    }

    /// The place of `slug`, where `is_at` says whether a place holds it.
    pub(crate) fn find(&self, slug: &str, is_at: impl Fn(u32) -> bool) -> Option<u32> {
        let mut slot = first_slot(slug, self.slots);
        // A damaged table without an empty slot must end the search too.
        for _ in 0..self.slots {
            let place = self.table.u32_at(slot).checked_sub(1)?;
            if is_at(place) {
                return Some(place);
            }
            slot = (slot + 1) % self.slots;
        }
        None
    }
}

fn first_slot(slug: &str, slots: usize) -> usize {
    // The multiplication spreads the check sum's bits over the high half, of which the slot is cut.
    let hash = u64::from(crc32fast::hash(slug.as_bytes())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(hash >> 32).unwrap_or(0) & (slots - 1)
}
