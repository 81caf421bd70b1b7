//! GraphQL over HTTP, by a real gateway.

mod access;
mod amounts;
mod audit;
mod bombs;
mod contract;
mod cursors;
mod damage;
mod filters;
mod http;
mod insight;
mod parity;
mod resources;
mod time;

use serde_json::{Value, json};

use crate::support::client::{Answer, Client};

/// Where GraphQL answers.
const PATH: &str = "/graphql";

/// What a well-behaved client sends along.
const HEADERS: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/graphql-response+json")];

/// Asks a query with variables, as a well-behaved client does.
fn send(client: &Client, query: &str, variables: &Value) -> Answer {
    let body = json!({"query": query, "variables": variables}).to_string();
    client.post(PATH, &HEADERS, body.as_bytes())
}

/// The data of a query that is answered whole.
#[track_caller]
fn ask(client: &Client, query: &str) -> Value {
    ask_with(client, query, &json!({}))
}

/// The data of a query with variables that is answered whole.
#[track_caller]
fn ask_with(client: &Client, query: &str, variables: &Value) -> Value {
    let answer = send(client, query, variables);
    let body = answer.json();
    assert_eq!((answer.status, body.get("errors")), (200, None), "{query}");
    body["data"].clone()
}

/// The one error of a query: its code and its message.
#[track_caller]
fn error(answer: &Answer) -> (String, String) {
    let body = answer.json();
    let errors = body["errors"].as_array().unwrap_or_else(|| panic!("{body} has errors"));
    assert_eq!(errors.len(), 1, "{body}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&errors[0]["extensions"]["code"]), text(&errors[0]["message"]))
}

/// So many fields, or other parts of a document.
fn fields(count: usize, field: impl Fn(usize) -> String) -> String {
    (0..count).map(field).collect::<Vec<_>>().join(" ")
}

/// Every field of a grant's own.
const GRANT: &str = "slug title summary status eligEntities eligStates industries amountMin amountMax amountTotalPool matchRequired \
                     opensAt deadline sourceUrl lastVerifiedAt firstSeenAt updatedAt";

/// A row of REST as GraphQL names it: fields in camel case, and enums in capital letters.
fn in_camel_case(row: &Value) -> Value {
    let camel = |name: &str| {
        let mut parts = name.split('_');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |name, part| format!("{name}{}{}", part[..1].to_uppercase(), &part[1..]))
    };
    let fields = row.as_object().expect("a row").iter().map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("status" | "kind", Value::String(text)) => json!(text.to_uppercase()),
            _ => value.clone(),
        };
        (camel(name), value)
    });
    Value::Object(fields.collect())
}
