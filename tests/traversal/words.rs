//! Queries of more words than anybody types: they match exactly what they say, and cost no more than the documents do.

use std::time::{Duration, Instant};

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{FilterField, Timestamp};

use crate::support::at;
use crate::support::data::Data;
use crate::support::export::{Export, grant};
use crate::support::listing::{Page, Slugged, asked, page};

fn now() -> Timestamp {
    at("2026-07-02T00:00:00Z")
}

/// The slugs of the first page of a query.
#[track_caller]
fn found(catalogue: &Catalogue, query: &str) -> Vec<String> {
    let asked = asked([(FilterField::Q, query)]);
    let page: Page<Slugged> = page(catalogue, Resource::Grants, &asked, None, 100, now()).expect("a page");
    page.rows.into_iter().map(|row| row.slug).collect()
}

fn numbered(numbers: impl Iterator<Item = u32>) -> String {
    numbers.map(|number| format!("x{number}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn words_and_phrases_as_long_as_the_text_match_it_and_longer_ones_do_not() {
    let data = Data::new();
    let long = grant("long").with("summary", numbered(0..300));
    let backwards = grant("backwards").with("summary", numbered((0..300).rev()));
    let repeated = grant("repeated").with("summary", ["x1 x2 x1"; 100].join(" "));
    data.publish(&Export::of([long, backwards, repeated]), "2026-07-01T12:00:00.000Z");
    let catalogue = data.open();
    let quoted = |text: &str| format!("\"{text}\"");
    for (query, expected) in [
        (numbered(0..300), &["backwards", "long"][..]),
        (numbered(0..301), &[]),
        (quoted(&numbered(0..300)), &["long"]),
        (quoted(&numbered((0..300).rev())), &["backwards"]),
        (quoted(&numbered(0..301)), &[]),
        (quoted(&["x1 x2 x1"; 100].join(" ")), &["repeated"]),
        (quoted(&["x1 x2 x1"; 101].join(" ")), &[]),
        (quoted("x1 x2 x1 x1 x2 x1"), &["repeated"]),
        (quoted("x1 x1 x1"), &[]),
        (quoted("x1 x2"), &["long", "repeated"]),
        // Many phrases besides many words.
        ((0..200).map(|number| quoted(&numbered(number..number + 2))).collect::<Vec<_>>().join(" "), &["long"]),
        (format!("{} \"x1 x2 x3\"", numbered(0..300)), &["long"]),
    ] {
        assert_eq!(found(&catalogue, &query), expected, "{}", &query[..query.len().min(80)]);
    }
}

#[test]
fn a_query_longer_than_any_text_costs_no_more_than_its_reading() {
    let data = Data::large();
    data.publish(&Export::of_count(5_000), "2026-07-01T12:00:00.000Z");
    let catalogue = data.open();
    // Every record has the one word, and none says it twice.
    let word = vec!["programme"; 50_000].join(" ");
    for query in [format!("\"{word}\""), numbered(0..50_000), format!("\"{}\"", numbered(0..50_000))] {
        let started = Instant::now();
        assert_eq!(found(&catalogue, &query), Vec::<String>::new());
        // One list for each word, asked for each record, takes ten times as long.
        assert!(started.elapsed() < Duration::from_secs(3), "{}... took {:?}", &query[..20], started.elapsed());
    }
}
