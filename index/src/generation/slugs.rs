//! From a slug to its place in the list and back: the slugs in list order, and a hash table of places beside them.
//!
//! A look-up is one hash, one or two probes and one comparison, whatever the size of the list. The slugs stand apart from the rows
//! so that a reindex, which looks every one of them up, reads these few bytes and not the whole list.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use siphasher::sip::SipHasher13;

use super::mapped::Mapped;
use super::rows::{Rows, RowsWriter};
use super::sums::{CheckSum, Sums};
use crate::error::Error;
use crate::generation::files;

/// The table's file, beside the list's segments.
const TABLE: &str = "slugs.table";

/// The stem of the files that hold the slugs.
const TEXTS: &str = "slugs";

/// How many slots there are for each slug, at the least: so that probes are short.
const SLOTS_PER_SLUG: usize = 2;

/// How long the key is, at the head of the table, in bytes and in slots.
const KEY: usize = 16;
const KEY_SLOTS: usize = KEY / 4;

/// Writes the slugs of a list, in list order; gives the files' sums.
pub(crate) fn write<'a>(folder: &Path, count: usize, slugs: impl Iterator<Item = &'a str>) -> Result<Sums, Error> {
    let key = new_key();
    let slots = (count * SLOTS_PER_SLUG).next_power_of_two().max(2);
    let mut texts = RowsWriter::create(folder, TEXTS)?;
    // A slot holds a place plus one; 0 is an empty slot.
    let mut table = vec![0_u32; slots];
    for (slug, place) in slugs.zip(1_u32..) {
        texts.push(slug.as_bytes())?;
        let mut slot = first_slot(key, slug, slots);
        while table[slot] != 0 {
            slot = (slot + 1) % slots;
        }
        table[slot] = place;
    }
    let mut sums = texts.finish()?;
    let bytes: Vec<u8> = key.into_iter().chain(table.into_iter().flat_map(u32::to_le_bytes)).collect();
    sums.insert(TABLE.to_owned(), CheckSum::of(&bytes));
    files::write_synced(&folder.join(TABLE), &bytes)?;
    Ok(sums)
}

/// The slugs of a list, mapped.
pub(crate) struct Slugs {
    texts: Rows,
    table: Mapped,
    key: [u8; KEY],
    slots: usize,
}

impl Slugs {
    /// Opens the slugs in `folder`, of which there must be `count`.
    pub(crate) fn open(folder: &Path, count: usize) -> Result<Self, Error> {
        let table = Mapped::open(folder, TABLE)?;
        let key = table.slice(0..KEY).try_into().unwrap_or_default();
        let slots = (table.len() / 4).saturating_sub(KEY_SLOTS);
        if !slots.is_power_of_two() || slots <= count {
            return Err(Error::damaged(&folder.join(TABLE), format!("it has {slots} slots for {count} slugs")));
        }
        Ok(Self { texts: Rows::open(folder, TEXTS, count)?, table, key, slots })
    }

    /// The place of `slug`.
    pub(crate) fn find(&self, slug: &str) -> Option<u32> {
        let mut slot = first_slot(self.key, slug, self.slots);
        // A damaged table without an empty slot must end the search too.
        for _ in 0..self.slots {
            let place = self.table.u32_at(KEY_SLOTS + slot).checked_sub(1)?;
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

/// Where a slug's probes begin. Slugs are chosen by those who are crawled: without a key that is new in each generation, somebody
/// could choose them so that they all begin at one slot.
fn first_slot(key: [u8; KEY], slug: &str, slots: usize) -> usize {
    let hash = SipHasher13::new_with_key(&key).hash(slug.as_bytes());
    // The table has at most 2^33 slots, and the slot is cut of the low bits.
    usize::try_from(hash & (slots as u64 - 1)).unwrap_or(0)
}

fn new_key() -> [u8; KEY] {
    let random = RandomState::new();
    let mut key = [0; KEY];
    key[..8].copy_from_slice(&random.hash_one(0).to_le_bytes());
    key[8..].copy_from_slice(&random.hash_one(1).to_le_bytes());
    key
}
