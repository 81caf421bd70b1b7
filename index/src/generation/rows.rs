//! Rows as they are sent: their bytes one after the other, and where each ends.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::mapped::Mapped;
use crate::error::Error;

/// Writes rows in order.
pub(crate) struct RowsWriter {
    bytes: BufWriter<File>,
    ends: BufWriter<File>,
    written: u64,
    path: PathBuf,
}

impl RowsWriter {
    /// Makes `NAME.rows` and `NAME.ends` in `folder`.
    pub(crate) fn create(folder: &Path, name: &str) -> Result<Self, Error> {
        let make = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            File::create_new(&path)
                .map(|file| BufWriter::with_capacity(1 << 16, file))
                .map_err(Error::file("create", &path))
        };
        Ok(Self { bytes: make("rows")?, ends: make("ends")?, written: 0, path: folder.join(format!("{name}.rows")) })
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, row: &[u8]) -> Result<(), Error> {
        self.written += row.len() as u64;
        let end = self.written.to_le_bytes();
        self.bytes.write_all(row).and_then(|()| self.ends.write_all(&end)).map_err(Error::file("write", &self.path))
    }

    /// Puts everything on disk.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { bytes, ends, path, .. } = self;
        for file in [bytes, ends] {
            let file = file.into_inner().map_err(|error| Error::file("write", &path)(error.into_error()))?;
            file.sync_all().map_err(Error::file("sync", &path))?;
        }
        Ok(())
    }
}

/// Rows, mapped.
#[derive(Clone)]
pub(crate) struct Rows {
    bytes: Mapped,
    ends: Mapped,
    path: PathBuf,
}

impl Rows {
    /// Opens `NAME.rows` and `NAME.ends` in `folder`, which must hold `count` rows.
    pub(crate) fn open(folder: &Path, name: &str, count: usize) -> Result<Self, Error> {
        let bytes = Mapped::open(folder, &format!("{name}.rows"))?;
        let ends = Mapped::open(folder, &format!("{name}.ends"))?;
        let total = if count == 0 { 0 } else { ends.u64_at(count - 1) };
        if ends.len() != count * 8 || bytes.len() as u64 != total {
            let reason = format!("it does not hold the {count} rows of its manifest");
            return Err(Error::damaged(&folder.join(format!("{name}.rows")), reason));
        }
        Ok(Self { bytes, ends, path: folder.join(format!("{name}.rows")) })
    }

    /// The row at `index`; empty outside the file.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let (start, end) = self.range(index);
        // Offsets of a file of this machine fit its addresses.
        self.bytes.slice(usize::try_from(start).unwrap_or(usize::MAX)..usize::try_from(end).unwrap_or(usize::MAX))
    }

    /// Reads the row at `index` into `row` without touching the mapping, of which every page touched stays with the process. The
    /// file is opened each time: a generation kept for its traversals must not hold descriptors that connections need.
    pub(crate) fn read(&self, index: usize, row: &mut Vec<u8>) -> Result<(), Error> {
        let (start, end) = self.range(index);
        row.clear();
        row.resize(usize::try_from(end.saturating_sub(start)).unwrap_or(0), 0);
        let read = File::open(&self.path).and_then(|file| file.read_exact_at(row, start));
        read.map_err(Error::file("read", &self.path))
    }

    /// The file of the rows' bytes.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn range(&self, index: usize) -> (u64, u64) {
        let start = if index == 0 { 0 } else { self.ends.u64_at(index - 1) };
        (start, self.ends.u64_at(index))
    }
}
