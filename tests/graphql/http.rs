//! GraphQL over HTTP to the letter, where the public audit does not look.

use serde_json::{Value, json};
use sha2::Digest as _;
use ureq::http::Method;

use super::{HEADERS, PATH, error};
use crate::support::client::{Client, with_query};
use crate::support::data::Data;
use crate::support::export::Export;
use crate::support::service::{Choices, Service};

const GRAPHQL: &str = "application/graphql-response+json; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";

fn client() -> (Service, Client) {
    let service = Service::of(&Export::of_count(3));
    let client = service.analyst();
    (service, client)
}

#[test]
fn a_query_may_stand_in_the_address_or_in_the_body() {
    let (_service, client) = client();
    let query = "query A($n: Int) { grants(first: $n) { nodes { slug } } } query B { __typename }";
    let answers = |operation: &str, expected: &Value| {
        let parameters = [("query", query), ("operationName", operation), ("variables", r#"{"n": 1}"#)];
        let by_address = client.get(&with_query(PATH, &parameters));
        let body = json!({"query": query, "operationName": operation, "variables": {"n": 1}}).to_string();
        for answer in [by_address, client.post(PATH, &HEADERS, body.as_bytes())] {
            assert_eq!((answer.status, &answer.json()["data"]), (200, expected));
        }
    };
    answers("A", &json!({"grants": {"nodes": [{"slug": "g-000"}]}}));
    answers("B", &json!({"__typename": "Query"}));
    let head = client.send(Method::HEAD, &with_query(PATH, &[("query", "{ __typename }")]), &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn the_status_depends_on_the_media_type_and_on_whether_anything_was_executed() {
    let (_service, client) = client();
    let status = |query: &str, accept: &str| {
        let headers = [HEADERS[0], ("accept", accept)];
        let answer = client.post(PATH, &headers, json!({"query": query}).to_string().as_bytes());
        (
            answer.status,
            answer.json().get("data").is_some(),
            answer.header("content-type").unwrap_or_default().to_owned(),
        )
    };
    for (query, executed) in [
        ("{ __typename }", true),
        ("{ grants(first: 101) { nodes { slug } } }", true),
        ("{ grants { nodes { slug }", false),
        ("{ grants { colour } }", false),
        ("query A { __typename } query B { __typename }", false),
        ("mutation { __typename }", false),
        ("subscription { __typename }", false),
        ("", false),
    ] {
        let expected = (if executed { 200 } else { 400 }, executed, GRAPHQL.to_owned());
        assert_eq!(status(query, "application/graphql-response+json"), expected, "{query}");
        assert_eq!(status(query, "application/json"), (200, executed, JSON.to_owned()), "{query}");
    }
}

#[test]
fn a_query_that_cannot_be_executed_has_a_code() {
    let (_service, client) = client();
    let missing = "query($n: Int!) { grants(first: $n) { nodes { slug } } }";
    for query in [
        "{ grants { nodes { slug }",
        "{ grants { colour } }",
        "{ grants(first: \"x\") { nodes { slug } } }",
        "query A { __typename } query B { __typename }",
        "mutation { __typename }",
        "",
        missing,
        // Found out only when it is executed.
        "{ grants(first: 3000000000) { nodes { slug } } }",
    ] {
        let body = super::send(&client, query, &json!({})).json();
        let errors = body["errors"].as_array().expect("errors");
        assert!(errors.iter().all(|error| error["extensions"]["code"] == "invalid_query"), "{query}: {body}");
    }
}

#[test]
fn what_is_wrong_with_http_has_its_own_status() {
    let (_service, client) = client();
    let body = br#"{"query": "{ __typename }"}"#;
    for (content_type, accept, body, status, code) in [
        ("application/json", "text/html", &body[..], 406, "not_acceptable"),
        ("text/plain", "*/*", body, 415, "unsupported_media_type"),
        ("application/json; charset=utf-16", "*/*", body, 415, "unsupported_media_type"),
        ("application/json", "*/*", b"", 400, "bad_request"),
        ("application/json", "*/*", b"{", 400, "bad_request"),
        ("application/json", "*/*", b"\"text\"", 400, "bad_request"),
        ("application/json", "*/*", br#"{"query": 5}"#, 400, "bad_request"),
        ("application/json", "*/*", br#"{"query": "{a}", "variables": [1]}"#, 400, "bad_request"),
        ("application/json", "*/*", b"\xff\xfe", 400, "bad_request"),
        ("application/json", "*/*", br#"[{"query": "{ __typename }"}]"#, 400, "batch_refused"),
    ] {
        let answer = client.post(PATH, &[("content-type", content_type), ("accept", accept)], body);
        assert_eq!((answer.status, error(&answer).0.as_str()), (status, code), "{content_type} {accept} {body:?}");
        assert_eq!(answer.json().get("data"), None);
        let (_, message) = error(&answer);
        assert!(!message.contains("Error") && !message.contains("::"), "{message} says nothing of the inside");
    }
    let unsaid = client.post(PATH, &[], body);
    assert_eq!((unsaid.status, error(&unsaid).0.as_str()), (415, "unsupported_media_type"));
    let packed = client.post(PATH, &[HEADERS[0], ("content-encoding", "gzip")], body);
    assert_eq!(packed.status, 415);
    for method in [Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let answer = client.send(method, PATH, &[]);
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD, POST")));
        assert_eq!(error(&answer).0, "method_not_allowed");
    }
    let answer = client.get(PATH);
    assert_eq!((answer.status, error(&answer).0.as_str()), (400, "bad_request"));
}

#[test]
fn before_the_first_publication_it_is_unavailable() {
    let service = Service::over(Data::new(), Choices::default());
    let answer = super::send(&service.analyst(), "{ __typename }", &json!({}));
    assert_eq!(
        (answer.status, answer.header("retry-after"), error(&answer).0.as_str()),
        (503, Some("5"), "unavailable")
    );
}

#[test]
fn a_query_can_be_asked_by_its_digest_once_it_was_sent_with_it() {
    let (_service, client) = client();
    // A query of this test's own: what is kept is kept for the whole process.
    let query = "{ persisted: __typename }";
    let digest = data_encoding::HEXLOWER.encode(&sha2::Sha256::digest(query));
    let ask = |query: Option<&str>, digest: &str| {
        let body = json!({"query": query, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest}}});
        client.post(PATH, &HEADERS, body.to_string().as_bytes())
    };
    let unknown = ask(None, &digest);
    assert_eq!(error(&unknown), ("PERSISTED_QUERY_NOT_FOUND".to_owned(), "PersistedQueryNotFound".to_owned()));
    let wrong = ask(Some("{ other: __typename }"), &digest);
    assert_eq!((wrong.status, error(&wrong).0.as_str()), (400, "bad_request"));
    for query in [Some(query), None] {
        assert_eq!(ask(query, &digest).json()["data"], json!({"persisted": "Query"}));
    }
}
