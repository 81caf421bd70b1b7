//! Whole exports: what is written is valid, repeats itself, and goes on from crawl to crawl.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;

use catalogue_schema::Status;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::*;

/// The milliseconds of the first and the last instant a [`Timestamp`] holds.
const EARLIEST: i64 = -62_167_219_200_000;
const LATEST: i64 = 253_402_300_799_999;

const SMALL: Size = Size { grants: 400, funders: 8, recipients: 100, awards: 300 };

fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).expect("the folder of an export").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("a file's name"), fs::read(entry.path()).expect("a file")))
        .collect()
}

fn rows<T: DeserializeOwned>(dir: &Path, name: &str) -> Vec<T> {
    let text = fs::read_to_string(dir.join(name)).expect(name);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        .collect()
}

/// An export read back, checked as decisions, section 1, has it.
struct Export {
    grants: BTreeMap<Slug, GrantRow>,
    funders: usize,
    recipients: usize,
    awards: usize,
}

fn read_valid(dir: &Path) -> Export {
    let manifest = previous::manifest(dir).expect("a manifest");
    let grants: Vec<GrantRow> = rows(dir, FILES.grants);
    let funders: BTreeSet<Slug> = rows::<Funder>(dir, FILES.funders).into_iter().map(|row| row.slug).collect();
    let recipients: BTreeSet<Slug> = rows::<Recipient>(dir, FILES.recipients).into_iter().map(|row| row.slug).collect();
    let awards: Vec<AwardRow> = rows(dir, FILES.awards);
    let found = [grants.len(), funders.len(), recipients.len(), awards.len()].map(|count| count as u64);
    let Counts { grants: g, funders: f, recipients: r, awards: a } = manifest.counts;
    assert_eq!(found, [g, f, r, a], "the manifest counts the rows, and slugs are unique");
    for grant in &grants {
        assert!(funders.contains(&grant.funder), "{}", grant.funder);
        assert!(grant.last_verified_at <= manifest.crawled_at, "{}", grant.slug);
    }
    for award in &awards {
        assert!(funders.contains(&award.funder) && recipients.contains(&award.recipient), "{award:?}");
    }
    let (listed, awards) = (grants.len(), awards.len());
    let grants: BTreeMap<Slug, GrantRow> = grants.into_iter().map(|row| (row.slug.clone(), row)).collect();
    assert_eq!(grants.len(), listed, "slugs of grants are unique");
    Export { grants, funders: funders.len(), recipients: recipients.len(), awards }
}

fn crawls(root: &Path, size: Size, count: usize, churn: Churn) -> Vec<Export> {
    let folder = |at: usize| root.join(at.to_string());
    write(&folder(0), size, 5, default_crawled_at()).expect("the first crawl");
    for at in 1..count {
        write_next(&folder(at), &folder(at - 1), 5, None, churn).expect("the next crawl");
    }
    (0..count).map(|at| read_valid(&folder(at))).collect()
}

#[test]
fn the_same_arguments_give_the_same_bytes_and_another_seed_does_not() {
    let root = TempDir::new().expect("a folder");
    let [one, two, other] = ["one", "two", "other"].map(|name| root.path().join(name));
    for (dir, seed) in [(&one, 5), (&two, 5), (&other, 6)] {
        write(dir, SMALL, seed, default_crawled_at()).expect("an export");
        write_next(&dir.join("next"), dir, seed, None, Churn::default()).expect("the next crawl");
    }
    assert_eq!(bytes(&one.join("next")), bytes(&two.join("next")));
    for dir in [&one, &two, &other] {
        fs::rename(dir.join("next"), dir.with_extension("next")).expect("a move");
    }
    assert_eq!(bytes(&one), bytes(&two));
    for (name, content) in bytes(&one) {
        assert!(name == "manifest.json" || bytes(&other)[&name] != content, "{name}");
    }
}

