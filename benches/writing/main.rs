//! Writing: how fast and in how much memory `catalogue reindex` takes an export in, and how soon `catalogue serve` answers for it.
//!
//! ```sh
//! cargo bench --bench writing                    200,000 and 1,000,000 grants
//! cargo bench --bench writing -- 50000           as many as are given
//! ```
//!
//! The program itself runs, as an operator runs it. Beside it stands a bare Tantivy writer that is handed the same documents ready
//! made: one segment, one thread, nothing read, checked, compared or kept beside the index. Both take turns.

mod bare;
mod process;

use std::path::Path;
use std::time::Duration;

use catalogue_gateway::synthetic::{self, Size};

use self::process::{Catalogue, Reindexed};

// The allocator of the program, so that the bare writer has it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZES: [u64; 2] = [200_000, 1_000_000];

/// How often the program and the bare writer take turns, and how often the gateway starts; medians are taken.
const TURNS: usize = 3;
const STARTS: usize = 11;

/// What a reindex may take: so much, and so much for each grant.
const MEMORY: u64 = 200_000_000;
const MEMORY_PER_GRANT: u64 = 150;

fn main() {
    let given: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if given.is_empty() { SIZES.to_vec() } else { given };
    let folder = tempfile::tempdir().expect("a folder");
    println!(
        "\n| grants | `catalogue reindex` | bare Tantivy writer | ratio | peak memory | allowed | `serve` is ready after |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for grants in sizes {
        let export = folder.path().join("export");
        let size = Size { grants, funders: grants / 50, recipients: 0, awards: 0 };
        synthetic::write(&export, size, synthetic::DEFAULT_SEED, synthetic::default_crawled_at()).expect("an export");
        row(folder.path(), &export, grants);
        std::fs::remove_dir_all(&export).expect("an export can be removed");
    }
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
    let rate = |times: &[Duration]| grants as f64 / median(times).as_secs_f64();
    let (ours, bare) = (rate(&ours), rate(&bare));
    println!(
        "| {grants} | {ours:.0}/s | {bare:.0}/s | **{:.2}** | **{} MB** | {} MB | **{} ms** |",
        ours / bare,
        memory / 1_000_000,
        (MEMORY + MEMORY_PER_GRANT * grants) / 1_000_000,
        median(&starts).as_millis(),
    );
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
