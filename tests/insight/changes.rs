//! Changes by day, funders and recipients by state, and the catalogue as it stood.

use catalogue_index::insight::{FacetField, Matches, changes_by_day};
use catalogue_index::{Catalogue, Resource};
use catalogue_schema::insight::{Bucket, Facet};
use catalogue_schema::{ChangeKind, Refusal, Requested, Slug};
use serde_json::Value;

use crate::support::at;
use crate::support::data::Data;
use crate::support::export::{Export, award, funder, grant, recipient};
use crate::support::listing::{slugs, whole};

const FIRST: &str = "2026-07-01T12:00:00.000Z";
const SECOND: &str = "2026-07-01T23:00:00.000Z";
const THIRD: &str = "2026-07-02T01:00:00.000Z";

/// Three publications: two grants come on the first day; on the second one of them gets a title and an amount, and one closes.
fn published() -> Data {
    let data = Data::new();
    data.publish(&Export::of([grant("a"), grant("b")]), FIRST);
    data.publish(&Export::of([grant("a"), grant("b"), grant("c"), grant("d")]), SECOND);
    let changed = grant("a").with("title", "Another").with("amount_max", 5);
    data.publish(&Export::of([changed, grant("b"), grant("c").with("status", "closed"), grant("d")]), THIRD);
    data
}

/// A day, how many changes of each kind that there were, and how many in all.
type Counted = (String, Vec<(ChangeKind, u64)>, u64);

fn days(catalogue: &Catalogue, since: Option<&str>, until: Option<&str>) -> Vec<Counted> {
    let generation = catalogue.current().expect("a generation is published");
    let days = changes_by_day(&generation, since.map(at), until.map(at));
    let counted = |day: &catalogue_schema::insight::ChangeDay| {
        day.kinds.iter().filter(|kind| kind.count > 0).map(|kind| (kind.kind, kind.count)).collect()
    };
    days.iter().map(|day| (day.day.to_string(), counted(day), day.count)).collect()
}

#[test]
fn changes_are_counted_by_the_day_on_which_they_were_observed() {
    let data = published();
    let catalogue = data.open();
    let first = ("2026-07-01T00:00:00.000Z".to_owned(), vec![(ChangeKind::RecordAdded, 2)], 2);
    let moved = vec![(ChangeKind::AmountChanged, 1), (ChangeKind::RecordClosed, 1), (ChangeKind::TitleChanged, 1)];
    let second = ("2026-07-02T00:00:00.000Z".to_owned(), moved, 3);
    assert_eq!(days(&catalogue, None, None), [first.clone(), second.clone()]);
    assert_eq!(days(&catalogue, Some(THIRD), None), [second]);
    assert_eq!(days(&catalogue, None, Some(THIRD)), [first]);
    assert_eq!(days(&catalogue, Some("2026-07-02T01:00:00.001Z"), None), []);
}

#[test]
fn the_catalogue_can_be_read_as_it_stood() {
    let data = published();
    let catalogue = data.open();
    let now = at("2026-07-02T02:00:00Z");
    let numbers = [("2026-07-01T12:00:00Z", 1), ("2026-07-01T22:59:59.999Z", 1), (SECOND, 2), (THIRD, 3)];
    for (instant, number) in numbers {
        assert_eq!(catalogue.as_of("asOf", at(instant), now).expect("it is kept").number(), number, "{instant}");
    }
    for (instant, reason) in [
        ("2026-07-01T11:59:59.999Z", "the catalogue is kept from 2026-07-01T12:00:00.000Z on"),
        ("2026-07-02T02:00:00.001Z", "it lies ahead"),
    ] {
        match catalogue.as_of("asOf", at(instant), now) {
            Err(Refusal::InvalidParameter { parameter, reason: found }) => {
                assert_eq!(parameter, "asOf");
                assert!(found.starts_with(reason), "{found}");
            }
            other => panic!("{instant} gave {other:?}"),
        }
    }
    std::fs::remove_dir_all(data.path().join("generations/00000001")).expect("a generation");
    let reopened = data.open();
    match reopened.as_of("asOf", at(FIRST), now) {
        Err(Refusal::InvalidParameter { reason, .. }) => assert!(reason.contains(SECOND), "{reason}"),
        other => panic!("a generation that is gone gave {other:?}"),
    }
}

#[test]
fn a_funder_has_its_grants_and_those_it_has_awarded() {
    let data = Data::new();
    let mut export = Export::of([grant("a"), grant("b").with("funder", "g"), grant("c").with("funder", "g")]);
    export.funders = vec![funder("f", "Foundation").with("state", "CA"), funder("g", "Giver"), funder("h", "House")];
    export.recipients = ["p", "r", "s"].map(|slug| recipient(slug, slug).with("state", "TX")).into();
    export.recipients.push(recipient("t", "t"));
    export.awards = vec![award("p", "g", 2025), award("p", "g", 2024), award("r", "f", 2025), award("t", "g", 2025)];
    data.publish(&export, FIRST);
    // A crawl that no longer lists a recipient keeps it with its awards, and with whom they are of.
    export.recipients.remove(0);
    export.awards.drain(..2);
    data.publish(&export, SECOND);
    let catalogue = data.open();
    let given_by =
        |slug: &str| Requested { given_by: Some(slug.parse::<Slug>().expect("a slug")), ..Requested::default() };
    let listed = |resource, slug: &str| -> Vec<String> {
        let rows: Vec<Value> = whole(&catalogue, resource, &given_by(slug), 1, at(THIRD));
        slugs(&rows).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(listed(Resource::Grants, "g"), ["b", "c"]);
    assert_eq!(listed(Resource::Recipients, "g"), ["p", "t"]);
    assert_eq!(listed(Resource::Recipients, "f"), ["r"]);
    for nobody in ["h", "nobody"] {
        assert!(listed(Resource::Grants, nobody).is_empty() && listed(Resource::Recipients, nobody).is_empty());
    }

    let states = |resource, asked: &Requested| {
        let traversal = catalogue.traverse(resource, asked, None, at(THIRD)).expect("nothing is refused");
        Matches::of(&traversal).expect("the index can be read").facet(FacetField::State).expect("the index can be read")
    };
    let facet =
        |value: &str, count, not_stated| Facet { buckets: vec![Bucket { value: value.to_owned(), count }], not_stated };
    assert_eq!(states(Resource::Funders, &Requested::default()), facet("CA", 1, 2));
    assert_eq!(states(Resource::Recipients, &Requested::default()), facet("TX", 3, 1));
    assert_eq!(states(Resource::Recipients, &given_by("g")), facet("TX", 1, 1));
}
