//! Every refusal, whole (specification, part 7; decisions, section 5).

use ureq::http::Method;

use crate::support::data::Data;
use crate::support::export::{Export, funder, grant, recipient};
use crate::support::service::{Choices, DAY_ENDS, READER, Service};

fn service() -> Service {
    let mut export = Export::of_count(3);
    export.recipients = vec![recipient("r", "Receiver")];
    Service::of(&export)
}

#[test]
fn a_request_without_a_key_is_told_to_bring_one() {
    let service = service();
    let answer = service.stranger().get("/api/v1/grants");
    answer.assert_refused(401, "missing_key", None);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    assert_eq!(answer.rate(), (5_000, 5_000, DAY_ENDS));
}

#[test]
fn what_is_no_key_is_refused() {
    let service = service();
    let stranger = service.stranger();
    let key = service.key();
    let (start, last) = key.split_at(key.len() - 1);
    let mistyped = format!("Bearer {start}{}", if last == "0" { "1" } else { "0" });
    let basic = format!("Basic {key}");
    let longer = format!("Bearer {key}0");
    let twice = format!("Bearer {key} {key}");
    for value in ["", "Bearer", "Bearer ", "Bearer junk", key, &basic, &mistyped, &longer, &twice] {
        let answer = stranger.get_with("/api/v1/grants", &[("authorization", value)]);
        answer.assert_refused(401, "invalid_key", None);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{value}");
        assert_eq!(answer.rate(), (5_000, 5_000, DAY_ENDS), "{value}");
    }
    let other_store = self::service();
    service.with_key(other_store.key()).get("/api/v1/grants").assert_refused(401, "invalid_key", None);
}

#[test]
fn the_scheme_is_read_in_any_case() {
    let service = service();
    for scheme in ["bearer", "BEARER", "Bearer"] {
        let value = format!("{scheme} {}", service.key());
        assert_eq!(service.stranger().get_with("/api/v1/grants", &[("authorization", &value)]).status, 200, "{scheme}");
    }
}

#[test]
fn two_credentials_are_none() {
    let service = service();
    let value = format!("Bearer {}", service.key());
    service.get_with("/api/v1/grants", &[("authorization", &value)]).assert_refused(401, "invalid_key", None);
}

#[test]
fn a_plan_without_the_api_is_forbidden_and_charged_nothing() {
    let service = service();
    let answer = service.client_on("free").get("/api/v1/grants");
    answer.assert_refused(403, "plan_required", None);
    assert_eq!(answer.header("www-authenticate"), None);
    assert_eq!(answer.rate(), (5_000, 5_000, DAY_ENDS));
}

#[test]
fn the_plan_is_read_on_every_request() {
    let service = service();
    assert_eq!(service.get("/api/v1/grants").status, 200);
    let change = |plan: &'static str| {
        let email = READER.parse().expect("an address");
        service.with_store(async move |store| store.change_plan(&email, plan).await.expect("another plan"));
    };
    change("free");
    service.get("/api/v1/grants").assert_refused(403, "plan_required", None);
    change("api");
    assert_eq!(service.get("/api/v1/grants").status, 200);
}

#[test]
fn what_is_not_there_is_not_found() {
    let service = service();
    for path in [
        "/api/v1/grants/absent",
        "/api/v1/funders/absent",
        "/api/v1/recipients/absent",
        "/api/v1/grants/g-000x",
        "/api/v1/grants/NOT-A-SLUG",
        "/api/v1/grants/a--b",
        "/api/v1/grants/r",
        "/api/v1/recipients/f",
        "/api/v1/grants/%FF",
        "/api/v1/grants/g-000%2F",
        "/api/v1/grants/%00",
    ] {
        let answer = service.get(path);
        answer.assert_refused(404, "not_found", None);
    }
    let long = format!("/api/v1/grants/{}", "a".repeat(5_000));
    service.get(&long).assert_refused(404, "not_found", None);
}

#[test]
fn no_other_address_is_known() {
    let service = service();
    for path in [
        "/",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v2/grants",
        "/api/v1/grants/",
        "/api/v1/grants/g-000/",
        "/api/v1/grants/g-000/more",
        "/api/v1/Grants",
        "/api/v1/changes/1",
        "/API/V1/GRANTS",
        "//api/v1/grants",
    ] {
        service.get(path).assert_refused(404, "not_found", None);
    }
}

#[test]
fn only_get_and_head_are_allowed() {
    let service = service();
    for path in ["/api/v1/grants", "/api/v1/grants/g-000", "/api/v1/changes"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            let answer = service.send(method.clone(), path, &[]);
            answer.assert_refused(405, "method_not_allowed", None);
            let allowed: Vec<&str> = answer.header("allow").expect("Allow").split(',').map(str::trim).collect();
            assert_eq!(allowed, ["GET", "HEAD"], "{method} {path}");
        }
    }
}

