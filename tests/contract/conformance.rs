//! The service beside its document: schemathesis asks every operation, with a real key, for what the document allows and for what it does
//! not, and compares each response with the document.

use super::service;
use super::tools::{python, repository, run};

#[test]
fn every_response_to_schemathesis_is_as_the_document_says() {
    let service = service();
    let folder = tempfile::tempdir().expect("a folder");
    let mut schemathesis = python("schemathesis");
    // Seed and number of examples stand in the configuration.
    schemathesis.arg("--config-file").arg(repository("tests/contract/schemathesis.toml"));
    schemathesis.args(["--no-color", "run"]).arg(repository("schema/openapi.json"));
    schemathesis.arg(format!("--url=http://{}", service.public()));
    schemathesis.arg(format!("--header=Authorization: Bearer {}", service.key()));
    let said = run(schemathesis.current_dir(folder.path()));
    for line in ["8 selected / 8 total", "Tested: 8", "Seed: 20261121", "No issues found"] {
        assert!(said.contains(line), "{line:?} is not in\n{said}");
    }
}

#[test]
fn no_header_of_a_response_is_undocumented() {
    let service = service();
    let document = service.stranger().get("/api/v1/openapi.json").json();
    let headers_of = |response: &serde_json::Value| -> Vec<String> {
        let shared = response["$ref"].as_str().map(|name| document.pointer(&name[1..]).expect(name));
        let headers = shared.unwrap_or(response)["headers"].as_object().expect("headers");
        headers.keys().map(|name| name.to_ascii_lowercase()).collect()
    };
    let without_plan = service.client_on("free");
    // What HTTP itself says of a message.
    let own = ["content-type", "content-length", "date"];
    let slug = |list: &str| service.get(&format!("/api/v1/{list}?limit=1")).slugs().remove(0);
    for (path, item) in document["paths"].as_object().expect("paths") {
        let list = path.split('/').nth(3).unwrap_or_default();
        let address = if path.contains("{slug}") { path.replace("{slug}", &slug(list)) } else { path.clone() };
        let refused = format!("{address}?colour=red");
        let asked = [("accept-encoding", "gzip, identity;q=0")];
        let answers = [
            service.get_with(&format!("{address}?"), &asked),
            service.get_with(&address, &[("if-none-match", "*")]),
            service.get(&refused),
            service.stranger().get(&address),
            without_plan.get(&address),
            service.send(ureq::http::Method::POST, &address, &[]),
        ];
        for answer in answers {
            let documented = headers_of(&item["get"]["responses"][answer.status.to_string()]);
            for name in answer.headers.keys().map(ureq::http::HeaderName::as_str).filter(|name| !own.contains(name)) {
                assert!(documented.iter().any(|known| known == name), "{name} of {} on {path}", answer.status);
            }
            let may_be_missing = ["content-encoding", "x-service-ignored-filters"];
            for name in documented.iter().filter(|name| !may_be_missing.contains(&name.as_str())) {
                assert!(answer.headers.contains_key(name), "{name} is missing from {} on {path}", answer.status);
            }
        }
    }
}
