//! A crawl comes in: the export is read and checked, swept against the published generation, and published as the next one.
//!
//! Nothing is held whole: rows are set aside on disk while their order is unknown, and only what decides the order stays in
//! memory. Nothing is visible before the last step, one rename of a pointer (see [`publish`]).

pub(crate) mod awards;
pub(crate) mod grants;
pub(crate) mod intake;
pub(crate) mod named;
pub(crate) mod publish;
pub mod rollback;
pub(crate) mod segments;
pub(crate) mod spool;
pub(crate) mod sweep;

use std::path::{Path, PathBuf};
use std::time::Instant;

use catalogue_schema::{ChangeKind, Funder, Recipient, Slug, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::awards::{Awards, AwardsWriter};
use self::grants::{Grants, GrantsWriter};
use self::intake::{Intake, Taken};
use self::named::{Named, NamedWriter};
use self::publish::Publishing;
use self::sweep::Published;
use crate::data_folder::DataFolder;
use crate::error::Error;
use crate::export::fault::Fault;
use crate::export::{self, AwardRow, Counts, GrantRow};
use crate::generation::list::List;
use crate::generation::{Generation, files};
use crate::retention;

/// How an export is taken in.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line, independent of the others")]
pub struct Options {
    /// Reads, checks and compares, but publishes nothing.
    pub dry_run: bool,
    /// Publishes the good rows where others are faulty.
    pub skip_invalid: bool,
    /// Publishes even where the sweep would close a fifth of the catalogue.
    pub allow_mass_close: bool,
    /// Publishes even where the crawl is older than the published one.
    pub allow_older: bool,
}

/// Told how far a reindex is.
pub type Progress<'a> = dyn Fn(Step) + Sync + 'a;

/// How far a reindex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Rows of a file of the export are read and checked.
    Reading {
        /// The stem of the file's name.
        file: &'static str,
        /// Rows read.
        done: u64,
        /// Rows the manifest states.
        total: u64,
    },
    /// Rows of a list are written.
    Writing {
        /// The list.
        list: &'static str,
        /// Rows written.
        done: u64,
        /// Rows there are.
        total: u64,
    },
    /// What was written is read back and compared.
    Verifying,
}

/// What a reindex did, or why it did not.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The published generation; null where none was published.
    pub generation: Option<u64>,
    /// Whether the export was published.
    pub published: bool,
    /// How many rows were published; with nothing published, how many would have been.
    pub rows: Counts,
    /// How many changes the feed got.
    pub changes: ChangeCounts,
    /// How many rows of the export were rejected.
    pub rejected: u64,
    /// The file of the rejected rows, where some were.
    pub rejects: Option<PathBuf>,
    /// How many faults there were.
    pub fault_count: u64,
    /// The first 100 of them.
    pub faults: Vec<Fault>,
    /// How long it took.
    pub seconds: f64,
    /// Whether the export was refused.
    #[serde(skip)]
    pub refused: bool,
}

/// How many changes there were of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeCounts {
    /// Records published for the first time.
    pub record_added: u64,
    /// Records closed by their source or by the sweep.
    pub record_closed: u64,
    /// Deadlines that moved.
    pub deadline_changed: u64,
    /// Amounts that moved, each field by itself.
    pub amount_changed: u64,
    /// Titles that moved.
    pub title_changed: u64,
}

impl ChangeCounts {
    pub(crate) fn add(&mut self, kind: ChangeKind) {
        *match kind {
            ChangeKind::RecordAdded => &mut self.record_added,
            ChangeKind::RecordClosed => &mut self.record_closed,
            ChangeKind::DeadlineChanged => &mut self.deadline_changed,
            ChangeKind::AmountChanged => &mut self.amount_changed,
            ChangeKind::TitleChanged => &mut self.title_changed,
        } += 1;
    }
}

/// Everything that is to be published.
pub(crate) struct Catch {
    pub(crate) crawled_at: Timestamp,
    pub(crate) funders: Named,
    pub(crate) recipients: Named,
    pub(crate) awards: Awards,
    pub(crate) grants: Grants,
}

