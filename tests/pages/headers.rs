//! What pages say besides their text.

use super::{ADA, PASSWORD, Site};
use crate::support::stores::Home;

#[tokio::test(flavor = "multi_thread")]
async fn every_page_forbids_what_it_does_not_need_and_is_not_kept() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.signed_in(ADA);
    let id = browser.create_key("laptop")[4..12].to_owned();
    let pages = [
        site.browser().get("/account/sign-in"),
        site.browser().sign_in(ADA, "wrong"),
        browser.get("/account/keys"),
        browser.submit("/account/keys", &[("name", "second")]),
        browser.get(&format!("/account/keys/{id}/revoke")),
        browser.get("/account/keys/nonsense/revoke"),
    ];
    for page in pages {
        let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
            frame-ancestors 'none'; base-uri 'none'";
        assert_eq!(page.header("content-security-policy"), policy);
        assert_eq!(page.header("referrer-policy"), "same-origin");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        let html = page.text();
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"));
        assert!(!html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"));
        assert_eq!(html.matches("<script").count(), html.matches("<script src=\"/account/script.js?").count());
        for one in ["<h1", "<main", "<title>", "</main>"] {
            assert_eq!(html.matches(one).count(), 1, "{one}");
        }
    }
    assert_eq!(browser.get("/account").header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_are_out_of_reach_of_scripts_and_bound_to_tls_where_there_is_tls() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.browser();
    let first = browser.get("/account/sign-in");
    let [visit] = first.set_cookies()[..] else { panic!("one cookie") };
    assert!(visit.starts_with("catalogue-visit=") && visit.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{visit}");
    let begun = browser.submit("/account/sign-in", &[("email", ADA), ("password", PASSWORD)]);
    let session = begun.set_cookies()[0];
    assert!(session.starts_with("catalogue-session="), "{session}");
    assert!(session.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{session}");

    let mut by_tls = site.browser();
    by_tls.headers.push(("x-forwarded-proto", "https".to_owned()));
    by_tls.get("/account/sign-in");
    let begun = by_tls.submit("/account/sign-in", &[("email", ADA), ("password", PASSWORD)]);
    let session = begun.set_cookies()[0];
    assert!(session.starts_with("__Host-catalogue-session="), "{session}");
    assert!(session.ends_with("; HttpOnly; SameSite=Lax; Secure; Path=/"), "{session}");
    assert_eq!(by_tls.get("/account/keys").status, 200);
    by_tls.cookies = browser.cookies.clone();
    assert_eq!(by_tls.get("/account/keys").status, 303, "by TLS a cookie given without it counts for nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_pages_may_be_kept_under_the_name_a_page_gives_them() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.browser();
    let page = browser.get("/account/sign-in");
    for (before, kind) in [
        ("<link rel=\"stylesheet\" href=\"", "text/css; charset=utf-8"),
        ("<script src=\"", "text/javascript; charset=utf-8"),
        ("<link rel=\"icon\" href=\"", "image/svg+xml"),
    ] {
        let address = page.text().split_once(before).and_then(|(_, rest)| rest.split_once('"')).expect(before).0;
        let file = browser.get(address);
        assert_eq!((file.status, file.header("content-type")), (200, kind));
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
        let plain = browser.get(address.split_once('?').expect("a digest").0);
        assert_eq!((plain.text(), plain.header("cache-control")), (file.text(), "no-cache"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_below_account_is_answered_as_everywhere() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let missing = site.browser().get("/account/nonsense");
    assert_eq!((missing.status, missing.header("content-type")), (404, "application/json"));
    let wrong_method = site.browser().submit("/account", &[]);
    assert_eq!((wrong_method.status, wrong_method.header("allow")), (405, "GET,HEAD"));
}
