//! Requests while generations come and go.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use catalogue_index::{Resource, retention};
use catalogue_schema::Requested;
use serde_json::Value;

use crate::support::crawl::{Crawl, day, minute, programme};
use crate::support::reader::{Reader, Reading};
use crate::support::vault::{Vault, page};

const SWAPS: u64 = 20;

const CLIENTS: usize = 4;

/// The crawl that generation `number` is published from: every one says something else, and lists one programme more.
fn crawl(number: u64) -> Crawl {
    let listed = 60 + usize::try_from(number).expect("a small number");
    let crawl = Crawl::of(1, (0..listed).map(programme));
    crawl.with(usize::try_from(number).expect("small"), |row| row.title = format!("Moved by {number}"))
}

/// Begins a traversal of all grants in pages of seven and follows it to the end; gives how many requests that took and the
/// slowest of them.
fn traverse(reader: &Reader) -> (u32, Duration) {
    let (mut requests, mut slowest) = (0, Duration::ZERO);
    let mut get = |path: &str| {
        let started = Instant::now();
        let (status, body) = reader.get(path);
        slowest = slowest.max(started.elapsed());
        requests += 1;
        assert_eq!(status, 200, "{path}: {body}");
        body
    };
    let mut slugs = Vec::new();
    let mut path = "/grants?limit=7".to_owned();
    loop {
        let body = get(&path);
        let rows = body["data"].as_array().expect("rows");
        slugs.extend(rows.iter().map(|row| row["slug"].as_str().expect("a slug").to_owned()));
        let Some(cursor) = body["next_cursor"].as_str() else { break };
        path = format!("/grants?limit=7&cursor={cursor}");
        get("/grants/programme-003");
        get("/changes?limit=5&since=2026-07-01T00:02:00Z");
        get("/grants?q=gardens&status=open");
    }
    let rows = slugs.len();
    slugs.sort();
    slugs.dedup();
    assert_eq!(slugs.len(), rows, "no row twice");
    assert!(rows > 60, "no row missed: {rows}");
    (requests, slowest)
}

#[test]
fn a_publication_is_served_within_a_second() {
    let vault = Vault::new();
    vault.publish(&crawl(1), minute(1));
    let reading = Reading::begin(&vault, day(9), 10_000);
    let served_after = |number: u64| {
        vault.publish(&crawl(number), minute(i64::try_from(number).expect("small")));
        let published = Instant::now();
        reading.await_generation(number);
        published.elapsed()
    };
    // The best of some: the other tests here leave the processor to nobody.
    let best = (2..6).map(served_after).min().expect("some publications");
    assert!(best < Duration::from_secs(1), "{best:?}");
}

/// Lets the clients read while `work` is done; gives how many requests were answered and the slowest.
fn under_load(reading: &Reading, work: impl FnOnce()) -> (u32, Duration) {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let client = || {
            let reader = reading.reader();
            let (mut requests, mut slowest) = (0, Duration::ZERO);
            while !is_over.load(Ordering::Relaxed) {
                let (more, slow) = traverse(&reader);
                requests += more;
                slowest = slowest.max(slow);
                // The load is bounded: what is measured is the swap, not the machine.
                std::thread::sleep(Duration::from_millis(5));
            }
            (requests, slowest)
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        work();
        is_over.store(true, Ordering::Relaxed);
        let ends = clients.into_iter().map(|client| client.join().expect("no request failed"));
        ends.fold((0, Duration::ZERO), |(all, slowest), (requests, slow)| (all + requests, slowest.max(slow)))
    })
}

#[test]
fn no_request_fails_while_twenty_generations_are_published() {
    let vault = Vault::new();
    vault.publish(&crawl(1), minute(1));
    let reading = Reading::begin(&vault, minute(60), 100_000);
    let began = Instant::now();
    let (with_requests, with_slowest) = under_load(&reading, || {
        for number in 2..2 + SWAPS {
            vault.publish(&crawl(number), minute(1 + i64::try_from(number).expect("small")));
            reading.await_generation(number);
        }
    });
    let lasted = began.elapsed();
    let (without_requests, without_slowest) = under_load(&reading, || std::thread::sleep(lasted));
    println!(
        "in {lasted:.1?} each: through {SWAPS} swaps {with_requests} requests, the slowest {with_slowest:.1?}; without swaps \
         {without_requests} requests, the slowest {without_slowest:.1?}"
    );
    assert!(with_requests > 500, "there was a load: {with_requests}");
}