/// Takes the export in the folder `export` in and publishes it in `data`. `now` is asked for the instant of publication at the
/// very end.
///
/// A refused export is a report, not an error: `refused` is set, `faults` says why, and the published generation stays as it is.
///
/// # Errors
/// Where another process is changing the catalogue, where the published generation is damaged, or where a file cannot be written.
pub fn reindex(
    data: &DataFolder,
    export: &Path,
    options: Options,
    now: &(dyn Fn() -> Timestamp + Sync),
    progress: &Progress<'_>,
) -> Result<Report, Error> {
    let started = Instant::now();
    let lock = data.lock()?;
    let staging = data.staging();
    files::make_folder(&staging)?;
    let current = data.current_number()?.map(|number| Generation::open_verified(data, number)).transpose()?;
    let mut intake = Intake::begin(export, options, &staging, progress)?;
    let catch = take_in(&mut intake, current.as_ref(), options, &staging)?;
    let mut report = Report {
        generation: None,
        published: false,
        rows: Counts::default(),
        changes: ChangeCounts::default(),
        rejected: 0,
        rejects: None,
        fault_count: 0,
        faults: Vec::new(),
        seconds: 0.0,
        refused: catch.is_none(),
    };
    (report.faults, report.fault_count, report.rejected) =
        intake.finish().map_err(Error::file("write", &staging.join(publish::REJECTS)))?;
    if let Some(catch) = catch {
        report.changes = catch.grants.counts;
        report.rows = publish::rows_of(&catch, current.as_ref())?;
        if !options.dry_run {
            let publishing = Publishing {
                current: current.as_ref(),
                crawled_at: catch.crawled_at,
                rows: report.rows,
                rejected: report.rejected,
                grants: &catch.grants,
                write_others: &|folder| publish::write_others(&catch, current.as_ref(), folder, progress),
            };
            let published = publish::publish(&lock, data, &publishing, now, progress)?;
            report.generation = Some(published);
            report.published = true;
            let rejects = data.generation(published).join(publish::REJECTS);
            report.rejects = rejects.exists().then_some(rejects);
        }
    }
    drop(current);
    // Only what a publication supersedes is cleared: an export that is not published leaves every way back.
    if let Some(published) = report.generation {
        retention::prune(&lock, data, now()).map_err(|error| error.after_publication(published))?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Reads and checks the whole export; `None` where it is refused, the faults being in `intake`.
fn take_in(
    intake: &mut Intake<'_>,
    current: Option<&Generation>,
    options: Options,
    staging: &Path,
) -> Result<Option<Catch>, Error> {
    let Some(manifest) = intake.manifest() else { return Ok(None) };
    if let Some(current) = current
        && !options.allow_older
    {
        let published = current.manifest().crawled_at;
        if manifest.crawled_at < published {
            let reason = format!(
                "the crawl of {} is older than the published one of {published}; --allow-older insists",
                manifest.crawled_at
            );
            intake.refuse(export::MANIFEST, Some("crawled_at"), reason);
            return Ok(None);
        }
    }
    let counts = manifest.counts;
    let published = current.map(|current| &current.funders);
    let Some(funders) =
        take_named(intake, "funders", counts.funders, published, staging, |row: &Funder| (&row.slug, &row.name))?
    else {
        return Ok(None);
    };
    let published = current.map(|current| &current.recipients);
    let Some(recipients) =
        take_named(intake, "recipients", counts.recipients, published, staging, |row: &Recipient| {
            (&row.slug, &row.name)
        })?
    else {
        return Ok(None);
    };

    let mut awards = AwardsWriter::new(&staging.join("awards.spool"))?;
    intake.read("awards", counts.awards, |taken: Taken<'_, AwardRow>| match taken {
        Taken::Row(row) => awards.take(row, &funders, &recipients),
        Taken::Rejected(_) => Ok(Ok(())),
    })?;
    let awards = awards.finish(&funders)?;

    let publication = publish::next_number(current)?;
    let published = current.map(|current| Published::new(current, publication));
    let mut grants = GrantsWriter::new(staging, published, publication)?;
    intake.read(grants::STEM, counts.grants, |taken: Taken<'_, GrantRow>| match taken {
        Taken::Row(row) => grants.take(row, &funders),
        Taken::Rejected(slug) => {
            grants.take_rejected(slug);
            Ok(Ok(()))
        }
    })?;
    if intake.forbids_publication() {
        return Ok(None);
    }
    let (swept, not_closed) = grants.sweep()?;
    if is_mass_close(swept, not_closed) && !options.allow_mass_close {
        let reason = format!(
            "{swept} of {not_closed} records that are not closed are missing, more than a fifth: the crawl may have been cut \
             short; --allow-mass-close closes them all the same"
        );
        intake.refuse(grants::STEM, Some("status"), reason);
        return Ok(None);
    }
    Ok(Some(Catch { crawled_at: manifest.crawled_at, funders, recipients, awards, grants: grants.finish()? }))
}

/// Reads the funders or the recipients; `None` where their file cannot be read, because without it every row that names one of them
/// would be a fault, and the first one says enough.
fn take_named<T: Serialize + DeserializeOwned + Send>(
    intake: &mut Intake<'_>,
    stem: &'static str,
    expected: u64,
    published: Option<&List>,
    staging: &Path,
    identity: fn(&T) -> (&Slug, &str),
) -> Result<Option<Named>, Error> {
    let mut named = NamedWriter::new(&staging.join(stem).with_extension("spool"))?;
    let is_readable = intake.read(stem, expected, |taken: Taken<'_, T>| match taken {
        Taken::Row(row) => {
            let (slug, name) = identity(&row);
            named.take(slug, name, &row)
        }
        Taken::Rejected(slug) => {
            named.take_rejected(slug);
            Ok(Ok(()))
        }
    })?;
    if is_readable { named.finish(published).map(Some) } else { Ok(None) }
}

/// A crawl cut short must not close a catalogue: more than a fifth, and more than 10 (decisions, section 2).
fn is_mass_close(swept: u64, not_closed: u64) -> bool {
    swept > 10 && swept * 5 > not_closed
}
