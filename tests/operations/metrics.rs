//! What `/metrics` tells after requests that are known.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ureq::http::Method;

use super::exposition::Told;
use crate::support::client::Client;
use crate::support::data::Data;
use crate::support::export::{Export, grant};
use crate::support::folder::files_under;
use crate::support::service::{Choices, Service};

fn told(service: &Service) -> Told {
    read(&service.operations())
}

fn read(operations: &Client) -> Told {
    let answer = operations.get("/metrics");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    Told::read(std::str::from_utf8(&answer.body).expect("UTF-8"))
}

#[test]
fn requests_are_counted_by_route_and_status_and_by_nothing_a_client_writes() {
    let service = Service::of(&Export::of_count(3));
    let tag = service.get("/api/v1/grants").header("etag").expect("a tag").to_owned();
    service.get("/api/v1/grants?q=secret-of-a-client");
    service.get_with("/api/v1/grants", &[("if-none-match", &tag)]);
    service.get("/api/v1/grants?nonsense=1");
    service.send(Method::HEAD, "/api/v1/grants", &[]);
    service.send(Method::DELETE, "/api/v1/grants", &[]);
    for slug in ["g-000", "g-001", "not-there"] {
        service.get(&format!("/api/v1/grants/{slug}"));
    }
    for path in ["/nowhere", "/api/v1/nowhere", "/api/v1/grants/g-000/more", "/metrics"] {
        service.get(path);
    }
    let told = told(&service);
    let answers = |route: &str| told.answers("public", route);
    assert_eq!(answers("/api/v1/grants"), BTreeMap::from([(200, 3), (304, 1), (400, 1), (405, 1)]));
    assert_eq!(answers("/api/v1/grants/{slug}"), BTreeMap::from([(200, 2), (404, 1)]));
    assert_eq!(answers("unmatched"), BTreeMap::from([(404, 4)]));
    assert_eq!(answers("/api/v1/funders"), BTreeMap::new());
    for (route, count) in [("/api/v1/grants", 6), ("/api/v1/grants/{slug}", 3), ("unmatched", 4), ("/account", 0)] {
        assert_eq!(told.timed("public", route), count, "{route}");
    }
    let series: String = told.values.keys().map(String::as_str).collect();
    for of_a_client in ["g-000", "secret", "nowhere", "nonsense"] {
        assert!(!series.contains(of_a_client), "{of_a_client} is a label");
    }
    assert_eq!(read(&service.operations()).answers("internal", "/metrics"), BTreeMap::from([(200, 1)]));
}

#[test]
fn those_who_are_not_let_in_are_counted_by_reason() {
    let choices = Choices { daily_limit: 2, ..Choices::default() };
    let service = Service::with(&Export::of_count(1), choices);
    for _ in 0..5 {
        service.get("/api/v1/grants");
    }
    for _ in 0..2 {
        service.stranger().get("/api/v1/grants");
    }
    service.with_key("nonsense").get("/api/v1/grants");
    service.client_on("free").get("/api/v1/grants");
    let told = told(&service);
    let refused = |reason: &str| told.value(&format!("catalogue_access_refusals_total{{reason=\"{reason}\"}}"));
    let reasons = ["missing_key", "invalid_key", "plan_required", "rate_limited", "unavailable"];
    assert_eq!(reasons.map(refused), [2, 1, 1, 3, 0]);
    assert_eq!(told.value("catalogue_account_store_failures_total"), 0);
    // One run for each key whose secret was met for the first time: the made-up one is refused without.
    assert_eq!(told.value("catalogue_argon2_runs_total"), 2);
    for state in ["running", "waiting"] {
        assert_eq!(told.value(&format!("catalogue_argon2_jobs{{state=\"{state}\"}}")), 0);
    }
}

