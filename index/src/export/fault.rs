//! What is wrong with an export, and where: file, line, field and reason.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::value::RawValue;

/// How many faults are kept; the others are counted.
pub const KEPT: usize = 100;

/// One fault of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file, as the export names it.
    pub file: String,
    /// The line, from 1; null where the fault is of the whole file.
    pub line: Option<u64>,
    /// The field, where one is at fault.
    pub field: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl Fault {
    /// A fault of a whole file.
    pub(crate) fn of_file(file: &str, reason: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, field: None, reason: reason.into() }
    }
}

/// The faults met so far, in bounded memory, and the file the rejected rows go to.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    first: Vec<Fault>,
    total: u64,
    rejected_rows: u64,
    of_files: u64,
    rejects: Option<BufWriter<File>>,
}

impl Faults {
    /// Keeps the faults of rows as rejects in `file`, so that the other rows can be published.
    pub(crate) fn skipping_rows(file: File) -> Self {
        Self { rejects: Some(BufWriter::new(file)), ..Self::default() }
    }

    /// Records a fault of a file as a whole: one that no skipping mends.
    pub(crate) fn add_of_file(&mut self, fault: Fault) {
        self.of_files += 1;
        self.add(fault);
    }

    /// Records a fault of a row, and the row itself among the rejects.
    pub(crate) fn add_of_row(&mut self, fault: Fault, row: &[u8]) -> io::Result<()> {
        if let Some(rejects) = &mut self.rejects {
            write_reject(rejects, &fault, row)?;
        }
        self.rejected_rows += 1;
        self.add(fault);
        Ok(())
    }

    fn add(&mut self, fault: Fault) {
        self.total += 1;
        if self.first.len() < KEPT {
            self.first.push(fault);
        }
    }

    /// Whether what was met so far forbids publication.
    pub(crate) fn forbid_publication(&self) -> bool {
        self.of_files > 0 || (self.rejects.is_none() && self.total > 0)
    }

    /// The first faults, how many there were in all, and how many rows were rejected; the rejects are on disk.
    pub(crate) fn finish(self) -> io::Result<(Vec<Fault>, u64, u64)> {
        if let Some(rejects) = self.rejects {
            rejects.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        }
        Ok((self.first, self.total, self.rejected_rows))
    }
}

fn write_reject(rejects: &mut impl Write, fault: &Fault, row: &[u8]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Reject<'a> {
        #[serde(flatten)]
        fault: &'a Fault,
        /// The row as it was: its JSON, or its text where it is none; null where the line was too long to keep.
        row: Option<Row<'a>>,
    }

    #[derive(Serialize)]
    #[serde(untagged)]
    enum Row<'a> {
        Json(&'a RawValue),
        Text(std::borrow::Cow<'a, str>),
    }

    let as_row = |row| match serde_json::from_slice::<&RawValue>(row) {
        Ok(json) => Row::Json(json),
        Err(_) => Row::Text(String::from_utf8_lossy(row)),
    };
    let reject = Reject { fault, row: (!row.is_empty()).then(|| as_row(row)) };
    serde_json::to_writer(&mut *rejects, &reject)?;
    rejects.write_all(b"\n")
}
