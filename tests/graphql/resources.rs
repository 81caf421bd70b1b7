//! What is answered: the resources, what they lead to, and every way of selecting.

use serde_json::{Value, json};

use super::{GRANT, ask, ask_with, error, in_camel_case, send};
use crate::support::client::Client;
use crate::support::export::{Export, award, funder, grant, recipient};
use crate::support::service::Service;

/// Two funders with three grants, one of which says everything; two recipients with awards.
fn service() -> Service {
    let full = grant("full")
        .with("title", "A \"quoted\" title with \u{e9} and \\ in it")
        .with("summary", "All")
        .with("funder", "g")
        .with("status", "forecasted")
        .with("elig_entities", json!(["cities"]))
        .with("elig_states", json!(["CA", "NY"]))
        .with("industries", json!([]))
        .with("amount_min", json!(0))
        .with("amount_max", json!(12_345_678_901_234.5))
        .with("match_required", false)
        .with("opens_at", "2026-07-01T00:00:00+02:00")
        .with("deadline", "2026-08-01T00:00:00Z");
    let mut export = Export::of([grant("bare"), full, grant("other").with("funder", "g")]);
    export.funders =
        vec![funder("f", "Foundation"), funder("g", "Giver").with("giving_total", 12).with("giving_data_year", 2024)];
    export.recipients = vec![recipient("p", "Pantry").with("state", "TX"), recipient("q", "Quilts")];
    export.awards =
        vec![award("p", "f", 2025).with("amount", 5), award("p", "g", 2025).with("amount", 7), award("p", "g", 2024)];
    Service::of(&export)
}

#[track_caller]
fn client() -> (Service, Client) {
    let service = service();
    let client = service.analyst();
    (service, client)
}

#[test]
fn a_grant_is_what_rest_says_of_it() {
    let (service, client) = client();
    for slug in ["full", "bare"] {
        let rest = service.get(&format!("/api/v1/grants/{slug}")).json()["data"].clone();
        let query = format!("query($slug: String!) {{ grant(slug: $slug) {{ {GRANT} funder {{ slug name }} }} }}");
        let found = ask_with(&client, &query, &json!({"slug": slug}));
        assert_eq!(found["grant"], in_camel_case(&rest));
    }
}

#[test]
fn funders_recipients_and_changes_are_what_rest_says_of_them() {
    let (service, client) = client();
    service.publish(
        &Export {
            funders: vec![funder("f", "Foundation"), funder("g", "Giver")],
            ..Export::of([grant("bare").with("title", "Renamed").with("amount_max", 5), grant("new")])
        },
        "2026-07-01T13:00:00Z",
    );
    for (list, fields) in [
        (
            "funders",
            "slug name kind ein city state website summary givingTotal givingDataYear sourceUrl lastVerifiedAt",
        ),
        ("recipients", "slug name ein city state sourceUrl lastVerifiedAt"),
        ("changes", "kind slug title field before after sourceUrl observedAt"),
    ] {
        let rest = service.get(&format!("/api/v1/{list}")).page().rows;
        let expected: Vec<Value> = rest.iter().map(in_camel_case).collect();
        assert!(!expected.is_empty());
        let found = ask(&client, &format!("{{ {list} {{ nodes {{ {fields} }} edges {{ node {{ {fields} }} }} }} }}"));
        assert_eq!(found[list]["nodes"], json!(expected), "{list}");
        let edges = found[list]["edges"].as_array().expect("edges");
        assert_eq!(edges.iter().map(|edge| edge["node"].clone()).collect::<Vec<_>>(), expected, "{list}");
    }
    let found = ask(&client, "{ changes { nodes { slug title record { slug title funder { name } } } } }");
    for change in found["changes"]["nodes"].as_array().expect("changes") {
        assert_eq!(change["record"]["slug"], change["slug"]);
        assert_eq!(change["record"]["title"], change["title"]);
        assert!(["Foundation", "Giver"].map(Value::from).contains(&change["record"]["funder"]["name"]));
    }
}

