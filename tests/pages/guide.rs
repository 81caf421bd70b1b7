//! The guide: everything it shows is run, and everything it leads to is there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use catalogue_schema::Refusal;
use serde_json::Value;

use crate::support::sample::{self, PUBLISHED_AGAIN_AT};
use crate::support::service::{Choices, Service};

const LANGUAGES: [&str; 3] = ["shell", "python", "javascript"];

/// A catalogue with something of everything that the examples ask for.
fn service() -> Service {
    sample::serve(400, Choices::default())
}

fn guide(service: &Service) -> String {
    let page = service.stranger().get("/docs");
    assert_eq!(page.status, 200);
    String::from_utf8(page.body).expect("UTF-8")
}

/// Text as a reader sees it.
fn shown(html: &str) -> String {
    let signs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    signs.iter().fold(html.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

/// The programs of a page: by name, those of each language.
fn programs(page: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for figure in page.split("<figure data-language=\"").skip(1) {
        let (language, rest) = figure.split_once('"').expect("a language");
        let (name, rest) =
            rest.split_once("data-example=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a name");
        let program = rest.split_once("<code>").and_then(|(_, rest)| rest.split_once("</code>")).expect("a program").0;
        found.entry(name.to_owned()).or_default().insert(language.to_owned(), shown(program));
    }
    found
}

/// Runs a program as the page shows it, and gives what it says.
fn run(service: &Service, language: &str, program: &str, folder: &Path) -> String {
    let (tool, arguments, file): (_, &[&str], _) = match language {
        "shell" => ("bash", &["-eu", "-o", "pipefail"], "program.sh"),
        "python" => ("python3", &["-I"], "program.py"),
        "javascript" => ("node", &[], "program.mjs"),
        other => panic!("no language {other}"),
    };
    let path = folder.join(file);
    std::fs::write(&path, program).expect("a file");
    let mut command = Command::new(tool);
    command.args(arguments).arg(&path);
    command.env("CATALOGUE_URL", format!("http://{}", service.public())).env("CATALOGUE_KEY", service.key());
    let output = command.output().unwrap_or_else(|error| panic!("{tool} is needed: {error}"));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{language}: {program}\nended with {}: {said}{complaint}", output.status);
    said.trim_end().to_owned()
}

#[test]
fn every_example_of_the_guide_runs_and_says_the_same_in_each_language() {
    let service = service();
    let folder = tempfile::tempdir().expect("a folder");
    let programs = programs(&guide(&service));
    assert_eq!(programs.len(), 8);
    for (name, in_languages) in &programs {
        assert_eq!(in_languages.len(), 3, "{name}");
        for language in LANGUAGES {
            let said = run(&service, language, &in_languages[language], folder.path());
            check(&service, name, &said, language);
        }
    }
}

/// Compares what an example said with what the service says when it is asked otherwise.
fn check(service: &Service, name: &str, said: &str, language: &str) {
    let lines: Vec<&str> = said.lines().collect();
    match name {
        "first_call" => {
            let said: Value = serde_json::from_str(said).expect("JSON");
            let page = service.get("/api/v1/grants?limit=2&q=water&state=CA").page();
            let titles: Vec<_> = page.rows.iter().map(|row| row["title"].clone()).collect();
            assert!(!titles.is_empty());
            assert_eq!(said["titles"], Value::from(titles), "{language}");
            assert_eq!((&said["as_of"], &said["next_cursor"]), (&page.as_of.into(), &page.next.is_some().into()));
        }
        "traversal" => {
            let (rows, _) = service.traverse("/api/v1/grants", &[("status", "open"), ("limit", "13")]);
            assert!(rows.len() > 100, "more than two pages");
            assert_eq!(lines, crate::support::listing::slugs(&rows), "{language}");
        }
        "null" => {
            let rows = service.get("/api/v1/grants").page().rows;
            assert_eq!(lines.len(), rows.len(), "{language}: {said}");
            for (line, row) in lines.iter().zip(rows) {
                let parts: Vec<&str> = line.split("; ").collect();
                assert_eq!(parts[0], row["slug"], "{language}");
                assert_eq!(parts[1] == "no ceiling stated", row["amount_max"].is_null(), "{language}: {line}");
                assert!(row["amount_max"].is_null() || parts[1] == format!("up to {}", row["amount_max"]), "{line}");
                let matched = match row["match_required"].as_bool() {
                    Some(true) => "match required",
                    Some(false) => "no match",
                    None => "match not stated",
                };
                assert_eq!(parts[2], matched, "{language}");
                assert_eq!(parts[3] == "anywhere", row["elig_states"].is_null(), "{language}: {line}");
            }
            assert!(said.contains("no ceiling stated") && said.contains("up to ") && said.contains("match not stated"));
        }
        "dropped" => assert_eq!(said, "state=ZZ, industry=unheard-of", "{language}"),
        "feed" => {
            let (rows, _) = service.traverse("/api/v1/changes", &[]);
            let (last, changes) = lines.split_last().expect("lines");
            let told: Vec<_> =
                rows.iter().map(|row| format!("{} {}", row["kind"], row["slug"]).replace('"', "")).collect();
            assert!(!told.is_empty());
            assert_eq!(changes, told, "{language}");
            assert_eq!(*last, format!("next time: since={PUBLISHED_AGAIN_AT}"), "{language}");
        }
        "unchanged" => assert_eq!(said, "304", "{language}"),
        "allowance" => {
            let (limit, before, _) = service.get("/api/v1/funders").rate();
            assert_eq!(said, format!("{} of {limit} until 2026-07-03T00:00:00Z", before + 1), "{language}");
        }
        "errors" => assert_eq!(said, "put limit right", "{language}"),
        other => panic!("the guide has an example {other} that nobody checks"),
    }
}

#[test]
fn what_the_documentation_leads_to_is_there() {
    let service = service();
    let mut addresses = 0;
    for path in ["/docs", "/docs/reference"] {
        let page = String::from_utf8(service.stranger().get(path).body).expect("UTF-8");
        for attribute in ["href=\"", "src=\""] {
            for address in page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
                addresses += 1;
                if let Some(id) = address.strip_prefix('#') {
                    assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{address} on {path}");
                } else {
                    let status = service.stranger().get(address).status;
                    assert_eq!(status, 200, "{address} on {path}");
                }
            }
        }
    }
    assert!(addresses > 20);
    let guide = guide(&service);
    for refusal in Refusal::examples() {
        let row = format!("<td>{}</td><td><code>{}</code></td>", refusal.status(), refusal.slug());
        assert!(guide.contains(&row), "{row} is not in the guide");
    }
    assert!(guide.contains("A key makes 5,000 requests"), "the configured allowance");
}

#[test]
fn the_documentation_may_be_kept_and_loads_nothing_from_elsewhere() {
    let service = service();
    for (path, connects) in [("/docs", ""), ("/docs/reference", "connect-src 'self'; ")] {
        let page = service.stranger().get(path);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), Some("public, max-age=300"));
        assert_eq!(page.header("vary"), Some("Accept-Encoding"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'"),
            "{policy}"
        );
        assert!(policy.contains(connects) && !policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        let tag = page.header("etag").expect("a tag").to_owned();
        for accept in ["identity", "zstd", "gzip"] {
            let unchanged = service.stranger().get_with(path, &[("if-none-match", &tag), ("accept-encoding", accept)]);
            assert_eq!((unchanged.status, unchanged.body.len()), (304, 0), "{path}");
        }
        let html = String::from_utf8(page.body).expect("UTF-8");
        assert!(!html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"));
        assert_eq!(html.matches("<script").count(), html.matches("<script src=\"/").count());
    }
}
