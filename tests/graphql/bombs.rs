//! Queries that would cost much are refused before they do.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{HEADERS, PATH, ask, error, fields};
use crate::support::client::{Answer, Client};
use crate::support::export::Export;
use crate::support::service::Service;

/// How long a refusal may take, sending and all, on a machine that does other work too.
const WITHIN: Duration = Duration::from_millis(50);

fn client() -> (Service, Client) {
    let service = Service::of(&Export::of_count(3));
    let client = service.analyst();
    // A first request opens the connection and the schema.
    ask(&client, "{ __typename }");
    (service, client)
}

/// Sends a body, which must be refused at once: the quickest of five, so that a busy machine does not fail the test.
#[track_caller]
fn refused(client: &Client, body: &[u8], status: u16, code: &str) {
    let attempt = || {
        let begun = Instant::now();
        let answer = client.post(PATH, &HEADERS, body);
        (begun.elapsed(), answer)
    };
    let attempts: Vec<(Duration, Answer)> = (0..5).map(|_| attempt()).collect();
    for (_, answer) in &attempts {
        assert_eq!((answer.status, error(answer).0.as_str()), (status, code));
        assert_eq!(answer.json().get("data"), None);
    }
    let quickest = attempts.iter().map(|(took, _)| *took).min().expect("five attempts");
    assert!(quickest < WITHIN, "a refusal took {quickest:?}");
    assert_eq!(ask(client, "{ __typename }"), json!({"__typename": "Query"}), "others are still answered");
}

fn query(text: &str) -> Vec<u8> {
    json!({"query": text}).to_string().into_bytes()
}

