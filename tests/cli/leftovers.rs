//! What a crash leaves behind is cleared by the next run, and never served.

use std::fs;

use catalogue_schema::Requested;
use serde_json::json;

use super::Place;
use crate::support::export::{Export, grant};
use crate::support::folder::copy;

#[test]
fn what_lies_in_staging_is_cleared() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let staging = place.data.path().join("staging/generation/grants");
    fs::create_dir_all(&staging).expect("a leftover");
    fs::write(staging.join("half"), "written").expect("a leftover");
    assert_eq!(place.reindex(&[]).status, 0);
    assert!(!place.data.path().join("staging").exists());
    assert_eq!(place.published(), Some(2));
}

#[test]
fn a_refused_export_leaves_nothing_behind() {
    let place = Place::new();
    Export::of([grant("a").with("status", "gone")]).write(place.export());
    place.assert_refused(&[]);
    assert!(!place.data.path().join("staging").exists());
    assert!(!place.data.path().join("generations").exists());
}

#[test]
fn a_generation_that_was_never_published_is_cleared_and_not_served() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let generations = place.data.path().join("generations");
    copy(&generations.join("00000001"), &generations.join("00000002"));
    fs::write(place.data.path().join("CURRENT.new"), "2").expect("a leftover");
    assert_eq!(place.data.open().current().map(|generation| generation.number()), Some(1));
    let report = place.reindex_of(&Export::of_count(4), &["--report", "json"]).json();
    assert_eq!((&report["generation"], &report["changes"]["record_added"]), (&json!(2), &json!(1)), "{report}");
    assert_eq!(place.data.open().current().map(|generation| generation.number()), Some(2));
}

#[test]
fn what_was_appended_to_the_change_log_and_never_published_is_nobodys() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    place.reindex_of(&Export::of_count(4), &[]);
    let log = place.data.path().join("changes");
    for entry in fs::read_dir(&log).expect("the log") {
        let path = entry.expect("a file").path();
        let mut bytes = fs::read(&path).expect("the log");
        bytes.extend_from_slice(b"half an entry");
        fs::write(&path, bytes).expect("a leftover");
    }
    let changes = |place: &Place| -> Vec<serde_json::Value> {
        let now = crate::support::at("2026-07-02T00:00:00Z");
        crate::support::listing::whole(
            &place.data.open(),
            catalogue_index::Resource::Changes,
            &Requested::default(),
            1,
            now,
        )
    };
    assert_eq!(changes(&place).len(), 1);
    place.reindex_of(&Export::of_count(6), &[]);
    let slugs: Vec<_> = changes(&place).iter().map(|change| change["slug"].clone()).collect();
    assert_eq!(slugs, [json!("g-003"), json!("g-004"), json!("g-005")]);
}
