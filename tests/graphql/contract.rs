//! The schema is a contract, and lies in the repository.

use std::path::Path;

use serde_json::Value;

use super::ask;
use crate::support::export::Export;
use crate::support::service::Service;

/// The variable of the environment that has the contract written anew.
const REWRITE: &str = "REWRITE_CONTRACT";

#[test]
fn the_schema_is_the_one_in_the_repository() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/schema.graphql");
    let definition = catalogue_gateway::graphql::definition();
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(&path, &definition).expect("the contract is written");
    }
    let contract = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        contract == definition,
        "schema/schema.graphql is not what the code says. Where the change is meant, run \
         `{REWRITE}=1 cargo test --test black_box graphql::contract` and commit the file."
    );
}

#[test]
fn everything_in_the_schema_is_described() {
    let service = Service::of(&Export::of_count(1));
    let query = "{ __schema { types { name description fields { name description args { name description } } \
                 inputFields { name description } enumValues { name description } } } }";
    let found = ask(&service.analyst(), query);
    let mut bare = Vec::new();
    for of in found["__schema"]["types"].as_array().expect("types") {
        let name = of["name"].as_str().expect("a name");
        // What the library says of itself; the values of states are their own descriptions.
        if name.starts_with("__") || ["ID", "UsState"].contains(&name) {
            continue;
        }
        let mut say = |path: &str, described: &Value| {
            if described["description"].as_str().is_none_or(str::is_empty) {
                bare.push(format!("{name}{path}"));
            }
        };
        say("", of);
        for kind in ["fields", "inputFields", "enumValues"] {
            for member in of[kind].as_array().into_iter().flatten() {
                let path = format!(".{}", member["name"].as_str().expect("a name"));
                say(&path, member);
                for argument in member["args"].as_array().into_iter().flatten() {
                    say(&format!("{path}({})", argument["name"].as_str().expect("a name")), argument);
                }
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new());
}
