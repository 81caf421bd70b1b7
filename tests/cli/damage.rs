//! Exports that are damaged or hostile: refused with exit status 3 and a report, in bounded memory, never a crash.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::Place;
use crate::support::command::{Said, catalogue, reindex, with_peak};
use crate::support::export::{CRAWLED_AT, Export, funder, grant, write_manifest};

fn fault(report: &Value) -> (&str, &str) {
    let faults = report["faults"].as_array().expect("faults");
    assert!(!faults.is_empty(), "{report}");
    (faults[0]["file"].as_str().expect("a file"), faults[0]["reason"].as_str().expect("a reason"))
}

#[track_caller]
fn assert_one_fault(report: &Value, file: &str, reason: &str) {
    let (found, said) = fault(report);
    assert!(found.starts_with(file) && said.contains(reason), "{report}");
    assert_eq!(report["fault_count"], 1, "{report}");
}

fn gzip(path: &Path, text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory takes it");
    let bytes = encoder.finish().expect("memory takes it");
    fs::write(path, &bytes).expect("a file of the export");
    bytes
}

/// An export whose grants are varied, so that they compress badly enough to be cut anywhere.
fn varied(count: u64) -> Export {
    let mut number = 1_u64;
    Export::of((0..count).map(|row| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        grant(&format!("g-{row}")).with("title", format!("Programme {number:x}"))
    }))
}

#[test]
fn a_folder_that_is_no_export_is_refused() {
    let place = Place::new();
    let said = reindex(place.data.path(), &place.export().join("absent"), &[]);
    assert_eq!(said.status, 3, "{said:?}");
    let report = place.assert_refused(&[]);
    assert_one_fault(&report, "manifest.json", "cannot be read");
}

#[test]
fn a_manifest_that_cannot_be_read_is_refused() {
    for text in [
        "",
        "{",
        "[]",
        "null",
        r#"{"format":"catalogue-export/2","crawled_at":"2026-07-01T00:00:00Z","counts":{"grants":0,"funders":0,"recipients":0,"awards":0}}"#,
        r#"{"format":"catalogue-export/1","crawled_at":"yesterday","counts":{"grants":0,"funders":0,"recipients":0,"awards":0}}"#,
        r#"{"format":"catalogue-export/1","crawled_at":"2026-07-01T00:00:00Z","counts":{"grants":0,"funders":0,"recipients":0}}"#,
        r#"{"format":"catalogue-export/1","crawled_at":"2026-07-01T00:00:00Z","counts":{"grants":-1,"funders":0,"recipients":0,"awards":0}}"#,
    ] {
        let place = Place::new();
        Export::of([]).write(place.export());
        fs::write(place.export().join("manifest.json"), text).expect("a manifest");
        let said = place.reindex(&["--report", "json"]);
        assert_eq!((said.status, place.published()), (3, None), "{text}");
        assert_eq!(fault(&said.json()).0, "manifest.json", "{text}");
    }
}

#[test]
fn a_missing_file_is_refused() {
    for file in ["grants", "funders", "recipients", "awards"] {
        let place = Place::new();
        Export::of_count(3).write(place.export());
        fs::remove_file(place.export().join(format!("{file}.ndjson"))).expect("the file was there");
        assert_one_fault(&place.assert_refused(&[]), file, "missing");
        assert_one_fault(&place.assert_refused(&["--skip-invalid"]), file, "missing");
    }
}

#[test]
fn a_file_that_is_there_twice_is_refused() {
    let place = Place::new();
    let export = Export::of_count(3);
    export.write(place.export());
    gzip(&place.export().join("grants.ndjson.gz"), &export.text("grants"));
    assert_one_fault(&place.assert_refused(&[]), "grants", "both");
}

#[test]
fn a_count_that_differs_is_refused() {
    for (counts, file) in
        [([4, 1, 0, 0], "grants"), ([2, 1, 0, 0], "grants"), ([3, 0, 0, 0], "funders"), ([3, 1, 0, 5], "awards")]
    {
        let place = Place::new();
        Export::of_count(3).write(place.export());
        write_manifest(place.export(), CRAWLED_AT, counts);
        assert_one_fault(&place.assert_refused(&[]), file, "counts");
        assert_one_fault(&place.assert_refused(&["--skip-invalid"]), file, "counts");
    }
}

