//! The clock is pinned with the position (specification, part 4, rule 3).

use crate::support::export::{Export, funder, grant};
use crate::support::service::{NOW, Service};

/// Records that pass one after another during 2 July, two that pass together, two undated, two long past.
fn service() -> Service {
    let due = |slug: &str, deadline: &str| grant(slug).with("deadline", deadline);
    Service::of(&Export::of([
        due("p1-past", "2026-01-01T00:00:00Z"),
        due("p2-past", "2026-06-01T00:00:00Z"),
        due("d1-due", "2026-07-02T01:00:00Z"),
        due("d3-due", "2026-07-02T02:00:00Z"),
        due("d2-due", "2026-07-02T02:00:00Z"),
        due("d4-due", "2026-07-02T03:00:00Z"),
        grant("u2-undated"),
        grant("u1-undated"),
    ]))
}

#[test]
fn the_soonest_come_first_then_the_undated_then_the_most_recently_passed() {
    let service = service();
    let expected = ["d1-due", "d2-due", "d3-due", "d4-due", "u1-undated", "u2-undated", "p2-past", "p1-past"];
    assert_eq!(service.get("/api/v1/grants").slugs(), expected);
    service.set_clock("2026-07-02T02:00:00.000Z");
    let expected = ["d2-due", "d3-due", "d4-due", "u1-undated", "u2-undated", "d1-due", "p2-past", "p1-past"];
    assert_eq!(service.get("/api/v1/grants").slugs(), expected, "a deadline of this instant has not passed");
}

#[test]
fn a_record_drops_at_the_moment_its_deadline_passes_and_ties_stay_by_slug() {
    let service = service();
    service.set_clock("2026-07-02T02:00:00.001Z");
    let expected = ["d4-due", "u1-undated", "u2-undated", "d2-due", "d3-due", "d1-due", "p2-past", "p1-past"];
    assert_eq!(service.get("/api/v1/grants").slugs(), expected);
}

#[test]
fn every_page_of_a_traversal_is_of_the_instant_of_the_first() {
    let service = service();
    let expected = service.get("/api/v1/grants").slugs();
    let mut slugs = Vec::new();
    let mut parameters = vec![("limit", "1".to_owned())];
    for hour in 0..8 {
        let pairs: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = service.list("/api/v1/grants", &pairs).page();
        assert_eq!(page.as_of, NOW);
        slugs.extend(page.rows.iter().map(|row| row["slug"].as_str().expect("a slug").to_owned()));
        service.set_clock(&format!("2026-07-02T{:02}:30:00.000Z", hour + 1));
        match page.next {
            Some(next) => parameters = vec![("limit", "1".to_owned()), ("cursor", next)],
            None => assert_eq!(hour, 7),
        }
    }
    assert_eq!(slugs, expected, "deadlines passed between the pages and nothing moved");
    assert_ne!(service.get("/api/v1/grants").slugs(), expected, "a new traversal sees the new order");
}

#[test]
fn funders_are_listed_by_name_in_any_case_then_by_slug() {
    let mut export = Export::of([]);
    export.funders = vec![
        funder("z", "apple"),
        funder("c", "Banana"),
        funder("b", "banana"),
        funder("a", "BANANA"),
        funder("d", "\u{c9}clair"),
        funder("e", "Zebra"),
    ];
    let service = Service::of(&export);
    assert_eq!(service.get("/api/v1/funders").slugs(), ["z", "a", "b", "c", "e", "d"]);
    assert_eq!(service.traverse("/api/v1/funders", &[("limit", "1")]).0.len(), 6);
}

#[test]
fn the_status_never_changes_by_the_clock() {
    let service = service();
    service.set_clock("2030-01-01T00:00:00Z");
    assert_eq!(service.get("/api/v1/grants?status=open").slugs().len(), 8);
}
