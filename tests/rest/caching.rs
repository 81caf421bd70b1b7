//! Tags and what may be kept (specification, part 4, rule 7; decisions, section 5).

use std::collections::BTreeSet;

use ureq::http::Method;

use crate::support::client::{Answer, with_query};
use crate::support::export::{Export, grant, recipient};
use crate::support::service::{DAY_ENDS, Service};

const ADDRESSES: [&str; 7] = [
    "/api/v1/grants",
    "/api/v1/grants/g-000",
    "/api/v1/funders",
    "/api/v1/funders/f",
    "/api/v1/recipients",
    "/api/v1/recipients/r",
    "/api/v1/changes",
];

/// The one address that takes no key.
const DOCUMENT: &str = "/api/v1/openapi.json";

/// Every address that answers GET.
fn everywhere() -> impl Iterator<Item = &'static str> {
    ADDRESSES.into_iter().chain([DOCUMENT])
}

fn service() -> Service {
    let mut export = Export::of_count(5);
    export.recipients = vec![recipient("r", "Receiver")];
    Service::of(&export)
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").expect("a tag").to_owned()
}

#[test]
fn an_answer_may_be_kept_for_300_seconds_by_its_reader() {
    let service = service();
    for path in ADDRESSES {
        let answer = service.get(path);
        assert_eq!(answer.header("cache-control"), Some("private, max-age=300"), "{path}");
        assert_eq!(answer.header("vary"), Some("Authorization, Accept-Encoding"), "{path}");
        let tag = tag(&answer);
        assert!(tag.starts_with("W/\"") && tag.ends_with('"') && tag.len() > 10, "{tag}");
    }
}

#[test]
fn a_tag_that_is_held_answers_304_without_a_body_and_is_charged() {
    let service = service();
    for path in ADDRESSES {
        let answer = service.get(path);
        let held = tag(&answer);
        let unchanged = service.get_with(path, &[("if-none-match", &held)]);
        assert_eq!((unchanged.status, unchanged.body.len()), (304, 0), "{path}");
        assert_eq!(tag(&unchanged), held, "{path}");
        assert_eq!(unchanged.header("cache-control"), Some("private, max-age=300"), "{path}");
        assert_eq!(unchanged.header("vary"), answer.header("vary"), "{path}");
        assert_eq!(unchanged.header("content-type"), None, "{path}");
        assert_eq!(unchanged.rate().1, answer.rate().1 - 1, "{path}");
    }
}

#[test]
fn lists_of_tags_the_asterisk_and_weak_comparison_are_understood() {
    let service = service();
    for path in everywhere() {
        understands(&service, path);
    }
}

fn understands(service: &Service, path: &str) {
    let held = tag(&service.get(path));
    let strong = held.trim_start_matches("W/").to_owned();
    let bare = strong.trim_matches('"').to_owned();
    for (value, status) in [
        (held.clone(), 304),
        (strong.clone(), 304),
        ("*".to_owned(), 304),
        (format!("\"other\", {held}"), 304),
        (format!("\"other\",{strong},\"more\""), 304),
        (format!("  {held}  "), 304),
        (format!("\"a,b\", {held}"), 304),
        ("\"other\"".to_owned(), 200),
        (bare, 200),
        (String::new(), 200),
        (format!("w/{strong}"), 200),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let answer = service.send(method.clone(), path, &[("if-none-match", &value)]);
            assert_eq!(answer.status, status, "{method} {path}: {value}");
        }
    }
    let two_headers = service.get_with(path, &[("if-none-match", "\"other\""), ("if-none-match", &held)]);
    assert_eq!(two_headers.status, 304);
}

#[test]
fn the_document_may_be_kept_by_anyone_and_is_charged_to_no_key() {
    let service = service();
    let stranger = service.stranger();
    for client in [&stranger, &*service] {
        let answer = client.get(DOCUMENT);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
        assert_eq!(answer.header("vary"), Some("Accept-Encoding"));
        assert_eq!(answer.rate(), (5_000, 5_000, DAY_ENDS));
        let unchanged = client.get_with(DOCUMENT, &[("if-none-match", &tag(&answer))]);
        assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
        for name in ["etag", "cache-control", "vary", "x-ratelimit-remaining"] {
            assert_eq!(unchanged.header(name), answer.header(name), "{name}");
        }
    }
    assert_eq!(service.get("/api/v1/grants").rate().1, 4_999);
}

#[test]
fn a_tag_does_not_depend_on_the_key() {
    let service = service();
    let other = service.client_on("api");
    for path in everywhere() {
        let held = tag(&service.get(path));
        assert_eq!(tag(&other.get(path)), held, "{path}");
        assert_eq!(other.get_with(path, &[("if-none-match", &held)]).status, 304, "{path}");
    }
}

#[test]
fn a_page_further_on_has_a_tag_that_is_held_as_well() {
    let service = service();
    for path in ["/api/v1/grants", "/api/v1/funders", "/api/v1/recipients"] {
        let first = service.list(path, &[("limit", "1"), ("state", "ZZ")]);
        let ignored = first.header("x-service-ignored-filters").map(str::to_owned);
        assert_eq!(ignored.as_deref(), Some("state=ZZ"), "{path}");
        let unchanged =
            service.get_with(&with_query(path, &[("limit", "1"), ("state", "ZZ")]), &[("if-none-match", "*")]);
        assert_eq!(
            (unchanged.status, unchanged.header("x-service-ignored-filters")),
            (304, ignored.as_deref()),
            "{path}"
        );
    }
    let first = service.get("/api/v1/grants?limit=2");
    let address = with_query("/api/v1/grants", &[("limit", "2"), ("cursor", &first.next())]);
    let held = tag(&service.get(&address));
    assert_ne!(held, tag(&first));
    assert_eq!(service.get_with(&address, &[("if-none-match", &held)]).status, 304);
    assert_eq!(service.get_with(&address, &[("if-none-match", &tag(&first))]).status, 200);
}