#[test]
fn the_bytes_stay_what_they_were() {
    // Another digest means that every synthetic export is another, and that benchmarks before and after do not compare.
    let root = TempDir::new().expect("a folder");
    let [first, next] = ["first", "next"].map(|name| root.path().join(name));
    write(&first, SMALL, DEFAULT_SEED, default_crawled_at()).expect("an export");
    write_next(&next, &first, DEFAULT_SEED, None, Churn::of_percent(10)).expect("the next crawl");
    let digests = [first, next].map(|dir| {
        let digest = bytes(&dir).into_values().fold(Sha256::new(), Sha256::chain_update).finalize();
        digest.iter().take(8).fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    });
    assert_eq!(digests, ["23b9b39aa3186e34", "82296ab354434ae4"]);
}

#[test]
fn rows_in_memory_are_the_rows_of_the_files() {
    let root = TempDir::new().expect("a folder");
    let dir = root.path().join("export");
    write(&dir, SMALL, 5, default_crawled_at()).expect("an export");
    let catalogue = Catalogue::new(SMALL, 5, default_crawled_at()).expect("a catalogue");
    assert_eq!(catalogue.grants().collect::<Vec<_>>(), rows::<GrantRow>(&dir, FILES.grants));
    assert_eq!(catalogue.funders().collect::<Vec<_>>(), rows::<Funder>(&dir, FILES.funders));
    assert_eq!(catalogue.recipients().collect::<Vec<_>>(), rows::<Recipient>(&dir, FILES.recipients));
    assert_eq!(catalogue.awards().collect::<Vec<_>>(), rows::<AwardRow>(&dir, FILES.awards));
}

#[test]
fn a_chain_of_crawls_stays_valid_and_moves_by_its_shares() {
    let root = TempDir::new().expect("a folder");
    let size = Size { grants: 4_000, funders: 40, recipients: 1_000, awards: 3_000 };
    let chain = crawls(root.path(), size, 5, Churn::default());
    let mut once_listed: BTreeSet<Slug> = chain[0].grants.keys().cloned().collect();
    let [mut came, mut went, mut came_back, mut deadlines, mut titles, mut amounts, mut closed] = [0; 7];
    for pair in chain.windows(2) {
        let [earlier, later] = pair else { unreachable!("windows of two") };
        went += earlier.grants.keys().filter(|slug| !later.grants.contains_key(*slug)).count();
        for (slug, row) in &later.grants {
            let Some(before) = earlier.grants.get(slug) else {
                came += 1;
                came_back += usize::from(once_listed.contains(slug));
                continue;
            };
            deadlines += usize::from(row.deadline != before.deadline);
            titles += usize::from(row.title != before.title);
            closed += usize::from(row.status != before.status && row.status == Status::Closed);
            let stated = |row: &GrantRow| (row.amount_min, row.amount_max, row.amount_total_pool);
            amounts += usize::from(stated(row) != stated(before));
            let unmoved = (&row.funder, &row.elig_entities, &row.elig_states, &row.industries, &row.source_url);
            assert_eq!(
                unmoved,
                (&before.funder, &before.elig_entities, &before.elig_states, &before.industries, &before.source_url)
            );
        }
        once_listed.extend(later.grants.keys().cloned());
        assert!(later.funders >= earlier.funders && later.recipients >= earlier.recipients);
        assert!(later.awards >= earlier.awards);
    }
    // Four crawls of about 4,000 grants: 1 % come and go, 0.2 % of the deadlines move, 0.05 % of the amounts, 0.03 % of the titles.
    assert!((150..=185).contains(&came), "{came} came");
    assert!((150..=170).contains(&went), "{went} went");
    assert!((1..=12).contains(&came_back), "{came_back} came back");
    assert!((18..=50).contains(&deadlines), "{deadlines} deadlines moved");
    assert!((1..=15).contains(&titles), "{titles} titles moved");
    assert!((1..=20).contains(&amounts), "{amounts} amounts moved");
    assert!((1..=60).contains(&closed), "{closed} were closed");
    assert!(chain[4].awards > chain[0].awards);
}

