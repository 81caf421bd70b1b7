//! Random histories of a catalogue against the model: crawls, rollbacks, a clock that goes back, and clients who page and poll
//! meanwhile.

use std::collections::BTreeMap;

use catalogue_index::export::GrantRow;
use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{Requested, Status, Timestamp};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use super::model::Model;
use crate::support::crawl::{Crawl, day, minute, programme};
use crate::support::vault::{Vault, page};

/// How many histories are drawn.
const HISTORIES: u32 = 60;

/// How many programmes there are to list.
const PROGRAMMES: usize = 12;

#[derive(Clone, Debug)]
enum Event {
    /// The source says something else; the next crawl will find it.
    Source(usize, Said),
    /// A crawl is published so many minutes later, or earlier.
    Publish(i64),
    RollBack(Index),
    /// A client begins to page through the grants on this day, perhaps of those updated since a publication.
    Page(i64, bool),
    /// A client begins to page through the changes since the last publication, or all.
    Changes(bool),
    /// A client goes on.
    GoOn(Index, usize),
    /// The client that follows the feed polls.
    Poll,
}

#[derive(Clone, Debug)]
enum Said {
    NotListed,
    Listed,
    Deadline(Option<i64>),
    AmountMax(Option<u32>),
    AmountPool(Option<u32>),
    Title(u8),
    Status(Status),
    ReadAgain(i64),
}

fn event() -> impl Strategy<Value = Event> {
    let said = prop_oneof![
        3 => Just(Said::NotListed),
        4 => Just(Said::Listed),
        // Few days, so that many deadlines are equal.
        3 => prop::option::of(0..6_i64).prop_map(Said::Deadline),
        1 => prop::option::of(1..4_u32).prop_map(Said::AmountMax),
        1 => prop::option::of(1..4_u32).prop_map(Said::AmountPool),
        1 => (0..3_u8).prop_map(Said::Title),
        3 => prop::sample::select(Status::ALL.to_vec()).prop_map(Said::Status),
        1 => (0..3_i64).prop_map(Said::ReadAgain),
    ];
    prop_oneof![
        12 => (0..PROGRAMMES, said).prop_map(|(number, said)| Event::Source(number, said)),
        5 => (-3..6_i64).prop_map(Event::Publish),
        2 => any::<Index>().prop_map(Event::RollBack),
        2 => (-1..7_i64, any::<bool>()).prop_map(|(on, updated)| Event::Page(on, updated)),
        2 => any::<bool>().prop_map(Event::Changes),
        8 => (any::<Index>(), 1..5_usize).prop_map(|(client, limit)| Event::GoOn(client, limit)),
        2 => Just(Event::Poll),
    ]
}

/// A client in the middle of a list, and what it must still be sent.
struct Client {
    resource: Resource,
    asked: Requested,
    now: Timestamp,
    cursor: Option<String>,
    to_come: Vec<Value>,
    is_done: bool,
}

impl Client {
    fn go_on(&mut self, catalogue: &Catalogue, limit: usize) {
        if self.is_done {
            return;
        }
        let (rows, next) = page(catalogue, self.resource, &self.asked, self.cursor.as_deref(), self.now, limit);
        let rest = self.to_come.split_off(rows.len().min(self.to_come.len()));
        assert_eq!(rows, self.to_come, "of {:?} {:?}", self.resource, self.asked);
        self.to_come = rest;
        self.cursor = next;
        self.is_done = self.cursor.is_none();
        assert_eq!(self.is_done, self.to_come.is_empty(), "of {:?} {:?}", self.resource, self.asked);
    }
}

struct History {
    vault: Vault,
    catalogue: Catalogue,
    model: Model,
    source: BTreeMap<usize, GrantRow>,
    unlisted: BTreeMap<usize, GrantRow>,
    now: Timestamp,
    clients: Vec<Client>,
    followed: Vec<Value>,
}

impl History {
    fn begin() -> Self {
        let vault = Vault::new();
        let source: BTreeMap<_, _> = (0..PROGRAMMES / 2).map(|number| (number, programme(number))).collect();
        let rows: Vec<GrantRow> = source.values().cloned().collect();
        vault.publish(&Crawl::of(0, rows.clone()), minute(0));
        let mut model = Model::default();
        model.publish(&rows, minute(0));
        let (catalogue, now) = (vault.open(), minute(0));
        Self { vault, catalogue, model, source, unlisted: BTreeMap::new(), now, clients: vec![], followed: vec![] }
    }

