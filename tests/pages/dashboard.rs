//! What the dashboard says of a catalogue that is known.

use serde_json::json;

use super::tables::rows;
use super::{ADA, NOW, Site};
use crate::support::at;
use crate::support::data::Data;
use crate::support::export::{Export, Row, funder, grant};
use crate::support::stores::{Home, on_each_store};
use catalogue_gateway::clock::Clock;

fn open(slug: &str, states: &[&str], industries: &[&str], pool: u32, deadline: &str) -> Row {
    grant(slug)
        .with("elig_states", json!(states))
        .with("industries", json!(industries))
        .with("amount_total_pool", pool)
        .with("deadline", deadline)
}

fn export() -> Export {
    Export::of([
        open("a", &["CA", "NY"], &["water"], 1_000_000, "2026-07-03T00:00:00Z"),
        open("b", &["CA"], &["water", "arts"], 2_500_000, "2026-07-08T00:00:00Z"),
        open("c", &["TX"], &["arts"], 500, "2027-08-01T00:00:00Z"),
        grant("d").with("industries", json!(["water"])),
        grant("e").with("status", "forecasted").with("elig_states", json!(["CA"])),
        grant("f").with("status", "closed").with("funder", "g"),
    ])
}

fn first() -> Export {
    Export { funders: vec![funder("f", "First & Last"), funder("g", "Second")], ..export() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_says_what_the_catalogue_holds() {
    let home = Home::in_sqlite();
    let data = Data::new();
    data.publish(&first(), "2026-07-01T12:00:00Z");
    let mut second = first();
    second.grants[0] = second.grants[0].clone().with("title", "Another").with("amount_total_pool", 3_000_000);
    second.grants.push(open("new", &["CA"], &["arts"], 7, "2026-07-02T12:00:00Z"));
    data.publish(&second, "2026-07-02T05:00:00Z");
    let site = Site::of(&home, Clock::frozen_at(at(NOW)), data).await;
    let page = site.analyst().get("/");
    let html = page.text();
    assert!(html.contains("Crawled <strong>24 hours ago</strong>"), "{html}");
    for (what, size) in [("Open", "5"), ("Forecasted", "1"), ("Closed", "1"), ("Funders", "2"), ("Changes", "3")] {
        assert!(html.contains(&format!("<dt>{what}</dt><dd>{size}</dd>")), "{what}: {html}");
    }

    let weeks = rows(html, "weeks");
    assert_eq!(weeks[..2], [["29 Jun 2026", "2"], ["6 Jul 2026", "1"]]);
    assert_eq!(weeks.len(), 14);
    assert_eq!(weeks[12..], [["later", "1"], ["no deadline stated", "1"]]);
    assert_eq!(rows(html, "months")[..2], [["Jul 2026", "3"], ["Aug 2026", "0"]]);
    assert_eq!(rows(html, "states"), [["CA", "3"], ["NY", "1"], ["TX", "1"]]);
    assert!(html.contains("1 more of 5 state no restriction"), "{html}");
    assert!(html.contains(">CA</text>") && html.matches("class=\"code\"").count() == 56);
    assert_eq!(rows(html, "industries"), [["arts", "3"], ["water", "3"]]);
    assert_eq!(rows(html, "entities"), [["not stated", "5"]]);
    assert_eq!(rows(html, "funders"), [["First &#38; Last", "5"]]);
    let money = [["water", "2 of 3", "$5.50 million"], ["arts", "3 of 3", "$2.50 million"]];
    assert_eq!(rows(html, "money"), money);
    assert_eq!(rows(html, "changes"), [["2 Jul 2026", "1", "0", "0", "1", "1", "3"]]);
    let publications = rows(html, "publications");
    let crawled = "1 Jul 2026, 06:00 UTC";
    let served = ["2", "2 Jul 2026, 05:00 UTC", crawled, "7", "1", "0", "0", "1", "1", "0", "served"];
    let kept = "kept until 3 Jul 2026, 05:00 UTC";
    let before = ["1", "1 Jul 2026, 12:00 UTC", crawled, "6", "0", "0", "0", "0", "0", "0", kept];
    assert_eq!(publications, [served, before]);
    assert!(html.contains("of 2 published"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_says_who_used_the_service_today() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        let [few, many] = ["nightly <import>", "laptop"].map(|name| browser.create_key(name));
        let mut analyst = site.analyst();
        assert!(analyst.get("/").text().contains("No key has made a request today"));
        for (key, count) in [(&few, 2), (&many, 5)] {
            for _ in 0..count {
                assert_eq!(site.call(key), 200);
            }
        }
        let page = analyst.get("/");
        let used = rows(page.text(), "keys");
        let name = |name: &str, key: &str| format!("{name} ctg_{}_…", &key[4..12]);
        let last_used = "2 Jul 2026, 06:00 UTC";
        let expected = [
            [ADA, &name("laptop", &many), "5", "4,995", last_used],
            [ADA, &name("nightly &#60;import&#62;", &few), "2", "4,998", last_used],
        ];
        assert_eq!(used, expected);
        assert!(page.text().contains("7 requests since midnight UTC"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_says_little_or_nothing_has_a_dashboard_too() {
    let home = Home::in_sqlite();
    let site = Site::of(&home, Clock::frozen_at(at(NOW)), Data::new()).await;
    let mut analyst = site.analyst();
    let empty = analyst.get("/");
    assert_eq!(empty.status, 200);
    assert!(empty.text().contains("No generation is published yet"));

    let home = Home::in_sqlite();
    let data = Data::new();
    data.publish(&Export::of([grant("a")]), "2026-07-01T12:00:00Z");
    let site = Site::of(&home, Clock::frozen_at(at(NOW)), data).await;
    let page = site.analyst().get("/");
    let html = page.text();
    assert!(
        html.contains("No open record says in which states")
            && html.contains("Nothing changed in the last three months")
    );
    assert_eq!(rows(html, "industries"), [["not stated", "1"]]);
    assert_eq!(rows(html, "money"), [["not stated", "0 of 1", "not stated"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_leaves_something_out_says_so() {
    let industry = |number: u32| format!("industry-{number:02}");
    let grants = |count: u32| {
        let of = |number| grant(&industry(number)).with("industries", json!([industry(number)]));
        let mut grants: Vec<Row> =
            (0..count).map(|number| of(number).with("amount_total_pool", 100 - number)).collect();
        grants.push(grant("silent"));
        Export::of(grants)
    };
    for (count, noted) in [(12, 0), (13, 1)] {
        let home = Home::in_sqlite();
        let data = Data::new();
        data.publish(&grants(count), "2026-07-01T12:00:00Z");
        let site = Site::of(&home, Clock::frozen_at(at(NOW)), data).await;
        let page = site.analyst().get("/");
        let money = rows(page.text(), "money");
        assert_eq!((money.len(), money[11][0].as_str(), money[12][0].as_str()), (13, "industry-11", "not stated"));
        let html = page.text();
        assert_eq!(html.matches("1 further industries have smaller sums or state none.").count(), noted, "{html}");
        assert_eq!(html.matches("1 further values are rarer.").count(), noted, "{html}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generation_that_cannot_be_read_is_passed_over() {
    let home = Home::in_sqlite();
    let data = Data::new();
    for instant in ["2026-07-01T12:00:00Z", "2026-07-01T13:00:00Z"] {
        data.publish(&Export::of([grant("a")]), instant);
    }
    std::fs::write(data.path().join("generations/00000001/manifest.json"), "{}").expect("ours");
    let site = Site::of(&home, Clock::frozen_at(at(NOW)), data).await;
    let page = site.analyst().get("/");
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("of 2 published"), "{}", page.text());
}