#[test]
fn what_is_refused_is_refused_whatever_the_client_holds() {
    let service = service();
    let any = [("if-none-match", "*")];
    for path in ADDRESSES {
        service.stranger().get_with(path, &any).assert_refused(401, "missing_key", None);
        service.get_with(&format!("{path}?colour=red"), &any).assert_refused(400, "invalid_parameter", Some("colour"));
    }
    for path in ["/api/v1/grants/absent", "/api/v1/funders/absent", "/api/v1/recipients/absent", "/nowhere"] {
        service.get_with(path, &any).assert_refused(404, "not_found", None);
    }
    service.send(Method::POST, DOCUMENT, &any).assert_refused(405, "method_not_allowed", None);
    // There is no date to compare with, nor are there parts: what asks for them gets the whole.
    for header in [("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT"), ("range", "bytes=0-9")] {
        assert_eq!(service.get_with("/api/v1/grants", &[header]).status, 200);
    }
}

#[test]
fn equal_tags_mean_equal_data() {
    let service = service();
    let mut tags = BTreeSet::new();
    let addresses = [
        "/api/v1/grants?limit=2",
        "/api/v1/grants?limit=3",
        "/api/v1/grants?state=CA&limit=3",
        "/api/v1/grants?q=programme&limit=3",
        "/api/v1/grants?q=absent",
        "/api/v1/grants?updated_since=2026-07-01&limit=3",
        "/api/v1/grants/g-001",
        "/api/v1/grants/g-002",
    ];
    for path in ADDRESSES.iter().chain(&addresses) {
        assert!(tags.insert(tag(&service.get(path))), "{path} has the tag of another");
    }
    let first = service.get("/api/v1/grants?limit=2");
    let second = service.list("/api/v1/grants", &[("limit", "2"), ("cursor", &first.next())]);
    assert!(tags.insert(tag(&second)), "the second page has a tag of its own");
    // What asks the same has the same tag.
    let same =
        ["/api/v1/grants?state=CA&state=ny&limit=3", "/api/v1/grants?limit=3&state=NY&state=ca&state=CA&state=ZZ"];
    let [one, other] = same.map(|path| tag(&service.get(path)));
    assert_eq!(one, other);
}

#[test]
fn a_tag_outlives_the_clock_and_not_a_change_of_the_order_or_the_data() {
    let dated = |title: &str| {
        Export::of([
            grant("a").with("deadline", "2026-07-02T06:00:00Z").with("title", title),
            grant("b").with("deadline", "2026-07-02T12:00:00Z"),
        ])
    };
    let service = Service::of(&dated("One"));
    let held = tag(&service.get("/api/v1/grants"));
    service.set_clock("2026-07-02T06:00:00.000Z");
    assert_eq!(
        service.get_with("/api/v1/grants", &[("if-none-match", &held)]).status,
        304,
        "the deadline has not passed"
    );
    service.set_clock("2026-07-02T06:00:00.001Z");
    let moved = service.get_with("/api/v1/grants", &[("if-none-match", &held)]);
    assert_eq!((moved.status, moved.slugs()), (200, vec!["b".to_owned(), "a".to_owned()]));
    let single = tag(&service.get("/api/v1/grants/a"));
    service.publish(&dated("Two"), "2026-07-01T13:00:00Z");
    assert_eq!(service.get_with("/api/v1/grants/a", &[("if-none-match", &single)]).status, 200);
    assert_eq!(service.get_with("/api/v1/grants", &[("if-none-match", &tag(&moved))]).status, 200);
}

#[test]
fn as_of_is_the_instant_of_this_request() {
    let service = service();
    for instant in ["2026-07-02T00:00:00.001Z", "2026-07-02T01:00:00.000Z", "2026-07-05T00:00:00.000Z"] {
        service.set_clock(instant);
        for path in ADDRESSES {
            assert_eq!(service.get(path).json()["as_of"], instant, "{path}");
        }
    }
}

#[test]
fn head_answers_as_get_does() {
    let service = service();
    let addresses = ["/api/v1/grants/absent", "/api/v1/grants?limit=0", "/nowhere", "/api/v1/grants?state=ZZ"];
    for path in ADDRESSES.iter().chain(&addresses).chain([&DOCUMENT]) {
        let get = service.get(path);
        let head = service.send(Method::HEAD, path, &[]);
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        let without_changing = |answer: &Answer| {
            let mut headers: Vec<_> = answer
                .headers
                .iter()
                .filter(|(name, _)| !["date", "x-request-id", "x-ratelimit-remaining"].contains(&name.as_str()))
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect();
            headers.sort();
            headers
        };
        assert_eq!(without_changing(&head), without_changing(&get), "{path}");
    }
    let known = tag(&service.get("/api/v1/grants"));
    let unchanged = service.send(Method::HEAD, "/api/v1/grants", &[("if-none-match", &known)]);
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
}
