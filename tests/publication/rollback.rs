//! Going back: a publication like any other, after which the feed is as true as before.

use std::collections::BTreeMap;

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{Requested, Status, Timestamp};
use serde_json::{Value, json};

use super::kills::each_of;
use crate::support::crawl::{Crawl, day, minute, programme};
use crate::support::strace::{Fate, Step, run_to, steps};
use crate::support::vault::{Vault, list, list_asked};

fn first() -> Crawl {
    Crawl::of(1, (0..20).map(programme))
}

fn second() -> Crawl {
    let crawl = Crawl { crawled_at: day(2), ..first() }
        .with(1, |row| "Another title".clone_into(&mut row.title))
        .with(2, |row| row.deadline = Some(day(90)))
        .with(3, |row| row.amount_max = None)
        .with(4, |row| row.status = Status::Closed)
        .without(6);
    Crawl { grants: crawl.grants.into_iter().chain([programme(20)]).collect(), ..crawl }
}

/// Two published crawls.
fn two() -> Vault {
    let vault = Vault::new();
    vault.publish(&first(), minute(1));
    vault.publish(&second(), minute(2));
    vault
}

/// What the feed got at one instant: kind, slug, field, before and after.
fn brought(catalogue: &Catalogue, at: Timestamp) -> Vec<Value> {
    let asked = Requested { since: Some(at), ..Requested::default() };
    let entries = list_asked(catalogue, Resource::Changes, &asked, day(100));
    entries
        .iter()
        .map(|change| json!([change["kind"], change["slug"], change["field"], change["before"], change["after"]]))
        .collect()
}

/// The grants without when each was updated, which a rollback moves on.
fn grants(catalogue: &Catalogue) -> BTreeMap<String, Value> {
    let rows = list(catalogue, Resource::Grants, day(100));
    let keyed = |mut row: Value| {
        row.as_object_mut().expect("an object").remove("updated_at");
        (row["slug"].as_str().expect("a slug").to_owned(), row)
    };
    rows.into_iter().map(keyed).collect()
}

#[test]
fn a_rollback_publishes_the_earlier_catalogue_and_tells_what_moved_back() {
    let vault = Vault::new();
    vault.publish(&first(), day(1));
    let earlier = grants(&vault.open());
    vault.publish(&second(), day(2));
    let history = list(&vault.open(), Resource::Changes, day(100));
    assert_eq!(vault.rollback(None, day(3)).expect("a rollback"), (1, 3));
    assert_eq!(vault.listed().0, 3);
    let catalogue = vault.open();
    assert_eq!(grants(&catalogue), earlier);
    let deadline = programme(2).deadline.map(|deadline| deadline.to_string());
    let expected = [
        json!(["title_changed", "programme-001", "title", "Another title", "Programme 1"]),
        json!(["deadline_changed", "programme-002", "deadline", day(90).to_string(), deadline]),
        json!(["amount_changed", "programme-003", "amount_max", null, 15000]),
        json!(["record_closed", "programme-020", "status", "open", "closed"]),
    ];
    assert_eq!(brought(&catalogue, day(3)), expected, "what reopened has no entry of its own");
    let told = list(&catalogue, Resource::Changes, day(100));
    assert_eq!(told[..history.len()], history, "nothing that was ever in the feed is taken out of it");
    for row in list(&catalogue, Resource::Grants, day(100)) {
        let is_moved = ["001", "002", "003", "004", "006"]
            .iter()
            .any(|number| row["slug"].as_str() == Some(&format!("programme-{number}")));
        assert_eq!(row["updated_at"], json!(if is_moved { day(3) } else { day(1) }), "{}", row["slug"]);
        assert_eq!(row["first_seen_at"], json!(day(1)));
    }
    vault.assert_no_litter();
}

