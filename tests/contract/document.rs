//! The document itself: what it lists, that it is the committed one, and that nothing in it is left unsaid.

use std::collections::BTreeSet;
use std::path::Path;

use catalogue_schema::Refusal;
use serde_json::Value;

use crate::support::command::{catalogue, run};
use crate::support::export::Export;
use crate::support::service::Service;

/// Set, the test writes the document instead of comparing with it.
const WRITE: &str = "CATALOGUE_WRITE_OPENAPI";

fn document() -> Value {
    let document = catalogue_gateway::router::document().expect("a document");
    serde_json::from_slice(document.json()).expect("JSON")
}

/// Every operation: its path and what is said of it.
fn operations(document: &Value) -> Vec<(&String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths.iter().map(|(path, item)| (path, &item["get"])).collect()
}

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/openapi.json");
    let document = catalogue_gateway::router::document().expect("a document");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&committed, document.json()).expect("the document can be written");
    }
    let is_same = std::fs::read(&committed).unwrap_or_default() == document.json();
    let again = format!("{WRITE}=1 cargo test --test black_box contract::document");
    assert!(is_same, "schema/openapi.json is not what the code says: write it by `{again}`, and look at what changed");
    let service = Service::of(&Export::of_count(1));
    assert_eq!(service.stranger().get("/api/v1/openapi.json").body, document.json());
}

#[test]
fn the_eight_paths_of_the_specification_are_listed_and_no_other() {
    let document = document();
    let paths: Vec<_> = operations(&document).into_iter().map(|(path, _)| path.as_str()).collect();
    let mut expected = [
        "/api/v1/grants",
        "/api/v1/grants/{slug}",
        "/api/v1/funders",
        "/api/v1/funders/{slug}",
        "/api/v1/recipients",
        "/api/v1/recipients/{slug}",
        "/api/v1/changes",
        "/api/v1/openapi.json",
    ];
    expected.sort_unstable();
    assert_eq!(paths, expected);
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().expect("paths") {
        assert_eq!(item.as_object().expect("an item").keys().collect::<Vec<_>>(), ["get"], "{path}");
    }
}

#[test]
fn every_field_is_required_and_described_and_what_may_be_null_says_what_that_means() {
    let document = document();
    let mut fields = 0;
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        assert!(schema["description"].is_string(), "{name} is not described");
        let Some(properties) = schema["properties"].as_object() else { continue };
        let required: BTreeSet<_> =
            schema["required"].as_array().expect(name).iter().filter_map(Value::as_str).collect();
        for (field, property) in properties {
            fields += 1;
            assert!(required.contains(field.as_str()), "{name}.{field} is not required");
            let description =
                property["description"].as_str().unwrap_or_else(|| panic!("{name}.{field} is not described"));
            let is_null = |schema: &Value| {
                schema["type"] == "null"
                    || schema["type"].as_array().is_some_and(|types| types.contains(&"null".into()))
            };
            let may_be_null =
                is_null(property) || property["oneOf"].as_array().is_some_and(|choices| choices.iter().any(is_null));
            let says_so = description.contains("Null: ") || description.contains("Always null");
            assert_eq!(may_be_null, says_so, "{name}.{field}: {description}");
        }
    }
    assert!(fields > 60, "{fields} fields");
}

#[test]
fn every_refusal_has_an_example_under_its_status() {
    let document = document();
    let mut met = BTreeSet::new();
    let responses = document["components"]["responses"].as_object().expect("responses");
    for (path, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let Some(name) = response["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/responses/"))
            else {
                assert_eq!(status, "200", "{path}");
                continue;
            };
            for (slug, example) in
                responses[name]["content"]["application/json"]["examples"].as_object().into_iter().flatten()
            {
                let refusal = Refusal::examples().into_iter().find(|refusal| refusal.slug() == slug).expect(slug);
                assert_eq!(status, &refusal.status().to_string(), "{slug} on {path}");
                assert_eq!(example["value"], serde_json::to_value(refusal.body()).expect("JSON"));
                met.insert(slug.clone());
            }
        }
    }
    let all: BTreeSet<_> = Refusal::examples().iter().map(|refusal| refusal.slug().to_owned()).collect();
    assert_eq!(met, all);
    assert_eq!(all.len(), 11);
}

#[test]
fn operations_are_named_after_their_handlers_and_all_but_the_document_take_a_key() {
    let document = document();
    let ids: BTreeSet<_> =
        operations(&document).iter().filter_map(|(_, operation)| operation["operationId"].as_str()).collect();
    let expected = BTreeSet::from([
        "list_grants",
        "get_grant",
        "list_funders",
        "get_funder",
        "list_recipients",
        "get_recipient",
        "list_changes",
        "get_openapi",
    ]);
    assert_eq!(ids, expected);
    let key = &document["security"][0];
    let scheme = key.as_object().and_then(|key| key.keys().next()).expect("a scheme");
    assert_eq!(document["components"]["securitySchemes"][scheme]["scheme"], "bearer");
    for (path, operation) in operations(&document) {
        let is_open = operation["security"] == serde_json::json!([{}]);
        assert_eq!(is_open, path == "/api/v1/openapi.json", "{path}");
    }
}

#[test]
fn the_limits_that_are_documented_are_those_that_are_set() {
    let document = document();
    let about = document["info"]["description"].as_str().expect("a description");
    let help = run(catalogue(Path::new("nowhere")).args(["serve", "--help"])).out;
    for (option, sentence) in [
        ("--daily-limit", "makes 5,000 requests in a UTC day where the operator sets nothing else"),
        ("--changes-window", "A traversal of the feed serves 10,000\nchanges, where the operator sets nothing else"),
    ] {
        let set = help.split_once(option).and_then(|(_, rest)| rest.split_once("default: ")).expect(option).1;
        let set: String = set.chars().take_while(char::is_ascii_digit).collect();
        assert!(about.contains(sentence), "{sentence}");
        assert!(sentence.replace(',', "").contains(&format!(" {set}")), "{option} is {set}");
    }
    assert!(about.contains("An account holds three keys.") && about.contains("A page has 100 rows at the most."));
    assert_eq!(catalogue_gateway::access::store::MOST_KEYS, 3);
    let limit = document["paths"]["/api/v1/changes"]["get"]["parameters"][1].clone();
    assert_eq!(
        (&limit["name"], &limit["schema"]["maximum"], &limit["schema"]["default"]),
        (&"limit".into(), &100.into(), &20.into())
    );
}