    fn meet(&mut self, event: Event) {
        match event {
            Event::Source(number, said) => self.hear(number, &said),
            Event::Publish(minutes) => {
                self.now = self.now.plus_millis(minutes * 60_000).expect("an instant");
                let rows: Vec<GrantRow> = self.source.values().cloned().collect();
                let report = self.vault.publish(&Crawl::of(0, rows.clone()), self.now);
                let brought = self.model.publish(&rows, self.now) as u64;
                let counts = serde_json::to_value(report.changes).expect("JSON");
                let told: u64 =
                    counts.as_object().into_iter().flat_map(|counts| counts.values()).filter_map(Value::as_u64).sum();
                assert_eq!(told, brought);
                assert!(self.catalogue.refresh().expect("a sound generation"));
            }
            Event::RollBack(target) => {
                let others = self.model.generations() - 1;
                if others > 0 {
                    let target = target.index(others) + 1;
                    self.vault.rollback(Some(target as u64), self.now).expect("a rollback");
                    self.model.roll_back(target, self.now);
                    assert!(self.catalogue.refresh().expect("a sound generation"));
                }
            }
            Event::Page(on, only_updated) => {
                let updated_since = self.model.published_at().filter(|_| only_updated);
                let to_come = self.model.grants(day(on), updated_since);
                let asked = Requested { updated_since, ..Requested::default() };
                self.clients.push(Client {
                    resource: Resource::Grants,
                    asked,
                    now: day(on),
                    cursor: None,
                    to_come,
                    is_done: false,
                });
                self.clients.last_mut().expect("a client").go_on(&self.catalogue, 2);
            }
            Event::Changes(only_last) => {
                let since = self.model.published_at().filter(|_| only_last);
                let (to_come, asked) = (self.model.changes(since), Requested { since, ..Requested::default() });
                self.clients.push(Client {
                    resource: Resource::Changes,
                    asked,
                    now: self.now,
                    cursor: None,
                    to_come,
                    is_done: false,
                });
                self.clients.last_mut().expect("a client").go_on(&self.catalogue, 2);
            }
            Event::GoOn(client, limit) => {
                if !self.clients.is_empty() {
                    let client = client.index(self.clients.len());
                    self.clients[client].go_on(&self.catalogue, limit);
                }
            }
            Event::Poll => self.poll(),
        }
    }

    fn hear(&mut self, number: usize, said: &Said) {
        let amount = |amount: &Option<u32>| amount.map(|amount| format!("{amount}.5").parse().expect("an amount"));
        match said {
            Said::NotListed => self.unlisted.extend(self.source.remove(&number).map(|row| (number, row))),
            Said::Listed => {
                let row = self.unlisted.remove(&number).unwrap_or_else(|| programme(number));
                self.source.entry(number).or_insert(row);
            }
            said => {
                let Some(row) = self.source.get_mut(&number) else { return };
                match said {
                    Said::Deadline(on) => row.deadline = on.map(day),
                    Said::AmountMax(most) => row.amount_max = amount(most),
                    Said::AmountPool(pool) => row.amount_total_pool = amount(pool),
                    Said::Title(title) => row.title = format!("Title {title}"),
                    Said::Status(status) => row.status = *status,
                    Said::ReadAgain(on) => row.last_verified_at = day(*on),
                    Said::NotListed | Said::Listed => {}
                }
            }
        }
    }

    /// Asks for what came at or after the greatest instant seen, and takes what is new.
    fn poll(&mut self) {
        let greatest = self.followed.last().map(|change| change["observed_at"].clone());
        let since = greatest.as_ref().map(|instant| instant.as_str().expect("text").parse().expect("an instant"));
        let asked = Requested { since, ..Requested::default() };
        let mut cursor = None;
        loop {
            let (rows, next) = page(&self.catalogue, Resource::Changes, &asked, cursor.as_deref(), self.now, 3);
            self.followed.extend(rows.into_iter().filter(|change| Some(&change["observed_at"]) != greatest.as_ref()));
            cursor = next;
            if cursor.is_none() {
                return assert_eq!(self.followed, self.model.changes(None), "the client has every change, each once");
            }
        }
    }

    /// Every client is sent the rest, and one who comes now is sent the truth.
    fn end(mut self) {
        for on in [-1, 0, 3, 6] {
            self.meet(Event::Page(on, false));
        }
        self.meet(Event::Changes(false));
        self.poll();
        for client in &mut self.clients {
            while !client.is_done {
                client.go_on(&self.catalogue, 7);
            }
        }
        self.vault.assert_no_litter();
    }
}

#[test]
fn no_row_and_no_change_is_missed_or_doubled_whatever_is_published_meanwhile() {
    let config = Config { cases: HISTORIES, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&prop::collection::vec(event(), 20..80), |events| {
        let mut history = History::begin();
        for event in events {
            history.meet(event);
        }
        history.end();
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
