//! `catalogue generation`: what is kept, the way back, and clearing away.

use serde_json::json;

use super::Place;
use crate::support::command::{Said, catalogue, run};
use crate::support::export::{Export, grant};
use crate::support::listing::{Slugged, whole};

fn generation(place: &Place, arguments: &[&str]) -> Said {
    run(catalogue(place.data.path()).arg("generation").args(arguments))
}

fn grants(place: &Place) -> Vec<String> {
    let now = crate::support::at("2026-07-02T00:00:00Z");
    let rows: Vec<Slugged> =
        whole(&place.data.open(), catalogue_index::Resource::Grants, &catalogue_schema::Requested::default(), 100, now);
    rows.into_iter().map(|row| row.slug).collect()
}

#[test]
fn the_list_shows_every_generation_that_is_kept() {
    let place = Place::new();
    assert_eq!(generation(&place, &["list"]).out.lines().count(), 1, "there is none yet");
    for count in [3, 4, 5] {
        place.reindex_of(&Export::of_count(count), &[]);
    }
    let said = generation(&place, &["list"]);
    let lines: Vec<Vec<&str>> = said.out.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let told: Vec<_> = lines.iter().map(|line| (line[0], line[3], line[7].split(' ').next())).collect();
    assert_eq!(told, [("1", "3", Some("kept")), ("2", "4", Some("kept")), ("3", "5", Some("published"))]);
}

#[test]
fn one_that_cannot_be_read_does_not_hide_the_others() {
    let place = Place::new();
    for count in [3, 4, 5] {
        place.reindex_of(&Export::of_count(count), &[]);
    }
    let manifest = place.data.path().join("generations/00000001/manifest.json");
    std::fs::write(&manifest, "{}").expect("ours");
    std::fs::remove_file(place.data.path().join("generations/00000002/manifest.json")).expect("ours");
    let said = generation(&place, &["list"]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    let lines: Vec<Vec<&str>> = said.out.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let told: Vec<_> = lines.iter().map(|line| (line[0], line[7].split(':').next())).collect();
    assert_eq!(told, [("1", Some("unreadable")), ("2", Some("unreadable")), ("3", Some("published"))]);
    assert!(lines[0][7].contains("manifest.json is damaged") && lines[1][7].contains("cannot read"), "{}", said.out);
}

#[test]
fn a_rollback_is_a_publication_and_the_next_crawl_is_compared_with_it() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let mut second = Export::of_count(4);
    second.grants[0] = grant("g-000").with("title", "Wrong");
    place.reindex_of(&second, &[]);
    let said = generation(&place, &["rollback"]);
    assert_eq!((said.status, place.published()), (0, Some(3)), "{said:?}");
    assert_eq!(grants(&place), ["g-000", "g-001", "g-002"]);
    let report = place.reindex_of(&Export::of_count(3), &["--report", "json"]).json();
    assert!(report["changes"].as_object().expect("counts").values().all(|count| count == 0), "{report}");
    let said = generation(&place, &["rollback", "2"]);
    assert_eq!((said.status, place.published(), grants(&place).len()), (0, Some(5), 4), "{said:?}");
    let report = place.reindex_of(&Export::of_count(3), &["--report", "json"]).json();
    assert_eq!((&report["changes"]["title_changed"], &report["changes"]["record_closed"]), (&json!(1), &json!(1)));
}

#[test]
fn there_must_be_something_to_go_back_to() {
    let place = Place::new();
    for arguments in [&["rollback"][..], &["rollback", "1"]] {
        let said = generation(&place, arguments);
        assert_eq!((said.status, said.out.as_str()), (1, ""), "{arguments:?}: {said:?}");
    }
    place.reindex_of(&Export::of_count(3), &[]);
    for arguments in [&["rollback"][..], &["rollback", "1"], &["rollback", "2"], &["rollback", "0"]] {
        let said = generation(&place, arguments);
        assert_eq!((said.status, place.published()), (1, Some(1)), "{arguments:?}: {said:?}");
        assert!(!said.err.is_empty());
    }
    assert_eq!(generation(&place, &["rollback", "one"]).status, 2);
}

#[test]
fn prune_keeps_what_traversals_may_still_need() {
    let place = Place::new();
    for count in [3, 4] {
        place.reindex_of(&Export::of_count(count), &[]);
    }
    let said = generation(&place, &["prune"]);
    assert_eq!((said.status, said.out.as_str()), (0, "0 generations removed\n"));
    assert_eq!(generation(&place, &["list"]).out.lines().count(), 3);
}

#[test]
fn prune_removes_what_was_superseded_more_than_a_day_ago() {
    let place = Place::new();
    let export = Export::of_count(3);
    place.data.publish(&export, "2026-01-01T00:00:00Z");
    place.data.publish(&export, "2026-01-01T12:00:00Z");
    let said = generation(&place, &["prune"]);
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.out.contains("removed generation 1\n"), "{said:?}");
    assert_eq!((grants(&place).len(), place.published()), (3, Some(2)), "the published generation always stays");
    assert_eq!(generation(&place, &["rollback"]).status, 1);
}