#[test]
fn compressed_files_are_read() {
    let place = Place::new();
    let export = varied(500);
    export.write(place.export());
    for file in ["grants", "funders"] {
        fs::remove_file(place.export().join(format!("{file}.ndjson"))).expect("the file was there");
    }
    gzip(&place.export().join("grants.ndjson.gz"), &export.text("grants"));
    let zstd = zstd::encode_all(export.text("funders").as_bytes(), 3).expect("memory takes it");
    fs::write(place.export().join("funders.ndjson.zst"), zstd).expect("a file of the export");
    let report = place.reindex(&["--report", "json"]).json();
    assert_eq!((&report["published"], &report["rows"]["grants"]), (&json!(true), &json!(500)), "{report}");
}

#[test]
fn a_truncated_gzip_is_refused_wherever_it_is_cut() {
    let place = Place::new();
    let export = varied(500);
    export.write(place.export());
    fs::remove_file(place.export().join("grants.ndjson")).expect("the file was there");
    let path = place.export().join("grants.ndjson.gz");
    let whole = gzip(&path, &export.text("grants"));
    for length in [0, 1, 10, whole.len() / 2, whole.len() - 9, whole.len() - 8, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("a file of the export");
        let report = place.assert_refused(&[]);
        assert_eq!(fault(&report).0, "grants.ndjson.gz", "cut at {length}");
    }
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0x10;
    fs::write(&path, &flipped).expect("a file of the export");
    place.assert_refused(&[]);
    place.assert_refused(&["--skip-invalid"]);
    fs::write(&path, &whole).expect("a file of the export");
    assert_eq!(place.reindex(&[]).status, 0);
}

#[test]
fn a_truncated_zstd_is_refused_wherever_it_is_cut() {
    let place = Place::new();
    let export = varied(500);
    export.write(place.export());
    fs::remove_file(place.export().join("grants.ndjson")).expect("the file was there");
    let path = place.export().join("grants.ndjson.zst");
    let whole = zstd::encode_all(export.text("grants").as_bytes(), 3).expect("memory takes it");
    for length in [0, 1, 4, 10, whole.len() / 2, whole.len() - 3, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("a file of the export");
        let report = place.assert_refused(&[]);
        assert_eq!(fault(&report).0, "grants.ndjson.zst", "cut at {length}");
    }
}

#[test]
fn what_is_not_utf_8_is_a_fault_of_its_line() {
    let place = Place::new();
    Export::of_count(3).write(place.export());
    let path = place.export().join("grants.ndjson");
    let mut bytes = fs::read(&path).expect("the file");
    let at = bytes.windows(9).position(|window| window == b"Programme").expect("a title");
    bytes[at + 2] = 0xff;
    fs::write(&path, bytes).expect("a file of the export");
    let report = place.assert_refused(&[]);
    assert_one_fault(&report, "grants.ndjson", "UTF-8");
    assert_eq!(report["faults"][0]["line"], 1);
}

#[test]
fn faults_of_rows_are_each_found() {
    let sound = || grant("g-002");
    let long = "a".repeat(201);
    for (row, field) in [
        (sound().with("colour", "red"), "colour"),
        (sound().without("title"), "title"),
        (sound().with("title", " "), "title"),
        (sound().with("slug", "g-000"), "slug"),
        (sound().with("slug", "Not A Slug"), "slug"),
        (sound().with("slug", long.as_str()), "slug"),
        (sound().with("funder", "nobody"), "funder"),
        (sound().with("status", "paused"), "status"),
        (sound().with("amount_max", -1), "amount_max"),
        (sound().with("amount_min", "5"), "amount_min"),
        (sound().with("amount_total_pool", 0.001), "amount_total_pool"),
        (sound().with("elig_states", json!(["California"])), "elig_states[0]"),
        (sound().with("elig_states", "CA"), "elig_states"),
        (sound().with("match_required", "no"), "match_required"),
        (sound().with("deadline", "2026-07-01"), "deadline"),
        (sound().with("deadline", "2026-07-01T00:00:00"), "deadline"),
        (sound().with("opens_at", 5), "opens_at"),
        (sound().with("source_url", "somewhere"), "source_url"),
        (sound().with("last_verified_at", Value::Null), "last_verified_at"),
        (sound().without("last_verified_at"), "last_verified_at"),
        (sound().with("first_seen_at", "2026-07-01T00:00:00Z"), "first_seen_at"),
    ] {
        let place = Place::new();
        Export::of([grant("g-000"), grant("g-001"), row.clone()]).write(place.export());
        let said = place.reindex(&["--report", "json"]);
        assert_eq!((said.status, place.published()), (3, None), "{row:?}");
        let report = said.json();
        let found = &report["faults"][0];
        assert_eq!((&found["line"], &found["field"]), (&json!(3), &json!(field)), "{report}");
    }
}

