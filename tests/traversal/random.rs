//! Random catalogues with random filters, page sizes and clocks.

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{FilterField, Requested, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;

use super::model::{self, Record};
use crate::support::data::Data;
use crate::support::export::{Export, Row, funder, grant};
use crate::support::listing::{Page, Slugged, page};

/// The instants of the three publications.
pub(crate) const PUBLICATIONS: [&str; 3] =
    ["2026-07-01T12:00:00.000Z", "2026-07-01T13:00:00.000Z", "2026-07-01T14:00:00.000Z"];

/// Midnight of 2 July 2026, around which the deadlines lie.
const MIDNIGHT: i64 = 1_782_950_400_000;
const HOUR: i64 = 3_600_000;

/// Words that stemming leaves as they are.
const WORDS: [&str; 6] = ["river", "park", "school", "Art", "\u{e9}tude", "x1"];
const FUNDERS: [(&str, &str); 2] = [("f", "Foundation"), ("o", "Park Fund")];

/// A runner that always rolls the same.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// A record and the publications that first held and last changed it, from 0.
#[derive(Clone, Debug)]
pub(crate) struct Rolled {
    pub(crate) record: Record,
    funder: usize,
    first: usize,
    last: usize,
}

fn subset(codes: &'static [&'static str]) -> impl Strategy<Value = Option<Vec<String>>> {
    let list = prop::sample::subsequence(codes, 0..=codes.len());
    prop::option::of(list.prop_map(|list| list.into_iter().map(str::to_owned).collect()))
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6).prop_map(|words| words.join(" "))
}

fn rolled() -> impl Strategy<Value = Rolled> {
    let deadline = prop::option::weighted(0.8, (-4..=4_i64).prop_map(|hours| MIDNIGHT + hours * HOUR));
    let status = prop::sample::select(vec!["forecasted", "open", "closed"]);
    let lists = (subset(&["CA", "NY", "PR", "TX"]), subset(&["cities", "Tribes"]), subset(&["art", "Health", "x y"]));
    (text(), prop::option::of(text()), lists, status, deadline, 0..2_usize, 0..3_usize, 0..3_usize).prop_map(
        |(title, summary, (states, entities, industries), status, deadline, funder, first, last)| {
            let mut texts = vec![title];
            texts.extend(summary);
            texts.push(FUNDERS[funder].1.to_owned());
            let (first, last) = (first.min(last), first.max(last));
            let updated = crate::support::at(PUBLICATIONS[last]).unix_millis();
            let status = status.to_owned();
            let slug = String::new();
            let record = Record { slug, texts, states, entities, industries, status, deadline, updated };
            Rolled { record, funder, first, last }
        },
    )
}

/// Records whose slugs are in another order than the rows.
pub(crate) fn catalogue(size: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Rolled>> {
    prop::collection::vec(rolled(), size).prop_map(|mut rolled| {
        let count = rolled.len();
        for (number, rolled) in rolled.iter_mut().enumerate() {
            rolled.record.slug = format!("r{:03}-{}", number * 7 % count.max(1), number % 3);
        }
        rolled.dedup_by(|one, other| one.record.slug == other.record.slug);
        let mut met = std::collections::BTreeSet::new();
        rolled.retain(|rolled| met.insert(rolled.record.slug.clone()));
        rolled
    })
}

/// A row of the export of a publication: what it says before its last change has another time of opening.
fn row(rolled: &Rolled, publication: usize) -> Row {
    let record = &rolled.record;
    let instant = |unix_millis: i64| Timestamp::from_unix_millis(unix_millis).expect("an instant").to_string();
    let is_before = publication < rolled.last;
    grant(&record.slug)
        .with("title", record.texts[0].as_str())
        .with("summary", if record.texts.len() == 3 { json!(record.texts[1]) } else { json!(null) })
        .with("funder", FUNDERS[rolled.funder].0)
        .with("status", record.status.as_str())
        .with("elig_states", json!(record.states))
        .with("elig_entities", json!(record.entities))
        .with("industries", json!(record.industries))
        .with("deadline", json!(record.deadline.map(instant)))
        .with("opens_at", if is_before { json!(instant(0)) } else { json!(null) })
}

/// The export of a publication.
pub(crate) fn export(rolled: &[Rolled], publication: usize) -> Export {
    let held = rolled.iter().filter(|rolled| rolled.first <= publication);
    let mut export = Export::of(held.map(|rolled| row(rolled, publication)));
    export.funders = FUNDERS.map(|(slug, name)| funder(slug, name)).into();
    export
}

/// A filter, a beginning of the clock, and for each page its limit and how far the clock has moved.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) asked: Requested,
    pub(crate) now: i64,
    pub(crate) steps: Vec<(usize, i64)>,
}

