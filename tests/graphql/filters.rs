//! Filters with more values than anybody asks for.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{error, fields, send};
use crate::support::client::Client;
use crate::support::export::Export;
use crate::support::service::Service;

fn values(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("none-{number:06}")).collect()
}

const GRANTS: &str = "query($filter: GrantFilter) { grants(filter: $filter, first: 1) { nodes { slug } } }";

fn ignored(client: &Client, query: &str, filter: &Value) -> Vec<Value> {
    let answer = send(client, query, &json!({"filter": filter})).json();
    assert_eq!(answer.get("errors"), None);
    answer["extensions"]["ignoredFilters"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_filter_takes_two_hundred_values() {
    let service = Service::of(&Export::of_count(3));
    let client = service.analyst();
    for field in ["entity", "state", "industry"] {
        assert_eq!(ignored(&client, GRANTS, &json!({field: values(200)})).len(), 200);
        // As many as a body holds.
        for count in [201, 60_000] {
            let begun = Instant::now();
            let answer = send(&client, GRANTS, &json!({"filter": {field: values(count)}}));
            assert!(begun.elapsed() < Duration::from_secs(5), "{count} values take {:?}", begun.elapsed());
            assert_eq!(error(&answer).0, "invalid_parameter");
            assert_eq!(answer.json()["errors"][0]["extensions"]["parameter"], format!("filter.{field}"));
        }
    }
    for list in ["funders", "recipients"] {
        let query = format!("query($state: [String!]) {{ {list}(filter: {{state: $state}}) {{ nodes {{ slug }} }} }}");
        let answer = send(&client, &query, &json!({"state": values(201)}));
        assert_eq!(answer.json()["errors"][0]["extensions"]["parameter"], "filter.state");
    }
}

#[test]
fn what_is_said_of_values_left_out_is_bounded() {
    let service = Service::of(&Export::of_count(3));
    let client = service.analyst();
    let lists = fields(50, |number| format!("a{number}: grants(filter: $filter) {{ asOf }}"));
    let query = format!("query($filter: GrantFilter) {{ {lists} }}");
    assert_eq!(ignored(&client, &query, &json!({"state": values(200)})).len(), 200);
    let long = "?".repeat(1_000);
    let found = ignored(&client, GRANTS, &json!({"q": long}));
    assert_eq!(found, [json!({"path": ["grants"], "filter": "q", "value": "?".repeat(256)})]);
}
