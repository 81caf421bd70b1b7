//! The documentation in a real browser: examples by language, and calls that are tried where they are described.

use catalogue_gateway::clock::Clock;
use serde_json::json;
use thirtyfour::By;

use super::chromium::{Window, wait};
use super::{ADA, Site};
use crate::support::stores::Home;

/// Collects what a page tried against its policy.
const WATCH: &str = "window.refused = []; addEventListener('securitypolicyviolation', \
    (event) => refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));";

async fn assert_nothing_was_refused(window: &Window) {
    let refused = window.page.execute("return window.refused", vec![]).await.expect("a script of the driver's");
    assert_eq!(refused.json(), &json!([]));
}

async fn is_shown(window: &Window, css: &str) -> bool {
    window.find(css).await.is_displayed().await.expect(css)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_chooses_a_language_and_tries_a_call() {
    let home = Home::in_sqlite();
    let site = Site::at_clock(&home, Clock::System).await;
    let key = site.signed_in(ADA).create_key("the reference");
    let window = Window::open(site.gateway.public, true).await;
    window.tell("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;

    window.go("/docs").await;
    window.keep("9-guide").await;
    for (chosen, other) in [("python", "shell"), ("javascript", "python"), ("shell", "javascript")] {
        window.click(&format!("#in-{chosen}")).await;
        assert!(is_shown(&window, &format!("[data-language={chosen}] pre")).await, "{chosen} was chosen");
        assert!(!is_shown(&window, &format!("[data-language={other}] pre")).await, "{other} was not");
    }
    assert_nothing_was_refused(&window).await;

    window.go("/docs/reference").await;
    window.find("#operations-grants-list_grants").await;
    assert_eq!(window.count(".opblock").await, 8);
    window.keep("10-reference").await;
    window.click(".auth-wrapper .authorize").await;
    window.find(".auth-container input").await.send_keys(&key).await.expect("a field");
    window.keep("11-key").await;
    window.click(".auth-btn-wrapper .authorize").await;
    window.click(".auth-btn-wrapper .btn-done").await;
    window.click("#operations-grants-list_grants .opblock-summary-control").await;
    window.click("#operations-grants-list_grants .try-out__btn").await;
    let limit = window.find("tr[data-param-name=limit] input").await;
    limit.clear().await.expect("a field");
    limit.send_keys("3").await.expect("a field");
    window.click("#operations-grants-list_grants .execute").await;
    let status = window.text(".live-responses-table tbody .response-col_status").await;
    assert!(status.starts_with("200"), "{status}");
    let url = window.text(".request-url pre").await;
    assert!(url.ends_with("/api/v1/grants?limit=3"), "{url}");
    let body = wait(async || {
        let text = window.page.find(By::Css(".live-responses-table .highlight-code")).await.ok()?.text().await.ok()?;
        text.contains("last_verified_at").then_some(text)
    });
    assert!(body.await.is_some(), "the answer is shown");
    window
        .page
        .execute("document.querySelector('.responses-wrapper').scrollIntoView()", vec![])
        .await
        .expect("a script");
    window.keep("12-tried").await;
    assert_nothing_was_refused(&window).await;
    window.close().await;
}
