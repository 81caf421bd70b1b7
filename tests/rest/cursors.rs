//! Cursors: of one filter, one endpoint, one store, and of nobody else's making (decisions, sections 4 and 9).

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::client::Client;
use crate::support::export::{Export, grant, recipient};
use crate::support::service::{Choices, Service};

fn export() -> Export {
    let mut export = Export::of((0..12).map(|number| {
        let states = if number % 2 == 0 { serde_json::json!(["CA"]) } else { serde_json::Value::Null };
        grant(&format!("g-{number:03}"))
            .with("elig_states", states)
            .with("industries", serde_json::json!(["art", "health"]))
    }));
    export.recipients = (0..5).map(|number| recipient(&format!("r-{number}"), "Receiver")).collect();
    export
}

fn first_cursor(client: &Client, parameters: &[(&str, &str)]) -> String {
    let mut parameters = parameters.to_vec();
    parameters.push(("limit", "2"));
    client.list("/api/v1/grants", &parameters).next()
}

#[test]
fn a_cursor_with_another_filter_is_refused() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[("state", "CA")]);
    for parameters in [
        &[][..],
        &[("state", "NY")],
        &[("state", "CA"), ("state", "NY")],
        &[("state", "CA"), ("status", "open")],
        &[("state", "CA"), ("q", "programme")],
        &[("state", "CA"), ("updated_since", "2026-07-01")],
        &[("industry", "art")],
    ] {
        let parameters = [parameters, &[("cursor", cursor.as_str())]].concat();
        let answer = service.list("/api/v1/grants", &parameters);
        answer.assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
    }
}

#[test]
fn a_cursor_of_the_feed_belongs_to_its_window() {
    let service = Service::of(&Export::of([]));
    service.publish(&export(), "2026-07-01T13:00:00Z");
    let cursor = service.get("/api/v1/changes?since=2026-07-01&limit=2").next();
    let followed = |since: &str| service.list("/api/v1/changes", &[("since", since), ("cursor", &cursor)]);
    assert_eq!(followed("2026-07-01").page().rows.len(), 10);
    assert_eq!(followed("2026-07-01T00:00:00Z").page().rows.len(), 10, "the same instant");
    followed("2026-06-30").assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
    followed("").assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
}

#[test]
fn a_cursor_on_another_endpoint_is_refused() {
    let service = Service::of(&export());
    let grants = first_cursor(&service, &[]);
    let recipients = service.get("/api/v1/recipients?limit=2").next();
    for (path, cursor) in [
        ("/api/v1/funders", &grants),
        ("/api/v1/recipients", &grants),
        ("/api/v1/changes", &grants),
        ("/api/v1/grants", &recipients),
    ] {
        service.list(path, &[("cursor", cursor)]).assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
    }
}

#[test]
fn what_asks_the_same_may_go_on_with_the_same_cursor() {
    let service = Service::of(&export());
    let filter = &[("state", "CA"), ("state", "NY"), ("industry", "art")];
    let service_with = |parameters: &[(&str, &str)]| service.list("/api/v1/grants", parameters);
    let cursor = first_cursor(&service, filter);
    let expected = service_with(&[filter.as_slice(), &[("cursor", cursor.as_str())]].concat()).slugs();
    for parameters in [
        &[("industry", "art"), ("state", "NY"), ("state", "CA")][..],
        &[("state", "ca"), ("state", "ny"), ("state", "CA"), ("industry", "ART")],
        &[("state", "ZZ"), ("state", "CA"), ("state", "NY"), ("industry", "art"), ("industry", "nothing")],
        &[("state", "CA"), ("state", "NY"), ("industry", "art"), ("entity", "nobody"), ("status", "")],
        &[("state", "CA"), ("state", "NY"), ("industry", "art"), ("q", "!?"), ("limit", "100")],
    ] {
        let answer = service_with(&[&[("cursor", cursor.as_str())], parameters].concat());
        assert_eq!(answer.slugs(), expected, "{parameters:?}");
    }
}

#[test]
fn the_words_of_a_query_may_come_in_any_order() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[("q", "Programme foundation")]);
    for q in ["foundation programme", "FOUNDATIONS, programme programme"] {
        assert_eq!(service.list("/api/v1/grants", &[("q", q), ("cursor", &cursor)]).slugs().len(), 10, "{q}");
    }
    let phrase = service.list("/api/v1/grants", &[("q", "\"programme foundation\""), ("cursor", &cursor)]);
    phrase.assert_refused(400, "cursor_filter_mismatch", Some("cursor"));
}

