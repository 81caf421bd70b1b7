//! A query has a time limit, whatever it does.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{error, fields, send};
use crate::support::export::Export;
use crate::support::service::{Choices, Service};

/// Queries about as heavy as are taken, each of which keeps another part busy: the library, rows that lead to rows, counts.
fn heavy() -> [String; 3] {
    let names = fields(400, |number| format!("n{number}: name"));
    let days = "deadlines(by: DAY, steps: 120) { buckets { from until count } }";
    let counts = fields(45, |number| format!("c{number}: grants {{ {days} }}"));
    [
        format!("{{ __schema {{ types {{ {names} }} }} }}"),
        "{ grants(first: 100) { nodes { funder { grants(first: 100) { edges { cursor } } } } } }".to_owned(),
        format!("{{ {counts} }}"),
    ]
}

#[test]
fn a_query_that_takes_too_long_is_given_up() {
    let export = Export::of_count(300);
    let service = Service::with(&export, Choices { query_time_limit: Duration::from_millis(2), ..Choices::default() });
    let client = service.analyst();
    for query in heavy() {
        let begun = Instant::now();
        let answer = send(&client, &query, &json!({}));
        let took = begun.elapsed();
        assert_eq!((answer.status, error(&answer).0.as_str()), (503, "unavailable"), "{query}");
        assert_eq!(answer.header("content-type"), Some("application/graphql-response+json; charset=utf-8"));
        assert_eq!(answer.header("retry-after"), Some("5"));
        assert!(took < Duration::from_secs(1), "{query} took {took:?}");
    }
    assert_eq!(send(&client, "{ grants { nodes { slug } } }", &json!({})).status, 200);
    let patient = Service::of(&export);
    let client = patient.analyst();
    for query in heavy() {
        assert_eq!(send(&client, &query, &json!({})).json().get("errors"), None, "{query}");
    }
}
