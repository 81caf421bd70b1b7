//! What only the catalogue knows of a record: its fingerprint, and the publications that first and last changed it.

use std::path::Path;

use catalogue_schema::Timestamp;
use sha2::{Digest, Sha256};

use super::mapped::Mapped;
use crate::error::Error;
use crate::export::GrantRow;

/// The file's name, in a segment of grants.
pub(crate) const NAME: &str = "history";

/// How long a record's history is, in bytes.
pub(crate) const LENGTH: usize = 24;

/// A digest of the fields of an export row other than `last_verified_at`: equal rows say the same.
pub(crate) type Fingerprint = [u8; 16];

/// The history of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct History {
    pub(crate) fingerprint: Fingerprint,
    /// The number of the publication that first held the record.
    pub(crate) first_seen: u32,
    /// The number of the publication that last changed it.
    pub(crate) updated: u32,
}

impl History {
    pub(crate) fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..16].copy_from_slice(&self.fingerprint);
        bytes[16..20].copy_from_slice(&self.first_seen.to_le_bytes());
        bytes[20..].copy_from_slice(&self.updated.to_le_bytes());
        bytes
    }

    /// Reads a history; `None` where there are not [`LENGTH`] bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (fingerprint, rest) = bytes.split_first_chunk::<16>()?;
        let (first_seen, rest) = rest.split_first_chunk::<4>()?;
        let updated: [u8; 4] = rest.try_into().ok()?;
        Some(Self {
            fingerprint: *fingerprint,
            first_seen: u32::from_le_bytes(*first_seen),
            updated: u32::from_le_bytes(updated),
        })
    }
}

/// The fingerprint of a row. `buffer` is scratch space.
pub(crate) fn fingerprint(row: &mut GrantRow, buffer: &mut Vec<u8>) -> serde_json::Result<Fingerprint> {
    // The time of reading is the one field whose moves are no change.
    let last_verified_at = std::mem::replace(&mut row.last_verified_at, Timestamp::EPOCH);
    buffer.clear();
    let written = serde_json::to_writer(&mut *buffer, row);
    row.last_verified_at = last_verified_at;
    written?;
    let digest = Sha256::digest(&*buffer);
    let mut fingerprint = [0; 16];
    fingerprint.copy_from_slice(&digest[..16]);
    Ok(fingerprint)
}

/// The histories of a segment, mapped.
pub(crate) struct Histories(Mapped);

impl Histories {
    pub(crate) fn open(folder: &Path, count: usize) -> Result<Self, Error> {
        let file = Mapped::open(folder, NAME)?;
        if file.len() != count * LENGTH {
            return Err(Error::damaged(&folder.join(NAME), format!("it does not hold {count} histories")));
        }
        Ok(Self(file))
    }

    /// The history at `index`; `None` outside the file.
    pub(crate) fn get(&self, index: usize) -> Option<History> {
        History::from_bytes(self.0.slice(index * LENGTH..(index + 1) * LENGTH))
    }
}
