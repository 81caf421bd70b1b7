//! Pages: what one costs beside Tantivy's own top-k, in catalogues of different sizes, and at the end of a list beside its beginning.
//!
//! ```sh
//! cargo bench --bench pages                              the tables, then Criterion's statistics for each page
//! BENCH_DATA=folder cargo bench --bench pages            keeps the catalogues in a folder and finds them there the next time
//! ```

mod corpus;
mod question;
mod rounds;
mod tables;
mod top_k;

use std::path::PathBuf;
use std::time::Duration;

use catalogue_schema::Requested;
use criterion::Criterion;

use self::corpus::Corpus;
use self::question::{Deadlines, questions};

// The allocator of the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// At how many instants each page is asked for: where the pivot lies decides what a page costs.
const INSTANTS: usize = 50;

/// The catalogues' sizes: the table beside top-k is made of the middle one.
const SIZES: [u64; 3] = [20_000, 200_000, 1_000_000];

fn main() {
    let aside = tempfile::tempdir().expect("a folder");
    let folder = std::env::var_os("BENCH_DATA").map_or_else(|| aside.path().to_owned(), PathBuf::from);
    let [small, middle, large] = SIZES.map(|grants| Corpus::of(grants, &folder));
    let instants = Deadlines::of(&middle, &Requested::default()).instants(INSTANTS);
    tables::beside_top_k(&middle, &instants);
    tables::by_size(&small, &large, &instants);
    tables::last_beside_first(&large, &instants);

    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let mut group = criterion.benchmark_group("page of 20, 200,000 grants");
    for question in questions(&middle) {
        let askings = question.askings(&middle, &instants);
        let mut bytes = Vec::new();
        let mut turn = askings.iter().cycle();
        group.bench_function(question.name, |bencher| {
            bencher.iter(|| turn.next().map(|asking| asking.assemble(&middle.catalogue, &mut bytes)));
        });
    }
    group.finish();
    criterion.final_summary();
}
