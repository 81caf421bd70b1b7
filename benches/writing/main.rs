//! Writing: how fast and in how much memory `catalogue reindex` takes an export in, and how soon `catalogue serve` answers for it.
//!
//! ```sh
//! cargo bench --bench writing                    200,000 and 1,000,000 grants
//! cargo bench --bench writing -- 50000           as many as are given
//! ```
//!
//! The program itself runs, as an operator runs it. Beside it stands a bare Tantivy writer that is handed the same documents ready
//! made: one segment, one thread, nothing read, checked, compared or kept beside the index. Both take turns.
//!
//! Then the next crawl, in which a twentieth of the grants came, as many went and all else moved accordingly: taken in over the crawl
//! before it, swept and compared, beside the same export taken into an empty folder.

mod bare;
mod process;

use std::path::Path;
use std::time::Duration;

use catalogue_gateway::synthetic::{self, Churn, Size};

use self::process::{Catalogue, Reindexed};

// The allocator of the program, so that the bare writer has it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [u64; 2] = [200_000, 1_000_000];

/// How often the program and the bare writer take turns, and how often the gateway starts; medians are taken.
const TURNS: usize = 3;
const STARTS: usize = 11;

/// How many of a hundred grants move between two crawls.
const CHURN: u32 = 5;

/// What a reindex may take: so much, and so much for each grant; more where there is a crawl before to compare with.
const MEMORY: u64 = 200_000_000;
const MEMORY_PER_GRANT: u64 = 150;
const MEMORY_PER_GRANT_OVER_ANOTHER: u64 = 250;

fn main() {
    let given: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if given.is_empty() { SIZES.to_vec() } else { given };
    let folder = tempfile::tempdir().expect("a folder");
    println!(
        "\n| grants | `catalogue reindex` | bare Tantivy writer | ratio | peak memory | allowed | `serve` is ready after |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    let (export, next) = (folder.path().join("export"), folder.path().join("next"));
    let mut over_another = Vec::new();
    for grants in sizes {
        let size = Size { grants, funders: grants / 50, recipients: 0, awards: 0 };
        synthetic::write(&export, size, synthetic::DEFAULT_SEED, synthetic::default_crawled_at()).expect("an export");
        row(folder.path(), &export, grants);
        let churn = Churn::of_percent(CHURN);
        let listed = synthetic::write_next(&next, &export, synthetic::DEFAULT_SEED, None, churn).expect("an export");
        over_another.push(row_over_another(folder.path(), &export, &next, listed.counts.grants));
        for export in [&export, &next] {
            std::fs::remove_dir_all(export).expect("an export can be removed");
        }
    }
    println!("\n| grants | over the crawl before | into an empty folder | ratio | peak memory | allowed |");
    println!("|--:|--:|--:|--:|--:|--:|");
    for row in over_another {
        println!("{row}");
    }
}

/// Measures the next crawl of one size and gives its row.
fn row_over_another(folder: &Path, export: &Path, next: &Path, grants: u64) -> String {
    let catalogue = Catalogue::in_folder(folder.join("data"));
    let (mut over_another, mut alone, mut memory) = (Vec::new(), Vec::new(), 0);
    for _ in 0..TURNS {
        catalogue.clear();
        alone.push(catalogue.reindex(next).took);
        catalogue.clear();
        catalogue.reindex(export);
        let Reindexed { took, peak } = catalogue.reindex(next);
        over_another.push(took);
        memory = memory.max(peak);
    }
    catalogue.clear();
    let (over_another, alone) = (rate(grants, &over_another), rate(grants, &alone));
    format!(
        "| {grants} | {over_another:.0}/s | {alone:.0}/s | **{:.2}** | **{} MB** | {} MB |",
        over_another / alone,
        memory / 1_000_000,
        (MEMORY + MEMORY_PER_GRANT_OVER_ANOTHER * grants) / 1_000_000,
    )
}

/// Measures one size and prints its row.
fn row(folder: &Path, export: &Path, grants: u64) {
    let catalogue = Catalogue::in_folder(folder.join("data"));
    let (mut ours, mut bare, mut memory) = (Vec::new(), Vec::new(), 0);
    for _ in 0..TURNS {
        catalogue.clear();
        let Reindexed { took, peak } = catalogue.reindex(export);
        ours.push(took);
        memory = memory.max(peak);
        bare.push(bare::write(export, &folder.join("bare")));
    }
    let starts: Vec<_> = (0..STARTS).map(|_| catalogue.start()).collect();
    catalogue.clear();
    let (ours, bare) = (rate(grants, &ours), rate(grants, &bare));
    println!(
        "| {grants} | {ours:.0}/s | {bare:.0}/s | **{:.2}** | **{} MB** | {} MB | **{} ms** |",
        ours / bare,
        memory / 1_000_000,
        (MEMORY + MEMORY_PER_GRANT * grants) / 1_000_000,
        median(&starts).as_millis(),
    );
}

/// Rows per second.
fn rate(rows: u64, times: &[Duration]) -> f64 {
    f64::from(u32::try_from(rows).unwrap_or(u32::MAX)) / median(times).as_secs_f64()
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