#[test]
fn a_cursor_goes_on_across_swaps_until_its_generation_is_pruned_and_then_says_so() {
    let vault = Vault::new();
    vault.publish(&crawl(1), minute(1));
    let reading = Reading::begin(&vault, minute(2), 100_000);
    let reader = reading.reader();
    let first_page = reader.get("/grants?limit=7").1;
    let cursor = first_page["next_cursor"].as_str().expect("a second page").to_owned();
    let second = format!("/grants?limit=7&cursor={cursor}");
    let second_page = reader.get(&second).1["data"].clone();
    for number in 2..5 {
        vault.publish(&crawl(number), minute(1 + i64::try_from(number).expect("small")));
        reading.await_generation(number);
        assert_eq!(reader.get(&second).1["data"], second_page, "the same rows of the same generation");
    }
    // The second generation was published in the third minute: a day later less a moment, the first is still kept.
    let ends = minute(3 + 24 * 60);
    let just_before = ends.plus_millis(-1).expect("an instant");
    reading.clock.set(just_before);
    assert_eq!(retention::prune_now(&vault.data(), just_before).expect("a prune"), [0_u64; 0]);
    assert_eq!(reader.get(&second).0, 200);
    reading.clock.set(ends);
    assert_eq!(retention::prune_now(&vault.data(), ends).expect("a prune"), [1]);
    let refused = (0..200).map(|_| reader.get(&second)).find(|(status, _)| {
        std::thread::sleep(Duration::from_millis(10));
        *status != 200
    });
    let (status, body) = refused.expect("a generation that is cleared away is soon not served");
    assert_eq!((status, &body["error"]), (400, &Value::from("invalid_parameter")));
    assert_eq!(body["parameter"], "cursor");
    let message = body["message"].as_str().expect("a sentence");
    assert!(message.contains("no longer kept") && message.contains("start again without a cursor"), "{message}");
    vault.assert_no_litter();
}

#[test]
fn a_cursor_of_a_generation_that_this_gateway_has_not_looked_for_yet_is_followed() {
    let vault = Vault::new();
    vault.publish(&crawl(1), minute(1));
    let (late, early) = (vault.open(), vault.open());
    vault.publish(&crawl(2), minute(2));
    assert!(early.refresh().expect("a sound generation"));
    let asked = Requested::default();
    let (_, cursor) = page(&early, Resource::Grants, &asked, None, day(1), 7);
    let expected = page(&early, Resource::Grants, &asked, cursor.as_deref(), day(1), 7);
    assert_eq!(page(&late, Resource::Grants, &asked, cursor.as_deref(), day(1), 7), expected);
}

#[test]
fn a_generation_half_removed_by_a_killed_prune_is_never_seen() {
    use crate::support::strace::{Fate, run_to, steps};
    let scene = Vault::new();
    for number in 1..4 {
        scene.publish(&crawl(number), minute(i64::try_from(number).expect("small")));
    }
    let prune = ["generation", "prune"];
    let writing: Vec<_> =
        steps(&Vault::copy_of(&scene), &prune).into_iter().filter(|step| step.writes).step_by(4).collect();
    assert!(writing.len() > 10, "a prune has many steps: {}", writing.len());
    super::kills::each_of(&writing, |step| {
        let vault = Vault::copy_of(&scene);
        assert_eq!(run_to(&vault, &prune, step, Fate::Killed).status, None, "{step:?} is reached");
        let (published, listed) = vault.listed();
        assert_eq!(published, 3);
        for number in listed.into_iter().filter(|&number| number < 3) {
            let other = Vault::copy_of(&vault);
            assert_eq!(other.rollback(Some(number), minute(9)).expect("it is whole"), (number, 4), "after {step:?}");
        }
        assert_eq!(vault.run(&prune).status, 0);
        assert_eq!(vault.listed(), (3, vec![3]));
        vault.assert_no_litter();
    });
}
