//! Clients made from the document by public generators: they are whole, their types hold, and they read a list to its end.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::service;
use super::tools::{bring, node, python, repository, run, workshop};
use crate::support::service::Service;

/// Checks what a client says it met.
fn check(service: &Service, said: &str) {
    let (rows, _) = service.traverse("/api/v1/grants", &[("status", "open")]);
    let said: Value = serde_json::from_str(said).expect("JSON");
    let slugs: Vec<&Value> = rows.iter().map(|row| &row["slug"]).collect();
    assert!(slugs.len() > 21, "a traversal of several pages");
    assert_eq!(said["slugs"].as_array().expect("slugs").iter().collect::<Vec<_>>(), slugs);
    assert_eq!(slugs.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len(), slugs.len());
    let without_ceiling = rows.iter().filter(|row| row["amount_max"].is_null()).count();
    assert!(without_ceiling > 0);
    let rest = (&said["without_ceiling"], &said["instants"], &said["refusal"], &said["parameter"]);
    assert_eq!(rest, (&json!(without_ceiling), &json!(1), &json!("invalid_parameter"), &json!("limit")));
}

fn on<'c>(command: &'c mut Command, service: &Service) -> &'c mut Command {
    command.env("CATALOGUE_URL", format!("http://{}", service.public())).env("CATALOGUE_KEY", service.key())
}

#[test]
fn a_generated_python_client_reads_a_list_to_its_end() {
    let service = service();
    let folder = workshop("python");
    bring(&folder, &["traverse.py", "python.yaml"]);
    let package = folder.join("catalogue_client");
    let mut generate = python("openapi-python-client");
    generate.args(["generate", "--meta", "none", "--fail-on-warning", "--config"]).arg(folder.join("python.yaml"));
    run(generate.arg("--path").arg(repository("schema/openapi.json")).arg("--output-path").arg(&package));
    run(python("python").args(["-m", "compileall", "-q"]).arg(&package));
    check(&service, &run(on(python("python").arg(folder.join("traverse.py")), &service)));
}

#[test]
fn a_generated_typescript_client_reads_a_list_to_its_end() {
    let service = service();
    let folder = workshop("typescript");
    bring(&folder, &["traverse.ts", "tsconfig.json"]);
    run(node("openapi-typescript")
        .arg(repository("schema/openapi.json"))
        .arg("--output")
        .arg(folder.join("schema.ts")));
    run(node("tsc").arg("--project").arg(&folder));
    check(&service, &run(on(Command::new("node").arg(folder.join("out/traverse.js")), &service)));
}
