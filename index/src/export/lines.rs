//! Lines of a file, plain or compressed, in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The longest line read, in bytes; a longer one is a fault, and only its beginning is held. It is 25 times the longest of a real
/// crawl, and bounds every text there is: what is held of a row, of a batch of rows and of a segment of them.
pub const LONGEST: usize = 1 << 16;

/// How much of a longer line is held, in bytes: enough to tell which record it is about.
const BEGINNING: usize = 1 << 10;

/// How a file is compressed, by the end of its name.
const ENDINGS: [&str; 3] = ["ndjson", "ndjson.gz", "ndjson.zst"];

/// A file of the export, found under one of its names.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it lies.
    pub path: PathBuf,
    /// Its name in the export, as faults tell it.
    pub name: String,
}

impl Source {
    /// Finds the file of rows `stem` in `folder`.
    ///
    /// # Errors
    /// A sentence, where there is none or more than one.
    pub fn find(folder: &Path, stem: &str) -> Result<Self, String> {
        let names = ENDINGS.map(|ending| format!("{stem}.{ending}"));
        let found: Vec<_> = names.iter().filter(|name| folder.join(name).is_file()).collect();
        match found.as_slice() {
            [name] => Ok(Self { path: folder.join(name), name: (*name).clone() }),
            [] => Err(format!("the file is missing: none of {} is there", names.join(", "))),
            [first, second, ..] => Err(format!("{first} and {second} are both there: one of them must go")),
        }
    }

    /// Opens the file for reading line by line.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn lines(&self) -> io::Result<Lines> {
        let file = File::open(&self.path)?;
        let bytes: Box<dyn Read + Send> = match self.path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(file))),
            Some("zst") => Box::new(zstd::Decoder::new(file)?),
            _ => Box::new(file),
        };
        Ok(Lines { bytes: BufReader::with_capacity(1 << 17, bytes), number: 0 })
    }
}

/// Reads lines one at a time.
pub struct Lines {
    bytes: BufReader<Box<dyn Read + Send>>,
    number: u64,
}

/// What became of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Its bytes were appended, without the newline.
    Read,
    /// It is longer than [`LONGEST`]; only its first bytes were appended.
    TooLong,
}

impl Lines {
    /// Appends the next line to `buffer` and gives its number, from 1; `None` at the end of the file.
    ///
    /// # Errors
    /// Where the file cannot be read or decompressed.
    pub fn next_into(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<(u64, Line)>> {
        let start = buffer.len();
        let mut too_long = false;
        let mut met_any = false;
        loop {
            let chunk = self.bytes.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            met_any = true;
            let newline = memchr::memchr(b'\n', chunk);
            let taken = newline.unwrap_or(chunk.len());
            if !too_long {
                if buffer.len() - start + taken > LONGEST {
                    too_long = true;
                    buffer.extend_from_slice(&chunk[..taken]);
                    buffer.truncate(start + BEGINNING);
                } else {
                    buffer.extend_from_slice(&chunk[..taken]);
                }
            }
            self.bytes.consume(taken + usize::from(newline.is_some()));
            if newline.is_some() {
                break;
            }
        }
        if !met_any {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some((self.number, if too_long { Line::TooLong } else { Line::Read })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<(u64, Line, Vec<u8>)> {
        let boxed: Box<dyn Read + Send> = Box::new(io::Cursor::new(bytes.to_vec()));
        let mut lines = Lines { bytes: BufReader::with_capacity(7, boxed), number: 0 };
        let mut found = Vec::new();
        let mut buffer = Vec::new();
        while let Some((number, line)) = lines.next_into(&mut buffer).expect("reading memory works") {
            found.push((number, line, std::mem::take(&mut buffer)));
        }
        found
    }

    #[test]
    fn the_last_line_counts_with_and_without_its_newline() {
        for text in ["first line\n\nthird", "first line\n\nthird\n"] {
            let lines = lines_of(text.as_bytes());
            let expected = [
                (1, Line::Read, b"first line".to_vec()),
                (2, Line::Read, Vec::new()),
                (3, Line::Read, b"third".to_vec()),
            ];
            assert_eq!(lines, expected);
        }
        assert_eq!(lines_of(b""), []);
    }

    #[test]
    fn a_line_beyond_the_limit_is_passed_over_and_counted() {
        let mut text = vec![b'x'; LONGEST + 1];
        text.extend_from_slice(b"\nnext\n");
        assert_eq!(lines_of(&text), [(1, Line::TooLong, vec![b'x'; BEGINNING]), (2, Line::Read, b"next".to_vec())]);
    }
}
