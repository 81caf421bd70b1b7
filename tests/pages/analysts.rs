//! Who gets into the internal listener's pages, and how.

use ureq::http::Method;

use super::{ADA, EVE, PASSWORD, Site};
use crate::support::stores::{Home, on_each_store};

#[tokio::test(flavor = "multi_thread")]
async fn an_analyst_signs_in_and_is_led_back() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.inside();
        let asked = browser.get("/graphiql?query=%7Bgrants%7D&x=1");
        let sign_in = "/account/sign-in?next=%2Fgraphiql%3Fquery%3D%257Bgrants%257D%26x%3D1";
        assert_eq!((asked.status, asked.location()), (303, sign_in));
        let next = ("next", "/graphiql?query=%7Bgrants%7D&x=1");
        let form = browser.get(sign_in);
        assert!(
            form.text().contains("name=\"next\" value=\"/graphiql?query=%7Bgrants%7D&#38;x=1\""),
            "{}",
            form.text()
        );
        let wrong = browser.submit("/account/sign-in", &[("email", EVE), ("password", "wrong"), next]);
        assert!(wrong.text().contains("name=\"next\""), "a second attempt leads back too");
        let right = browser.submit("/account/sign-in", &[("email", EVE), ("password", PASSWORD), next]);
        assert_eq!((right.status, right.location()), (303, next.1));
        assert_eq!(browser.get(next.1).status, 200);
        assert_eq!(browser.get(sign_in).location(), next.1, "who has signed in goes on at once");
        for path in ["/account", "/account/sign-in"] {
            assert_eq!(browser.get(path).location(), "/");
        }
        let dashboard = browser.get("/");
        assert!(dashboard.text().contains(EVE), "{}", dashboard.text());
        assert_eq!(browser.submit("/account/sign-out", &[]).location(), "/account/sign-in?signed-out");
        assert_eq!(browser.get("/").location(), "/account/sign-in?next=%2F");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_the_sign_in_page_never_ends_on_another_site() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    for next in
        ["https://example.org/", "//example.org", "/\\example.org", "/\t/example.org", "javascript:alert(1)", ""]
    {
        for (mut browser, home) in [(site.inside(), "/"), (site.browser(), "/account/keys")] {
            let query = form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
            let form = browser.get(&format!("/account/sign-in?{query}"));
            assert!(form.status == 200 && !form.text().contains("example.org"), "{next}");
            let fields = [("email", EVE), ("password", PASSWORD), ("next", next)];
            assert_eq!(browser.submit("/account/sign-in", &fields).location(), home, "{next}");
            assert_eq!(browser.get(&format!("/account/sign-in?{query}")).location(), home, "{next}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_that_the_page_is_an_analysts() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.inside();
        assert_eq!(browser.sign_in(ADA, PASSWORD).location(), "/");
        for path in ["/", "/graphiql"] {
            let refused = browser.get(path);
            assert_eq!((refused.status, refused.header("cache-control")), (403, "no-store"));
            assert!(refused.text().contains("This page is for analysts") && refused.text().contains(ADA));
        }
        assert_eq!(browser.submit("/account/sign-out", &[]).location(), "/account/sign-in?signed-out");
        assert_eq!(browser.sign_in(EVE, PASSWORD).location(), "/");
        assert_eq!(browser.get("/").status, 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_an_analyst_opens_the_pages_and_no_other_does() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut keys = [EVE, ADA].map(|email| site.signed_in(email).create_key("program"));
        let with_key = |key: &str| {
            let mut program = site.inside();
            program.headers.push(("authorization", format!("Bearer {key}")));
            program.get("/")
        };
        let [analyst, client] = &mut keys;
        let opened = with_key(analyst);
        assert_eq!(opened.status, 200);
        assert!(!opened.text().contains("Sign out"), "there is no session to end");
        assert_eq!(with_key(client).status, 403);
        client.push('x');
        let junk = with_key(client);
        assert_eq!((junk.status, junk.header("content-type")), (401, "application/json"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_listeners_have_their_own_pages() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut outside = site.signed_in(EVE);
    for path in ["/", "/graphiql", "/graphiql/page.js", "/dashboard.css", "/metrics"] {
        assert_eq!(outside.get(path).status, 404, "{path}");
    }
    let mut inside = site.analyst();
    for path in ["/account/keys", "/api/v1/grants", "/account/keys/abc/revoke"] {
        assert_eq!(inside.get(path).status, 404, "{path}");
    }
    assert_eq!(inside.send(&Method::POST, "/", "").status, 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_forbids_what_it_does_not_need_and_graphiql_all_but_its_styles() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let mut browser = site.analyst();
    let dashboard = browser.get("/");
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
        frame-ancestors 'none'; base-uri 'none'";
    assert_eq!(dashboard.header("content-security-policy"), policy);
    assert!(!dashboard.text().contains(" style=") && !dashboard.text().contains("<style"));
    assert_eq!(dashboard.header("cache-control"), "no-store");

    let graphiql = browser.get("/graphiql");
    let policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; \
        style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; form-action 'self'; \
        frame-ancestors 'none'; base-uri 'none'";
    assert_eq!(graphiql.header("content-security-policy"), policy);
    assert_eq!(graphiql.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_files_of_graphiql_come_from_here_compressed_or_not() {
    let home = Home::in_sqlite();
    let site = Site::over(&home).await;
    let page = site.analyst().get("/graphiql");
    let mut browser = site.inside();
    for (before, kind) in [
        ("href=\"/graphiql/page.css", "text/css; charset=utf-8"),
        ("src=\"/graphiql/page.js", "text/javascript; charset=utf-8"),
    ] {
        let (start, rest) =
            page.text().split_once(before).unwrap_or_else(|| panic!("GraphiQL is not in this build: {}", page.text()));
        assert!(!start.is_empty());
        let name = before.split_once('"').expect("a quote").1;
        let address = format!("{name}{}", rest.split_once('"').expect("a quote").0);
        browser.headers = vec![("accept-encoding", "identity".to_owned())];
        let plain = browser.get(&address);
        assert_eq!((plain.status, plain.header("content-type"), plain.header("content-encoding")), (200, kind, ""));
        assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(browser.get(name).header("cache-control"), "no-cache");
        for (accepted, encoding) in
            [("gzip, br", "gzip"), ("gzip;q=0", ""), ("br", "br"), ("deflate, GZIP;q=0.5", "gzip")]
        {
            browser.headers = vec![("accept-encoding", accepted.to_owned())];
            let answer = browser.get(&address);
            assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
            assert_eq!(answer.header("vary"), "Accept-Encoding");
            assert!(answer.length() > 10_000);
        }
    }
    browser.headers.clear();
    let licences = browser.get("/graphiql/licences.txt");
    assert!(licences.text().contains("MIT License") && licences.text().contains("monaco-editor"));
    for missing in ["/graphiql/nothing.js", "/graphiql/..%2fpage.js"] {
        assert_eq!(browser.get(missing).status, 404, "{missing}");
    }
}
