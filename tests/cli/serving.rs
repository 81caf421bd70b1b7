//! `catalogue serve` as a process: what it survives, and how it ends.

use std::time::{Duration, Instant};

use super::Place;
use crate::support::export::Export;
use crate::support::process::Process;

/// How long a publication may take to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);

#[test]
fn a_log_that_nobody_can_write_any_longer_stops_nothing() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    let store = format!("sqlite://{}", place.data.path().join("accounts.sqlite").display());
    let process = Process::serve_unheard(place.data.path(), &store);
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
