//! What compression saves and what it costs, coding by coding and level by level: what the levels of `src/compression/coding.rs` are
//! chosen by.
//!
//! Pages are of a synthetic catalogue, or of the export that `CATALOGUE_EXPORT` names.

use std::env;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use catalogue_gateway::compression::Coding;
use catalogue_gateway::synthetic::{self, Size};
use catalogue_index::{Catalogue, DataFolder, Options, Resource, reindex};
use catalogue_schema::{Requested, Timestamp};
use flate2::{Compress, Compression, FlushCompress};

/// As in service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long each cell of the table is measured.
const FOR: Duration = Duration::from_millis(400);

const BROTLI_WINDOW: i32 = 19;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let (catalogue, now) = catalogue(folder.path());
    let [short, long] = [20, 100].map(|rows| page(&catalogue, rows, now));
    println!("| coding | level | page of 20 ({} bytes) | page of 100 ({} bytes) |", short.len(), long.len());
    println!("|---|--:|--:|--:|");
    for level in [1, 2, 3, 4, 5, 6, 9] {
        let mut compressor = zstd::bulk::Compressor::new(level).expect("a level of zstd's");
        row("zstd", level, [&short, &long], |plain| compressor.compress(plain).expect("there is memory").len());
    }
    for quality in [0, 1, 2, 3, 4, 5, 6] {
        row("br", quality, [&short, &long], |plain| brotli(quality, plain));
    }
    for level in [1, 2, 3, 4, 5, 6, 9] {
        let mut compress = Compress::new_gzip(Compression::new(level), 15);
        row("gzip", level.cast_signed(), [&short, &long], |plain| gzip(&mut compress, plain));
    }
    for coding in Coding::ALL {
        row(coding.name(), 0, [&short, &long], |plain| coding.compress(plain).expect("there is memory").len());
    }
    println!("\nThe last three rows are the service's own choice, whatever their level.");
}

fn row(coding: &str, level: i32, pages: [&[u8]; 2], mut compress: impl FnMut(&[u8]) -> usize) {
    let cells = pages.map(|plain| {
        let small = compress(plain);
        let mut times = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < FOR {
            let start = Instant::now();
            black_box(compress(black_box(plain)));
            times.push(start.elapsed());
        }
        times.sort();
        let micros = times[times.len() / 2].as_micros();
        format!("{small} bytes, 1/{}, {micros} µs", ratio(plain.len(), small))
    });
    println!("| {coding} | {level} | {} |", cells.join(" | "));
}

/// How often the small fits into the plain, to one decimal.
fn ratio(plain: usize, small: usize) -> String {
    let tenths = plain * 10 / small;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn brotli(quality: i32, mut plain: &[u8]) -> usize {
    let size_hint = plain.len();
    let lgwin = BROTLI_WINDOW;
    let parameters = brotli::enc::BrotliEncoderParams { quality, lgwin, size_hint, ..Default::default() };
    let mut small = Vec::with_capacity(plain.len() / 4);
    brotli::BrotliCompress(&mut plain, &mut small, &parameters).expect("there is memory");
    small.len()
}

fn gzip(compress: &mut Compress, plain: &[u8]) -> usize {
    compress.reset();
    let mut small = Vec::with_capacity(plain.len());
    compress.compress_vec(plain, &mut small, FlushCompress::Finish).expect("it fits");
    small.len()
}

/// A catalogue to take pages of, and the instant at which to read it.
fn catalogue(folder: &Path) -> (Catalogue, Timestamp) {
    let crawled_at = synthetic::default_crawled_at();
    let export = env::var_os("CATALOGUE_EXPORT").map_or_else(
        || {
            let export = folder.join("export");
            synthetic::write(&export, Size::of_grants(2_000), synthetic::DEFAULT_SEED, crawled_at).expect("an export");
            export
        },
        PathBuf::from,
    );
    let data = DataFolder::new(folder.join("data"));
    reindex(&data, &export, Options::default(), &|| crawled_at, &|_| {}).expect("the export is sound");
    (Catalogue::open(data, &[7; 32], 1).expect("the catalogue opens"), crawled_at)
}

/// The rows of the first page, as they are sent.
fn page(catalogue: &Catalogue, rows: usize, now: Timestamp) -> Vec<u8> {
    let traversal = catalogue.traverse(Resource::Grants, &Requested::default(), None, now).expect("nothing is refused");
    let mut bytes = b"{\"data\":[".to_vec();
    traversal.page(rows).expect("the index is sound").append_rows(&mut bytes);
    bytes.extend_from_slice(b"]}");
    bytes
}
