//! The shared exports: the feed they yield, and every record of theirs met once.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use catalogue_gateway::graphql;
use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{Requested, Timestamp};
use serde_json::{Value, json};

use crate::support::at;
use crate::support::data::Data;
use crate::support::listing::{Slugged, whole};
use crate::support::service::{Choices, Service};
use crate::support::shared;

/// The eight crawls of consecutive days.
const DAYS: [&str; 8] =
    ["2026-07-26", "2026-07-27", "2026-07-28", "2026-07-29", "2026-07-30", "2026-07-31", "2026-08-01", "2026-08-02"];

const LISTS: [(Resource, &str); 3] =
    [(Resource::Grants, "grants"), (Resource::Funders, "funders"), (Resource::Recipients, "recipients")];

/// Enough for every record of an export, read one by one.
const MANY: Choices = Choices {
    daily_limit: 10_000_000,
    changes_window: 10_000,
    query_time_limit: graphql::TIME_LIMIT,
    operator_secret: None,
};

/// The slugs of a file of an export.
fn slugs_of(export: &Path, file: &str) -> Vec<String> {
    let open = |ending: &str| std::fs::read(export.join(format!("{file}.ndjson{ending}"))).ok();
    let text = if let Some(plain) = open("") {
        plain
    } else if let Some(gzip) = open(".gz") {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&*gzip).read_to_end(&mut text).expect("a sound file");
        text
    } else {
        zstd::decode_all(&*open(".zst").expect("the file is there")).expect("a sound file")
    };
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice::<Slugged>(line).expect("a row").slug).collect()
}

/// Every slug that the exports list, by list.
fn listed(exports: &[impl AsRef<Path>]) -> BTreeMap<&'static str, Vec<String>> {
    let of_list = |file: &'static str| {
        let mut slugs: Vec<String> = exports.iter().flat_map(|export| slugs_of(export.as_ref(), file)).collect();
        slugs.sort_unstable();
        slugs.dedup();
        (file, slugs)
    };
    LISTS.map(|(_, file)| of_list(file)).into()
}

fn sorted(mut slugs: Vec<String>) -> Vec<String> {
    slugs.sort_unstable();
    slugs
}

/// Follows cursors through every list of the index, and finds every record by its slug.
fn assert_all_are_met_in_the_index(catalogue: &Catalogue, expected: &BTreeMap<&str, Vec<String>>, now: Timestamp) {
    for (resource, file) in LISTS {
        for limit in [1, 7, 100] {
            let rows: Vec<Slugged> = whole(catalogue, resource, &Requested::default(), limit, now);
            let slugs = sorted(rows.into_iter().map(|row| row.slug).collect());
            assert!(slugs == expected[file], "{file} with limit {limit}: {} of {}", slugs.len(), expected[file].len());
        }
        for slug in &expected[file] {
            let found = catalogue.find(resource, slug).unwrap_or_else(|refusal| panic!("{slug}: {refusal}"));
            let mut text = Vec::new();
            found.append(&mut text);
            assert_eq!(serde_json::from_slice::<Slugged>(&text).expect("a record").slug, *slug);
        }
    }
}

/// Follows cursors through every list of the service, and fetches some of the records by their slugs.
fn assert_all_are_met_over_http(service: &Service, expected: &BTreeMap<&str, Vec<String>>) {
    for (_, file) in LISTS {
        let path = format!("/api/v1/{file}");
        for limit in ["7", "100"] {
            let (rows, instants) = service.traverse(&path, &[("limit", limit)]);
            let slugs = rows.iter().map(|row| row["slug"].as_str().expect("a slug").to_owned()).collect();
            assert!(sorted(slugs) == expected[file], "{file} with limit {limit}");
            assert!(instants.iter().all(|instant| *instant == instants[0]), "one traversal has one instant");
        }
        for slug in expected[file].iter().step_by(23) {
            assert_eq!(service.get(&format!("{path}/{slug}")).json()["data"]["slug"], **slug);
        }
    }
}

#[test]
fn eight_crawls_yield_the_expected_feed_and_every_record_is_met_once() {
    let Some(shared) = shared::data("eight_crawls_yield_the_expected_feed_and_every_record_is_met_once") else {
        return;
    };
    let expected = std::fs::read(shared.join("expected/feed-2026.json")).expect("the expected feed");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let transitions = expected["transitions"].as_array().expect("transitions");
    let exports = DAYS.map(|day| shared.join("exports").join(day));
    let data = Data::large();
    data.publish_folder(&exports[0], "2026-08-03T00:00:00.000Z");
    let catalogue = data.open();
    let now = at("2026-08-03T12:00:00Z");
    let changes = |since: Option<Timestamp>| -> Vec<Value> {
        whole(&catalogue, Resource::Changes, &Requested { since, ..Requested::default() }, 100, now)
    };
    assert_eq!(changes(None), Vec::<Value>::new(), "the first publication is the baseline");
    let mut whole_feed = Vec::new();
    for (number, (export, transition)) in exports[1..].iter().zip(transitions).enumerate() {
        assert_eq!(transition["to"], DAYS[number + 1]);
        let instant = format!("2026-08-03T{:02}:00:00.000Z", number + 1);
        let report = data.publish_folder(export, &instant);
        assert_eq!(serde_json::to_value(report.changes).expect("JSON"), transition["counts"]);
        assert_eq!(report.rows.grants, transition["catalogue_size_after"]);
        assert!(catalogue.refresh().expect("the published generation is sound"));
        let new = changes(Some(at(&instant)));
        assert!(new.iter().all(|change| change["observed_at"] == instant), "one publication is one instant");
        let told: Vec<Value> = new
            .iter()
            .map(|change| {
                let [kind, slug, field, before, after] =
                    ["kind", "slug", "field", "before", "after"].map(|name| change[name].clone());
                json!({"kind": kind, "slug": slug, "field": field, "before": before, "after": after})
            })
            .collect();
        assert_eq!(json!(told), transition["changes"], "to {}", transition["to"]);
        whole_feed.extend(new);
        assert_eq!(changes(None), whole_feed, "what was in the feed stays in it");
    }
    let totals = expected["totals"].as_object().expect("totals");
    for (kind, total) in totals {
        assert_eq!(json!(whole_feed.iter().filter(|change| change["kind"] == **kind).count()), *total, "{kind}");
    }
    let expected = listed(&exports);
    assert_all_are_met_in_the_index(&catalogue, &expected, now);
    drop(catalogue);
    let service = Service::over(data, MANY);
    service.set_clock("2026-08-03T12:00:00Z");
    assert_all_are_met_over_http(&service, &expected);
    assert_eq!(service.traverse("/api/v1/changes", &[("limit", "7")]).0, whole_feed);
}

#[test]
fn every_record_of_the_mixed_crawl_is_met_once() {
    let Some(shared) = shared::data("every_record_of_the_mixed_crawl_is_met_once") else { return };
    let export = shared.join("exports/2022-06-16");
    let data = Data::large();
    let report = data.publish_folder(&export, "2022-06-17T00:00:00Z");
    assert_eq!((report.rows.grants, report.rows.awards, report.fault_count), (1298, 88_518, 0));
    let expected = listed(&[export]);
    assert_all_are_met_in_the_index(&data.open(), &expected, at("2022-06-17T00:00:00Z"));
    let service = Service::over(data, MANY);
    service.set_clock("2022-06-17T00:00:00Z");
    assert_all_are_met_over_http(&service, &expected);
}
