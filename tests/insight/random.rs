//! Random catalogues with random filters and clocks.

use catalogue_index::insight::{FacetField, Matches};
use catalogue_index::{Catalogue, Resource};
use catalogue_schema::insight::{AmountField, Interval};
use catalogue_schema::{Money, Requested, Timestamp};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::model;
use crate::support::data::Data;
use crate::support::export::{Export, Row};
use crate::support::listing::whole;
use crate::traversal::random::{PUBLICATIONS, catalogue, export, reading, runner};

/// Amounts in dollars that lie on and beside the edges of ranges, with cents and without, and none.
const AMOUNTS: [Option<f64>; 10] = [
    None,
    Some(0.0),
    Some(0.01),
    Some(999.99),
    Some(1_000.0),
    Some(1_000.01),
    Some(250_000.0),
    Some(99_999_999.99),
    Some(100_000_000.0),
    Some(1_099_511_627_776.5),
];

/// The same export with amounts.
fn with_amounts(export: Export, roll: usize) -> Export {
    let amount = |number: usize| json!(AMOUNTS[number % AMOUNTS.len()]);
    let with_amounts = |(number, row): (usize, Row)| {
        row.with("amount_min", amount(number / 2))
            .with("amount_max", amount(number))
            .with("amount_total_pool", amount(number / 3))
    };
    let grants = (roll..).zip(export.grants).map(with_amounts);
    Export { grants: grants.collect(), ..export }
}

fn matches(catalogue: &Catalogue, asked: &Requested, now: Timestamp) -> Matches {
    let traversal = catalogue.traverse(Resource::Grants, asked, None, now).expect("nothing is refused");
    Matches::of(&traversal).expect("the index can be read")
}

fn agrees(catalogue: &Catalogue, asked: &Requested, now: Timestamp) {
    let rows: Vec<Value> = whole(catalogue, Resource::Grants, asked, 100, now);
    let matches = matches(catalogue, asked, now);
    assert_eq!(matches.total(), rows.len() as u64);
    for (field, name) in [
        (FacetField::State, "elig_states"),
        (FacetField::Entity, "elig_entities"),
        (FacetField::Industry, "industries"),
        (FacetField::Status, "status"),
    ] {
        assert_eq!(matches.facet(field).expect("the index can be read"), model::facet(&rows, name), "{name}");
    }
    let funders = model::funders(&rows);
    for most in [0, 1, 5] {
        let found = matches.funders(most).expect("the index can be read");
        let buckets: Vec<_> = found.buckets.iter().map(|bucket| (bucket.slug.clone(), bucket.count)).collect();
        assert_eq!(buckets, funders[..most.min(funders.len())]);
        assert_eq!(found.funders, funders.len() as u64);
        assert_eq!(found.others, funders.iter().skip(most).map(|(_, count)| count).sum::<u64>());
        assert!(found.buckets.iter().all(|bucket| ["Foundation", "Park Fund"].contains(&bucket.name.as_str())));
    }
    for (by, steps) in [(Interval::Day, 1), (Interval::Day, 2), (Interval::Week, 3), (Interval::Month, 0)] {
        let found = matches.deadlines(by, steps);
        let counts = found.buckets.iter().map(|bucket| bucket.count).collect();
        let expected = model::deadlines(&rows, now, by, steps);
        assert_eq!((counts, [found.later, found.passed, found.not_stated]), expected, "{by:?} {steps}");
    }
    for (of, name) in [
        (AmountField::AmountMax, "amount_max"),
        (AmountField::AmountTotalPool, "amount_total_pool"),
        (AmountField::AmountMin, "amount_min"),
    ] {
        amounts_agree(&matches, &rows, of, name);
    }
}

fn amounts_agree(matches: &Matches, rows: &[Value], of: AmountField, name: &str) {
    let stated = model::amounts(rows, name);
    let found = matches.amounts(of).expect("the index can be read");
    assert_eq!((found.stated, found.not_stated), (stated.len() as u64, (rows.len() - stated.len()) as u64));
    assert_eq!((found.least, found.most), (stated.first().copied(), stated.last().copied()));
    assert_eq!(found.median, stated.get(stated.len().saturating_sub(1) / 2).copied());
    assert_eq!(found.total, model::sum(&stated));
    for bucket in &found.buckets {
        let is_in = |amount: &&Money| bucket.from <= **amount && bucket.below.is_none_or(|below| **amount < below);
        assert_eq!(bucket.count, stated.iter().filter(is_in).count() as u64, "{bucket:?}");
    }
    assert_eq!(matches.money_by_industry(of).expect("the index can be read"), model::money(rows, name));
}

#[test]
fn what_is_counted_is_what_the_rows_say() {
    let cases = (catalogue(0..60), prop::collection::vec(reading(), 30), 0..100_usize);
    let outcome = runner(20).run(&cases, |(rolled, readings, roll)| {
        let data = Data::new();
        data.publish(&with_amounts(export(&rolled, 2), roll), PUBLICATIONS[2]);
        let catalogue = data.open();
        for reading in &readings {
            agrees(&catalogue, &reading.asked, Timestamp::from_unix_millis(reading.now).expect("an instant"));
        }
        Ok(())
    });
    outcome.expect("the model agrees");
}
