//! Rows as they are sent: their bytes one after the other, and where each ends.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::mapped::Mapped;
use super::sums::{Summed, Sums};
use crate::error::Error;

/// Writes rows in order.
pub(crate) struct RowsWriter {
    bytes: BufWriter<Summed<File>>,
    ends: BufWriter<Summed<File>>,
    written: u64,
    name: &'static str,
    path: PathBuf,
}

impl RowsWriter {
    /// Makes `NAME.rows` and `NAME.ends` in `folder`.
    pub(crate) fn create(folder: &Path, name: &'static str) -> Result<Self, Error> {
        let make = |ending: &str| {
            let path = folder.join(format!("{name}.{ending}"));
            File::create_new(&path)
                .map(|file| BufWriter::with_capacity(1 << 16, Summed::new(file)))
                .map_err(Error::file("create", &path))
        };
        let (bytes, ends) = (make("rows")?, make("ends")?);
        Ok(Self { bytes, ends, written: 0, name, path: folder.join(format!("{name}.rows")) })
    }

    /// Appends a row.
    pub(crate) fn push(&mut self, row: &[u8]) -> Result<(), Error> {
        self.written += row.len() as u64;
        let end = self.written.to_le_bytes();
        self.bytes.write_all(row).and_then(|()| self.ends.write_all(&end)).map_err(Error::file("write", &self.path))
    }

    /// Puts everything on disk; gives the files' sums.
    pub(crate) fn finish(self) -> Result<Sums, Error> {
        let Self { bytes, ends, name, path, .. } = self;
        let mut sums = Sums::new();
        for (ending, file) in [("rows", bytes), ("ends", ends)] {
            let file = file.into_inner().map_err(|error| Error::file("write", &path)(error.into_error()))?;
            let (file, sum) = file.finish();
            file.sync_all().map_err(Error::file("sync", &path))?;
            sums.insert(format!("{name}.{ending}"), sum);
        }
        Ok(sums)
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
        let path = folder.join(format!("{name}.rows"));
        let bytes = Mapped::open(folder, &format!("{name}.rows"))?;
        let ends = Mapped::open(folder, &format!("{name}.ends"))?;
        let total = last_end(&folder.join(format!("{name}.ends")), count as u64)?;
        if ends.len() != count * 8 || bytes.len() as u64 != total {
            return Err(Error::damaged(&path, format!("it does not hold the {count} rows of its manifest")));
        }
        Ok(Self { bytes, ends, path })
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
        if start > end || end > self.bytes.len() as u64 {
            return Err(Error::damaged(&self.path, format!("row {index} would be from {start} to {end}")));
        }
        row.clear();
        row.resize(usize::try_from(end - start).unwrap_or(usize::MAX), 0);
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

/// The last of the first `count` ends in the file `path`, after a look at all of them: where they ascend to the length of the rows,
/// every row can be read, and who reads one need not ask. The file is read and not mapped, so that its pages do not stay.
pub(crate) fn last_end(path: &Path, count: u64) -> Result<u64, Error> {
    let mut file = File::open(path).map_err(Error::file("open", path))?.take(count.saturating_mul(8));
    let mut buffer = vec![0; 1 << 16];
    let (mut held, mut last, mut read) = (0, 0, 0);
    loop {
        let length = match file.read(&mut buffer[held..]) {
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::file("read", path)(error)),
        };
        if length == 0 {
            break;
        }
        let (ends, rest) = buffer[..held + length].as_chunks::<8>();
        for end in ends {
            let end = u64::from_le_bytes(*end);
            if end < last {
                return Err(Error::damaged(path, format!("a row would be from {last} to {end}")));
            }
            last = end;
        }
        read += ends.len() as u64;
        let (whole, rest) = (held + length - rest.len(), rest.len());
        buffer.copy_within(whole..whole + rest, 0);
        held = rest;
    }
    if read == count { Ok(last) } else { Err(Error::damaged(path, format!("it has {read} ends instead of {count}"))) }
}