#[test]
fn the_limit_may_change_between_pages() {
    let service = Service::of(&export());
    let all = service.get("/api/v1/grants").slugs();
    let mut slugs = Vec::new();
    let mut cursor: Option<String> = None;
    for limit in ["1", "5", "2", "100"] {
        let mut parameters = vec![("limit", limit)];
        if let Some(cursor) = &cursor {
            parameters.push(("cursor", cursor));
        }
        let answer = service.list("/api/v1/grants", &parameters);
        slugs.extend(answer.slugs());
        cursor = answer.page().next;
    }
    assert_eq!((slugs, cursor), (all, None));
}

#[test]
fn a_cursor_may_be_followed_again_and_again() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[]);
    let pages = [(); 3].map(|()| service.list("/api/v1/grants", &[("cursor", &cursor)]).slugs());
    assert!(pages[0] == pages[1] && pages[1] == pages[2]);
}

#[test]
fn the_last_full_page_ends_the_traversal() {
    let service = Service::of(&export());
    let page = service.get("/api/v1/grants?limit=12").page();
    assert_eq!((page.rows.len(), page.next), (12, None));
}

#[test]
fn a_cursor_is_url_safe_and_short() {
    let service = Service::of(&export());
    let long = "word ".repeat(2_000);
    let cursors = [first_cursor(&service, &[]), service.get("/api/v1/recipients?limit=1").next()];
    for cursor in &cursors {
        assert!(
            cursor.len() < 2_000 && cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
        );
    }
    assert!(service.list("/api/v1/grants", &[("q", &long)]).page().rows.is_empty());
}

#[test]
fn any_change_to_a_cursor_is_refused() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[]);
    let refused = |text: &str| {
        let answer = service.list("/api/v1/grants", &[("cursor", text)]);
        answer.assert_refused(400, "invalid_parameter", Some("cursor"));
    };
    for at in 0..cursor.len() {
        let other = if &cursor[at..=at] == "A" { "B" } else { "A" };
        refused(&format!("{}{other}{}", &cursor[..at], &cursor[at + 1..]));
        refused(&format!("{}{}", &cursor[..at], &cursor[at + 1..]));
    }
    for text in
        [format!("{cursor}A"), format!("{cursor}="), format!(" {cursor}"), cursor.repeat(2), cursor.to_lowercase()]
    {
        refused(&text);
    }
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 300, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let change = (any::<prop::sample::Index>(), "\\PC");
    let changed = runner.run(&change, |(at, with)| {
        let at = at.index(cursor.len());
        let changed = format!("{}{with}{}", &cursor[..at], &cursor[at + 1..]);
        prop_assume!(changed != cursor);
        refused(&changed);
        Ok(())
    });
    changed.expect("every change is refused");
}

#[test]
fn a_cursor_of_another_store_is_refused() {
    let [service, other] = [Service::of(&export()), Service::of(&export())];
    let cursor = first_cursor(&other, &[]);
    let answer = service.list("/api/v1/grants", &[("cursor", &cursor)]);
    answer.assert_refused(400, "invalid_parameter", Some("cursor"));
}

#[test]
fn a_cursor_survives_a_restart() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[]);
    let expected = service.list("/api/v1/grants", &[("cursor", &cursor)]).slugs();
    let key = service.key().to_owned();
    let restarted = Service::over(service.into_data(), Choices::default());
    let client = restarted.with_key(&key);
    assert_eq!(client.list("/api/v1/grants", &[("cursor", &cursor)]).slugs(), expected);
}

#[test]
fn a_traversal_survives_a_reindex() {
    let service = Service::of(&export());
    let before = service.traverse("/api/v1/grants", &[("limit", "100")]).0;
    let mut cursor = first_cursor(&service, &[]);
    let mut rows = service.get("/api/v1/grants?limit=2").page().rows;
    for hour in 13..18 {
        let mut next = Export::of((0..hour).map(|number| grant(&format!("n-{number}"))));
        next.grants.extend((0..12).map(|number| grant(&format!("g-{number:03}")).with("title", format!("At {hour}"))));
        service.publish(&next, &format!("2026-07-01T{hour}:00:00Z"));
        let page = service.list("/api/v1/grants", &[("limit", "2"), ("cursor", &cursor)]).page();
        rows.extend(page.rows);
        match page.next {
            Some(next) => cursor = next,
            None => break,
        }
    }
    assert_eq!(rows, before);
}

#[test]
fn a_cursor_of_a_generation_that_is_no_longer_kept_says_so() {
    let service = Service::of(&export());
    let cursor = first_cursor(&service, &[]);
    service.publish(&export(), "2026-07-03T12:00:00Z");
    let followed = service.list("/api/v1/grants", &[("cursor", &cursor)]);
    assert_eq!(followed.status, 200, "it was superseded only now");
    service.publish(&export(), "2026-07-04T12:00:00.001Z");
    let refused = service.list("/api/v1/grants", &[("cursor", &cursor)]);
    refused.assert_refused(400, "invalid_parameter", Some("cursor"));
    assert!(refused.json()["message"].as_str().is_some_and(|message| message.contains("no longer kept")));
}
