//! Who gets in: analysts, by a key or by a session, and nobody else.

use catalogue_gateway::access::Role;
use catalogue_gateway::access::session::SessionToken;
use serde_json::json;

use super::{HEADERS, PATH, ask, error, send};
use crate::support::client::Answer;
use crate::support::export::Export;
use crate::support::service::{NOW, Service};
use crate::support::{at, client::Client};

const QUERY: &str = "{ __typename }";

fn service() -> Service {
    Service::of(&Export::of_count(2))
}

/// Checks a refusal: in the form of GraphQL, with the service's own slug.
#[track_caller]
fn assert_refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, error(answer).0.as_str()), (status, code));
    assert_eq!(answer.header("content-type"), Some("application/graphql-response+json; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("www-authenticate"), (status == 401).then_some("Bearer"));
}

#[test]
fn an_analysts_key_opens_it_whatever_the_plan_and_nobody_elses_does() {
    let service = service();
    assert_refused(&send(&service.inside(None), QUERY, &json!({})), 401, "missing_key");
    assert_refused(&send(&service.inside(Some("junk")), QUERY, &json!({})), 401, "invalid_key");
    assert_refused(&send(&service.inside(Some(service.key())), QUERY, &json!({})), 403, "analyst_required");
    for plan in ["free", "api"] {
        let key = service.key_of(&format!("analyst-{plan}@example.org"), plan, Role::Analyst);
        let client = service.inside(Some(&key));
        assert_eq!(ask(&client, QUERY), json!({"__typename": "Query"}));
        let twice = format!("Bearer {key}");
        let answer = client.get_with("/graphql?query=%7B__typename%7D", &[("authorization", &twice), HEADERS[1]]);
        assert_refused(&answer, 401, "invalid_key");
    }
    assert_eq!(service.analyst().get("/graphql?query=%7B__typename%7D").status, 200);
    assert_eq!(service.stranger().get("/graphql?query=%7B__typename%7D").status, 404, "the public listener has none");
}

#[test]
fn queries_are_charged_to_nobody() {
    let service = service();
    let key = service.key_of("analyst@example.org", "api", Role::Analyst);
    let inside = service.inside(Some(&key));
    for _ in 0..5 {
        ask(&inside, QUERY);
    }
    let (limit, remaining, _) = service.with_key(&key).get("/api/v1/grants").rate();
    assert_eq!(remaining, limit - 1);
}

/// The cookie of a new session of an account.
fn cookie(service: &Service, email: &str, role: Role) -> String {
    service.key_of(email, "free", role);
    let token = SessionToken::mint().expect("random bytes");
    let digest = token.digest();
    service.with_store(async |store| {
        let account = store.account(&email.parse().expect(email)).await.expect("an answer").expect("the account");
        store.add_session(digest, account.id, at(NOW)).await.expect("a session");
    });
    format!("catalogue-session={}", token.reveal())
}

fn by_cookie(client: &Client, cookie: &str, content_type: &str) -> Answer {
    let headers = [("cookie", cookie), ("content-type", content_type), HEADERS[1]];
    client.post(PATH, &headers, json!({"query": QUERY}).to_string().as_bytes())
}

#[test]
fn an_analysts_session_opens_it_and_no_form_of_another_site_can_use_it() {
    let service = service();
    let client = service.inside(None);
    let analyst = cookie(&service, "analyst@example.org", Role::Analyst);
    let other = cookie(&service, "client@example.org", Role::Client);
    assert_eq!(by_cookie(&client, &analyst, "application/json").status, 200);
    let answer = client.get_with("/graphql?query=%7B__typename%7D", &[("cookie", &analyst), HEADERS[1]]);
    assert_eq!(answer.status, 200);
    assert_refused(&by_cookie(&client, &other, "application/json"), 403, "analyst_required");
    assert_refused(&by_cookie(&client, "catalogue-session=junk", "application/json"), 401, "missing_key");
    // What a form can send without asking this service first.
    for simple in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
    ] {
        assert_refused(&by_cookie(&client, &analyst, simple), 415, "unsupported_media_type");
    }
    // A key counts before a session, so that neither lends the other its rights.
    let key = format!("Bearer {}", service.key());
    let answer = client
        .get_with("/graphql?query=%7B__typename%7D", &[("cookie", &analyst), ("authorization", &key), HEADERS[1]]);
    assert_refused(&answer, 403, "analyst_required");
}
