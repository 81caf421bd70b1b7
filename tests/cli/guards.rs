//! What a reindex refuses to do unless it is told to (decisions, sections 2 and 9).

use serde_json::json;

use super::Place;
use crate::support::export::Export;

fn first(count: usize) -> Export {
    Export::of_count(count)
}

#[test]
fn a_crawl_cut_short_closes_nothing() {
    let place = Place::new();
    place.reindex_of(&first(50), &[]);
    first(39).write(place.export());
    let report = place.assert_refused(&[]);
    let reason = report["faults"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("11 of 50") && reason.contains("--allow-mass-close"), "{reason}");
    let said = place.reindex(&["--allow-mass-close", "--report", "json"]);
    assert_eq!((said.status, &said.json()["changes"]["record_closed"]), (0, &json!(11)));
}

#[test]
fn ten_records_or_a_fifth_may_go() {
    let place = Place::new();
    place.reindex_of(&first(12), &[]);
    assert_eq!(place.reindex_of(&first(2), &[]).status, 0, "ten are not more than ten");
    let place = Place::new();
    place.reindex_of(&first(60), &[]);
    assert_eq!(place.reindex_of(&first(48), &[]).status, 0, "twelve of sixty are a fifth, not more");
    assert_eq!(place.reindex_of(&first(37), &[]).status, 3, "eleven of forty-eight are more than a fifth");
}

#[test]
fn only_records_that_are_not_closed_count() {
    let place = Place::new();
    let mut export = first(60);
    for row in &mut export.grants[20..] {
        *row = row.clone().with("status", "closed");
    }
    place.reindex_of(&export, &[]);
    assert_eq!(place.reindex_of(&first(9), &[]).status, 3, "eleven of the twenty that were not closed are missing");
    let mut closed_gone = export.clone();
    closed_gone.grants.truncate(20);
    assert_eq!(place.reindex_of(&closed_gone, &[]).status, 0, "what was closed may go unlisted");
}

#[test]
fn what_the_source_itself_closes_is_no_mass_close() {
    let place = Place::new();
    place.reindex_of(&first(40), &[]);
    let mut next = first(40);
    for row in &mut next.grants {
        *row = row.clone().with("status", "closed");
    }
    let said = place.reindex_of(&next, &["--report", "json"]);
    assert_eq!((said.status, &said.json()["changes"]["record_closed"]), (0, &json!(40)));
}

#[test]
fn an_empty_export_over_a_catalogue_is_a_mass_close() {
    let place = Place::new();
    place.reindex_of(&first(11), &[]);
    let mut empty = first(0);
    empty.funders.clear();
    assert_eq!(place.reindex_of(&empty, &[]).status, 3);
    assert_eq!(place.reindex(&["--allow-mass-close"]).status, 0);
    let again = place.reindex_of(&first(11), &["--report", "json"]).json();
    assert_eq!(again["changes"]["record_added"], 0, "they were never gone");
}

#[test]
fn an_empty_export_can_be_the_first() {
    let place = Place::new();
    let mut empty = first(0);
    empty.funders.clear();
    let report = place.reindex_of(&empty, &["--report", "json"]).json();
    assert_eq!((&report["published"], &report["rows"]["grants"]), (&json!(true), &json!(0)));
}

#[test]
fn an_older_crawl_is_refused_unless_it_is_insisted_on() {
    let place = Place::new();
    let crawled = |at: &str| Export { crawled_at: at.to_owned(), ..first(3) };
    place.reindex_of(&crawled("2026-07-02T00:00:00Z"), &[]);
    assert_eq!(place.reindex_of(&crawled("2026-07-02T02:00:00+02:00"), &[]).status, 0, "the same instant is not older");
    crawled("2026-07-01T23:59:59.999Z").write(place.export());
    let report = place.assert_refused(&[]);
    assert_eq!(
        (&report["faults"][0]["file"], &report["faults"][0]["field"]),
        (&json!("manifest.json"), &json!("crawled_at"))
    );
    place.assert_refused(&["--skip-invalid"]);
    place.assert_refused(&["--allow-mass-close"]);
    assert_eq!(place.reindex(&["--allow-older"]).status, 0);
}
