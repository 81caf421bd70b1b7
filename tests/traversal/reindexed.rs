//! Traversals while the catalogue is published anew under them.

use std::cell::Cell;

use proptest::prelude::*;

use super::model::{self, Record};
use super::random::{PUBLICATIONS, catalogue, export, follow, reading, runner};
use crate::support::data::Data;
use crate::support::export::grant;

#[test]
fn a_traversal_ends_on_the_generation_it_began_with() {
    let cases = (catalogue(20..60), prop::collection::vec(reading(), 6), prop::collection::vec(0..4_usize, 1..4));
    let outcome = runner(12).run(&cases, |(rolled, readings, pauses)| {
        let data = Data::new();
        for (publication, instant) in PUBLICATIONS.iter().enumerate() {
            data.publish(&export(&rolled, publication), instant);
        }
        let catalogue = data.open();
        let records: Vec<Record> = rolled.iter().map(|rolled| rolled.record.clone()).collect();
        let published = Cell::new(0);
        // Each reading is followed on the third generation, published again before it begins.
        for reading in &readings {
            data.publish(&export(&rolled, 2), &format!("2026-07-01T15:{:02}:00.000Z", published.get()));
            published.set(published.get() + 1);
            catalogue.refresh().expect("the published generation is sound");
            let records = restored(&records, &catalogue);
            let expected = model::list(&records, &reading.asked, reading.now);
            let followed = follow(&catalogue, reading, |page| {
                if published.get() < 30 && pauses.contains(&(page % 5)) {
                    let mut next = export(&rolled, 2);
                    next.grants = next
                        .grants
                        .into_iter()
                        .map(|row| row.with("title", "Art").with("deadline", "2026-07-02T00:00:00Z"))
                        .collect();
                    next.grants.push(grant(&format!("new-{}", published.get())));
                    data.publish(&next, &format!("2026-07-01T15:{:02}:00.000Z", published.get()));
                    published.set(published.get() + 1);
                    assert!(catalogue.refresh().expect("the published generation is sound"));
                }
            });
            prop_assert_eq!(followed, expected, "{:?}", reading);
        }
        Ok(())
    });
    outcome.expect("the model agrees");
}

/// The model's records as the catalogue has them now: what came and went meanwhile has moved `updated`, and stays as closed.
fn restored(records: &[Record], catalogue: &catalogue_index::Catalogue) -> Vec<Record> {
    use catalogue_index::Resource;
    use catalogue_schema::Requested;

    let now = crate::support::at("2026-07-02T00:00:00Z");
    let held: Vec<serde_json::Value> =
        crate::support::listing::whole(catalogue, Resource::Grants, &Requested::default(), 100, now);
    let updated =
        |row: &serde_json::Value| crate::support::at(row["updated_at"].as_str().expect("an instant")).unix_millis();
    let of_slug = |slug: &str| records.iter().find(|record| record.slug == slug);
    held.iter()
        .map(|row| {
            let slug = row["slug"].as_str().expect("a slug").to_owned();
            match of_slug(&slug) {
                Some(record) => Record { updated: updated(row), ..record.clone() },
                None => Record {
                    slug,
                    texts: vec!["Programme".to_owned(), "Foundation".to_owned()],
                    states: None,
                    entities: None,
                    industries: None,
                    status: row["status"].as_str().expect("a status").to_owned(),
                    deadline: None,
                    updated: updated(row),
                },
            }
        })
        .collect()
}
