//! Publication: a generation is written aside, put on disk, compared with what was written, moved into place, and then one rename makes it the
//! published one.
//!
//! A crash before that rename leaves the old generation served; what it leaves behind is cleared by the next change. Order matters
//! and is kept in one place, [`publish`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catalogue_schema::Timestamp;
use serde::Deserialize;

use super::grants::Grants;
use super::{Catch, Progress, Step};
use crate::data_folder::{ChangeLock, DataFolder};
use crate::error::Error;
use crate::export::Counts;
use crate::generation::log::LogWriter;
use crate::generation::manifest::{self, Manifest, Publication};
use crate::generation::sums::{self, CheckSum, Sums};
use crate::generation::{Generation, Shape, files};
use crate::reindex::segments::write_list;

/// The file of rejected rows, in a generation's folder.
pub(crate) const REJECTS: &str = "rejects.ndjson";

/// The number of the next publication.
pub(crate) fn next_number(current: Option<&Generation>) -> Result<u32, Error> {
    let next = current.map_or(0, Generation::number) + 1;
    u32::try_from(next).map_err(|_| Error::NoGeneration("there are no publication numbers left".to_owned()))
}

/// How many rows will be published.
pub(crate) fn rows_of(catch: &Catch, current: Option<&Generation>) -> Result<Counts, Error> {
    let mut awards = catch.awards.count() as u64;
    if let Some(current) = current {
        for place in 0..catch.recipients.count() {
            if let (_, Some(unlisted)) = catch.recipients.entry_at(place) {
                awards += count_of_awards(current.recipients.details(unlisted))?;
            }
        }
    }
    Ok(Counts {
        grants: catch.grants.count() as u64,
        funders: catch.funders.count() as u64,
        recipients: catch.recipients.count() as u64,
        awards,
    })
}

/// What is to be published: the grants, and what goes with them.
pub(crate) struct Publishing<'a> {
    pub(crate) current: Option<&'a Generation>,
    pub(crate) crawled_at: Timestamp,
    pub(crate) rows: Counts,
    pub(crate) rejected: u64,
    pub(crate) grants: &'a Grants,
    /// Writes the lists of funders and recipients into a folder; gives the sums of the files.
    pub(crate) write_others: &'a dyn Fn(&Path) -> Result<Sums, Error>,
}

/// Publishes; gives the number of the new generation.
pub(crate) fn publish(
    _lock: &ChangeLock,
    data: &DataFolder,
    publishing: &Publishing<'_>,
    now: &dyn Fn() -> Timestamp,
    progress: &Progress<'_>,
) -> Result<u64, Error> {
    let Publishing { current, grants, .. } = *publishing;
    let number = u64::from(next_number(current)?);
    let aside = data.staging().join("generation");
    files::make_folder(&aside)?;
    let mut files = (publishing.write_others)(&aside)?;
    files.extend(grants.write(&aside, progress)?);
    let rejects = data.staging().join(REJECTS);
    if publishing.rejected > 0 && rejects.exists() {
        files.insert(REJECTS.to_owned(), CheckSum::read(&rejects)?);
        fs::rename(&rejects, aside.join(REJECTS)).map_err(Error::file("move", &rejects))?;
    }
    progress(Step::Verifying);
    sums::verify(&aside, &files)?;

    let before = current.map(|current| current.manifest().publication());
    let (log_entries, log_bytes) = before.map_or((0, 0), |before| (before.log_entries, before.log_bytes));
    let mut log = LogWriter::open(&data.log(), log_entries, log_bytes)?;
    grants.for_each_change(|row| log.push(row))?;
    let (log_entries, log_bytes) = log.finish()?;

    // The instant is taken last, and later than any before it whatever the machine's clock does.
    let after_before = before.and_then(|before| before.at.plus_millis(1));
    let at = after_before.map_or_else(now, |earliest| now().max(earliest));
    let mut publications = current.map_or_else(Vec::new, |current| current.publications().to_vec());
    publications.push(Publication { generation: number, at, log_entries, log_bytes });
    let manifest = Manifest {
        format: manifest::FORMAT.to_owned(),
        generation: number,
        crawled_at: publishing.crawled_at,
        counts: publishing.rows,
        changes: grants.counts,
        rejected: publishing.rejected,
        entities: grants.entities.iter().cloned().collect(),
        industries: grants.industries.iter().cloned().collect(),
        publications,
        files,
    };
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|error| Error::damaged(Path::new(manifest::NAME), error.to_string()))?;
    files::write_synced(&aside.join(manifest::NAME), &text)?;
    files::sync_folder(&aside)?;

    let folder = data.generation(number);
    files::make_folder(&data.generations())?;
    fs::rename(&aside, &folder).map_err(Error::file("move", &aside))?;
    files::sync_folder(&data.generations())?;
    files::sync_folder(data.path())?;
    // What cannot be opened must not be published.
    data.open_generation(number)?;
    data.publish(number)?;
    Ok(number)
}

/// Writes the lists of funders and recipients of a crawl into `folder`; gives the sums of the files.
pub(crate) fn write_others(
    catch: &Catch,
    current: Option<&Generation>,
    folder: &Path,
    progress: &Progress<'_>,
) -> Result<Sums, Error> {
    let funders = &catch.funders;
    let mut sums = write_list(
        folder,
        Shape::FUNDERS,
        funders.count(),
        progress,
        |place| funders.slug_at(place),
        |segment, worker, place| funders.write_row(segment, worker, place, &BTreeSet::new()),
    )?;
    let published = current.map(|current| &current.recipients);
    sums.extend(catch.awards.write_recipients(&catch.recipients, funders, published, folder, progress)?);
    Ok(sums)
}

/// How many awards the longer row of a recipient holds.
fn count_of_awards(details: &[u8]) -> Result<u64, Error> {
    #[derive(Deserialize)]
    struct Details {
        awards_by_year: Vec<Year>,
    }

    #[derive(Deserialize)]
    struct Year {
        award_count: u64,
    }

    let details: Details = serde_json::from_slice(details)
        .map_err(|error| Error::damaged(Path::new("a published row"), error.to_string()))?;
    Ok(details.awards_by_year.iter().map(|year| year.award_count).sum())
}
