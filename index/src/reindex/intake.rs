//! The taking in of an export's files: each row to its taker, each fault to the list of faults.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::{Options, Progress, Step, publish};
use crate::error::Error;
use crate::export::fault::{Fault, Faults};
use crate::export::lines::{LONGEST, Source};
use crate::export::stream::{Row, RowFault, StreamError, for_each_row};
use crate::export::{FORMAT, MANIFEST, Manifest};

/// How many rows are read between two reports of progress.
const REPORT_EVERY: u64 = 1024;

/// An export being taken in.
pub(crate) struct Intake<'a> {
    folder: &'a Path,
    faults: Faults,
    progress: &'a Progress<'a>,
}

/// A row for its taker.
pub(crate) enum Taken<'a, T> {
    /// A row whose fields are sound.
    Row(T),
    /// The slug of a row that was rejected, where it could be read.
    Rejected(&'a str),
}

impl<'a> Intake<'a> {
    /// Begins to take in the export in `folder`.
    pub(crate) fn begin(
        folder: &'a Path,
        options: Options,
        staging: &Path,
        progress: &'a Progress<'a>,
    ) -> Result<Self, Error> {
        let mut faults = Faults::default();
        if options.skip_invalid {
            let path = staging.join(publish::REJECTS);
            faults = Faults::skipping_rows(File::create_new(&path).map_err(Error::file("create", &path))?);
        }
        Ok(Self { folder, faults, progress })
    }

    /// Reads the export's manifest; `None` where it cannot be used.
    pub(crate) fn manifest(&mut self) -> Option<Manifest> {
        let read = || -> Result<Manifest, String> {
            if !self.folder.is_dir() {
                return Err(format!("there is no folder {}", self.folder.display()));
            }
            let mut text = Vec::new();
            let file = File::open(self.folder.join(MANIFEST));
            let read = file.and_then(|file| file.take(LONGEST as u64 + 1).read_to_end(&mut text));
            read.map_err(|error| format!("it cannot be read: {error}"))?;
            if text.len() > LONGEST {
                return Err(format!("it is longer than {LONGEST} bytes"));
            }
            let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
            if manifest.format != FORMAT {
                return Err(format!("its format is `{}`, and only `{FORMAT}` is read", manifest.format));
            }
            Ok(manifest)
        };
        read().map_err(|reason| self.refuse(MANIFEST, None, reason)).ok()
    }

    /// Gives each row of the file `stem` to `take`, which may find it faulty; gives whether the file could be read.
    pub(crate) fn read<T: DeserializeOwned + Send>(
        &mut self,
        stem: &'static str,
        expected: u64,
        mut take: impl FnMut(Taken<'_, T>) -> Result<Result<(), RowFault>, Error>,
    ) -> Result<bool, Error> {
        let source = match Source::find(self.folder, stem) {
            Ok(source) => source,
            Err(reason) => {
                self.refuse(stem, None, reason);
                return Ok(false);
            }
        };
        let report = |done| (self.progress)(Step::Reading { file: stem, done, total: expected });
        let faults = &mut self.faults;
        let mut last_line = 0;
        let read = for_each_row(&source, |row: Row<'_, T>| -> Result<(), Error> {
            last_line = row.line;
            if row.line % REPORT_EVERY == 1 {
                report(row.line);
            }
            let taken = match row.parsed {
                Ok(parsed) => take(Taken::Row(parsed))?,
                Err(fault) => Err(fault),
            };
            let Err(RowFault { field, reason }) = taken else { return Ok(()) };
            if let Some(slug) = slug_of_rejected(row.bytes) {
                // A rejected row is never rejected again.
                let _sound = take(Taken::Rejected(slug))?;
            }
            let fault = Fault { file: source.name.clone(), line: Some(row.line), field, reason };
            faults.add_of_row(fault, row.bytes).map_err(Error::file("write", Path::new(publish::REJECTS)))
        });
        match read {
            Ok(lines) if lines == expected => Ok(true),
            Ok(lines) => {
                let reason = format!("{MANIFEST} counts {expected} rows and the file has {lines}");
                self.refuse(&source.name, None, reason);
                Ok(true)
            }
            Err(StreamError::Unreadable(error)) => {
                self.refuse(&source.name, None, format!("it cannot be read beyond line {last_line}: {error}"));
                Ok(false)
            }
            Err(StreamError::Consumer(error)) => Err(error),
        }
    }

    /// Records a fault that no skipping mends.
    pub(crate) fn refuse(&mut self, file: &str, field: Option<&str>, reason: impl Into<String>) {
        let fault = Fault { field: field.map(str::to_owned), ..Fault::of_file(file, reason) };
        self.faults.add_of_file(fault);
    }

    /// Whether what was met so far forbids publication.
    pub(crate) fn forbids_publication(&self) -> bool {
        self.faults.forbid_publication()
    }

    /// The first faults, how many there were, and how many rows were rejected.
    pub(crate) fn finish(self) -> io::Result<(Vec<Fault>, u64, u64)> {
        self.faults.finish()
    }
}

/// The slug of a row that cannot be used, so that its record is not taken for missing. The row need not be JSON: a line cut short
/// still says which record it was about.
fn slug_of_rejected(row: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(row).or_else(|error| std::str::from_utf8(&row[..error.valid_up_to()])).ok()?;
    let (_, after) = text.split_once("\"slug\"")?;
    let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let (slug, _) = value.split_once('"')?;
    catalogue_schema::Slug::is_valid(slug).then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_row_says_which_record_it_was_about_where_it_can() {
        for (row, slug) in [
            (r#"{"slug":"a-b","title":"#, Some("a-b")),
            (r#"{"title":"A", "slug" : "c" , "x":1}"#, Some("c")),
            (r#"{"slug":"A B"}"#, None),
            (r#"{"slug":"cut"#, None),
            ("", None),
        ] {
            assert_eq!(slug_of_rejected(row.as_bytes()), slug, "{row}");
        }
        assert_eq!(slug_of_rejected(b"{\"slug\":\"a\",\"title\":\"\xff\"}"), Some("a"));
    }
}