#[test]
fn an_unknown_slug_is_null_and_no_error() {
    let (_service, client) = client();
    let found = ask(
        &client,
        r#"{ grant(slug: "none") { slug } funder(slug: "No Slug!") { slug } recipient(slug: "") { slug } }"#,
    );
    assert_eq!(found, json!({"grant": null, "funder": null, "recipient": null}));
}

#[test]
fn resources_lead_to_one_another() {
    let (_service, client) = client();
    let found = ask(
        &client,
        "{ grants { nodes { slug funder { slug name givingTotal givingDataYear grants { totalCount nodes { slug } } } } } }",
    );
    let nodes = &found["grants"]["nodes"];
    assert_eq!(nodes[0]["slug"], "full");
    let giver = json!({
        "slug": "g", "name": "Giver", "givingTotal": 12, "givingDataYear": 2024,
        "grants": {"totalCount": 2, "nodes": [{"slug": "full"}, {"slug": "other"}]},
    });
    assert_eq!((&nodes[0]["funder"], &nodes[2]["funder"]), (&giver, &giver));
    assert_eq!(nodes[1]["funder"]["givingTotal"], Value::Null);

    let found = ask(
        &client,
        r#"{ funder(slug: "g") { grants(filter: {status: "forecasted"}) { nodes { slug } }
             awards { totalCount nodes { slug state awardsByYear { year awardCount amountTotal awards { amount funder { slug } } }
             recipient { name awardsByYear { year awardCount amountTotal } } } } } }"#,
    );
    let award = |amount: Value| json!({"amount": amount, "funder": {"slug": "g"}});
    let expected = json!({
        "grants": {"nodes": [{"slug": "full"}]},
        "awards": {"totalCount": 1, "nodes": [{
            "slug": "p", "state": "TX",
            "awardsByYear": [
                {"year": 2025, "awardCount": 1, "amountTotal": 7, "awards": [award(json!(7))]},
                {"year": 2024, "awardCount": 1, "amountTotal": null, "awards": [award(Value::Null)]},
            ],
            "recipient": {"name": "Pantry", "awardsByYear": [
                {"year": 2025, "awardCount": 2, "amountTotal": 12}, {"year": 2024, "awardCount": 1, "amountTotal": null},
            ]},
        }]},
    });
    assert_eq!(found["funder"], expected);
}

#[test]
fn every_way_of_selecting_gives_the_same() {
    let (_service, client) = client();
    let plain = ask(&client, "{ grants { nodes { slug title status eligStates funder { name } } } }");
    for query in [
        // A link beside the fields has the library resolve rows.
        "{ grants { nodes { slug title status eligStates funder { name } ...L } } } fragment L on Grant { l: funder { kind } }",
        "{ grants { nodes { slug title } nodes { status eligStates } nodes { funder { name } } } }",
        "{ grants { nodes { slug } } ...G } fragment G on Query { grants { nodes { title status eligStates ...F } } } \
         fragment F on Grant { funder { ... on Funder { name } } }",
        "query($yes: Boolean = true) { grants { nodes { slug title @include(if: $yes) summary @skip(if: $yes) status eligStates \
         funder { name slug @include(if: false) } } } }",
    ] {
        let mut found = ask(&client, query);
        for node in found["grants"]["nodes"].as_array_mut().expect("nodes") {
            node.as_object_mut().expect("a node").remove("l");
        }
        assert_eq!(found, plain, "{query}");
    }
    let found = ask(
        &client,
        "{ __typename a: grants(first: 1) { __typename n: nodes { __typename s: slug f: funder { __typename n: name } } pageInfo { \
         __typename hasNextPage } } }",
    );
    let node = json!({"__typename": "Grant", "s": "full", "f": {"__typename": "Funder", "n": "Giver"}});
    let page = json!({"__typename": "GrantConnection", "n": [node], "pageInfo": {"__typename": "PageInfo", "hasNextPage": true}});
    assert_eq!(found, json!({"__typename": "Query", "a": page}));
}

