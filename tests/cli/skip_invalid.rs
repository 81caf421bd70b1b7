//! `--skip-invalid`: the good rows are published, and nothing disappears silently (decisions, sections 1 and 9).

use serde_json::{Value, json};

use super::Place;
use crate::support::export::{Export, award, funder, grant, recipient};

const SKIP: [&str; 3] = ["--skip-invalid", "--report", "json"];

/// The rows of `rejects.ndjson`, as the report names it.
fn rejects(report: &Value) -> Vec<Value> {
    let path = report["rejects"].as_str().unwrap_or_else(|| panic!("the report names the rejects: {report}"));
    let text = std::fs::read_to_string(path).expect("the rejects can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("a reject is JSON")).collect()
}

fn record(place: &Place, slug: &str) -> Option<Value> {
    let catalogue = place.data.open();
    let found = catalogue.find(catalogue_index::Resource::Grants, slug).ok()?;
    let mut text = Vec::new();
    found.append(&mut text);
    Some(serde_json::from_slice(&text).expect("a record is JSON"))
}

#[test]
fn good_rows_are_published_and_the_others_reported() {
    let place = Place::new();
    let mut export = Export::of_count(5);
    export.grants[1] = grant("g-001").with("amount_max", -1);
    export.grants[3] = grant("g-003").with("colour", "red");
    let said = place.reindex_of(&export, &SKIP);
    assert_eq!(said.status, 0, "{said:?}");
    let report = said.json();
    assert_eq!(
        (&report["published"], &report["rejected"], &report["rows"]["grants"]),
        (&json!(true), &json!(2), &json!(3))
    );
    assert_eq!((&report["fault_count"], report["faults"].as_array().map(Vec::len)), (&json!(2), Some(2)));
    let rejects = rejects(&report);
    assert_eq!(rejects.len(), 2);
    for (reject, (line, field, slug)) in rejects.iter().zip([(2, "amount_max", "g-001"), (4, "colour", "g-003")]) {
        assert_eq!(
            (&reject["file"], &reject["line"], &reject["field"]),
            (&json!("grants.ndjson"), &json!(line), &json!(field))
        );
        assert!(reject["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
        assert_eq!(reject["row"]["slug"], slug, "the row is kept as it was");
    }
    let folder = place.data.path().join("generations/00000001/rejects.ndjson");
    assert_eq!(report["rejects"].as_str(), folder.to_str(), "it lies in the generation's folder");
    let words = place.reindex(&["--skip-invalid"]);
    assert!(words.out.contains("2 rows rejected, written to"), "{}", words.out);
}

#[test]
fn without_rejects_there_is_no_file_of_them() {
    let place = Place::new();
    let report = place.reindex_of(&Export::of_count(2), &SKIP).json();
    assert_eq!((&report["rejects"], &report["rejected"]), (&Value::Null, &json!(0)));
    assert!(!place.data.path().join("generations/00000001/rejects.ndjson").exists());
}

#[test]
fn a_rejected_record_stays_as_last_published_and_is_not_swept() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(4), &[]);
    let before = record(&place, "g-001").expect("it is published");
    let mut next = Export::of_count(4);
    next.grants[1] = grant("g-001").with("title", "Renamed").with("status", "gone");
    next.grants.remove(3);
    let report = place.reindex_of(&next, &SKIP).json();
    assert_eq!((&report["changes"]["record_closed"], &report["changes"]["title_changed"]), (&json!(1), &json!(0)));
    assert_eq!(report["rows"]["grants"], 4);
    assert_eq!(record(&place, "g-001"), Some(before));
    assert_eq!(record(&place, "g-003").expect("it stays")["status"], "closed");
}

#[test]
fn a_line_that_is_no_json_still_says_which_record_it_was_about() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(4), &[]);
    let next = Export::of_count(4);
    next.write(place.export());
    let path = place.export().join("grants.ndjson");
    let text = std::fs::read_to_string(&path).expect("the file");
    let cut: String = text
        .lines()
        .map(
            |line| {
                if line.contains("g-002") { format!("{}\n", line.trim_end_matches('}')) } else { format!("{line}\n") }
            },
        )
        .collect();
    std::fs::write(&path, cut).expect("a file of the export");
    let report = place.reindex(&SKIP).json();
    assert_eq!((&report["rejected"], &report["changes"]["record_closed"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!(record(&place, "g-002").expect("it stays")["status"], "open");
}

#[test]
fn of_two_rows_with_one_slug_the_first_stays() {
    let place = Place::new();
    let mut export = Export::of([grant("a").with("title", "First"), grant("a").with("title", "Second"), grant("b")]);
    export.funders.push(funder("f", "Another name"));
    export.recipients = vec![recipient("r", "First"), recipient("r", "Second")];
    let report = place.reindex_of(&export, &SKIP).json();
    assert_eq!(report["rejected"], 3, "{report}");
    let kept = record(&place, "a").expect("it is published");
    assert_eq!((&kept["title"], &kept["funder"]["name"]), (&json!("First"), &json!("Foundation")));
    assert_eq!(rejects(&report).iter().filter(|reject| reject["field"] == "slug").count(), 3);
    // The same over a published generation: the second row neither replaces nor closes the record.
    let report = place.reindex(&SKIP).json();
    assert!(report["changes"].as_object().expect("counts").values().all(|count| count == 0), "{report}");
}

#[test]
fn grants_and_awards_of_a_rejected_funder_that_was_never_published_are_rejected_too() {
    let place = Place::new();
    let mut export = Export::of([grant("a"), grant("b").with("funder", "bad")]);
    export.funders.push(funder("bad", "Bad").with("state", "ZZ"));
    export.recipients = vec![recipient("r", "Receiver"), recipient("s", "Second").with("state", "ZZ")];
    export.awards = vec![award("r", "f", 2024), award("r", "bad", 2024), award("s", "f", 2024)];
    let report = place.reindex_of(&export, &SKIP).json();
    assert_eq!(report["rows"], json!({"grants": 1, "funders": 1, "recipients": 1, "awards": 1}), "{report}");
    assert_eq!(report["rejected"], 5);
    let fields: Vec<_> =
        rejects(&report).iter().map(|reject| (reject["file"].clone(), reject["field"].clone())).collect();
    for expected in [
        ("funders.ndjson", "state"),
        ("recipients.ndjson", "state"),
        ("awards.ndjson", "funder"),
        ("awards.ndjson", "recipient"),
        ("grants.ndjson", "funder"),
    ] {
        assert!(fields.contains(&(json!(expected.0), json!(expected.1))), "{expected:?}: {fields:?}");
    }
}

#[test]
fn a_rejected_funder_that_is_published_can_still_be_named() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(2), &[]);
    let mut next = Export::of_count(3);
    next.funders = vec![funder("f", "Renamed").with("state", "ZZ")];
    let report = place.reindex_of(&next, &SKIP).json();
    assert_eq!((&report["rejected"], &report["rows"]["grants"]), (&json!(1), &json!(3)), "{report}");
    assert_eq!(record(&place, "g-002").expect("it is new")["funder"]["name"], "Foundation");
}

#[test]
fn a_rejected_row_does_not_count_towards_a_mass_close() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(40), &[]);
    let mut next = Export::of_count(40);
    for row in &mut next.grants[..30] {
        *row = row.clone().with("status", "gone");
    }
    let report = place.reindex_of(&next, &SKIP).json();
    assert_eq!(
        (&report["published"], &report["rejected"], &report["changes"]["record_closed"]),
        (&json!(true), &json!(30), &json!(0))
    );
}
