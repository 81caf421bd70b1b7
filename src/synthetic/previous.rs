//! An earlier export, read line by line.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use catalogue_index::export::{FORMAT, Manifest};
use serde::Deserialize;

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
    text: Box<dyn BufRead>,
    line: String,
    number: u64,
    stated: u64,
}

impl Rows {
    /// Opens the file of that name, which the manifest says has `stated` rows.
    pub(super) fn open(dir: &Path, name: &str, stated: u64) -> Result<Self, Error> {
        for suffix in ["", ".gz", ".zst"] {
            let path = dir.join(format!("{name}{suffix}"));
            let opened = File::open(&path).and_then(|file| {
                Ok(match suffix {
                    "" => buffered(file),
                    ".gz" => buffered(flate2::read::MultiGzDecoder::new(BufReader::new(file))),
                    _ => buffered(zstd::stream::read::Decoder::new(file)?),
                })
            });
            match opened {
                Ok(text) => return Ok(Self { path, text, line: String::new(), number: 0, stated }),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(source) => return Err(Error::File { path, source }),
            }
        }
        Err(Error::Missing(dir.join(name)))
    }

    /// The next line and what it says, or `None` after the last, where as many have been read as the manifest says.
    pub(super) fn next_row<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<(&'a str, T)>, Error> {
        self.line.clear();
        match self.text.read_line(&mut self.line) {
            Ok(0) if self.number == self.stated => return Ok(None),
            Ok(0) => {
                return Err(Error::Count { path: self.path.clone(), found: self.number, stated: self.stated });
            }
            Ok(_) => self.number += 1,
            Err(source) => return Err(Error::File { path: self.path.clone(), source }),
        }
        let line = self.line.trim_end_matches(['\n', '\r']);
        match serde_json::from_str(line) {
            Ok(row) => Ok(Some((line, row))),
            Err(source) => Err(Error::Row { path: self.path.clone(), line: self.number, source }),
        }
    }
}

fn buffered(text: impl Read + 'static) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(1 << 17, text))
}
