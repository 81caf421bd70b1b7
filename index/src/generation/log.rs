//! The change log: every change ever published, in the feed's order, appended to and never rewritten.
//!
//! All generations share one pair of files, `changes.rows` and `changes.ends`. A manifest says how much of them belongs to its
//! generation, so what a crash left behind the published end is nobody's, and the next publication writes over it.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::files;
use super::mapped::Mapped;
use super::rows::last_end;
use crate::error::Error;

const ROWS: &str = "changes.rows";
const ENDS: &str = "changes.ends";

/// The entries a generation knows, mapped.
pub(crate) struct Log {
    rows: Mapped,
    ends: Mapped,
    entries: u64,
}

impl Log {
    /// Opens the first `entries` entries, `bytes` long together, of the log in `folder`.
    pub(crate) fn open(folder: &Path, entries: u64, bytes: u64) -> Result<Self, Error> {
        let log = Self { rows: Mapped::open(folder, ROWS)?, ends: Mapped::open(folder, ENDS)?, entries };
        if last_end(&folder.join(ENDS), entries)? != bytes || (log.rows.len() as u64) < bytes {
            return Err(Error::damaged(
                &folder.join(ROWS),
                format!("it does not hold {entries} entries in {bytes} bytes"),
            ));
        }
        Ok(log)
    }

    /// How many entries there are.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// The stored row of an entry; empty outside the log.
    pub(crate) fn get(&self, entry: u64) -> &[u8] {
        if entry >= self.entries {
            return &[];
        }
        let start = entry.checked_sub(1).map_or(0, |before| self.end(before));
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        self.rows.slice(at(start)..at(self.end(entry)))
    }

    fn end(&self, entry: u64) -> u64 {
        usize::try_from(entry).map_or(0, |entry| self.ends.u64_at(entry))
    }
}

/// Appends entries behind the published end of the log.
pub(crate) struct LogWriter {
    rows: BufWriter<File>,
    ends: BufWriter<File>,
    path: PathBuf,
    entries: u64,
    bytes: u64,
}

impl LogWriter {
    /// Opens the log in `folder` behind its first `entries` entries, `bytes` long together; makes it where there is none. What
    /// stands behind is cut off: no published generation knows it.
    pub(crate) fn open(folder: &Path, entries: u64, bytes: u64) -> Result<Self, Error> {
        files::make_folder(folder)?;
        let open = |name: &str, length: u64| {
            let path = folder.join(name);
            let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
            let mut file = file.map_err(Error::file("open", &path))?;
            let found = file.metadata().map_err(Error::file("open", &path))?.len();
            if found < length {
                return Err(Error::damaged(&path, format!("it has {found} bytes instead of {length}")));
            }
            if found > length {
                file.set_len(length).map_err(Error::file("write", &path))?;
            }
            file.seek(SeekFrom::End(0)).map_err(Error::file("write", &path))?;
            Ok(BufWriter::new(file))
        };
        Ok(Self { rows: open(ROWS, bytes)?, ends: open(ENDS, entries * 8)?, path: folder.join(ROWS), entries, bytes })
    }

    /// Appends an entry.
    pub(crate) fn push(&mut self, row: &[u8]) -> Result<(), Error> {
        self.entries += 1;
        self.bytes += row.len() as u64;
        let end = self.bytes.to_le_bytes();
        self.rows.write_all(row).and_then(|()| self.ends.write_all(&end)).map_err(Error::file("write", &self.path))
    }

    /// Puts the entries on disk; gives how many entries and bytes the log holds now.
    pub(crate) fn finish(self) -> Result<(u64, u64), Error> {
        let Self { rows, ends, path, entries, bytes } = self;
        for file in [rows, ends] {
            let file = file.into_inner().map_err(|error| Error::file("write", &path)(error.into_error()))?;
            file.sync_all().map_err(Error::file("sync", &path))?;
        }
        files::sync_folder_of(&path)?;
        Ok((entries, bytes))
    }
}
