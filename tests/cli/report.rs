//! What a reindex says, and how it ends (decisions, section 8).

use serde_json::{Value, json};

use super::Place;
use crate::support::command::{catalogue, run};
use crate::support::export::{Export, award, grant, recipient};

fn export() -> Export {
    let mut export = Export::of_count(20);
    export.recipients = vec![recipient("r", "Receiver")];
    export.awards = vec![award("r", "f", 2024), award("r", "f", 2025)];
    export
}

#[test]
fn the_json_report_has_exactly_the_documented_fields() {
    let place = Place::new();
    let first = place.reindex_of(&export(), &["--report", "json"]);
    assert_eq!((first.status, first.err.as_str()), (0, ""), "{first:?}");
    assert_eq!(first.out.lines().count(), 1);
    let mut report = first.json();
    let keys: Vec<&String> = report.as_object().expect("an object").keys().collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    // Those of decisions, section 8; `rejects` of section 9; `fault_count`, the total of section 1.
    let documented =
        ["changes", "fault_count", "faults", "generation", "published", "rejected", "rejects", "rows", "seconds"];
    assert_eq!(sorted, documented);
    assert!(report["seconds"].as_f64().is_some_and(|seconds| (0.0..60.0).contains(&seconds)));
    report["seconds"] = json!(0);
    assert_eq!(
        report,
        json!({
            "generation": 1, "published": true,
            "rows": {"grants": 20, "funders": 1, "recipients": 1, "awards": 2},
            "changes": {"record_added": 0, "record_closed": 0, "deadline_changed": 0, "amount_changed": 0, "title_changed": 0},
            "rejected": 0, "rejects": null, "fault_count": 0, "faults": [], "seconds": 0,
        })
    );
}

#[test]
fn the_report_counts_rows_and_changes() {
    let place = Place::new();
    place.reindex_of(&export(), &[]);
    let mut next = export();
    next.grants.remove(0);
    next.grants[0] = next.grants[0].clone().with("title", "New").with("amount_min", 1).with("amount_max", 2);
    next.grants[1] = next.grants[1].clone().with("deadline", "2026-08-01T00:00:00Z");
    next.grants[2] = next.grants[2].clone().with("status", "closed");
    next.grants.push(grant("added"));
    let report = place.reindex_of(&next, &["--report", "json"]).json();
    assert_eq!(report["rows"]["grants"], 21, "what is no longer listed stays");
    let changes = json!({
        "record_added": 1, "record_closed": 2, "deadline_changed": 1, "amount_changed": 2, "title_changed": 1,
    });
    assert_eq!((&report["changes"], &report["generation"]), (&changes, &json!(2)));
    let again = place.reindex(&["--report", "json"]).json();
    assert!(again["changes"].as_object().expect("counts").values().all(|count| count == 0), "{again}");
}

#[test]
fn the_report_in_words_says_what_was_published() {
    let place = Place::new();
    let said = place.reindex_of(&export(), &[]);
    assert_eq!(said.status, 0);
    for part in ["20 grants", "1 funders", "1 recipients", "2 awards", "published as generation 1"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn a_refusal_names_file_line_field_and_reason_and_ends_with_3() {
    let place = Place::new();
    let mut export = export();
    export.grants[4] = grant("g-004").with("amount_max", -5);
    export.awards[1] = award("nobody", "f", 2024);
    let said = place.reindex_of(&export, &[]);
    assert_eq!((said.status, place.published()), (3, None));
    for part in ["grants.ndjson:5: amount_max: ", "awards.ndjson:2: recipient: ", "refused: 2 faults"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let report = place.assert_refused(&[]);
    let faults = report["faults"].as_array().expect("faults");
    assert_eq!((faults.len(), &report["fault_count"]), (2, &json!(2)));
    for fault in faults {
        let mut keys: Vec<_> = fault.as_object().expect("an object").keys().collect();
        keys.sort_unstable();
        assert_eq!(keys, ["field", "file", "line", "reason"]);
        assert!(fault["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    }
    let place_of = |fault: &Value| (fault["file"].clone(), fault["line"].clone(), fault["field"].clone());
    assert!(faults.iter().any(|fault| place_of(fault) == (json!("grants.ndjson"), json!(5), json!("amount_max"))));
    assert!(faults.iter().any(|fault| place_of(fault) == (json!("awards.ndjson"), json!(2), json!("recipient"))));
}

#[test]
fn wrong_usage_ends_with_2() {
    let place = Place::new();
    for arguments in
        [&["reindex"][..], &["reindex", "x", "--nothing"], &["nothing"], &[], &["reindex", "x", "--report", "xml"]]
    {
        let said = run(catalogue(place.data.path()).args(arguments));
        assert_eq!((said.status, said.out.as_str()), (2, ""), "{arguments:?}: {said:?}");
        assert!(!said.err.is_empty());
    }
}

#[test]
fn a_failure_of_the_machine_ends_with_1() {
    let place = Place::new();
    export().write(place.export());
    let file = place.export().join("a-file");
    std::fs::write(&file, "x").expect("a file");
    let said = crate::support::command::reindex(&file, place.export(), &[]);
    assert_eq!((said.status, said.out.as_str()), (1, ""), "{said:?}");
    assert!(!said.err.is_empty(), "it says why");
}

#[test]
fn a_dry_run_reports_and_publishes_nothing() {
    let place = Place::new();
    let said = place.reindex_of(&export(), &["--dry-run", "--report", "json"]);
    let report = said.json();
    assert_eq!((said.status, &report["published"], &report["generation"]), (0, &json!(false), &Value::Null));
    assert_eq!((&report["rows"]["grants"], place.published()), (&json!(20), None));
    place.reindex(&[]);
    let mut next = export();
    next.grants.push(grant("added"));
    let said = place.reindex_of(&next, &["--dry-run", "--report", "json"]);
    assert_eq!((said.status, &said.json()["changes"]["record_added"]), (0, &json!(1)));
    assert_eq!(place.published(), Some(1));
    assert!(place.reindex(&["--dry-run"]).out.contains("nothing published"));
    let broken = place.reindex_of(&Export::of([grant("g-000").with("status", "gone")]), &["--dry-run"]);
    assert_eq!(broken.status, 3, "a dry run says that the export would be refused");
}

#[test]
fn every_command_has_a_help_and_a_version() {
    let place = Place::new();
    for arguments in
        [&["--help"][..], &["--version"], &["reindex", "--help"], &["serve", "--help"], &["key", "create", "--help"]]
    {
        let said = run(catalogue(place.data.path()).args(arguments));
        assert_eq!((said.status, said.err.as_str()), (0, ""), "{arguments:?}");
        assert!(!said.out.is_empty());
    }
}
