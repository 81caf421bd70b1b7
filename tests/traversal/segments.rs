//! Lists longer than a segment of the index, traversed whole: forwards, through the undated, and back through the passed.

use std::collections::{BTreeMap, HashSet};

use catalogue_gateway::synthetic::{self, Size};
use catalogue_index::insight::{FacetField, Matches};
use catalogue_index::{Catalogue, Resource};
use catalogue_schema::insight::Interval;
use catalogue_schema::{FilterField, Requested, Timestamp};
use serde_json::json;

use super::model::{self, Record};
use crate::support::at;
use crate::support::data::Data;
use crate::support::export::{Export, grant};
use crate::support::listing::{Slugged, asked, whole};

/// More than two segments of 32,768 documents.
const GRANTS: u64 = 70_000;
const PUBLISHED_AT: &str = "2026-07-01T12:00:00.000Z";

#[track_caller]
fn agrees(catalogue: &Catalogue, records: &[Record], asked: &Requested, now: Timestamp) -> usize {
    let expected = model::list(records, asked, now.unix_millis());
    let found: Vec<Slugged> = whole(catalogue, Resource::Grants, asked, 100, now);
    assert_eq!(found.len(), expected.len(), "{asked:?} at {now}");
    let differs = found.iter().zip(&expected).position(|(found, expected)| found.slug != *expected);
    assert_eq!(differs, None, "{asked:?} at {now}");
    counts_agree(catalogue, records, &expected, asked, now);
    found.len()
}

/// Checks what is counted over the whole list against the records that are in it.
#[track_caller]
fn counts_agree(catalogue: &Catalogue, records: &[Record], expected: &[&str], asked: &Requested, now: Timestamp) {
    let listed: HashSet<&str> = expected.iter().copied().collect();
    let listed = records.iter().filter(|record| listed.contains(record.slug.as_str()));
    let (mut passed, mut states, mut not_stated) = (0, BTreeMap::new(), 0);
    for record in listed {
        passed += u64::from(record.deadline.is_some_and(|deadline| deadline < now.unix_millis()));
        not_stated += u64::from(record.states.is_none());
        for state in record.states.iter().flatten() {
            *states.entry(state.clone()).or_default() += 1_u64;
        }
    }
    let traversal = catalogue.traverse(Resource::Grants, asked, None, now).expect("nothing is refused");
    let matches = Matches::of(&traversal).expect("the index can be read");
    assert_eq!((matches.total(), matches.deadlines(Interval::Day, 0).passed), (expected.len() as u64, passed));
    let facet = matches.facet(FacetField::State).expect("the index can be read");
    assert_eq!(facet.not_stated, not_stated);
    assert_eq!(
        facet.buckets.into_iter().map(|bucket| (bucket.value, bucket.count)).collect::<BTreeMap<_, _>>(),
        states
    );
    let funders = matches.funders(1_000).expect("the index can be read");
    assert_eq!(funders.buckets.iter().map(|bucket| bucket.count).sum::<u64>(), expected.len() as u64);
}

#[test]
fn seventy_thousand_records_are_met_each_once_and_in_order() {
    let (data, export) = (Data::large(), tempfile::tempdir().expect("a temporary folder"));
    let size = Size { grants: GRANTS, funders: 50, recipients: 0, awards: 0 };
    let crawled_at = at("2026-07-01T06:00:00Z");
    synthetic::write(export.path(), size, 7, crawled_at).expect("an export");
    data.publish_folder(export.path(), PUBLISHED_AT);
    let made = synthetic::Catalogue::new(size, 7, crawled_at).expect("a catalogue");
    let records: Vec<Record> = made
        .grants()
        .map(|row| Record {
            slug: row.slug.to_string(),
            // Texts are compared on smaller catalogues.
            texts: Vec::new(),
            states: row.elig_states.map(|states| states.iter().map(ToString::to_string).collect()),
            entities: row.elig_entities.map(|codes| codes.iter().map(ToString::to_string).collect()),
            industries: row.industries.map(|codes| codes.iter().map(ToString::to_string).collect()),
            status: row.status.to_string(),
            deadline: row.deadline.map(Timestamp::unix_millis),
            updated: at(PUBLISHED_AT).unix_millis(),
        })
        .collect();
    let catalogue = data.open();
    let mut deadlines: Vec<i64> = records.iter().filter_map(|record| record.deadline).collect();
    deadlines.sort_unstable();
    let last = Timestamp::from_unix_millis(deadlines[deadlines.len() - 1] + 1).expect("an instant");
    let middle = Timestamp::from_unix_millis(deadlines[deadlines.len() * 3 / 4]).expect("an instant");
    assert_eq!(agrees(&catalogue, &records, &Requested::default(), middle), 70_000);
    // Everything dated has passed.
    assert_eq!(agrees(&catalogue, &records, &Requested::default(), last), 70_000);
    let industry = records.iter().find_map(|record| record.industries.as_ref()?.first()).expect("an industry").clone();
    for filter in [
        asked([(FilterField::State, "CA")]),
        asked([(FilterField::State, "WY"), (FilterField::Status, "open")]),
        asked([(FilterField::Industry, industry.as_str()), (FilterField::State, "TX"), (FilterField::State, "NY")]),
        asked([(FilterField::Status, "forecasted")]),
    ] {
        let count = agrees(&catalogue, &records, &filter, middle);
        assert!((10..70_000).contains(&count), "{filter:?} is a filter: {count}");
        agrees(&catalogue, &records, &filter, last);
    }
}

#[test]
fn records_with_one_deadline_stay_by_slug_across_segments() {
    let (data, instant) = (Data::large(), |text: &str| at(text).unix_millis());
    // 50,000 records share a deadline, so that the group lies in two segments with others on both sides.
    let records: Vec<Record> = (0..70_000_u32)
        .map(|number| {
            let mixed = number.wrapping_mul(2_654_435_761) % 70_000;
            let deadline = match mixed {
                0..10_000 => Some(instant("2026-01-01T00:00:00Z") + i64::from(mixed / 7) * 60_000),
                10_000..60_000 => Some(instant("2026-06-30T23:59:59Z")),
                60_000..66_000 => Some(instant("2026-08-01T00:00:00Z") + i64::from(mixed / 50) * 60_000),
                _ => None,
            };
            Record {
                slug: format!("g{number}"),
                texts: vec!["Programme".to_owned()],
                states: (number % 1_000 == 0).then(|| vec!["TX".to_owned()]),
                entities: None,
                industries: if number % 97 == 0 { Some(vec!["art".to_owned()]) } else { Some(Vec::new()) },
                status: "open".to_owned(),
                deadline,
                updated: at(PUBLISHED_AT).unix_millis(),
            }
        })
        .collect();
    let export = Export::of(records.iter().map(|record| {
        let deadline = record.deadline.and_then(Timestamp::from_unix_millis).map(|instant| instant.to_string());
        grant(&record.slug)
            .with("elig_states", json!(record.states))
            .with("industries", json!(record.industries))
            .with("deadline", json!(deadline))
    }));
    data.publish(&export, PUBLISHED_AT);
    let catalogue = data.open();
    for now in ["2026-06-30T23:59:59.000Z", "2026-06-30T23:59:59.001Z", "2027-01-01T00:00:00Z"] {
        assert_eq!(agrees(&catalogue, &records, &Requested::default(), at(now)), 70_000);
        agrees(&catalogue, &records, &asked([(FilterField::Industry, "art")]), at(now));
        agrees(&catalogue, &records, &asked([(FilterField::State, "CA"), (FilterField::Industry, "art")]), at(now));
    }
}
