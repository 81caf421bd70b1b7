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

#[test]
fn a_reindex_that_is_killed_leaves_the_published_generation_and_the_next_run_works() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3_000), &[]);
    let mut number = 1;
    for millis in [1, 3, 6, 10, 15, 22, 30, 45, 60, 90, 130] {
        let mut child = crate::support::command::catalogue(place.data.path())
            .arg("reindex")
            .arg(place.export())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(std::time::Duration::from_millis(millis));
        child.kill().expect("the process can be killed");
        child.wait().expect("the process ends");
        let published = place.published().expect("a generation is published");
        assert!(published == number || published == number + 1, "{published} after {number}");
        let open = place.data.open();
        assert_eq!(open.current().map(|generation| generation.number()), Some(published));
        number = published;
    }
    let report = place.reindex(&["--report", "json"]).json();
    assert_eq!((&report["generation"], &report["rows"]["grants"]), (&json!(number + 1), &json!(3_000)));
    assert!(report["changes"].as_object().expect("counts").values().all(|count| count == 0), "{report}");
    let litter = fs::read_dir(place.data.path().join("generations")).expect("generations").count() as u64;
    assert_eq!(litter, number + 1, "every folder is a published generation");
    assert!(!place.data.path().join("staging").exists());
}