pub(crate) fn reading() -> impl Strategy<Value = Reading> {
    let code = |field: FilterField, codes: &'static [&'static str]| {
        prop::collection::vec(prop::sample::select(codes), 0..3)
            .prop_map(move |codes| codes.into_iter().map(|code| (field, code.to_owned())).collect::<Vec<_>>())
    };
    let query = prop::sample::select(vec![
        "river",
        "park fund",
        "\"park fund\"",
        "RIVER art",
        "\"river river\"",
        "\u{c9}TUDE",
        "x1!",
        "\"school",
        "art \"river park\"",
        "absent",
        "- river *",
        "\"river park river\"",
        "\"park park park\"",
        "\"art park river\" \"park river\"",
    ])
    .prop_map(str::to_owned);
    let said = prop::collection::vec(prop::sample::select(&WORDS[..3]), 2..5);
    let phrase = (said, prop_oneof![8 => Just(1_usize), 1 => Just(2), 1 => Just(200)])
        .prop_map(|(words, times)| format!("\"{}\"", vec![words.join(" "); times].join(" ")));
    let query = prop_oneof![2 => query, 1 => phrase];
    let some = |strategy| prop_oneof![2 => Just(Vec::new()), 1 => strategy];
    let query = prop::option::weighted(0.3, query).prop_map(|q| q.map(|q| (FilterField::Q, q)).into_iter().collect());
    let values = (
        some(code(FilterField::State, &["CA", "ny", "WY", "ZZ"]).boxed()),
        some(code(FilterField::Entity, &["cities", "TRIBES", "nobody"]).boxed()),
        some(code(FilterField::Industry, &["Art", "health", "x y", "none"]).boxed()),
        prop::option::weighted(0.3, prop::sample::select(vec!["open", "CLOSED", "forecasted", "paused"])),
        query,
    );
    let since = prop::option::weighted(0.3, (0..3_usize, -1..=1_i64));
    let limit = prop_oneof![3 => 1..8_usize, 1 => 8..=100_usize];
    let steps = prop::collection::vec((limit, -20..=20_i64), 1..5);
    (values, since, -9..=9_i64, -1..=1_i64, steps).prop_map(
        |((states, entities, industries, status, query), since, half_hours, millis, steps)| {
            let query: Vec<(FilterField, String)> = query;
            let mut values: Vec<(FilterField, String)> = [states, entities, industries, query].concat();
            values.extend(status.map(|status| (FilterField::Status, status.to_owned())));
            let since = since.map(|(publication, millis)| {
                crate::support::at(PUBLICATIONS[publication]).plus_millis(millis).expect("an instant")
            });
            let asked = Requested { values, updated_since: since, ..Requested::default() };
            Reading { asked, now: MIDNIGHT + half_hours * HOUR / 2 + millis, steps }
        },
    )
}

/// Follows cursors through a whole list, with the reading's limits and while its clock moves; `between` is called between pages.
pub(crate) fn follow(catalogue: &Catalogue, reading: &Reading, mut between: impl FnMut(usize)) -> Vec<String> {
    let mut slugs = Vec::new();
    let mut cursor: Option<String> = None;
    let begun = Timestamp::from_unix_millis(reading.now).expect("an instant");
    for (number, (limit, half_hours)) in reading.steps.iter().cycle().enumerate() {
        let now = if number == 0 { begun } else { begun.plus_millis(half_hours * HOUR / 2).expect("an instant") };
        let page: Page<Slugged> = page(catalogue, Resource::Grants, &reading.asked, cursor.as_deref(), *limit, now)
            .expect("the page is served");
        assert_eq!(page.as_of, begun, "every page is of the instant of the first");
        assert!(page.rows.len() == *limit || page.next.is_none(), "a page before the last is full");
        slugs.extend(page.rows.into_iter().map(|row| row.slug));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
        between(number);
    }
    slugs
}

#[test]
fn every_traversal_gives_the_models_rows_in_the_models_order() {
    let cases = (catalogue(0..60), prop::collection::vec(reading(), 60));
    let outcome = runner(50).run(&cases, |(rolled, readings)| {
        let data = Data::new();
        for (publication, instant) in PUBLICATIONS.iter().enumerate() {
            data.publish(&export(&rolled, publication), instant);
        }
        let catalogue = data.open();
        let records: Vec<Record> = rolled.iter().map(|rolled| rolled.record.clone()).collect();
        for reading in &readings {
            let expected = model::list(&records, &reading.asked, reading.now);
            prop_assert_eq!(follow(&catalogue, reading, |_| {}), expected, "{:?}", reading);
        }
        Ok(())
    });
    outcome.expect("the model agrees");
}
