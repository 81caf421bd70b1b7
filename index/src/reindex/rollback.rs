//! Going back: an earlier generation's catalogue becomes the published one again.
//!
//! A rollback is itself a publication, so that clients who poll the feed or `updated_since` learn what it undid: what moved back is
//! a change at the instant of the rollback, and a record that the earlier generation does not hold has closed. Nothing that was
//! ever in the feed is taken out of it.

use std::fs;
use std::path::Path;

use catalogue_schema::{Grant, Timestamp};

use super::grants::GrantsWriter;
use super::publish::{self, Publishing};
use super::sweep::Published;
use super::{Progress, Step};
use crate::data_folder::DataFolder;
use crate::error::Error;
use crate::generation::sums::Sums;
use crate::generation::{Generation, Shape, files};

/// Publishes the catalogue of the generation `target`, or of the one before the published one; gives the number of the generation
/// that was gone back to and that of the new one.
///
/// # Errors
/// [`Error::NoGeneration`] where there is nothing to go back to or the generation is no longer kept, and those of a reindex.
pub fn rollback(
    data: &DataFolder,
    target: Option<u64>,
    now: &(dyn Fn() -> Timestamp + Sync),
    progress: &Progress<'_>,
) -> Result<(u64, u64), Error> {
    let lock = data.lock()?;
    let nothing = || Error::NoGeneration("there is no earlier generation to go back to".to_owned());
    let current_number = data.current_number()?.ok_or_else(nothing)?;
    let kept = data.numbers_on_disk()?;
    let number = match target {
        None => kept.iter().copied().rfind(|&number| number < current_number).ok_or_else(nothing)?,
        Some(number) if number == current_number => {
            return Err(Error::NoGeneration(format!("generation {number} is the published one already")));
        }
        Some(number) if kept.contains(&number) => number,
        Some(number) => return Err(Error::NoGeneration(format!("generation {number} is not kept"))),
    };
    let current = Generation::open_verified(data, current_number)?;
    let target = Generation::open_verified(data, number)?;
    let staging = data.staging();
    files::make_folder(&staging)?;
    let publication = publish::next_number(Some(&current))?;
    let mut grants = GrantsWriter::new(&staging, Some(Published::new(&current, publication)), publication)?;
    let total = u64::from(target.grants.count());
    for place in 0..target.grants.count() {
        if place % 1024 == 0 {
            progress(Step::Reading { file: Shape::GRANTS.name, done: u64::from(place), total });
        }
        let (grant, history) = record(&target, place)?;
        grants.take_back(&grant, history)?;
    }
    grants.let_go()?;
    let grants = grants.finish()?;
    let from = data.generation(number);
    let publishing = Publishing {
        current: Some(&current),
        crawled_at: target.manifest().crawled_at,
        rows: target.manifest().counts,
        rejected: 0,
        grants: &grants,
        write_others: &|folder| {
            let mut sums = Sums::new();
            for shape in [Shape::FUNDERS, Shape::RECIPIENTS] {
                link(&from.join(shape.name), &folder.join(shape.name))?;
                let files = target.manifest().files.iter();
                let of_list = files.filter(|(name, _)| name.split('/').next() == Some(shape.name));
                sums.extend(of_list.map(|(name, sum)| (name.clone(), *sum)));
            }
            Ok(sums)
        },
    };
    let published = publish::publish(&lock, data, &publishing, now, progress)?;
    Ok((number, published))
}

fn record(
    generation: &Generation,
    place: crate::generation::list::Place,
) -> Result<(Grant, crate::generation::history::History), Error> {
    let grant = generation.read_grant(place, &mut Vec::new())?;
    let history = generation.grants.history(place);
    let history = history.ok_or_else(|| Error::damaged(Path::new("a published row"), "it has no history"))?;
    Ok((grant, history))
}

/// Makes the files below `from` appear below `to` too. They never change, so both names may stand for the same bytes.
fn link(from: &Path, to: &Path) -> Result<(), Error> {
    files::make_folder(to)?;
    for entry in fs::read_dir(from).map_err(Error::file("read", from))? {
        let entry = entry.map_err(Error::file("read", from))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(Error::file("read", &from))?.is_dir() {
            link(&from, &to)?;
        } else if fs::hard_link(&from, &to).is_err() {
            // A file system without links gets copies.
            fs::copy(&from, &to).map_err(Error::file("copy", &from))?;
            fs::File::open(&to).and_then(|file| file.sync_all()).map_err(Error::file("sync", &to))?;
        }
    }
    files::sync_folder(to)
}
