//! What all rows say together, as analysts ask it. How it is counted is tested in `tests/insight`.

use serde_json::{Value, json};

use super::{ask, error, send};
use crate::support::client::Client;
use crate::support::export::{Export, funder, grant, recipient};
use crate::support::service::Service;

/// At midnight of 2 July 2026: five grants of two funders, and a publication with changes.
fn client() -> (Service, Client) {
    let mut export = Export::of([
        grant("a")
            .with("elig_states", json!(["CA", "NY"]))
            .with("industries", json!(["Art"]))
            .with("amount_total_pool", 1_000),
        grant("b")
            .with("elig_states", json!(["CA"]))
            .with("industries", json!(["Art", "Water"]))
            .with("deadline", "2026-07-05T00:00:00Z"),
        grant("c").with("amount_max", 2_500).with("deadline", "2026-09-05T00:00:00Z").with("amount_total_pool", 500),
        grant("d")
            .with("status", "closed")
            .with("funder", "g")
            .with("deadline", "2026-07-01T00:00:00Z")
            .with("industries", json!(["Art"])),
    ]);
    export.funders = vec![funder("f", "Foundation").with("state", "CA"), funder("g", "Giver")];
    export.recipients = vec![recipient("p", "Pantry").with("state", "TX"), recipient("q", "Quilts")];
    let service = Service::of(&export);
    export.grants.push(grant("e").with("elig_states", json!([])).with("amount_max", 700));
    service.publish(&export, "2026-07-01T13:00:00Z");
    let client = service.analyst();
    (service, client)
}

fn bucket(value: &str, count: u64) -> Value {
    json!({"value": value, "count": count})
}

#[test]
fn grants_are_counted_by_every_field() {
    let (_service, client) = client();
    let found = ask(
        &client,
        "{ grants(first: 1) { totalCount nodes { slug } facets { state { ...F } industry { ...F } entity { ...F } status { ...F } \
         funder(first: 1) { funders others buckets { slug name count } } } } } fragment F on Facet { notStated buckets { value count } }",
    );
    let expected = json!({
        "totalCount": 5, "nodes": [{"slug": "b"}],
        "facets": {
            "state": {"notStated": 2, "buckets": [bucket("CA", 2), bucket("NY", 1)]},
            "industry": {"notStated": 2, "buckets": [bucket("art", 3), bucket("water", 1)]},
            "entity": {"notStated": 5, "buckets": []},
            "status": {"notStated": 0, "buckets": [bucket("open", 4), bucket("closed", 1)]},
            "funder": {"funders": 2, "others": 1, "buckets": [{"slug": "f", "name": "Foundation", "count": 4}]},
        },
    });
    assert_eq!(found["grants"], expected);
    let found = ask(
        &client,
        r#"{ grants(filter: {state: ["NY"]}) { totalCount facets { state { notStated buckets { value count } } } } }"#,
    );
    let narrowed =
        json!({"totalCount": 3, "facets": {"state": {"notStated": 2, "buckets": [bucket("CA", 1), bucket("NY", 1)]}}});
    assert_eq!(found["grants"], narrowed);
}

#[test]
fn deadlines_and_money_are_summed_over_the_whole_list() {
    let (_service, client) = client();
    let found = ask(
        &client,
        "{ grants { deadlines(by: MONTH, steps: 2) { later passed notStated buckets { from until count } } weeks: deadlines(by: WEEK, steps: 1) \
         { buckets { from count } } amounts(of: AMOUNT_MAX) { stated notStated least median most total buckets { from below count } } \
         moneyByIndustry { industry records stated total } } }",
    );
    let grants = &found["grants"];
    let month = |from: &str, until: &str, count| json!({"from": format!("{from}T00:00:00.000Z"), "until": format!("{until}T00:00:00.000Z"), "count": count});
    assert_eq!(
        grants["deadlines"],
        json!({"later": 1, "passed": 1, "notStated": 2, "buckets": [month("2026-07-01", "2026-08-01", 1), month("2026-08-01", "2026-09-01", 0)]})
    );
    assert_eq!(grants["weeks"]["buckets"], json!([{"from": "2026-06-29T00:00:00.000Z", "count": 1}]));
    let amounts = &grants["amounts"];
    for (name, value) in
        [("stated", 2), ("notStated", 3), ("least", 700), ("median", 700), ("most", 2_500), ("total", 3_200)]
    {
        assert_eq!(amounts[name], value, "{name}");
    }
    assert_eq!(amounts["buckets"][0], json!({"from": 0, "below": 1_000, "count": 1}));
    assert_eq!(amounts["buckets"][1], json!({"from": 1_000, "below": 5_000, "count": 1}));
    let money = |industry: Value, records: u64, stated: u64, total: Value| json!({"industry": industry, "records": records, "stated": stated, "total": total});
    assert_eq!(
        grants["moneyByIndustry"],
        json!([
            money(json!("art"), 3, 1, json!(1_000)),
            money(json!("water"), 1, 0, Value::Null),
            money(Value::Null, 2, 1, json!(500))
        ])
    );
    for argument in
        ["deadlines(steps: 0) { later }", "deadlines(steps: 121) { later }", "facets { funder(first: 101) { others } }"]
    {
        let answer = send(&client, &format!("{{ grants {{ {argument} totalCount }} }}"), &json!({}));
        assert_eq!(error(&answer).0, "invalid_parameter");
        assert_eq!(answer.json()["data"]["grants"]["totalCount"], 5);
    }
}

#[test]
fn places_and_changes_are_counted_too() {
    let (_service, client) = client();
    let found = ask(
        &client,
        "{ funders { totalCount states { notStated buckets { value count } } } recipients(filter: {q: \"quilts\"}) { totalCount states { \
         notStated } } changes { totalCount nodes { kind slug } } changesByDay(since: \"2026-07-01\", until: \"2026-07-02\") { day count kinds \
         { kind count } } none: changesByDay(since: \"2026-07-02\") { day } catalogue { generation publishedAt grants funders recipients \
         awards changes } }",
    );
    assert_eq!(found["funders"], json!({"totalCount": 2, "states": {"notStated": 1, "buckets": [bucket("CA", 1)]}}));
    assert_eq!(found["recipients"], json!({"totalCount": 1, "states": {"notStated": 1}}));
    assert_eq!(found["changes"], json!({"totalCount": 1, "nodes": [{"kind": "RECORD_ADDED", "slug": "e"}]}));
    let kinds: Vec<Value> = [
        ("AMOUNT_CHANGED", 0),
        ("DEADLINE_CHANGED", 0),
        ("RECORD_ADDED", 1),
        ("RECORD_CLOSED", 0),
        ("TITLE_CHANGED", 0),
    ]
    .map(|(kind, count)| json!({"kind": kind, "count": count}))
    .into();
    assert_eq!(found["changesByDay"], json!([{"day": "2026-07-01T00:00:00.000Z", "count": 1, "kinds": kinds}]));
    assert_eq!(found["none"], json!([]));
    let published = json!({
        "generation": 2, "publishedAt": "2026-07-01T13:00:00.000Z", "grants": 5, "funders": 2, "recipients": 2, "awards": 0, "changes": 1,
    });
    assert_eq!(found["catalogue"], published);
}