#[test]
fn depth_bombs_are_refused() {
    let (_service, client) = client();
    let brackets = |open: &str, close: &str, depth| format!("{}a{}", open.repeat(depth), close.repeat(depth));
    refused(&client, &query(&brackets("{a", "}", 100_000)), 400, "query_too_large");
    refused(&client, &query(&format!("{{ a(b: {}) }}", brackets("[", "]", 100_000))), 400, "query_too_large");
    refused(&client, &query(&format!("{{ a(b: {}) }}", brackets("{c: ", "}", 100_000))), 400, "query_too_large");
    let circle = format!(
        "{{ funders {{ nodes {{ {} slug {} }} }} }}",
        "grants(first: 1) { nodes { funder { ".repeat(9),
        "} } }".repeat(9)
    );
    refused(&client, &query(&circle), 400, "query_too_deep");
    let mut variables = Value::Null;
    for _ in 0..120 {
        variables = json!([variables]);
    }
    let body =
        json!({"query": "query($a: String) { grant(slug: $a) { slug } }", "variables": {"a": variables}}).to_string();
    let answer = client.post(PATH, &HEADERS, body.as_bytes());
    assert_eq!(answer.status, 400);
    let deeper =
        format!("{{\"query\": \"{{a}}\", \"variables\": {{\"a\": {}1{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&client, deeper.as_bytes(), 400, "bad_request");
}

#[test]
fn wide_bombs_are_refused() {
    let (_service, client) = client();
    let aliases = |count: usize, field: &str| {
        let mut text = "{ ".to_owned();
        for number in 0..count {
            let _ = write!(text, "a{number}: {field} ");
        }
        text + "}"
    };
    refused(&client, &query(&aliases(10_000, "__typename")), 400, "query_too_large");
    refused(&client, &query(&aliases(100, "grants(first: 1) { totalCount }")), 400, "query_too_complex");
    refused(
        &client,
        &query(&aliases(
            30,
            "grants(first: 100) { nodes { slug title summary status deadline updatedAt sourceUrl opensAt amountMax } }",
        )),
        400,
        "query_too_complex",
    );
    let nested = "{ funders(first: 100) { nodes { grants(first: 100) { nodes { slug title summary } } } } }";
    refused(&client, &query(nested), 400, "query_too_complex");
    let by_variable = json!({
        "query": "query($n: Int!) { funders(first: $n) { nodes { grants(first: $n) { nodes { slug title summary } } } } }",
        "variables": {"n": 100},
    });
    refused(&client, by_variable.to_string().as_bytes(), 400, "query_too_complex");
    refused(
        &client,
        &query(&format!("{{ __typename {} }}", "@include(if: true) ".repeat(10_000))),
        400,
        "query_too_large",
    );
    refused(&client, &query(&"a".repeat(1_000_000)), 400, "query_too_large");
    refused(&client, &query(&format!("# {}\n{{ __typename }}", "a".repeat(1_000_000))), 400, "query_too_large");
    refused(&client, &query(&"a ".repeat(500_000)), 400, "query_too_large");
    refused(&client, &query(&format!("{{ {} }}", "slug ".repeat(200_000))), 400, "query_too_large");
}

#[test]
fn fragment_bombs_are_refused() {
    let (_service, client) = client();
    refused(
        &client,
        &query("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"),
        400,
        "query_too_deep",
    );
    refused(&client, &query("{ ...A } fragment A on Query { ...A ...A }"), 400, "query_too_deep");
    refused(
        &client,
        &query("{ funders { nodes { ...F } } } fragment F on Funder { grants { nodes { funder { ...F } } } }"),
        400,
        "query_too_complex",
    );
    // Twenty fragments that each spread the next one twice are a million fields.
    let mut doubling = "{ ...F0 }".to_owned();
    for number in 0..20 {
        let _ = write!(doubling, " fragment F{number} on Query {{ ...F{0} ...F{0} }}", number + 1);
    }
    doubling.push_str(" fragment F20 on Query { __typename }");
    refused(&client, &query(&doubling), 400, "query_too_complex");
    // Operations that are not asked for are validated too.
    let asked =
        |text: &str, operation: &str| json!({"query": text, "operationName": operation}).to_string().into_bytes();
    refused(&client, &asked("{ ...F } fragment F on Query { ...F }", "x"), 400, "query_too_deep");
    let circle = "query A { __typename } query B { ...F } fragment F on Query { ...F }";
    refused(&client, &asked(circle, "A"), 400, "query_too_deep");
    refused(&client, &asked(&format!("query A {{ __typename }} query B {doubling}"), "A"), 400, "query_too_complex");
}

#[test]
fn an_operation_that_is_not_asked_for_weighs_only_what_it_takes_to_read_it() {
    let (_service, client) = client();
    let heavy = "grants(first: 100) { nodes { slug title } totalCount }";
    let text = format!("query A {{ __typename }} query B {{ a: {heavy} b: {heavy} c: {heavy} }}");
    let text = format!("{text} {}", fields(50, |number| format!("query C{number} {{ {heavy} }}")));
    let body = json!({"query": text, "operationName": "A"}).to_string();
    let answer = client.post(PATH, &HEADERS, body.as_bytes()).json();
    assert_eq!(answer["data"], json!({"__typename": "Query"}));
    assert_eq!(answer["extensions"]["complexity"]["value"], 1);
}

#[test]
fn bombs_of_introspection_are_refused() {
    let (_service, client) = client();
    for doublings in [9, 14] {
        let mut doubling = "{ __schema { types { ...F0 } } }".to_owned();
        for number in 0..doublings {
            let _ = write!(doubling, " fragment F{number} on __Type {{ ...F{0} ...F{0} }}", number + 1);
        }
        let _ = write!(doubling, " fragment F{doublings} on __Type {{ name }}");
        refused(&client, &query(&doubling), 400, "query_too_complex");
    }
    let circle = format!("{{ __schema {{ types {{ {} name {} }} }} }}", "fields { type { ".repeat(9), "} }".repeat(9));
    refused(&client, &query(&circle), 400, "query_too_complex");
}

#[test]
fn the_awards_of_a_recipient_weigh_as_a_list() {
    let (_service, client) = client();
    let weight =
        |text: &str| client.post(PATH, &HEADERS, &query(text)).json()["extensions"]["complexity"]["value"].clone();
    // The list, its nodes, and for each of five rows the years, of which twenty are supposed.
    assert_eq!(
        weight("{ recipients(first: 5) { nodes { awardsByYear { year awards { amount } } } } }"),
        2 + 5 + 5 * 20 * 3
    );
    // The places of a page are looked up for the cursors of its ends.
    assert_eq!(weight("{ grants(first: 50) { pageInfo { endCursor } asOf } }"), 1 + 50 + 1 + 1);
}

#[test]
fn large_bodies_and_batches_are_refused() {
    let (_service, client) = client();
    let batch = format!("[{}]", vec![r#"{"query":"{ __typename }"}"#; 10_000].join(","));
    refused(&client, batch.as_bytes(), 400, "batch_refused");
    let padded = format!("{{\"query\": \"{{ __typename }}\", \"padding\": \"{}\"}}", "x".repeat(2 << 20));
    let answer = client.post(PATH, &HEADERS, padded.as_bytes());
    assert_eq!((answer.status, error(&answer).0.as_str()), (413, "payload_too_large"));
    assert_eq!(ask(&client, "{ __typename }"), json!({"__typename": "Query"}));
}

#[test]
fn what_a_query_weighs_is_said_with_the_limit() {
    let (_service, client) = client();
    let weigh = |text: &str| client.post(PATH, &HEADERS, &query(text)).json()["extensions"].clone();
    let expected = |complexity: u32, depth: u32| json!({"complexity": {"value": complexity, "limit": 25_000}, "depth": {"value": depth, "limit": 24}});
    assert_eq!(weigh("{ __typename }"), expected(1, 1));
    // The list, its nodes, and two fields for each of five rows.
    assert_eq!(weigh("{ grants(first: 5) { nodes { slug title } } }"), expected(2 + 5 * 2, 3));
    assert_eq!(weigh("{ grants { edges { cursor node { slug } } } }"), expected(2 + 20 * 3, 4));
    assert_eq!(weigh("{ grants { totalCount facets { state { notStated } } } }"), expected(1 + 500 + 1 + 500 + 1, 4));
    // The second time it is remembered.
    assert_eq!(weigh("{ grants(first: 5) { nodes { slug title } } }"), expected(12, 3));
}

#[test]
fn the_introspection_of_graphiql_is_answered() {
    let (_service, client) = client();
    let mut of_type = "name".to_owned();
    for _ in 0..9 {
        of_type = format!("kind name ofType {{ {of_type} }}");
    }
    let text = format!(
        "query IntrospectionQuery {{ __schema {{ queryType {{ name }} mutationType {{ name }} subscriptionType {{ name }} \
         types {{ ...FullType }} directives {{ name description isRepeatable locations args(includeDeprecated: true) {{ ...InputValue }} }} }} }} \
         fragment FullType on __Type {{ kind name description specifiedByURL fields(includeDeprecated: true) {{ name description \
         args(includeDeprecated: true) {{ ...InputValue }} type {{ ...TypeRef }} isDeprecated deprecationReason }} \
         inputFields(includeDeprecated: true) {{ ...InputValue }} interfaces {{ ...TypeRef }} enumValues(includeDeprecated: true) {{ name \
         description isDeprecated deprecationReason }} possibleTypes {{ ...TypeRef }} }} fragment InputValue on __InputValue {{ name \
         description type {{ ...TypeRef }} defaultValue isDeprecated deprecationReason }} fragment TypeRef on __Type {{ {of_type} }}"
    );
    let found = ask(&client, &text);
    assert_eq!(found["__schema"]["queryType"]["name"], "Query");
    assert!(found["__schema"]["types"].as_array().is_some_and(|types| types.len() > 40));
}