#[test]
fn the_next_reindex_compares_with_the_generation_rolled_back_to() {
    let vault = two();
    vault.rollback(None, day(3)).expect("a rollback");
    let unchanged = vault.publish(&Crawl { crawled_at: day(3), ..first() }, day(4));
    assert_eq!(unchanged.changes, catalogue_index::reindex::ChangeCounts::default());
    let again = vault.publish(&Crawl { crawled_at: day(4), ..second() }, day(5));
    let second_time = serde_json::to_value(again.changes).expect("JSON");
    let first_time = two().manifest(2)["changes"].clone();
    assert_eq!(second_time, first_time, "the crawl brings the changes that it brought first");
}

#[test]
fn a_rollback_goes_to_the_generation_asked_for_and_a_second_one_goes_on() {
    let vault = two();
    let (one, two) = (titles_of(&first()), titles_of(&second()));
    vault
        .publish(&Crawl { crawled_at: day(3), ..first() }.with(9, |row| "Third".clone_into(&mut row.title)), minute(3));
    let asked = vault.run(&["generation", "rollback", "1"]);
    assert_eq!((asked.status, &*asked.err), (0, ""));
    assert_eq!(asked.out, "went back to generation 1, published again as generation 4\n");
    assert_eq!(slugs_and_titles(&vault), one);
    assert_eq!(vault.rollback(Some(2), day(500)).expect("a rollback"), (2, 5));
    assert_eq!(slugs_and_titles(&vault), two);
    assert_eq!(vault.rollback(None, day(501)).expect("a rollback"), (4, 6), "without a number it is the one before");
    assert_eq!(slugs_and_titles(&vault), one);
    let instants: Vec<String> = list(&vault.open(), Resource::Changes, day(600))
        .iter()
        .map(|change| change["observed_at"].as_str().expect("an instant").to_owned())
        .collect();
    assert!(instants.is_sorted());
    vault.assert_no_litter();
}

#[test]
fn with_nothing_to_go_back_to_a_rollback_says_so() {
    let vault = Vault::new();
    let refused = |arguments: &[&str], sentence: &str| {
        let outcome = vault.run(&[&["generation", "rollback"], arguments].concat());
        assert_eq!((outcome.status, &*outcome.out), (1, ""));
        assert_eq!(outcome.err, format!("catalogue: {sentence}\n"));
    };
    refused(&[], "there is no earlier generation to go back to");
    vault.publish(&first(), day(1));
    refused(&[], "there is no earlier generation to go back to");
    refused(&["1"], "generation 1 is the published one already");
    refused(&["7"], "generation 7 is not kept");
    assert_eq!(vault.listed(), (1, vec![1]));
}

#[test]
fn a_client_that_polls_with_the_greatest_instant_seen_ends_with_the_truth() {
    let vault = Vault::new();
    vault.publish(&first(), minute(1));
    let mut held = state(&vault.open());
    let mut greatest: Option<Timestamp> = None;
    let mut poll = |held: &mut BTreeMap<String, Value>| {
        let catalogue = vault.open();
        let asked = Requested { since: greatest, ..Requested::default() };
        for change in list_asked(&catalogue, Resource::Changes, &asked, day(600)) {
            apply(held, &change);
            greatest = greatest.max(Some(change["observed_at"].as_str().expect("text").parse().expect("an instant")));
        }
        // What reopens has no entry of its own, so that its status is not in the feed: all else is.
        for (slug, row) in state(&catalogue) {
            assert_eq!(held.get(&slug).map(|row| &row["told"]), Some(&row["told"]), "{slug}");
        }
    };
    vault.publish(&second(), minute(2));
    poll(&mut held);
    vault.rollback(None, minute(3)).expect("a rollback");
    poll(&mut held);
    assert_eq!(held["programme-020"]["status"], "closed", "a record that only the later generation had is closed");
    vault.publish(&Crawl { crawled_at: day(4), ..second() }, minute(4));
    vault.rollback(Some(2), minute(5)).expect("a rollback");
    vault.rollback(Some(1), minute(6)).expect("a rollback");
    poll(&mut held);
    assert_eq!(held["programme-020"]["status"], "closed");
}

