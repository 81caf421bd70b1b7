//! `updated_since` and `since`: windows that begin at an instant, and the feed's limit (specification, part 4, rule 5).

use crate::support::export::{Export, grant};
use crate::support::service::{Choices, Service};

/// Publishes at 12:00, 13:00 and 14:00 of 1 July: one record changes each time.
fn service(changes_window: u64) -> Service {
    let title = |slug: &str, title: &str| grant(slug).with("title", title);
    let service = Service::with(
        &Export::of([grant("a"), grant("b"), grant("c")]),
        Choices { changes_window, ..Choices::default() },
    );
    service.publish(&Export::of([title("a", "First"), grant("b"), grant("c")]), "2026-07-01T13:00:00Z");
    let last = Export::of([title("a", "First"), title("b", "Second").with("amount_max", 5), grant("c"), grant("d")]);
    service.publish(&last, "2026-07-01T14:00:00Z");
    service
}

#[test]
fn updated_since_is_inclusive() {
    let service = service(100);
    for (since, slugs) in [
        ("2026-07-01", &["a", "b", "c", "d"][..]),
        ("2026-07-01T12:00:00Z", &["a", "b", "c", "d"]),
        ("2026-07-01T12:00:00.001Z", &["a", "b", "d"]),
        ("2026-07-01T13:00:00.000Z", &["a", "b", "d"]),
        ("2026-07-01T15:00:00+02:00", &["a", "b", "d"]),
        ("2026-07-01T13:00:00.0001Z", &["b", "d"]),
        ("2026-07-01T14:00:00Z", &["b", "d"]),
        ("2026-07-01T14:00:00.001Z", &[]),
        ("2026-07-02", &[]),
        ("0000-01-01", &["a", "b", "c", "d"]),
        ("9999-12-31T23:59:59.999Z", &[]),
    ] {
        assert_eq!(service.list("/api/v1/grants", &[("updated_since", since)]).slugs(), slugs, "{since}");
    }
    let narrowed = service.list("/api/v1/grants", &[("updated_since", "2026-07-01T13:00:00Z"), ("q", "second")]);
    assert_eq!(narrowed.slugs(), ["b"]);
}

#[test]
fn a_new_time_of_reading_is_no_update() {
    let service = Service::of(&Export::of([grant("a"), grant("b")]));
    let read_again = grant("a").with("last_verified_at", "2026-07-01T12:59:00Z");
    service.publish(&Export::of([read_again, grant("b")]), "2026-07-01T13:00:00Z");
    let record = service.get("/api/v1/grants/a").json()["data"].clone();
    assert_eq!(record["last_verified_at"], "2026-07-01T12:59:00.000Z");
    assert_eq!(record["updated_at"], "2026-07-01T12:00:00.000Z");
    assert!(service.get("/api/v1/changes").page().rows.is_empty());
}

#[test]
fn what_is_no_instant_is_refused_by_name() {
    let service = service(100);
    for text in
        ["yesterday", "2026-7-1", "2026-07-32", "2026-07-01T12:00:00", "1782907200", "2026-07-01 12:00:00", "20260701"]
    {
        let answer = service.list("/api/v1/grants", &[("updated_since", text)]);
        answer.assert_refused(400, "invalid_parameter", Some("updated_since"));
        let answer = service.list("/api/v1/changes", &[("since", text)]);
        answer.assert_refused(400, "invalid_parameter", Some("since"));
    }
}

#[test]
fn since_is_inclusive_and_without_it_the_whole_log_is_served() {
    let service = service(100);
    let kinds = |since: &str| -> Vec<String> {
        let rows = service.list("/api/v1/changes", &[("since", since)]).page().rows;
        rows.iter().map(|row| format!("{} {}", row["slug"], row["kind"]).replace('"', "")).collect()
    };
    let all = ["a title_changed", "b amount_changed", "b title_changed", "d record_added"];
    assert_eq!(kinds(""), all);
    assert_eq!(kinds("2026-07-01"), all);
    assert_eq!(kinds("2026-07-01T13:00:00.000Z"), all);
    assert_eq!(kinds("2026-07-01T13:00:00.001Z"), all[1..]);
    assert_eq!(kinds("2026-07-01T14:00:00Z"), all[1..]);
    assert!(kinds("2026-07-01T14:00:00.001Z").is_empty());
}

#[test]
fn a_window_is_whole_or_refused_with_a_since_that_works() {
    let service = service(3);
    for path in ["/api/v1/changes", "/api/v1/changes?since=2026-07-01", "/api/v1/changes?limit=1"] {
        let answer = service.get(path);
        answer.assert_refused(400, "window_too_large", Some("since"));
        let message = answer.json()["message"].as_str().expect("a sentence").to_owned();
        assert!(message.contains("4 changes") && message.contains("at most 3"), "{message}");
        let since = message.split("since=").nth(1).expect("a since").split('`').next().expect("a since");
        let rows = service.traverse("/api/v1/changes", &[("since", since), ("limit", "2")]).0;
        assert_eq!(rows.len(), 3, "{message}");
    }
}

#[test]
fn a_window_of_just_the_limit_is_served() {
    let service = service(4);
    assert_eq!(service.traverse("/api/v1/changes", &[("limit", "1")]).0.len(), 4);
}

#[test]
fn a_publication_above_the_limit_leaves_no_since_that_fits() {
    let service = service(2);
    let answer = service.list("/api/v1/changes", &[("since", "2026-07-01T14:00:00Z")]);
    answer.assert_refused(400, "window_too_large", Some("since"));
    assert!(service.list("/api/v1/changes", &[("since", "2026-07-01T14:00:00.001Z")]).page().rows.is_empty());
}

#[test]
fn a_traversal_of_the_feed_is_pinned_while_the_feed_grows_beyond_the_limit() {
    let service = service(4);
    let first = service.list("/api/v1/changes", &[("limit", "2")]);
    let cursor = first.next();
    let grown = Export::of((0..10).map(|number| grant(&format!("n-{number}"))));
    service.publish(&grown, "2026-07-01T15:00:00Z");
    service.get("/api/v1/changes").assert_refused(400, "window_too_large", Some("since"));
    let second = service.list("/api/v1/changes", &[("limit", "2"), ("cursor", &cursor)]).page();
    assert_eq!((second.rows.len(), second.next), (2, None));
}
