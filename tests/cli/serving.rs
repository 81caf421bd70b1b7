//! `catalogue serve` as a process: what it survives, and how it ends.

use std::time::{Duration, Instant};

use super::Place;
use crate::support::export::Export;
use crate::support::process::Process;

/// How long a publication may take to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);

/// The account store in the data folder.
fn store(place: &Place) -> String {
    format!("sqlite://{}", place.data.path().join("accounts.sqlite").display())
}

#[test]
fn a_log_that_nobody_can_write_any_longer_stops_nothing() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let (process, log) = Process::start(place.data.path(), &store(&place), 100);
    drop(log);
    place.reindex_of(&Export::of_count(4), &[]);
    // That the next generation is served is a line of the log, which has nowhere to go.
    let (operations, began) = (process.operations(), Instant::now());
    while !operations.get("/readyz").body.ends_with(b"generation 2\n") {
        assert!(began.elapsed() < SERVED_WITHIN, "the next generation is not served");
        std::thread::sleep(Duration::from_millis(20));
    }
    process.client("no key").get("/api/v1/grants").assert_refused(401, "invalid_key", None);
    drop(operations);
    assert_eq!(process.terminate().code(), Some(0));
}

#[test]
fn a_failure_is_in_the_log_under_the_id_that_the_client_was_told() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let (process, log) = Process::start(place.data.path(), &store(&place), 100);
    let accounts = rusqlite::Connection::open(place.data.path().join("accounts.sqlite")).expect("the store's file");
    accounts.execute_batch("ALTER TABLE plan RENAME TO lost").expect("a table");
    let cookie = [("cookie", format!("catalogue-session={}", "A".repeat(43)))];
    let cookie = cookie.each_ref().map(|(name, value)| (*name, value.as_str()));
    let mut told = Vec::new();
    for (client, path) in
        [(process.client("no key"), "/account/keys"), (process.operations(), "/graphql?query=%7Ba%7D")]
    {
        let answer = client.get_with(path, &cookie);
        assert_eq!(answer.status, 503, "{path}");
        told.push(answer.header("x-request-id").expect("an id").to_owned());
    }
    assert_eq!(process.terminate().code(), Some(0));
    let log: Vec<serde_json::Value> =
        log.map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON")).collect();
    for id in told {
        let lines: Vec<_> = log.iter().filter(|line| line["fields"]["request"] == *id).collect();
        let [line] = lines[..] else { panic!("{id} is in the log {} times", lines.len()) };
        assert_eq!(line["fields"]["message"], "a request failed");
        assert!(line["fields"]["error"].as_str().is_some_and(|why| why.contains("store")), "{line}");
    }
}
