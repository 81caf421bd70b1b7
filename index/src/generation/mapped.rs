//! Files mapped into memory.
//!
//! Tantivy maps files without unsafe code of ours, so its directory is asked for the files that are not Tantivy's too.

use std::ops::Range;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::error::Error;

/// A file's bytes, mapped.
#[derive(Clone)]
pub(crate) struct Mapped {
    bytes: OwnedBytes,
}

impl Mapped {
    /// Maps `name` in `folder`.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        let path = folder.join(name);
        let directory = MmapDirectory::open(folder).map_err(Error::index(folder))?;
        let file = directory.open_read(Path::new(name)).map_err(Error::index(&path))?;
        let bytes = file.read_bytes().map_err(Error::file("map", &path))?;
        Ok(Self { bytes })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of `range`; empty where it is outside the file.
    pub(crate) fn slice(&self, range: Range<usize>) -> &[u8] {
        self.bytes.as_slice().get(range).unwrap_or_default()
    }

    /// The little-endian number at the `index`th place of a file of `u64`s; 0 outside it.
    pub(crate) fn u64_at(&self, index: usize) -> u64 {
        self.slice(index * 8..index * 8 + 8).try_into().map_or(0, u64::from_le_bytes)
    }

    /// The little-endian number at the `index`th place of a file of `u32`s; 0 outside it.
    pub(crate) fn u32_at(&self, index: usize) -> u32 {
        self.slice(index * 4..index * 4 + 4).try_into().map_or(0, u32::from_le_bytes)
    }
}