#[test]
fn slugs_are_given_once_in_a_chain_of_heavy_churn() {
    let root = TempDir::new().expect("a folder");
    let churn = Churn { reopened: 0, ..Churn::of_percent(20) };
    let chain = crawls(root.path(), SMALL, 6, churn);
    let mut once_listed = BTreeSet::new();
    for pair in chain.windows(2) {
        let [earlier, later] = pair else { unreachable!("windows of two") };
        once_listed.extend(earlier.grants.keys().cloned());
        let added: Vec<&Slug> = later.grants.keys().filter(|slug| !earlier.grants.contains_key(*slug)).collect();
        assert!((70..=90).contains(&added.len()), "{}", added.len());
        assert!(added.iter().all(|slug| !once_listed.contains(*slug)));
    }
}

#[test]
fn a_record_that_comes_back_has_its_slug_and_title_and_is_open() {
    let root = TempDir::new().expect("a folder");
    let churn = Churn { added: 0, titles: 0, reopened: 500_000, ..Churn::of_percent(20) };
    let chain = crawls(root.path(), SMALL, 4, churn);
    let back: Vec<_> = chain[2].grants.values().filter(|row| !chain[1].grants.contains_key(&row.slug)).collect();
    assert!(!back.is_empty());
    for row in back {
        assert_eq!(chain[0].grants[&row.slug].title, row.title);
        assert_eq!(row.status, Status::Open);
    }
    let other_seed = root.path().join("other-seed");
    write_next(&other_seed, &root.path().join("3"), 6, None, churn).expect("the next crawl");
    let listed = read_valid(&other_seed).grants;
    assert!(listed.keys().all(|slug| chain[3].grants.contains_key(slug)), "another seed knows none that was left out");
}

#[test]
fn the_next_crawl_lists_as_many_grants_as_asked_for() {
    let root = TempDir::new().expect("a folder");
    let first = root.path().join("first");
    write(&first, SMALL, 5, default_crawled_at()).expect("the first crawl");
    for grants in [0, 1, 399, 400, 401, 900] {
        let dir = root.path().join(grants.to_string());
        let churn = Churn { grants: Some(grants), ..Churn::default() };
        assert_eq!(write_next(&dir, &first, 5, None, churn).expect("the next crawl").counts.grants, grants);
        read_valid(&dir);
    }
}

#[test]
fn a_compressed_export_has_the_same_next_crawl() {
    let root = TempDir::new().expect("a folder");
    let [plain, compressed, one, two] = ["plain", "compressed", "one", "two"].map(|name| root.path().join(name));
    write(&plain, SMALL, 5, default_crawled_at()).expect("an export");
    fs::create_dir(&compressed).expect("a folder");
    for (name, content) in bytes(&plain) {
        if name == "manifest.json" {
            fs::write(compressed.join(name), content).expect("a file");
        } else if name == FILES.awards || name == FILES.funders {
            let content = zstd::encode_all(content.as_slice(), 1).expect("zstd");
            fs::write(compressed.join(name + ".zst"), content).expect("a file");
        } else {
            let file = fs::File::create(compressed.join(name + ".gz")).expect("a file");
            let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
            encoder.write_all(&content).expect("gzip");
            encoder.finish().expect("gzip");
        }
    }
    write_next(&one, &plain, 5, None, Churn::default()).expect("the next crawl");
    write_next(&two, &compressed, 5, None, Churn::default()).expect("the next crawl");
    assert_eq!(bytes(&one), bytes(&two));
}

#[test]
fn dates_are_written_with_the_offset_of_the_source() {
    let root = TempDir::new().expect("a folder");
    let dir = root.path().join("export");
    write(&dir, SMALL, 5, default_crawled_at()).expect("an export");
    let text = fs::read_to_string(dir.join(FILES.grants)).expect("the grants");
    assert!(text.contains("T23:59:59-04:00\"") && text.contains("T23:59:59-05:00\""));
}

