//! What an analyst sees in a real browser: the dashboard of a catalogue, and GraphiQL asking it.

use std::path::Path;

use catalogue_gateway::clock::Clock;
use catalogue_gateway::synthetic::{self, Churn, DEFAULT_SEED, Size};
use catalogue_index::Options;
use serde_json::json;
use thirtyfour::Key;

use super::chromium::{Window, wait};
use super::{ADA, EVE, PASSWORD, Site};
use crate::support::at;
use crate::support::data::Data;
use crate::support::shared;
use crate::support::stores::Home;

/// Notes whatever the page's policy forbade, and what failed in it.
const WATCH: &str = "window.forbidden = []; window.failed = []; \
    document.addEventListener('securitypolicyviolation', (event) => \
        window.forbidden.push(`${event.effectiveDirective} ${event.blockedURI}`)); \
    window.addEventListener('error', (event) => window.failed.push(event.message || 'a file'), true);";

/// A synthetic catalogue that knows every field, crawled twice.
fn synthetic_data(now: &str) -> Data {
    let data = Data::new();
    let exports = tempfile::tempdir().expect("a folder");
    let [first, second] = ["first", "second"].map(|name| exports.path().join(name));
    let before = at(now).plus_millis(-26 * 60 * 60 * 1000).expect("the day before");
    synthetic::write(&first, Size::of_grants(2_000), DEFAULT_SEED, before).expect("an export");
    let crawled_at = at(now).plus_millis(-3 * 60 * 60 * 1000);
    synthetic::write_next(&second, &first, DEFAULT_SEED, crawled_at, Churn::default()).expect("an export");
    data.publish_folder(&first, &before.to_string());
    data.publish_folder(&second, &crawled_at.expect("an instant").to_string());
    data
}

/// The shared catalogue of eight days.
fn real_data(shared: &Path) -> Data {
    let data = Data::large();
    for day in ["07-26", "07-27", "07-28", "07-29", "07-30", "07-31", "08-01", "08-02"] {
        let options = Options { allow_mass_close: true, ..Options::default() };
        let export = shared.join(format!("exports/2026-{day}"));
        let report = data.reindex(&export, options, &format!("2026-{day}T20:30:00Z")).expect("it does its work");
        assert!(report.published, "{:?}", report.faults);
    }
    data
}

async fn analyst(site: &Site) -> Window {
    let window = Window::open(site.gateway.internal, true).await;
    window.tell("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    window.sign_in(EVE, PASSWORD).await;
    assert_eq!(window.title().await, "Dashboard – Catalogue");
    window
}

async fn assert_quiet(window: &Window) {
    assert_eq!(window.ask("window.forbidden").await, json!([]), "the page's policy forbids what it does");
    assert_eq!(window.ask("window.failed").await, json!([]));
}

/// Some requests of today, so that the dashboard has keys to show.
fn use_keys(site: &Site) {
    let mut browser = site.signed_in(ADA);
    for (name, count) in [("nightly import", 40), ("laptop", 3)] {
        let key = browser.create_key(name);
        for _ in 0..count {
            assert_eq!(site.call(&key), 200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analyst_looks_at_the_dashboard_in_chromium() {
    let now = "2026-11-21T09:00:00Z";
    let home = Home::in_sqlite();
    let site = Site::of(&home, Clock::frozen_at(at(now)), synthetic_data(now)).await;
    use_keys(&site);
    let window = analyst(&site).await;
    assert_eq!(window.count(".tiles g").await, 56);
    assert_eq!(window.count("td.drawn svg").await, window.count("svg.mark rect").await);
    window.keep("9-dashboard").await;
    window.keep_printed("9-dashboard").await;
    window.click("details summary").await;
    assert!(window.text("details tbody").await.contains("CA "));
    assert_quiet(&window).await;
    window.follow(".holder button").await;
    assert_eq!(window.text(".notice").await, "You have signed out.");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_shows_a_real_catalogue_in_chromium() {
    let Some(shared) = shared::data("the dashboard of a real catalogue in Chromium") else { return };
    let home = Home::in_sqlite();
    let site = Site::of(&home, Clock::frozen_at(at("2026-08-02T22:00:00Z")), real_data(&shared)).await;
    use_keys(&site);
    let window = analyst(&site).await;
    assert!(window.text(".sizes").await.contains("1,192"));
    assert_eq!(window.count("#weeks ~ table tbody tr").await, 14);
    assert_eq!(window.count("section[aria-labelledby=changes] tbody tr").await, 7);
    window.keep("10-real-dashboard").await;
    window.keep_printed("10-real-dashboard").await;
    assert_quiet(&window).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analyst_asks_in_graphiql() {
    let now = "2026-11-21T09:00:00Z";
    let home = Home::in_sqlite();
    let site = Site::of(&home, Clock::frozen_at(at(now)), synthetic_data(now)).await;
    let window = analyst(&site).await;
    window.follow(".places a[href='/graphiql']").await;
    assert_eq!(window.title().await, "GraphiQL – Catalogue");
    assert!(window.page.source().await.expect("a page").contains("/graphiql/page.js"), "GraphiQL is not in this build");
    window.find(".graphiql-query-editor .view-lines").await;
    // The schema has come when the documentation has something to say.
    window.click("button[aria-label='Show Documentation Explorer']").await;
    window.find("a.graphiql-doc-explorer-type-name").await;
    window.click("button.graphiql-execute-button").await;
    let answered = wait(async || {
        let answer = window.text(".graphiql-response").await;
        answer.contains("totalCount").then_some(answer)
    });
    let answer = answered.await.expect("an answer");
    assert!(!answer.contains("errors"), "{answer}");
    window.click("button[aria-label='Hide Documentation Explorer']").await;
    window.keep_on_desk("11-graphiql").await;
    // What can be asked for next is known where the cursor is.
    window.click(".graphiql-query-editor .view-lines").await;
    let editor = window.page.active_element().await.expect("the editor");
    editor.send_keys(Key::Control + " ").await.expect("keys");
    window.find(".suggest-widget.visible .monaco-list-row").await;
    assert_quiet(&window).await;
    window.close().await;
}