#[test]
fn a_total_without_its_year_is_a_fault_of_a_funder() {
    for row in [funder("g", "Giver").with("giving_total", 5), funder("g", "Giver").with("giving_data_year", 2024)] {
        let place = Place::new();
        let mut export = Export::of([]);
        export.funders.push(row);
        export.write(place.export());
        assert_one_fault(&place.assert_refused(&[]), "funders.ndjson", "together");
    }
}

#[test]
fn what_the_source_states_is_no_fault() {
    let place = Place::new();
    let row = grant("g").with("amount_min", 10).with("amount_max", 5).with("elig_entities", json!(["b", "a", "b"]));
    assert_eq!(
        place.reindex_of(&Export::of([row]), &[]).status,
        0,
        "a floor above the ceiling is the source's statement"
    );
}

#[test]
fn lines_that_are_no_rows_are_faults() {
    for line in ["", "   ", "null", "[]", "5", "\"x\"", "{", "{}{}", &"[".repeat(100_000), "\u{feff}{}"] {
        let place = Place::new();
        Export::of_count(2).write(place.export());
        let path = place.export().join("grants.ndjson");
        let text = fs::read_to_string(&path).expect("the file");
        fs::write(&path, format!("{text}{line}\n")).expect("a file of the export");
        write_manifest(place.export(), CRAWLED_AT, [3, 1, 0, 0]);
        let said = place.reindex(&["--report", "json"]);
        assert_eq!(said.status, 3, "{said:?}");
        assert_eq!(said.json()["faults"][0]["line"], 3);
    }
}

/// More than the reading of small exports takes, and much less than the hostile files here hold.
const BOUND: u64 = 150 << 20;

/// The peak of a finished reindex's resident memory, in bytes.
fn peak(place: &Place, options: &[&str]) -> (Said, u64) {
    let mut command = catalogue(place.data.path());
    with_peak(command.arg("reindex").arg(place.export()).args(["--report", "json"]).args(options))
}

#[test]
fn a_line_of_50_megabytes_is_a_fault_and_is_not_held() {
    let place = Place::new();
    Export::of_count(3).write(place.export());
    let mut file =
        BufWriter::new(File::options().append(true).open(place.export().join("grants.ndjson")).expect("the file"));
    file.write_all(b"{\"slug\":\"long\",\"title\":\"").expect("a line");
    for _ in 0..50 {
        file.write_all(&vec![b'x'; 1 << 20]).expect("a line");
    }
    file.write_all(b"\"}\n").and_then(|()| file.flush()).expect("a line");
    write_manifest(place.export(), CRAWLED_AT, [4, 1, 0, 0]);
    for options in [&[][..], &["--skip-invalid"]] {
        let (said, peak) = peak(&place, options);
        assert_eq!(said.status, if options.is_empty() { 3 } else { 0 }, "{said:?}");
        let report = said.json();
        assert_one_fault(&report, "grants.ndjson", "longer than");
        assert_eq!(report["faults"][0]["line"], 4);
        assert!(peak < BOUND, "{peak} bytes");
    }
}

#[test]
fn a_million_faults_are_counted_and_a_hundred_told() {
    let place = Place::new();
    Export::of([]).write(place.export());
    let mut file = BufWriter::new(File::create(place.export().join("grants.ndjson")).expect("a file of the export"));
    for number in 0..1_000_000 {
        writeln!(file, "{{\"slug\":\"g-{number}\",\"funder\":\"nobody\"}}").expect("a line");
    }
    file.flush().expect("the file is written");
    write_manifest(place.export(), CRAWLED_AT, [1_000_000, 1, 0, 0]);
    let (said, peak) = peak(&place, &[]);
    assert_eq!(said.status, 3);
    let report = said.json();
    assert_eq!(report["fault_count"], 1_000_000);
    assert_eq!(report["faults"].as_array().map(Vec::len), Some(100));
    assert!(peak < BOUND, "{peak} bytes");
}
