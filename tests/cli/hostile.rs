//! Exports that say too much: each thing that a reindex must hold has a limit, and what is beyond it is a fault of its row.

use std::fs;

use serde_json::{Value, json};

use super::Place;
use crate::support::command::{Said, catalogue, with_peak};
use crate::support::export::{CRAWLED_AT, Export, Row, award, funder, grant, recipient, write_manifest};

/// More than the reading of small exports takes, and much less than what is hostile here would take.
const BOUND: u64 = 150 << 20;

fn peak(place: &Place, options: &[&str]) -> (Said, u64) {
    let mut command = catalogue(place.data.path());
    with_peak(command.arg("reindex").arg(place.export()).args(["--report", "json"]).args(options))
}

/// Checks that the export is refused for one field, in bounded memory, and that the other rows can be published.
#[track_caller]
fn assert_faulty(export: &Export, file: &str, field: Option<&str>, reason: &str) -> Value {
    let place = Place::new();
    export.write(place.export());
    let (said, taken) = peak(&place, &[]);
    assert_eq!(said.status, 3, "{said:?}");
    assert!(taken < BOUND, "{taken} bytes");
    let report = said.json();
    let fault = &report["faults"][0];
    assert_eq!((fault["file"].as_str(), fault["field"].as_str()), (Some(file), field), "{report}");
    assert!(fault["reason"].as_str().is_some_and(|told| told.contains(reason)), "{report}");
    assert_eq!(peak(&place, &["--skip-invalid"]).0.status, 0);
    report
}

#[test]
fn a_text_longer_than_any_source_writes_is_a_fault() {
    let with_summary = |length| Export::of([grant("a"), grant("b").with("summary", "x".repeat(length))]);
    let place = Place::new();
    assert_eq!(place.reindex_of(&with_summary(60_000), &[]).status, 0);
    assert_faulty(&with_summary(70_000), "grants.ndjson", None, "longer than 65536 bytes");
    let mut named = Export::of([]);
    named.funders.push(funder("long", &"n".repeat(1_001)));
    assert_faulty(&named, "funders.ndjson", Some("name"), "longer than 1000 bytes");
}

#[test]
fn awards_that_are_too_much_for_one_recipient_are_faults() {
    let mut export = Export::of([]);
    export.recipients = vec![recipient("r", "R"), recipient("s", "S")];
    let purpose = "x".repeat(60_000);
    let of = |recipient: &str| award(recipient, "f", 2025).with("purpose", purpose.as_str());
    export.awards = (0..560).map(|_| of("r")).chain([of("s")]).collect();
    let report = assert_faulty(&export, "awards.ndjson", Some("recipient"), "more than 33554432 bytes");
    // 33,554,432 bytes hold 557 awards of 60,000 bytes and what is around them.
    assert!((1..=4).contains(&report["fault_count"].as_u64().expect("a number")), "{report}");
}

#[test]
fn a_vocabulary_without_end_is_a_fault() {
    let codes =
        |first: usize| -> Value { (first..first + 1_000).map(|number| json!(format!("code-{number}"))).collect() };
    let rows = |count: usize| -> Vec<Row> {
        (0..count).map(|number| grant(&format!("g-{number}")).with("industries", codes(number * 1_000))).collect()
    };
    let place = Place::new();
    assert_eq!(place.reindex_of(&Export::of(rows(10)), &[]).status, 0);
    let mut most = rows(10);
    most.push(grant("known").with("industries", codes(5_000)));
    assert_eq!(place.reindex_of(&Export::of(most), &[]).status, 0, "codes that are known take no room");
    let report = assert_faulty(&Export::of(rows(11)), "grants.ndjson", Some("industries"), "more than 10000 different");
    assert_eq!(report["fault_count"], 1);
}

#[test]
fn a_fault_repeats_only_the_beginning_of_what_the_row_says() {
    let long = "l".repeat(50_000);
    let mut rows: Vec<Row> = (0..100).map(|number| grant(&format!("g-{number}")).with(&long, 1)).collect();
    rows.push(grant("s").with("status", long.as_str()));
    let place = Place::new();
    Export::of(rows).write(place.export());
    let (said, _) = peak(&place, &[]);
    assert_eq!(said.status, 3);
    assert_eq!(said.json()["fault_count"], 101);
    assert!(said.out.len() < 100_000, "{} bytes", said.out.len());
}

#[test]
fn a_manifest_without_end_is_not_held() {
    let place = Place::new();
    Export::of_count(1).write(place.export());
    write_manifest(place.export(), CRAWLED_AT, [1, 1, 0, 0]);
    let path = place.export().join("manifest.json");
    let manifest = fs::read_to_string(&path).expect("a manifest");
    fs::write(&path, format!("{manifest}{}", " ".repeat(200 << 20))).expect("a manifest");
    let (said, taken) = peak(&place, &[]);
    assert_eq!(said.status, 3);
    assert!(said.json()["faults"][0]["reason"].as_str().is_some_and(|reason| reason.contains("longer than")));
    assert!(taken < BOUND, "{taken} bytes");
}
