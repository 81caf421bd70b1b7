//! What the project depends on: where it comes from, under which licences, and what must not come in.

use std::iter::Peekable;
use std::process::Command;

use serde_json::Value;

/// Licences under which a binary may be passed on with no more than a notice.
const LICENCES: [&str; 11] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "ISC",
    "BSL-1.0",
    "0BSD",
    "PSF-2.0",
];

/// Crates that would tie the binary to libraries of the machine it runs on.
const BANNED: [&str; 3] = ["openssl-sys", "native-tls", "libpq-sys"];

/// The only place that packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What is built here: packages for other platforms are not on this machine, and nothing is downloaded to look at them.
fn packages() -> Vec<Value> {
    let about = cargo(&["-vV"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo knows its host");
    let metadata = ["metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&cargo(&metadata)).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

fn cargo(arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether a licence expression leaves a choice that is allowed. The older form with slashes is an OR.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let is_allowed = any(&mut words);
    is_allowed && words.next().is_none()
}

fn any<'w>(words: &mut Peekable<impl Iterator<Item = &'w str>>) -> bool {
    let mut is_allowed = all(words);
    while words.next_if_eq(&"OR").is_some() {
        is_allowed |= all(words);
    }
    is_allowed
}

fn all<'w>(words: &mut Peekable<impl Iterator<Item = &'w str>>) -> bool {
    let mut is_allowed = one(words);
    while words.next_if_eq(&"AND").is_some() {
        is_allowed &= one(words);
    }
    is_allowed
}

fn one<'w>(words: &mut Peekable<impl Iterator<Item = &'w str>>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let is_allowed = any(words);
        return words.next_if_eq(&")").is_some() && is_allowed;
    }
    let is_known = words.next().is_some_and(|licence| LICENCES.contains(&licence));
    // An exception only ever allows more.
    if words.next_if_eq(&"WITH").is_some() {
        words.next();
    }
    is_known
}

#[test]
fn every_dependency_is_from_the_registry_and_under_an_allowed_licence() {
    for package in packages() {
        let name = package["name"].as_str().expect("a package has a name");
        assert!(!BANNED.contains(&name), "{name} must not be depended on");
        if let Some(source) = package["source"].as_str() {
            assert_eq!(source, REGISTRY, "{name} comes from elsewhere");
        }
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence), "{name} is under `{licence}`");
    }
}

#[test]
fn what_graphiql_is_made_of_is_pinned_by_check_sums_and_under_an_allowed_licence() {
    let lock = include_str!("../src/pages/graphiql/package-lock.json");
    let lock: Value = serde_json::from_str(lock).expect("npm writes JSON");
    let packages = lock["packages"].as_object().expect("packages by folder");
    let installed: Vec<_> = packages.iter().filter(|(folder, _)| !folder.is_empty()).collect();
    assert!(installed.len() > 50, "{} packages", installed.len());
    for (folder, package) in installed {
        assert!(
            package["integrity"].as_str().is_some_and(|sum| sum.starts_with("sha512-")),
            "{folder} has no check sum"
        );
        assert_eq!(package["resolved"], Value::Null, "{folder} comes from wherever packages come from");
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence), "{folder} is under `{licence}`");
    }
}

#[test]
fn a_licence_expression_is_allowed_by_any_of_its_choices() {
    for allowed in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "GPL-3.0 AND MIT OR (ISC AND (GPL-3.0 OR BSD-3-Clause WITH an-exception))",
    ] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "LGPL-2.1-or-later",
        "(MIT OR Apache-2.0) AND GPL-3.0",
        "GPL-3.0 AND (MIT OR Apache-2.0)",
        "(MIT",
        "MIT) OR ISC",
        "MIT ISC",
    ] {
        assert!(!is_allowed(refused), "{refused}");
    }
}