#[test]
fn a_store_that_fails_is_counted_whoever_meets_it() {
    let service = Service::of(&Export::of_count(1));
    assert_eq!(service.get("/api/v1/grants").status, 200);
    service.break_store();
    assert_eq!(service.get("/api/v1/grants").status, 503);
    let cookie = format!("catalogue-session={}", "A".repeat(43));
    assert_eq!(service.stranger().get_with("/account/keys", &[("cookie", &cookie)]).status, 503);
    let told = told(&service);
    assert_eq!(told.value("catalogue_account_store_failures_total"), 2);
    assert_eq!(told.value("catalogue_access_refusals_total{reason=\"unavailable\"}"), 1);
}

#[test]
fn the_catalogue_that_is_served_is_told_with_its_age() {
    let service = Service::over(Data::new(), Choices::default());
    let before = told(&service);
    assert_eq!(before.value("catalogue_generation_number"), 0);
    for unknown in ["catalogue_generation_age_seconds", "catalogue_crawl_age_seconds", "catalogue_index_size_bytes"] {
        assert!(!before.kinds.contains_key(unknown), "{unknown} is not known yet");
    }
    service.publish(&Export::of_count(5), "2026-07-01T12:00:00Z");
    let first = told(&service);
    let rows = |told: &Told, resource: &str| told.value(&format!("catalogue_rows{{resource=\"{resource}\"}}"));
    assert_eq!(first.value("catalogue_generation_number"), 1);
    // The clock stands at the end of that day, the crawl was at six in the morning.
    assert_eq!(first.value("catalogue_generation_age_seconds"), 12 * 3600);
    assert_eq!(first.value("catalogue_crawl_age_seconds"), 18 * 3600);
    assert_eq!(["grants", "funders", "changes"].map(|resource| rows(&first, resource)), [5, 1, 0]);

    service.publish(&Export::of([grant("g-000"), grant("new")]), "2026-07-01T18:00:00Z");
    let second = told(&service);
    assert_eq!(second.value("catalogue_generation_number"), 2);
    assert_eq!(second.value("catalogue_generation_age_seconds"), 6 * 3600);
    assert_eq!(["grants", "changes"].map(|resource| rows(&second, resource)), [6, 5]);
    let files = files_under(&service.data.path().join("generations/00000002"));
    let on_disk = files.iter().map(|file| size(file)).sum::<u64>()
        - size(&service.data.path().join("generations/00000002/manifest.json"))
        + size(&service.data.path().join("changes/changes.rows"));
    assert_eq!(second.value("catalogue_index_size_bytes"), on_disk);
}

#[test]
fn open_connections_are_counted_while_they_are_open() {
    let service = Service::of(&Export::of_count(1));
    let operations = service.operations();
    let open =
        |listener: &str| read(&operations).value(&format!("catalogue_open_connections{{listener=\"{listener}\"}}"));
    assert_eq!((open("public"), open("internal")), (0, 1));
    let clients = [service.stranger(), service.stranger()];
    for client in &clients {
        client.get("/api/v1/grants");
    }
    assert_eq!(open("public"), 2);
    drop(clients);
    let started = Instant::now();
    while open("public") > 0 {
        assert!(started.elapsed() < Duration::from_secs(10), "the connections are closed");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn every_metric_is_explained_in_the_readme() {
    let service = Service::of(&Export::of_count(1));
    // A counter of answers is there once there is an answer.
    service.get("/api/v1/grants");
    let told = told(&service);
    let readme = include_str!("../../README.md");
    let explained: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `catalogue_"))
        .filter_map(|rest| rest.split(['`', '{']).next())
        .collect();
    let mut names: Vec<&str> = told.kinds.keys().filter_map(|name| name.strip_prefix("catalogue_")).collect();
    let mut sorted = explained.clone();
    sorted.sort_unstable();
    names.sort_unstable();
    assert_eq!(sorted, names);
    assert_eq!(told.value(concat!("catalogue_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}")), 1);
}

fn size(path: &std::path::Path) -> u64 {
    std::fs::metadata(path).expect("a file").len()
}
