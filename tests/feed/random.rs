//! Random sequences of crawls, and clients who poll while they come in.

use std::collections::BTreeMap;

use catalogue_index::{Catalogue, Options, Resource};
use catalogue_schema::{Requested, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use super::model::{Model, Said};
use crate::support::at;
use crate::support::data::Data;
use crate::support::export::Export;
use crate::support::listing::{Page, page, whole};

const SLUGS: [&str; 9] = ["a", "a-1", "a-b", "a1", "b", "c", "d", "e", "f"];

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 100, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// What happens to one record between two crawls.
#[derive(Clone, Debug)]
enum Move {
    Drop,
    Status(&'static str),
    Title(u8),
    Deadline(Option<u8>),
    Amount(usize, Option<u16>),
    Summary(Option<u8>),
    Verified(u8),
}

fn one_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        2 => Just(Move::Drop),
        2 => prop::sample::select(vec!["open", "forecasted", "closed"]).prop_map(Move::Status),
        1 => (0..3_u8).prop_map(Move::Title),
        1 => prop::option::of(0..4_u8).prop_map(Move::Deadline),
        2 => (0..3_usize, prop::option::of(0..3_u16)).prop_map(|(which, amount)| Move::Amount(which, amount)),
        1 => prop::option::of(0..2_u8).prop_map(Move::Summary),
        1 => (1..28_u8).prop_map(Move::Verified),
    ]
}

/// A crawl: what moves since the last one, where the clock stands, and which clients poll afterwards, with which limits.
#[derive(Clone, Debug)]
struct Crawl {
    moves: Vec<(usize, Move)>,
    /// Minutes since the last publication: the machine's clock may stand still or go back.
    minutes: i64,
    polls: Vec<(usize, usize)>,
}

fn crawl() -> impl Strategy<Value = Crawl> {
    let moves = prop::collection::vec((0..SLUGS.len(), one_move()), 0..12);
    let polls = prop::collection::vec((0..3_usize, 1..5_usize), 0..3);
    (moves, prop_oneof![3 => 1..90_i64, 1 => Just(0), 1 => -60..0_i64], polls)
        .prop_map(|(moves, minutes, polls)| Crawl { moves, minutes, polls })
}

fn apply(listed: &mut BTreeMap<String, Said>, moves: &[(usize, Move)]) {
    for (slug, one) in moves {
        let slug = SLUGS[*slug].to_owned();
        if let Move::Drop = one {
            listed.remove(&slug);
            continue;
        }
        let fresh = Said {
            title: "Title 0".to_owned(),
            status: "open",
            deadline: None,
            amounts: [None; 3],
            summary: None,
            verified: 1,
        };
        // A move of a record that is not listed lists it, for the first time or again.
        let said = listed.entry(slug).or_insert(fresh);
        match one {
            Move::Drop => {}
            Move::Status(status) => said.status = status,
            Move::Title(number) => said.title = format!("Title {number}"),
            Move::Deadline(deadline) => said.deadline = *deadline,
            Move::Amount(which, amount) => said.amounts[*which] = *amount,
            Move::Summary(summary) => said.summary = *summary,
            Move::Verified(verified) => said.verified = *verified,
        }
    }
}

/// A client that polls with the greatest `observed_at` it has seen, and keeps what it had not.
#[derive(Default)]
struct Client {
    seen: Vec<Value>,
    /// The page a traversal of its own has come to, with the changes it has met.
    midway: Option<(String, Vec<Value>, Option<Timestamp>)>,
}

impl Client {
    fn greatest(&self) -> Option<Timestamp> {
        self.seen.iter().map(observed_at).max()
    }

    /// Reads one page; a traversal that ends is taken over, and what was seen before is known by being equal.
    fn read_page(&mut self, catalogue: &Catalogue, limit: usize, now: Timestamp) {
        let (cursor, mut met, since) = match self.midway.take() {
            Some((cursor, met, since)) => (Some(cursor), met, since),
            None => (None, Vec::new(), self.greatest()),
        };
        let asked = Requested { since, ..Requested::default() };
        let page: Page<Value> =
            page(catalogue, Resource::Changes, &asked, cursor.as_deref(), limit, now).expect("the page is served");
        met.extend(page.rows);
        if let Some(next) = page.next {
            self.midway = Some((next, met, since));
        } else {
            self.seen.extend(met.into_iter().filter(|change| since != Some(observed_at(change))));
        }
    }
}

fn observed_at(change: &Value) -> Timestamp {
    at(change["observed_at"].as_str().expect("an instant"))
}

fn publish(data: &Data, listed: &BTreeMap<String, Said>, instant: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Export::of(listed.iter().map(|(slug, said)| said.row(slug))).write(folder.path());
    let options = Options { allow_mass_close: true, ..Options::default() };
    let report = data.reindex(folder.path(), options, instant).expect("the reindex does its work");
    assert!(report.published, "{:?}", report.faults);
    let current = data.open().current().expect("a generation is published");
    current.manifest().publication().at.to_string()
}

#[test]
fn the_feed_and_the_catalogue_are_the_models_and_clients_miss_and_double_nothing() {
    let outcome = runner(40).run(&prop::collection::vec(crawl(), 1..9), |crawls| {
        let (data, mut model, mut listed) = (Data::new(), Model::default(), BTreeMap::new());
        let mut clock = at("2026-07-01T12:00:00Z");
        let mut last: Option<Timestamp> = None;
        let mut open: Option<Catalogue> = None;
        let mut clients: [Client; 3] = Default::default();
        for crawl in &crawls {
            apply(&mut listed, &crawl.moves);
            clock = clock.plus_millis(crawl.minutes * 60_000).expect("an instant");
            let published_at = publish(&data, &listed, &clock.to_string());
            let instant = at(&published_at);
            let earliest = last.map_or(clock, |last| last.plus_millis(1).expect("an instant").max(clock));
            prop_assert_eq!(instant, earliest, "later than every one before, whatever the clock does");
            last = Some(instant);
            model.publish(&listed, &published_at);
            let catalogue = open.get_or_insert_with(|| data.open());
            catalogue.refresh().expect("the published generation is sound");
            let feed: Vec<Value> = whole(catalogue, Resource::Changes, &Requested::default(), 3, clock);
            prop_assert_eq!(&feed, &model.feed);
            let records: Vec<Value> = whole(catalogue, Resource::Grants, &Requested::default(), 4, clock);
            prop_assert_eq!(records.len(), model.held.len());
            for record in &records {
                let held = &model.held[record["slug"].as_str().expect("a slug")];
                prop_assert_eq!(&record["first_seen_at"], &held.first_seen_at);
                prop_assert_eq!(&record["updated_at"], &held.updated_at);
                prop_assert_eq!(&record["status"], held.said.status);
                prop_assert_eq!(&record["title"], &held.said.title);
            }
            for (client, limit) in &crawl.polls {
                clients[*client].read_page(catalogue, *limit, clock);
            }
        }
        let catalogue = open.expect("there was a crawl");
        for client in &mut clients {
            // What it was in the middle of it reads to the end, and then once more from there.
            while client.midway.is_some() {
                client.read_page(&catalogue, 2, clock);
            }
            client.read_page(&catalogue, 1_000, clock);
            prop_assert_eq!(&client.seen, &model.feed);
        }
        Ok(())
    });
    outcome.expect("the model agrees");
}