#[test]
fn a_parameter_that_cannot_be_acted_on_is_named() {
    let service = service();
    for (query, parameter) in [
        ("/api/v1/grants?colour=red", "colour"),
        ("/api/v1/grants?since=2026-07-01", "since"),
        ("/api/v1/grants?Limit=5", "Limit"),
        ("/api/v1/grants?q=a&q=b", "q"),
        ("/api/v1/grants?status=open&status=closed", "status"),
        ("/api/v1/grants?updated_since=2026-07-01&updated_since=2026-07-01", "updated_since"),
        ("/api/v1/grants?limit=5&limit=6", "limit"),
        ("/api/v1/grants?cursor=a&cursor=b", "cursor"),
        ("/api/v1/grants?cursor=junk", "cursor"),
        ("/api/v1/grants?updated_since=yesterday", "updated_since"),
        ("/api/v1/grants?limit=0", "limit"),
        ("/api/v1/funders?entity=nonprofits", "entity"),
        ("/api/v1/funders?status=open", "status"),
        ("/api/v1/recipients?industry=art", "industry"),
        ("/api/v1/changes?q=water", "q"),
        ("/api/v1/changes?state=CA", "state"),
        ("/api/v1/changes?since=now", "since"),
        ("/api/v1/changes?since=2026-07-01&since=2026-07-01", "since"),
        ("/api/v1/grants/g-000?limit=5", "limit"),
        ("/api/v1/grants/g-000?q=a", "q"),
        ("/api/v1/grants/absent?colour=red", "colour"),
        ("/api/v1/funders/f?x=", "x"),
        ("/api/v1/recipients/r?cursor=a", "cursor"),
        ("/api/v1/grants?%3Cscript%3E=1", "<script>"),
        ("/api/v1/grants?=1", ""),
    ] {
        service.get(query).assert_refused(400, "invalid_parameter", Some(parameter));
    }
}

#[test]
fn a_limit_is_a_whole_number_from_1_to_100() {
    let service = service();
    for limit in ["0", "101", "-1", "+5", "5.0", "1e1", " 5", "5 ", "ten", "0x10", "99999999999999999999", "\u{665}"] {
        let answer = service.list("/api/v1/grants", &[("limit", limit)]);
        answer.assert_refused(400, "invalid_parameter", Some("limit"));
    }
    for (limit, rows) in [("1", 1), ("2", 2), ("100", 3), ("", 3)] {
        assert_eq!(service.list("/api/v1/grants", &[("limit", limit)]).page().rows.len(), rows, "{limit}");
    }
}

#[test]
fn a_page_without_a_limit_has_20_rows() {
    let service = Service::of(&Export::of_count(30));
    let page = service.get("/api/v1/grants").page();
    assert_eq!((page.rows.len(), page.next.is_some()), (20, true));
}

#[test]
fn a_used_up_day_is_refused_until_it_ends() {
    let service = Service::with(&Export::of_count(1), Choices { daily_limit: 3, ..Choices::default() });
    for remaining in [2, 1, 0] {
        let answer = service.get("/api/v1/grants");
        assert_eq!(answer.rate(), (3, remaining, DAY_ENDS));
    }
    let answer = service.get("/api/v1/grants");
    answer.assert_refused(429, "rate_limited", None);
    assert_eq!(answer.rate(), (3, 0, DAY_ENDS));
    assert_eq!(answer.header("retry-after"), Some("86400"));
    service.set_clock("2026-07-02T23:59:59.001Z");
    assert_eq!(service.get("/api/v1/grants").header("retry-after"), Some("1"));
    service.set_clock("2026-07-03T00:00:00.000Z");
    assert_eq!(service.get("/api/v1/grants").rate(), (3, 2, DAY_ENDS + 86_400));
}

#[test]
fn before_the_first_publication_the_service_is_unavailable() {
    let service = Service::over(Data::new(), Choices::default());
    for path in ["/api/v1/grants", "/api/v1/grants/a", "/api/v1/funders", "/api/v1/recipients/r", "/api/v1/changes"] {
        let answer = service.get(path);
        answer.assert_refused(503, "unavailable", None);
        let retry: u64 = answer.header("retry-after").expect("Retry-After").parse().expect("whole seconds");
        assert!((1..=60).contains(&retry), "{retry}");
        service.stranger().get(path).assert_refused(401, "missing_key", None);
    }
}

#[test]
fn every_answer_has_an_id_of_its_own() {
    let service = service();
    let ids: Vec<_> = ["/api/v1/grants", "/api/v1/grants", "/nowhere"]
        .map(|path| service.get(path).header("x-request-id").expect("an id").to_owned())
        .into();
    assert!(ids[0] != ids[1] && ids[1] != ids[2], "{ids:?}");
}

#[test]
fn every_answer_reports_the_allowance() {
    let service = service();
    let tag = service.get("/api/v1/grants").header("etag").expect("a tag").to_owned();
    let (_, before, _) = service.get("/api/v1/grants").rate();
    for (path, status, charge) in [
        ("/api/v1/grants", 200, 1),
        ("/api/v1/grants/g-000", 200, 1),
        ("/api/v1/grants/absent", 404, 1),
        ("/api/v1/grants?limit=0", 400, 1),
        ("/api/v1/grants?cursor=junk", 400, 1),
    ] {
        let (_, start, _) = service.get("/api/v1/grants").rate();
        let answer = service.get(path);
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.rate(), (5_000, start - charge, DAY_ENDS), "{path}");
    }
    let answer = service.get_with("/api/v1/grants", &[("if-none-match", &tag)]);
    assert_eq!((answer.status, answer.rate().1), (304, before - 11));
    for (answer, status) in [
        (service.stranger().get("/api/v1/grants"), 401),
        (service.stranger().get("/nowhere"), 404),
        (service.get("/nowhere"), 404),
        (service.send(Method::POST, "/api/v1/grants", &[]), 405),
    ] {
        assert_eq!(answer.status, status);
        assert_eq!(answer.rate(), (5_000, 5_000, DAY_ENDS), "{status} is charged to no key");
    }
    assert_eq!(service.get("/api/v1/grants").rate().1, before - 12);
}

#[test]
fn a_funder_and_a_grant_may_share_a_slug() {
    let mut export = Export::of([grant("same").with("funder", "same")]);
    export.funders = vec![funder("same", "Namesake")];
    let service = Service::of(&export);
    assert_eq!(service.get("/api/v1/funders/same").json()["data"]["name"], "Namesake");
    assert_eq!(service.get("/api/v1/grants/same").json()["data"]["title"], "Programme");
}