#[test]
fn fields_come_in_the_order_in_which_they_are_selected() {
    let (_service, client) = client();
    let query = "{ z: grants { totalCount facets { status { notStated } } nodes { title slug } } __typename a: funders { nodes { slug } \
                 totalCount } ...F } fragment F on Query { m: catalogue { grants generation } }";
    let body = String::from_utf8(send(&client, query, &json!({})).body).expect("UTF-8");
    let keys = [
        "\"z\"",
        "\"totalCount\"",
        "\"facets\"",
        "\"nodes\"",
        "\"title\"",
        "\"slug\"",
        "\"__typename\"",
        "\"a\"",
        "\"m\"",
        "\"grants\"",
        "\"generation\"",
    ];
    let mut at = 0;
    for key in keys {
        at += body[at..].find(key).unwrap_or_else(|| panic!("{key} comes too early in {body}"));
    }
    let edges = "{ funders(first: 1) { edges { node { grants(first: 1) { totalCount } } cursor } } }";
    let body = String::from_utf8(send(&client, edges, &json!({})).body).expect("UTF-8");
    assert!(
        body.starts_with(r#"{"data":{"funders":{"edges":[{"node":{"grants":{"totalCount":1}},"cursor":""#),
        "{body}"
    );
}

#[test]
fn values_left_out_of_a_filter_are_listed_beside_the_data() {
    let (_service, client) = client();
    let query = r#"{ grants(filter: {state: ["ZZ", "ca", "ZZ", ""], industry: ["foo"], q: "?!", status: ""}) { nodes { slug } }
                    f: funders(filter: {state: ["XX"]}) { nodes { slug } } }"#;
    let answer = send(&client, query, &json!({})).json();
    assert_eq!(answer["data"]["grants"]["nodes"], json!([{"slug": "full"}, {"slug": "bare"}, {"slug": "other"}]));
    let left = |path: &str, filter: &str, value: &str| json!({"path": [path], "filter": filter, "value": value});
    let mut ignored = answer["extensions"]["ignoredFilters"].as_array().expect("they are listed").clone();
    ignored.sort_by_key(ToString::to_string);
    let mut expected = vec![
        left("grants", "q", "?!"),
        left("grants", "state", "ZZ"),
        left("grants", "industry", "foo"),
        left("f", "state", "XX"),
    ];
    expected.sort_by_key(ToString::to_string);
    assert_eq!(ignored, expected);
}

#[test]
fn what_cannot_be_answered_is_null_with_its_reason_and_the_rest_is_answered() {
    let (_service, client) = client();
    for (argument, code, parameter) in [
        ("first: 101", "invalid_parameter", "first"),
        ("first: 0", "invalid_parameter", "first"),
        ("first: -1", "invalid_parameter", "first"),
        ("after: \"junk\"", "invalid_parameter", "after"),
        ("asOf: \"2031-01-01T00:00:00Z\"", "invalid_parameter", "asOf"),
    ] {
        let query = format!("{{ grants({argument}) {{ nodes {{ slug }} }} funders {{ nodes {{ slug }} }} }}");
        let answer = send(&client, &query, &json!({}));
        assert_eq!(error(&answer).0, code, "{argument}");
        let body = answer.json();
        assert_eq!((answer.status, &body["data"]["grants"]), (200, &Value::Null));
        assert_eq!(body["errors"][0]["extensions"]["parameter"], parameter);
        assert_eq!(body["errors"][0]["path"], json!(["grants"]));
        assert_eq!(body["data"]["funders"]["nodes"], json!([{"slug": "f"}, {"slug": "g"}]));
    }
    for argument in ["first: \"x\"", "asOf: \"yesterday\"", "filter: {updatedSince: \"yesterday\"}", "colour: 1"] {
        let answer = send(&client, &format!("{{ grants({argument}) {{ nodes {{ slug }} }} }}"), &json!({}));
        assert_eq!(answer.status, 400, "{argument}");
        assert_eq!(answer.json().get("data"), None);
    }
}
