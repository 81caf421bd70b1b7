//! The document under the strictest rules of public linters: no error and no warning.

use super::tools::{node, repository, run};

#[test]
fn redocly_finds_nothing_by_its_strict_recommendation() {
    // In this rule set what is otherwise a warning is an error.
    run(node("redocly").args(["lint", "--extends=recommended-strict"]).arg(repository("schema/openapi.json")));
}

#[test]
fn spectral_finds_nothing_not_even_a_hint() {
    let rules = repository("tests/contract/spectral.yaml");
    let mut spectral = node("spectral");
    spectral.args(["lint", "--fail-severity=hint", "--ruleset"]).arg(rules).arg(repository("schema/openapi.json"));
    let said = run(&mut spectral);
    assert!(said.contains("No results"), "{said}");
}
