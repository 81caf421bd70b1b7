//! How sessions begin and end, and what guards their forms.

use super::{ADA, BOB, PASSWORD, Site};
use crate::support::at;
use crate::support::stores::{Home, on_each_store};
use ureq::http::Method;

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_ends_the_session_and_not_just_the_cookie() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let beside = site.beside(home).await;
        let mut browser = site.signed_in(ADA);
        let cookies = browser.cookies.clone();
        let mut elsewhere = beside.browser();
        elsewhere.cookies = cookies.clone();
        assert_eq!(elsewhere.get("/account/keys").status, 200, "every gateway of the store knows the session");
        browser.get("/account/keys");
        let answer = browser.submit("/account/sign-out", &[]);
        assert_eq!((answer.status, answer.location()), (303, "/account/sign-in?signed-out"));
        assert_eq!(browser.session(), None);
        assert!(browser.get("/account/sign-in?signed-out").text().contains("You have signed out"));
        for mut browser in [browser, elsewhere] {
            browser.cookies = cookies.clone();
            assert_eq!(browser.get("/account/keys").location(), "/account/sign-in", "the old cookie is worth nothing");
        }
        assert_eq!(site.browser().get("/account/sign-out").status, 405, "a link cannot sign out");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_again_gives_a_new_token_and_ends_the_one_before() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.browser();
        browser.get("/account/sign-in");
        let fields = [("email", ADA), ("password", PASSWORD)];
        let visit = browser.cookies.clone();
        assert_eq!(browser.submit("/account/sign-in", &fields).status, 303);
        assert!(!browser.cookies.contains_key("catalogue-visit"));
        let first = browser.session().expect("a session").to_owned();
        // The form was open in another tab.
        browser.cookies.extend(visit);
        assert_eq!(browser.submit("/account/sign-in", &fields).status, 303);
        let second = browser.session().expect("a session").to_owned();
        assert_ne!(first, second);
        assert_eq!(browser.get("/account/keys").status, 200);
        browser.cookies.insert("catalogue-session".to_owned(), first);
        assert_eq!(browser.get("/account/keys").status, 303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_when_it_is_idle_and_in_any_case_after_half_a_day() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let (mut idle, mut busy) = (site.signed_in(ADA), site.signed_in(ADA));
        for instant in ["07:59:00", "09:58:59", "11:58:58", "13:58:57", "15:58:56", "17:58:55"] {
            site.clock.set(at(&format!("2026-07-02T{instant}Z")));
            assert_eq!(busy.get("/account/keys").status, 200, "{instant}");
            if instant < "09" {
                assert_eq!(idle.get("/account/keys").status, 200);
            }
        }
        assert_eq!(idle.get("/account/keys").status, 303);
        site.clock.set(at("2026-07-02T17:59:59.999Z"));
        assert_eq!(busy.get("/account/keys").status, 200);
        site.clock.set(at("2026-07-02T18:00:00Z"));
        assert_eq!(busy.get("/account/keys").status, 303);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_this_sessions_token_changes_nothing() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        let id = browser.create_key("laptop")[4..12].to_owned();
        let mut other = site.signed_in(BOB);
        other.get("/account/keys");
        let revoke = format!("/account/keys/{id}/revoke");
        let own = browser.form_token.clone();
        for token in ["", "nonsense", &other.form_token, &own[1..]] {
            browser.form_token = token.to_owned();
            for path in ["/account/keys", &revoke, "/account/sign-out"] {
                let answer = browser.submit(path, &[("name", "second")]);
                assert_eq!(answer.status, 403, "{path} {token}");
                assert!(answer.text().contains("Nothing was changed"));
            }
        }
        assert_eq!(browser.get("/account/keys").key_ids(), [&id]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_from_another_site_is_refused_even_with_the_token() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.signed_in(ADA);
    browser.get("/account/keys");
    let own = format!("http://{}", site.gateway.public);
    for (header, value, status) in [
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
        ("origin", "https://elsewhere.example", 403),
        ("origin", "null", 403),
        ("sec-fetch-site", "same-origin", 422),
        ("origin", &own, 422),
    ] {
        browser.headers = vec![(header, value.to_owned())];
        assert_eq!(browser.submit("/account/keys", &[("name", "")]).status, status, "{header}: {value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_no_form_of_ours_is_refused_unread() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.signed_in(ADA);
    browser.get("/account/keys");
    assert_eq!(browser.submit("/account/keys", &[("name", &"x".repeat(9_000))]).status, 400);
    assert_eq!(site.browser().submit("/account/sign-in", &[("email", &"x".repeat(9_000))]).status, 400);
    let odd = browser.send(&Method::POST, "/account/keys", "%ff=%00&&&=&form_token=%F0");
    assert_eq!(odd.status, 403);
}
