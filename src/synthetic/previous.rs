//! An earlier export, read line by line.

use std::fs;
use std::path::{Path, PathBuf};

use catalogue_index::export::lines::{LONGEST, Line, Lines, Source};
use catalogue_index::export::{FORMAT, Manifest};
use serde::Deserialize;
use serde::de::Error as _;

use super::Error;

/// Reads an export's manifest.
pub(super) fn manifest(dir: &Path) -> Result<Manifest, Error> {
    let path = dir.join("manifest.json");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(Error::File { path, source }),
    };
    match serde_json::from_str::<Manifest>(&text) {
        Ok(manifest) if manifest.format == FORMAT => Ok(manifest),
        Ok(Manifest { format, .. }) => Err(Error::Format { path, format }),
        Err(source) => Err(Error::Manifest { path, source }),
    }
}

/// A file of rows being read: plain, or compressed with gzip or zstd.
pub(super) struct Rows {
    path: PathBuf,
    lines: Lines,
    line: Vec<u8>,
    number: u64,
    stated: u64,
}

impl Rows {
    /// Opens the file of that name, which the manifest says has `stated` rows.
    pub(super) fn open(dir: &Path, name: &str, stated: u64) -> Result<Self, Error> {
        let found = Source::find(dir, name.trim_end_matches(".ndjson"));
        let found = found.map_err(|reason| Error::NotFound { path: dir.join(name), reason })?;
        let lines = found.lines().map_err(|source| Error::File { path: found.path.clone(), source })?;
        Ok(Self { path: found.path, lines, line: Vec::new(), number: 0, stated })
    }

    /// The next line and what it says, or `None` after the last, where as many have been read as the manifest says.
    pub(super) fn next_row<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<(&'a str, T)>, Error> {
        self.line.clear();
        let met = self.lines.next_into(&mut self.line);
        let met = met.map_err(|source| Error::File { path: self.path.clone(), source })?;
        let Some((number, line)) = met else {
            if self.number == self.stated {
                return Ok(None);
            }
            return Err(Error::Count { path: self.path.clone(), found: self.number, stated: self.stated });
        };
        self.number = number;
        let broken = |source| Error::Row { path: self.path.clone(), line: number, source };
        if line == Line::TooLong {
            return Err(broken(serde_json::Error::custom(format!("it is longer than {LONGEST} bytes"))));
        }
        let line = std::str::from_utf8(&self.line).map_err(|error| broken(serde_json::Error::custom(error)))?;
        let line = line.trim_end_matches('\r');
        Ok(Some((line, serde_json::from_str(line).map_err(broken)?)))
    }
}
