//! Route and method, key, plan, allowance, parameters, slug, tag: what is decided first is what is said (decisions, section 5).

use ureq::http::Method;

use crate::support::export::Export;
use crate::support::service::{Choices, Service};

#[test]
fn the_route_comes_before_the_key() {
    let service = Service::of(&Export::of_count(1));
    service.stranger().get("/api/v1/nowhere").assert_refused(404, "not_found", None);
    service.stranger().get("/api/v1/nowhere?colour=red").assert_refused(404, "not_found", None);
}

#[test]
fn the_method_comes_before_the_key() {
    let service = Service::of(&Export::of_count(1));
    service.stranger().send(Method::DELETE, "/api/v1/grants?limit=0", &[]).assert_refused(
        405,
        "method_not_allowed",
        None,
    );
}

#[test]
fn the_key_comes_before_the_parameters() {
    let service = Service::of(&Export::of_count(1));
    service.stranger().get("/api/v1/grants?limit=0").assert_refused(401, "missing_key", None);
    service.with_key("ctg_junk").get("/api/v1/grants?limit=0").assert_refused(401, "invalid_key", None);
}

#[test]
fn the_plan_comes_before_the_parameters() {
    let service = Service::of(&Export::of_count(1));
    service.client_on("free").get("/api/v1/grants?limit=0").assert_refused(403, "plan_required", None);
}

#[test]
fn the_allowance_comes_before_the_parameters() {
    let service = Service::with(&Export::of_count(1), Choices { daily_limit: 1, ..Choices::default() });
    assert_eq!(service.get("/api/v1/grants").status, 200);
    service.get("/api/v1/grants?limit=0").assert_refused(429, "rate_limited", None);
    service.get("/api/v1/grants/absent").assert_refused(429, "rate_limited", None);
    service.get_with("/api/v1/grants", &[("if-none-match", "*")]).assert_refused(429, "rate_limited", None);
}

#[test]
fn the_parameters_come_before_the_slug() {
    let service = Service::of(&Export::of_count(1));
    service.get("/api/v1/grants/absent?colour=red").assert_refused(400, "invalid_parameter", Some("colour"));
    service.get("/api/v1/grants/NO-SLUG?colour=red").assert_refused(400, "invalid_parameter", Some("colour"));
}

#[test]
fn the_slug_comes_before_the_tag() {
    let service = Service::of(&Export::of_count(1));
    service.get_with("/api/v1/grants/absent", &[("if-none-match", "*")]).assert_refused(404, "not_found", None);
}

#[test]
fn the_parameters_come_before_the_tag() {
    let service = Service::of(&Export::of_count(1));
    let answer = service.get_with("/api/v1/grants?limit=0", &[("if-none-match", "*")]);
    answer.assert_refused(400, "invalid_parameter", Some("limit"));
}
