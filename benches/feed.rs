//! The change feed: a page of 100 changes out of a log of a million, beside one out of a log of a thousand.
//!
//! ```sh
//! cargo bench --bench feed
//! ```
//!
//! Each log is what a crawl of so many new grants adds to a catalogue. The window is the whole log, and pages are taken from its
//! beginning, its middle and its end, cursors included; both logs take turns.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use catalogue_gateway::clock::Clock;
use catalogue_gateway::synthetic::{self, Size};
use catalogue_index::{Catalogue, DataFolder, Options, Resource, reindex};
use catalogue_schema::Requested;

// The allocator of the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const LOGS: [u64; 2] = [1_000, 1_000_000];
const PAGE: usize = 100;
const SECRET: [u8; 32] = [7; 32];
/// How many rounds the logs take turns for, and how many pages each takes in a round.
const ROUNDS: usize = 101;
const PAGES: u32 = 200;
const DAY: i64 = 86_400_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let [small, large] = LOGS.map(|entries| catalogue_with(entries, &folder.path().join(entries.to_string())));
    println!("\n| page of 100 changes | out of {} | out of {} | ratio |", LOGS[0], LOGS[1]);
    println!("|---|--:|--:|--:|");
    for (name, tenths) in [("first", 0), ("in the middle", 5), ("nine tenths on", 9)] {
        let cursors = [(&small, LOGS[0]), (&large, LOGS[1])].map(|(log, entries)| cursor(log, entries / 10 * tenths));
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (of, (log, cursor)) in [&small, &large].into_iter().zip(&cursors).enumerate() {
                times[of].push(time(log, cursor.as_deref()));
            }
        }
        let [few, many] = times.map(median);
        println!(
            "| {name} | {:.2} µs | {:.2} µs | **{:.2}** |",
            few.as_secs_f64() * 1e6,
            many.as_secs_f64() * 1e6,
            many.as_secs_f64() / few.as_secs_f64()
        );
    }
}

/// A catalogue whose log has about so many entries.
fn catalogue_with(entries: u64, folder: &Path) -> Catalogue {
    let data = DataFolder::new(folder.join("data"));
    let begin = synthetic::default_crawled_at();
    for (number, grants) in [(0, 1), (1, entries)] {
        let export = folder.join("export");
        let size = Size { grants, funders: 10, recipients: 0, awards: 0 };
        let crawled_at = begin.plus_millis(number * DAY).expect("an instant");
        synthetic::write(&export, size, synthetic::DEFAULT_SEED, crawled_at).expect("an export");
        let options = Options { allow_mass_close: true, ..Options::default() };
        reindex(&data, &export, options, &|| Clock::System.now(), &|_| {}).expect("a publication");
        std::fs::remove_dir_all(&export).expect("an export can be removed");
    }
    Catalogue::open(data, &SECRET, u64::MAX).expect("a catalogue")
}

/// The cursor behind so many entries.
fn cursor(catalogue: &Catalogue, entries: u64) -> Option<String> {
    let mut cursor = None;
    // One large page leads there.
    if let Ok(entries @ 1..) = usize::try_from(entries) {
        let traversal = traverse(catalogue, None);
        cursor = catalogue.next_cursor(&traversal.page(entries).expect("a page"));
    }
    cursor
}

fn traverse(catalogue: &Catalogue, cursor: Option<&str>) -> catalogue_index::Traversal {
    let now = Clock::System.now();
    catalogue.traverse(Resource::Changes, &Requested::default(), cursor, now).expect("a window")
}

/// What a page takes, on average.
fn time(catalogue: &Catalogue, cursor: Option<&str>) -> Duration {
    let mut bytes = Vec::new();
    let started = Instant::now();
    for _ in 0..PAGES {
        bytes.clear();
        let traversal = traverse(catalogue, cursor);
        let page = traversal.page(PAGE).expect("a page");
        assert_eq!(page.len(), PAGE, "the log is as long as it should be");
        page.append_rows(&mut bytes);
        black_box((&bytes, catalogue.next_cursor(&page)));
    }
    started.elapsed() / PAGES
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
