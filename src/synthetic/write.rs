//! The files of an export, written row by row.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use catalogue_index::export::{Counts, FORMAT, GrantRow, Manifest};
use catalogue_schema::{Code, Money, Slug, Status, Timestamp, UsState};
use serde::Serialize;

use super::calendar::Eastern;
use super::{Error, FILES};

/// Writes an export into `dir`, which must be empty or not exist. What was begun is taken away again where `rows` fails, so that
/// the same command can be given once more.
pub(super) fn export(dir: &Path, rows: impl FnOnce() -> Result<Manifest, Error>) -> Result<Manifest, Error> {
    prepare(dir)?;
    rows().inspect_err(|_| {
        for name in [FILES.grants, FILES.funders, FILES.recipients, FILES.awards] {
            // The reason why writing failed is the one to tell, whether or not the rest can be removed.
            let _ = fs::remove_file(dir.join(name));
        }
    })
}

/// Writes the manifest. It comes last: a folder without it is no export, so one cut short is never read as a whole.
pub(super) fn manifest(dir: &Path, crawled_at: Timestamp, counts: Counts) -> Result<Manifest, Error> {
    let manifest = Manifest { format: FORMAT.to_owned(), crawled_at, counts };
    let path = dir.join("manifest.json");
    let text = serde_json::to_string_pretty(&manifest).map_err(io::Error::from);
    text.and_then(|text| fs::write(&path, text + "\n")).map_err(|source| Error::File { path, source })?;
    Ok(manifest)
}

/// A file of rows being written.
#[derive(Debug)]
pub(super) struct Rows {
    path: PathBuf,
    file: BufWriter<File>,
    count: u64,
}

impl Rows {
    /// Begins the file of that name in `dir`.
    pub(super) fn create(dir: &Path, name: &str) -> Result<Self, Error> {
        let path = dir.join(name);
        match File::create_new(&path) {
            Ok(file) => Ok(Self { path, file: BufWriter::with_capacity(1 << 17, file), count: 0 }),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &impl Serialize) -> Result<(), Error> {
        let written = serde_json::to_writer(&mut self.file, row).map_err(io::Error::from);
        self.end_line(written)
    }

    /// Adds a grant, its dates with the offset of Eastern time as a source states them.
    pub(super) fn push_grant(&mut self, row: &GrantRow) -> Result<(), Error> {
        self.push(&GrantLine::of(row))
    }

    /// Adds a row that is already written as JSON.
    pub(super) fn push_line(&mut self, line: &str) -> Result<(), Error> {
        let written = self.file.write_all(line.as_bytes());
        self.end_line(written)
    }

    /// Ends the file and gives the number of its rows.
    pub(super) fn finish(mut self) -> Result<u64, Error> {
        match self.file.flush() {
            Ok(()) => Ok(self.count),
            Err(source) => Err(Error::File { path: self.path, source }),
        }
    }

    fn end_line(&mut self, written: io::Result<()>) -> Result<(), Error> {
        self.count += 1;
        written
            .and_then(|()| self.file.write_all(b"\n"))
            .map_err(|source| Error::File { path: self.path.clone(), source })
    }
}

fn prepare(dir: &Path) -> Result<(), Error> {
    let failed = |source| Error::File { path: dir.to_owned(), source };
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Ok(true) => Err(Error::Occupied(dir.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(dir).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(Error::Occupied(dir.to_owned())),
        Err(error) => Err(failed(error)),
    }
}

/// A [`GrantRow`] as it is written: the same fields in the same order, but for the offset of the dates.
#[derive(Serialize)]
struct GrantLine<'a> {
    slug: &'a Slug,
    title: &'a str,
    summary: Option<&'a str>,
    funder: &'a Slug,
    status: Status,
    elig_entities: Option<&'a BTreeSet<Code>>,
    elig_states: Option<&'a BTreeSet<UsState>>,
    industries: Option<&'a BTreeSet<Code>>,
    amount_min: Option<Money>,
    amount_max: Option<Money>,
    amount_total_pool: Option<Money>,
    match_required: Option<bool>,
    opens_at: Option<Eastern>,
    deadline: Option<Eastern>,
    source_url: &'a str,
    last_verified_at: Timestamp,
}

impl<'a> GrantLine<'a> {
    fn of(row: &'a GrantRow) -> Self {
        Self {
            slug: &row.slug,
            title: &row.title,
            summary: row.summary.as_deref(),
            funder: &row.funder,
            status: row.status,
            elig_entities: row.elig_entities.as_ref(),
            elig_states: row.elig_states.as_ref(),
            industries: row.industries.as_ref(),
            amount_min: row.amount_min,
            amount_max: row.amount_max,
            amount_total_pool: row.amount_total_pool,
            match_required: row.match_required,
            opens_at: row.opens_at.map(Eastern),
            deadline: row.deadline.map(Eastern),
            source_url: &row.source_url,
            last_verified_at: row.last_verified_at,
        }
    }
}
