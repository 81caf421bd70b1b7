//! The public audit of GraphQL over HTTP: the npm package `graphql-http`, run by Node against a real gateway.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use catalogue_gateway::access::Role;
use serde_json::Value;

use crate::support::export::Export;
use crate::support::service::Service;

/// What the audit is made of, in `tests/graphql/audit`.
const FILES: [&str; 4] = [".npmrc", "audit.js", "package-lock.json", "package.json"];

#[test]
fn everything_that_the_specification_asks_for_is_there() {
    let service = Service::of(&Export::of_count(3));
    let output = Command::new("node")
        .arg("audit.js")
        .current_dir(installed())
        .env("GRAPHQL_URL", format!("http://{}/graphql", service.internal()))
        .env("GRAPHQL_KEY", service.key_of("analyst@example.org", "free", Role::Analyst))
        .output()
        .expect("Node runs: ./test.sh installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let results: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a result")).collect();
    let text = |result: &Value, field: &str| result[field].as_str().unwrap_or_default().to_owned();
    let asked = |word: &str| results.iter().filter(|result| text(result, "name").starts_with(word)).count();
    assert!(asked("MUST") >= 10 && asked("SHOULD") >= 15, "the audit asks what it should: {lines}");
    let failed: Vec<String> = results
        .iter()
        .filter(|result| result["status"] != "ok")
        .map(|result| format!("{} {}: {}", text(result, "id"), text(result, "name"), text(result, "reason")))
        .collect();
    assert_eq!(failed, Vec::<String>::new());
}

/// The folder with the audit and its packages, which are installed where they are missing or others than those of the lock file.
fn installed() -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graphql/audit");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphql-audit");
    fs::create_dir_all(&to).expect("a folder");
    let is_same = |name: &str| fs::read(from.join(name)).ok() == fs::read(to.join(name)).ok();
    let is_installed = to.join("node_modules/graphql-http").is_dir() && FILES.into_iter().all(is_same);
    if !is_installed {
        // The lock file comes last: without it nothing counts as installed.
        for name in FILES {
            fs::copy(from.join(name), to.join(name)).expect(name);
        }
        let npm = Command::new("npm").arg("ci").current_dir(&to).output().expect("npm runs: ./test.sh installs it");
        assert!(npm.status.success(), "{}", String::from_utf8_lossy(&npm.stderr));
    }
    to
}
