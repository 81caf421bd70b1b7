//! The envelope, and null for what the source did not say (specification, parts 1 and 2).

use serde_json::{Value, json};

use crate::support::export::{Export, award, funder, grant, recipient};
use crate::support::service::{NOW, PUBLISHED_AT, Service};

fn service() -> Service {
    let mut export = Export::of([
        grant("bare"),
        grant("full")
            .with("title", "Clean water")
            .with("summary", "For wells.")
            .with("status", "forecasted")
            .with("elig_entities", json!(["nonprofits", "cities", "nonprofits"]))
            .with("elig_states", json!(["NY", "CA"]))
            .with("industries", json!([]))
            .with("amount_min", 0)
            .with("amount_max", 1500.5)
            .with("amount_total_pool", 1_000_000)
            .with("match_required", false)
            .with("opens_at", "2026-06-01T00:00:00-04:00")
            .with("deadline", "2026-09-01T23:59:59.5-04:00"),
    ]);
    export.funders.push(
        funder("g", "Giver")
            .with("kind", "private-foundation")
            .with("ein", "12-3456789")
            .with("city", "Reno")
            .with("state", "NV")
            .with("website", "https://giver.example/")
            .with("summary", "Gives.")
            .with("giving_total", 12.34)
            .with("giving_data_year", 2024),
    );
    export.recipients = vec![recipient("r", "Receiver"), recipient("s", "Second").with("state", "CA")];
    export.awards = vec![award("r", "f", 2025)];
    Service::of(&export)
}

fn keys(value: &Value) -> Vec<String> {
    let mut keys: Vec<String> = value.as_object().expect("an object").keys().cloned().collect();
    keys.sort_unstable();
    keys
}

#[test]
fn every_answer_has_the_one_envelope() {
    let service = service();
    for path in [
        "/api/v1/grants",
        "/api/v1/grants/bare",
        "/api/v1/funders",
        "/api/v1/funders/f",
        "/api/v1/recipients",
        "/api/v1/recipients/r",
        "/api/v1/changes",
    ] {
        let answer = service.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
        let body = answer.json();
        assert_eq!(keys(&body), ["as_of", "data", "next_cursor"], "{path}");
        assert_eq!(body["as_of"], NOW, "{path}");
        assert_eq!(body["next_cursor"], Value::Null, "{path}");
        let is_single = path.matches('/').count() == 4;
        assert_eq!(body["data"].is_object(), is_single, "{path}");
        assert_eq!(body["data"].is_array(), !is_single, "{path}");
    }
}

#[test]
fn what_the_source_did_not_say_of_a_record_is_null() {
    let record = service().get("/api/v1/grants/bare").json()["data"].clone();
    assert_eq!(
        record,
        json!({
            "slug": "bare", "title": "Programme", "summary": null, "funder": {"slug": "f", "name": "Foundation"},
            "status": "open", "elig_entities": null, "elig_states": null, "industries": null, "amount_min": null,
            "amount_max": null, "amount_total_pool": null, "match_required": null, "opens_at": null, "deadline": null,
            "source_url": "https://source.example/grants/bare", "last_verified_at": "2026-06-30T00:00:00.000Z",
            "first_seen_at": PUBLISHED_AT, "updated_at": PUBLISHED_AT,
        })
    );
}

#[test]
fn what_the_source_said_is_told_as_it_said_it() {
    let answer = service().get("/api/v1/grants/full");
    assert_eq!(
        answer.json()["data"],
        json!({
            "slug": "full", "title": "Clean water", "summary": "For wells.", "funder": {"slug": "f", "name": "Foundation"},
            "status": "forecasted", "elig_entities": ["cities", "nonprofits"], "elig_states": ["CA", "NY"], "industries": [],
            "amount_min": 0, "amount_max": 1500.5, "amount_total_pool": 1_000_000, "match_required": false,
            "opens_at": "2026-06-01T04:00:00.000Z", "deadline": "2026-09-02T03:59:59.500Z",
            "source_url": "https://source.example/grants/full", "last_verified_at": "2026-06-30T00:00:00.000Z",
            "first_seen_at": PUBLISHED_AT, "updated_at": PUBLISHED_AT,
        })
    );
    let text = String::from_utf8(answer.body).expect("UTF-8");
    assert!(text.contains("\"amount_max\":1500.50,") || text.contains("\"amount_max\":1500.5,"), "{text}");
    assert!(text.contains("\"amount_min\":0,"), "{text}");
}

#[test]
fn funders_and_recipients_have_every_field() {
    let service = service();
    let funders = service.get("/api/v1/funders").page().rows;
    let verified = "2026-06-30T00:00:00.000Z";
    let bare = json!({
        "slug": "f", "name": "Foundation", "kind": null, "ein": null, "city": null, "state": null, "website": null,
        "summary": null, "giving_total": null, "giving_data_year": null,
        "source_url": "https://source.example/funders/f", "last_verified_at": verified,
    });
    let full = json!({
        "slug": "g", "name": "Giver", "kind": "private-foundation", "ein": "12-3456789", "city": "Reno", "state": "NV",
        "website": "https://giver.example/", "summary": "Gives.", "giving_total": 12.34, "giving_data_year": 2024,
        "source_url": "https://source.example/funders/g", "last_verified_at": verified,
    });
    assert_eq!(funders, [bare.clone(), full.clone()]);
    assert_eq!(service.get("/api/v1/funders/f").json()["data"], bare);
    assert_eq!(service.get("/api/v1/funders/g").json()["data"], full);
    let recipients = service.get("/api/v1/recipients").page().rows;
    assert_eq!(
        recipients[0],
        json!({
            "slug": "r", "name": "Receiver", "ein": null, "city": null, "state": null,
            "source_url": "https://source.example/recipients/r", "last_verified_at": verified,
        })
    );
}

#[test]
fn an_empty_list_is_an_empty_page() {
    let mut export = Export::of([]);
    export.funders.clear();
    let service = Service::of(&export);
    for path in ["/api/v1/grants", "/api/v1/funders", "/api/v1/recipients", "/api/v1/changes"] {
        let page = service.get(path).page();
        assert_eq!((page.rows.len(), page.next), (0, None), "{path}");
    }
}

#[test]
fn the_baseline_yields_no_changes_and_the_next_crawl_does() {
    let service = service();
    assert!(service.get("/api/v1/changes").page().rows.is_empty());
    let next = Export::of([grant("bare").with("title", "Renamed"), grant("full"), grant("new")]);
    service.publish(&next, "2026-07-01T20:00:00.000Z");
    let rows = service.get("/api/v1/changes").page().rows;
    let renamed = rows.iter().find(|row| row["kind"] == "title_changed").expect("a title moved");
    assert_eq!(
        *renamed,
        json!({
            "kind": "title_changed", "slug": "bare", "title": "Renamed", "field": "title", "before": "Programme",
            "after": "Renamed", "observed_at": "2026-07-01T20:00:00.000Z",
            "source_url": "https://source.example/grants/bare",
        })
    );
    let added = rows.iter().find(|row| row["kind"] == "record_added").expect("a record is new");
    assert_eq!(
        *added,
        json!({
            "kind": "record_added", "slug": "new", "title": "Programme", "field": null, "before": null, "after": null,
            "observed_at": "2026-07-01T20:00:00.000Z", "source_url": "https://source.example/grants/new",
        })
    );
}
