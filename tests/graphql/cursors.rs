//! Cursors are REST's, in both directions, and the catalogue can be read as it stood.

use serde_json::{Value, json};

use super::{ask, ask_with, error, send};
use crate::support::client::Client;
use crate::support::export::{Export, grant};
use crate::support::service::Service;

const SECOND: &str = "2026-07-01T13:00:00.000Z";

fn slugs(nodes: &Value) -> Vec<String> {
    nodes.as_array().expect("nodes").iter().map(|node| node["slug"].as_str().expect("a slug").to_owned()).collect()
}

const PAGE: &str = "query($after: String, $first: Int, $filter: GrantFilter, $asOf: Timestamp) {
  grants(after: $after, first: $first, filter: $filter, asOf: $asOf) {
    asOf nodes { slug } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}";

fn page(client: &Client, variables: &Value) -> Value {
    ask_with(client, PAGE, variables)["grants"].clone()
}

#[test]
fn a_traversal_may_change_between_rest_and_graphql_at_every_page() {
    let service = Service::of(&Export::of_count(11));
    let client = service.analyst();
    let first = page(&client, &json!({"first": 3}));
    let end = first["pageInfo"]["endCursor"].as_str().expect("a cursor").to_owned();
    assert_eq!(service.list("/api/v1/grants", &[("limit", "3")]).next(), end, "one page has one cursor");
    service.set_clock("2026-07-02T09:00:00.000Z");
    service.publish(&Export::of_count(5), SECOND);

    let second = service.list("/api/v1/grants", &[("limit", "4"), ("cursor", &end)]);
    assert_eq!(second.page().as_of, first["asOf"].as_str().expect("an instant"));
    let third = page(&client, &json!({"first": 2, "after": second.next()}));
    let edge = third["edges"][0]["cursor"].as_str().expect("a cursor");
    let again = service.list("/api/v1/grants", &[("cursor", edge), ("limit", "1")]);
    assert_eq!(again.slugs(), slugs(&third["nodes"])[1..], "a row's own cursor goes on after that row");
    let fourth =
        service.list("/api/v1/grants", &[("cursor", third["pageInfo"]["endCursor"].as_str().expect("a cursor"))]);
    let met = [slugs(&first["nodes"]), second.slugs(), slugs(&third["nodes"]), fourth.slugs()].concat();
    assert_eq!(met, (0..11).map(|number| format!("g-{number:03}")).collect::<Vec<_>>());

    assert_eq!(first["pageInfo"]["hasPreviousPage"], false);
    assert_eq!(third["pageInfo"]["hasPreviousPage"], true);
    assert_eq!(third["pageInfo"]["startCursor"], third["edges"][0]["cursor"]);
    let last = page(&client, &json!({"first": 2, "after": third["pageInfo"]["endCursor"]}));
    assert_eq!(last["pageInfo"]["hasNextPage"], false);
    let end = last["pageInfo"]["endCursor"].as_str().expect("the last row has a cursor too");
    let behind = service.list("/api/v1/grants", &[("cursor", end)]).page();
    assert_eq!((behind.rows.len(), behind.next), (0, None));
}

#[test]
fn a_cursor_of_another_filter_or_list_is_refused() {
    let service = Service::of(&Export::of_count(11));
    let client = service.analyst();
    let refused = |query: &str, cursor: &str| {
        let answer = send(&client, query, &json!({"after": cursor}));
        assert_eq!(answer.json()["errors"][0]["extensions"]["parameter"], "after");
        error(&answer).0
    };
    let rest = service.list("/api/v1/grants", &[("limit", "3")]).next();
    let filtered = "query($after: String) { grants(after: $after, filter: {status: \"open\"}) { nodes { slug } } }";
    assert_eq!(refused(filtered, &rest), "cursor_filter_mismatch");
    assert_eq!(
        refused("query($after: String) { funders(after: $after) { nodes { slug } } }", &rest),
        "cursor_filter_mismatch"
    );
    let of_funder = "query($after: String) { funder(slug: \"f\") { grants(after: $after, first: 3) { nodes { slug } pageInfo { endCursor } } } }";
    assert_eq!(refused(of_funder, &rest), "cursor_filter_mismatch");
    let own =
        ask(&client, of_funder)["funder"]["grants"]["pageInfo"]["endCursor"].as_str().expect("a cursor").to_owned();
    service.list("/api/v1/grants", &[("cursor", &own)]).assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
    let next = ask_with(&client, of_funder, &json!({"after": own}));
    assert_eq!(slugs(&next["funder"]["grants"]["nodes"]), ["g-003", "g-004", "g-005"]);
}