#[test]
fn nothing_is_written_over() {
    let root = TempDir::new().expect("a folder");
    let [first, occupied, file] = ["first", "occupied", "file"].map(|name| root.path().join(name));
    write(&first, SMALL, 5, default_crawled_at()).expect("an export");
    fs::create_dir(&occupied).expect("a folder");
    fs::write(occupied.join("mine.txt"), "mine").expect("a file");
    fs::write(&file, "mine").expect("a file");
    for dir in [&occupied, &file] {
        let refused = write(dir, SMALL, 5, default_crawled_at()).expect_err("it holds something").to_string();
        assert!(refused.contains("is not an empty folder"), "{refused}");
        assert!(write_next(dir, &first, 5, None, Churn::default()).is_err());
    }
    let refused = write_next(&first, &first, 5, None, Churn::default()).expect_err("the same folder").to_string();
    assert!(refused.contains("is the earlier export itself"), "{refused}");
    assert_eq!(bytes(&occupied).len(), 1);
}

#[test]
fn what_is_wrong_with_the_earlier_export_is_said_with_its_file() {
    let root = TempDir::new().expect("a folder");
    let first = root.path().join("first");
    let later = |name: &str| {
        let error = write_next(&root.path().join(name), &first, 5, None, Churn::default()).expect_err(name);
        error.to_string()
    };
    assert!(later("no-folder").ends_with("manifest.json"));
    assert!(!root.path().join("no-folder").exists(), "nothing is begun without an earlier export");
    write(&first, SMALL, 5, default_crawled_at()).expect("an export");
    let past = write_next(&root.path().join("past"), &first, 5, Some(default_crawled_at()), Churn::default());
    assert!(matches!(past, Err(Error::NotLater { .. })), "{past:?}");

    let grants = fs::read_to_string(first.join(FILES.grants)).expect("the grants");
    fs::write(first.join(FILES.grants), format!("{grants}{{}}\n")).expect("a file");
    assert!(later("broken-row").ends_with("grants.ndjson line 401"));
    assert!(bytes(&root.path().join("broken-row")).is_empty(), "what was begun is taken away");
    let one_less = grants.split_once('\n').expect("several lines").1;
    fs::write(first.join(FILES.grants), one_less).expect("a file");
    assert!(later("short").ends_with("grants.ndjson has 399 rows where the manifest says 400"));
    fs::remove_file(first.join(FILES.grants)).expect("a file");
    assert!(later("missing").contains("grants.ndjson: the file is missing"));
}

#[test]
fn grants_come_only_where_there_is_a_funder() {
    let root = TempDir::new().expect("a folder");
    let [first, next] = ["first", "next"].map(|name| root.path().join(name));
    let nobody = Size { grants: 0, funders: 0, recipients: 3, awards: 0 };
    write(&first, nobody, 5, default_crawled_at()).expect("an export");
    let churn = Churn { grants: Some(5), ..Churn::default() };
    let refused = write_next(&next, &first, 5, None, churn).expect_err("there is no funder").to_string();
    assert!(refused.ends_with("first lists no funders, so no grant can come to it"), "{refused}");
    write_next(&next, &first, 5, None, Churn::default()).expect("nothing comes to a catalogue of nothing");
    read_valid(&next);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn exports_of_every_size_seed_and_instant_are_valid_and_go_on(
        grants in 0_u64..120,
        funders in 0_u64..6,
        recipients in 0_u64..20,
        awards in 0_u64..40,
        seed in any::<u64>(),
        unix_millis in EARLIEST..=LATEST,
        percent in 0_u32..40,
    ) {
        let root = TempDir::new().expect("a folder");
        let size = Size { grants, funders, recipients, awards };
        let crawled_at = Timestamp::from_unix_millis(unix_millis).expect("within the range");
        let dir = root.path().join("0");
        let consistent = (grants == 0 || funders > 0) && (awards == 0 || (funders > 0 && recipients > 0));
        match write(&dir, size, seed, crawled_at) {
            Ok(manifest) => prop_assert_eq!(manifest.counts, Counts { grants, funders, recipients, awards }),
            Err(error) => {
                prop_assert!(!consistent && matches!(error, Error::Size(_)), "{}", error);
                return Ok(());
            }
        }
        prop_assert!(consistent);
        read_valid(&dir);
        let next = root.path().join("1");
        if write_next(&next, &dir, seed, None, Churn::of_percent(percent)).is_ok() {
            read_valid(&next);
        } else {
            prop_assert!(crawled_at.plus_millis(86_400_000).is_none(), "only the end of time has no next day");
        }
    }
}