#[test]
fn a_rollback_killed_at_any_step_leaves_the_catalogue_as_it_was() {
    let scene = two();
    let rollback = ["generation", "rollback"];
    let before = list(&scene.open(), Resource::Changes, day(100));
    let done = Vault::copy_of(&scene);
    done.rollback(None, day(30)).expect("a rollback");
    let (expected, earlier) = (list(&done.open(), Resource::Changes, day(100)), slugs_and_titles(&done));
    let all: Vec<Step> = steps(&Vault::copy_of(&scene), &rollback).into_iter().filter(|step| step.writes).collect();
    // Those by which a reindex does not go, and the publication: the others are the reindex's.
    let own: Vec<Step> = all.into_iter().filter(|step| step.file.is_some()).step_by(2).collect();
    assert!(own.len() > 30, "a rollback has many steps: {}", own.len());
    each_of(&own, |step| {
        let vault = Vault::copy_of(&scene);
        let traced = run_to(&vault, &rollback, step, Fate::Killed);
        assert_eq!(traced.status, None, "{step:?} is reached\n{}", traced.trace);
        if step.after_publication {
            assert_eq!(vault.listed().0, 3, "after a kill at {step:?}");
        } else {
            assert_eq!(vault.listed(), (2, vec![1, 2]), "after a kill at {step:?}");
            assert_eq!(list(&vault.open(), Resource::Changes, day(100)), before, "after a kill at {step:?}");
            assert_eq!(vault.rollback(None, day(30)).expect("the next rollback is good"), (1, 3));
            assert_eq!(list(&vault.open(), Resource::Changes, day(100)), expected, "after a kill at {step:?}");
        }
        assert_eq!(slugs_and_titles(&vault), earlier);
        vault.run(&["generation", "prune"]);
        vault.assert_no_litter();
    });
    println!("killed at {} steps", own.len());
}

fn slugs_and_titles(vault: &Vault) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    list(&vault.open(), Resource::Grants, day(600))
        .iter()
        .map(|row| (text(&row["slug"]), text(&row["title"])))
        .collect()
}

/// What a catalogue of this crawl would show, where it is published in a folder that has published the first.
fn titles_of(crawl: &Crawl) -> BTreeMap<String, String> {
    let other = Vault::new();
    other.publish(&first(), day(1));
    other.publish(&Crawl { crawled_at: day(2), ..crawl.clone() }, day(2));
    slugs_and_titles(&other)
}

/// What a client holds: of each record the fields that the feed tells, and its status.
fn state(catalogue: &Catalogue) -> BTreeMap<String, Value> {
    let told = |row: &Value| {
        json!([row["title"], row["deadline"], row["amount_min"], row["amount_max"], row["amount_total_pool"]])
    };
    list(catalogue, Resource::Grants, day(600))
        .into_iter()
        .map(|row| {
            (row["slug"].as_str().expect("a slug").to_owned(), json!({"told": told(&row), "status": row["status"]}))
        })
        .collect()
}

fn apply(held: &mut BTreeMap<String, Value>, change: &Value) {
    let slug = change["slug"].as_str().expect("a slug").to_owned();
    let kind = change["kind"].as_str().expect("a kind");
    if kind == "record_added" {
        // The client reads the record; here it is the one that this folder's crawls add, as they first state it.
        let row = programme(20);
        let told = json!([row.title, row.deadline, row.amount_min, row.amount_max, row.amount_total_pool]);
        held.insert(slug, json!({"told": told, "status": "open"}));
        return;
    }
    let row = held.get_mut(&slug).expect("a record that was added before");
    match change["field"].as_str().expect("a field") {
        "status" => row["status"] = change["after"].clone(),
        field => {
            let fields = ["title", "deadline", "amount_min", "amount_max", "amount_total_pool"];
            let at = fields.iter().position(|known| *known == field).expect("a field the feed tells");
            row["told"][at] = change["after"].clone();
        }
    }
}
