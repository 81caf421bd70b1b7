//! Rows that are damaged on disk: what cannot be read is null and said to be, and nothing is shown in its place.

use std::fs;

use serde_json::{Value, json};

use super::{error, send};
use crate::support::data::Data;
use crate::support::export::{Export, award, funder, grant, recipient};
use crate::support::service::{Choices, PUBLISHED_AT, Service};

/// A recipient with awards of two funders, each of which has a grant; in a file of the published rows one text is another of its length.
fn damaged(file: &str, from: &str, to: &str) -> Service {
    let mut export = Export::of([grant("a"), grant("b").with("funder", "g")]);
    export.funders = vec![funder("f", "Foundation"), funder("g", "Giver")];
    export.recipients = vec![recipient("p", "Pantry")];
    export.awards = vec![award("p", "f", 2025).with("amount", 5), award("p", "g", 2025).with("amount", 7)];
    let data = Data::new();
    data.publish(&export, PUBLISHED_AT);
    let path = data.path().join("generations/00000001").join(file);
    let rows = fs::read_to_string(&path).expect(file);
    assert!(rows.contains(from) && from.len() == to.len(), "{rows} has {from}");
    fs::write(&path, rows.replace(from, to)).expect(file);
    Service::over(data, Choices::default())
}

/// Asks a query one field of which cannot be answered; gives the data.
#[track_caller]
fn failed(service: &Service, query: &str, path: &Value) -> Value {
    let answer = send(&service.analyst(), query, &json!({}));
    assert_eq!((answer.status, error(&answer).0.as_str()), (200, "internal_error"), "{query}");
    let body = answer.json();
    assert_eq!(body["errors"][0]["path"], *path);
    body["data"].clone()
}

#[test]
fn awards_that_cannot_be_told_apart_are_not_shown() {
    let service = damaged("recipients/00000/details.rows", "\"award_count\":", "\"award_counX\":");
    let query = "{ funder(slug: \"f\") { name awards { totalCount nodes { slug awardsByYear { awards { funder { slug } } } } } } }";
    let found = failed(&service, query, &json!(["funder", "awards"]));
    assert_eq!(found["funder"], json!({"name": "Foundation", "awards": null}));
    // What is not selected is not read.
    let query = "{ funder(slug: \"f\") { awards { totalCount asOf pageInfo { hasNextPage } } } }";
    let answer = send(&service.analyst(), query, &json!({})).json();
    assert_eq!((answer.get("errors"), &answer["data"]["funder"]["awards"]["totalCount"]), (None, &json!(1)));
}

#[test]
fn awards_that_cannot_be_read_are_null() {
    let service = damaged("recipients/00000/details.rows", "\"awards_by_year\":", "\"awards_by_yeaX\":");
    let query = "{ recipient(slug: \"p\") { name awardsByYear { year } } }";
    let found = failed(&service, query, &json!(["recipient", "awardsByYear"]));
    assert_eq!(found["recipient"], json!({"name": "Pantry", "awardsByYear": null}));
}

#[test]
fn a_funder_without_a_slug_has_not_everybodys_lists() {
    let service = damaged("funders/00000/list.rows", "\"slug\":", "\"sluX\":");
    for list in ["grants", "awards"] {
        let query = format!("{{ funder(slug: \"f\") {{ name {list} {{ nodes {{ slug }} }} }} }}");
        let found = failed(&service, &query, &json!(["funder", list]));
        assert_eq!(found["funder"], json!({"name": "Foundation", list: null}));
    }
}
