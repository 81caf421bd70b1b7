//! The segments of a list, written in parallel.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Progress, Step};
use crate::error::Error;
use crate::fields::Fields;
use crate::generation::list::segment_lengths;
use crate::generation::segment::{LENGTH, SegmentWriter, folder_of};
use crate::generation::sums::{self, Sums};
use crate::generation::{Shape, files, slugs};

/// How many segments are written at once at the most: each takes some 40 MB.
const MOST_WORKERS: usize = 4;

/// How many documents are written between two reports of progress.
const REPORT_EVERY: usize = 1024;

/// What a worker keeps from one document to the next.
pub(crate) struct Worker {
    pub(crate) fields: Fields,
    pub(crate) buffer: Vec<u8>,
}

impl Worker {
    fn new() -> Self {
        Self { fields: Fields::new(), buffer: Vec::new() }
    }
}

/// Writes a list of `count` rows into `folder`: `write` is asked for each place, in order within a segment, and `slug_at` for
/// the slug that stands there. Gives the sums of the files, by their names below `folder`.
pub(crate) fn write_list<'a>(
    folder: &Path,
    shape: Shape,
    count: usize,
    progress: &Progress<'_>,
    slug_at: impl Fn(usize) -> &'a str,
    write: impl Fn(&mut SegmentWriter, &mut Worker, usize) -> Result<(), Error> + Sync,
) -> Result<Sums, Error> {
    let folder = folder.join(shape.name);
    files::make_folder(&folder)?;
    let mut below = slugs::write(&folder, count, (0..count).map(slug_at))?;
    let too_long = |_| Error::damaged(&folder, "a list holds at most 4,294,967,295 rows");
    let lengths: Vec<usize> = segment_lengths(u32::try_from(count).map_err(too_long)?).collect();
    let next_segment = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let work = || -> Result<Sums, Error> {
        let mut worker = Worker::new();
        let mut sums = Sums::new();
        loop {
            let index = next_segment.fetch_add(1, Ordering::Relaxed);
            let Some(&length) = lengths.get(index) else { return Ok(sums) };
            let segment_folder = folder_of(&folder, index);
            let name = segment_folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut segment = SegmentWriter::create(segment_folder, &worker.fields, shape)?;
            let first = index * LENGTH as usize;
            for place in first..first + length {
                write(&mut segment, &mut worker, place)?;
                if place % REPORT_EVERY == 0 {
                    let done = done.fetch_add(REPORT_EVERY, Ordering::Relaxed);
                    progress(Step::Writing { list: shape.name, done: done as u64, total: count as u64 });
                }
            }
            sums::add_below(&mut sums, &name, segment.finish()?);
        }
    };
    let workers =
        std::thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS).min(lengths.len()).max(1);
    let written = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let outcomes =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        outcomes.collect::<Result<Vec<Sums>, Error>>()
    })?;
    below.extend(written.into_iter().flatten());
    files::sync_folder(&folder)?;
    let mut sums = Sums::new();
    sums::add_below(&mut sums, shape.name, below);
    Ok(sums)
}