#[test]
fn the_catalogue_is_read_as_it_stood_as_far_back_as_it_is_kept() {
    let dated = |slug: &str, deadline: &str| grant(slug).with("deadline", deadline);
    let early = [dated("a", "2026-07-01T12:30:00Z"), dated("b", "2026-07-01T18:00:00Z"), grant("c")];
    let service = Service::of(&Export::of(early.clone()));
    let client = service.analyst();
    let changed =
        [early[0].clone(), early[1].clone().with("title", "New"), grant("c"), dated("d", "2026-07-01T20:00:00Z")];
    service.publish(&Export::of(changed), SECOND);
    let at = |instant: &str| {
        let page = page(&client, &json!({"asOf": instant}));
        assert_eq!(page["asOf"], instant);
        slugs(&page["nodes"])
    };
    assert_eq!(at("2026-07-01T12:00:00.000Z"), ["a", "b", "c"]);
    assert_eq!(at("2026-07-01T12:30:00.001Z"), ["b", "c", "a"]);
    assert_eq!(at("2026-07-01T13:00:00.000Z"), ["b", "d", "c", "a"]);
    assert_eq!(at("2026-07-02T00:00:00.000Z"), ["c", "d", "b", "a"]);

    let count = "{ grants(asOf: \"2026-07-01T12:59:59.999Z\") { totalCount nodes { slug title } } catalogue { keptFrom generation } }";
    let found = ask(&client, count);
    assert_eq!(
        (&found["grants"]["totalCount"], &found["grants"]["nodes"][0]["title"]),
        (&json!(3), &json!("Programme"))
    );
    assert_eq!(found["catalogue"], json!({"keptFrom": "2026-07-01T12:00:00.000Z", "generation": 2}));

    for (instant, reason) in [
        (
            "2026-07-01T11:59:59.999Z",
            "the catalogue is kept from 2026-07-01T12:00:00.000Z on: ask for that instant or a later one",
        ),
        ("2026-07-02T00:00:00.001Z", "it lies ahead, and it is 2026-07-02T00:00:00.000Z now"),
    ] {
        let (code, message) = error(&send(&client, PAGE, &json!({"asOf": instant})));
        assert_eq!(
            (code.as_str(), message),
            ("invalid_parameter", format!("The parameter `asOf` cannot be used: {reason}."))
        );
    }

    // A cursor keeps its own instant, and another one beside it contradicts.
    let begun = page(&client, &json!({"asOf": "2026-07-01T12:00:00.000Z", "first": 1}));
    let cursor = &begun["pageInfo"]["endCursor"];
    for variables in [json!({"after": cursor}), json!({"after": cursor, "asOf": "2026-07-01T12:00:00.000Z"})] {
        assert_eq!(slugs(&page(&client, &variables)["nodes"]), ["b", "c"]);
    }
    assert_eq!(service.list("/api/v1/grants", &[("cursor", cursor.as_str().expect("a cursor"))]).slugs(), ["b", "c"]);
    let other = json!({"after": cursor, "asOf": "2026-07-01T13:00:00.000Z"});
    assert_eq!(error(&send(&client, PAGE, &other)).0, "cursor_filter_mismatch");
}
