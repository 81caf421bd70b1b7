//! Single records, and recipients with their awards.

use serde_json::json;

use crate::support::export::{Export, award, funder, grant, recipient};
use crate::support::service::Service;

#[test]
fn a_slug_may_be_percent_encoded() {
    let service = Service::of(&Export::of([grant("clean-water")]));
    for path in ["/api/v1/grants/clean-water", "/api/v1/grants/clean%2Dwater", "/api/v1/grants/%63%6cean-water"] {
        assert_eq!(service.get(path).json()["data"]["slug"], "clean-water", "{path}");
    }
}

#[test]
fn the_longest_slug_is_found() {
    let slug = "a".repeat(200);
    let service = Service::of(&Export::of([grant(&slug)]));
    assert_eq!(service.get(&format!("/api/v1/grants/{slug}")).json()["data"]["slug"], slug);
    service.get(&format!("/api/v1/grants/{slug}a")).assert_refused(404, "not_found", None);
}

#[test]
fn an_empty_value_of_an_unknown_parameter_is_refused_on_a_single_record() {
    let service = Service::of(&Export::of_count(1));
    service.get("/api/v1/grants/g-000?x=").assert_refused(400, "invalid_parameter", Some("x"));
    assert_eq!(service.get("/api/v1/grants/g-000?").status, 200);
}

#[test]
fn a_recipient_comes_with_its_awards_newest_year_first() {
    let mut export = Export::of([]);
    export.funders.push(funder("a", "Alpha"));
    export.recipients = vec![recipient("r", "Receiver"), recipient("none", "Without")];
    export.awards = vec![
        award("r", "f", 2020),
        award("r", "f", 2024).with("amount", 10.25).with("purpose", "Wells"),
        award("r", "f", 2022).with("amount", 0),
        award("r", "a", 2024),
        award("r", "f", 2024).with("amount", 0.75),
        award("r", "f", 2020),
    ];
    let service = Service::of(&export);
    let single = service.get("/api/v1/recipients/r").json()["data"].clone();
    let years = single["awards_by_year"].as_array().expect("a list");
    let told: Vec<_> = years
        .iter()
        .map(|year| (year["year"].as_u64(), year["award_count"].as_u64(), year["amount_total"].as_f64()))
        .collect();
    assert_eq!(
        told,
        [(Some(2024), Some(3), Some(11.0)), (Some(2022), Some(1), Some(0.0)), (Some(2020), Some(2), None),]
    );
    let first = &years[0]["awards"];
    assert_eq!(first.as_array().map(Vec::len), Some(3));
    assert_eq!(
        first[0],
        json!({
            "funder": {"slug": "a", "name": "Alpha"}, "amount": null, "purpose": null,
            "source_url": "https://source.example/awards", "last_verified_at": "2026-06-30T00:00:00.000Z",
        })
    );
    assert_eq!((&first[1]["amount"], &first[1]["purpose"]), (&json!(10.25), &json!("Wells")));
    assert!(years[2]["amount_total"].is_null(), "nothing was stated, which is not 0");
    let without = service.get("/api/v1/recipients/none").json()["data"].clone();
    assert_eq!(without["awards_by_year"], json!([]));
    let listed = &service.get("/api/v1/recipients").page().rows[0];
    assert!(listed.get("awards_by_year").is_none(), "list rows carry the export's fields");
}

#[test]
fn a_record_that_is_no_longer_listed_can_still_be_fetched() {
    let service = Service::of(&Export::of_count(8));
    service.publish(&Export::of((0..7).map(|number| grant(&format!("g-{number:03}")))), "2026-07-01T13:00:00Z");
    let record = service.get("/api/v1/grants/g-007").json()["data"].clone();
    assert_eq!((&record["status"], &record["updated_at"]), (&json!("closed"), &json!("2026-07-01T13:00:00.000Z")));
    assert_eq!(record["first_seen_at"], "2026-07-01T12:00:00.000Z");
}

#[test]
fn a_recipient_no_longer_listed_keeps_its_awards_and_a_listed_one_has_the_exports() {
    let mut export = Export::of([]);
    export.recipients = vec![recipient("gone", "Gone"), recipient("stays", "Stays")];
    export.awards = vec![award("gone", "f", 2020).with("amount", 5), award("stays", "f", 2020)];
    let service = Service::of(&export);
    export.recipients = vec![recipient("stays", "Stays")];
    export.awards = vec![award("stays", "f", 2021)];
    let report = service.publish(&export, "2026-07-01T13:00:00Z");
    assert_eq!((report.rows.recipients, report.rows.awards), (2, 2));
    let gone = service.get("/api/v1/recipients/gone").json()["data"].clone();
    assert_eq!(gone["awards_by_year"][0]["amount_total"], 5);
    let stays = service.get("/api/v1/recipients/stays").json()["data"].clone();
    let years: Vec<_> = stays["awards_by_year"].as_array().expect("years").iter().map(|year| &year["year"]).collect();
    assert_eq!(years, [&json!(2021)]);
}
