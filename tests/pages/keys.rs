//! Keys, from the page to the API.

use super::{ADA, BOB, Site};
use crate::support::stores::on_each_store;

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_shown_once_and_good_at_once() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        browser.get("/account/keys");
        let created = browser.submit("/account/keys", &[("name", " nightly <b>import</b> ")]);
        assert_eq!((created.status, created.header("cache-control")), (200, "no-store"));
        let key = created.key().to_owned();
        assert_eq!(created.text().matches(&key).count(), 1);
        for _ in 0..2 {
            assert_eq!(site.call(&key), 200);
        }
        let list = browser.get("/account/keys");
        assert!(!list.text().contains(&key[13..]), "the key is never shown again");
        assert_eq!(list.key_ids(), [&key[4..12]]);
        for text in ["import", "2 Jul 2026, 06:00 UTC", "4,998 <span class=\"of\">of 5,000</span>"] {
            assert!(list.text().contains(text), "{text}: {}", list.text());
        }
        assert!(!list.text().contains("<b>"), "a name is text");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_needs_a_name() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        browser.get("/account/keys");
        let long = "x".repeat(101);
        for (name, says) in
            [("", "Give the key a name"), ("  ", "Give the key a name"), (&long, "at most"), ("a\nb", "one line")]
        {
            let answer = browser.submit("/account/keys", &[("name", name)]);
            assert_eq!(answer.status, 422);
            assert!(answer.text().contains(says) && answer.text().contains("href=\"#name\""), "{name}");
        }
        assert_eq!(browser.get("/account/keys").key_ids(), Vec::<&str>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_three_keys_creation_is_disabled_and_refused_until_one_is_revoked() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        let keys = ["one", "two", "three"].map(|name| browser.create_key(name));
        let list = browser.get("/account/keys");
        assert!(list.text().contains("three keys at most") && list.text().contains("type=\"submit\" disabled"));
        let refused = browser.submit("/account/keys", &[("name", "four")]);
        assert_eq!(refused.status, 409);
        assert!(refused.text().contains("holds three keys already"));
        assert_eq!(refused.key_ids().len(), 3);

        let revoke = format!("/account/keys/{}/revoke", &keys[1][4..12]);
        let asked = browser.get(&revoke);
        assert!(asked.text().contains("Revoke <span class=\"name\">two</span>?"));
        assert_eq!(site.call(&keys[1]), 200, "asking revokes nothing");
        let answer = browser.submit(&revoke, &[]);
        assert_eq!(answer.status, 303);
        assert_eq!(site.call(&keys[1]), 401, "the very next request is refused");
        assert_eq!((site.call(&keys[0]), site.call(&keys[2])), (200, 200));
        let list = browser.get(answer.location());
        assert!(list.text().contains("The key <strong>two</strong> is revoked"));
        assert!(!list.text().contains("disabled"));
        assert_eq!(browser.submit(&revoke, &[]).status, 303, "twice is as good as once");
        assert_eq!(browser.get(&revoke).location(), "/account/keys");
        browser.create_key("four");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_simultaneous_creations_one_takes_the_last_place() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let beside = site.beside(home).await;
        let mut browser = site.signed_in(ADA);
        browser.create_key("one");
        browser.create_key("two");
        let mut other = beside.signed_in(ADA);
        other.get("/account/keys");
        browser.get("/account/keys");
        let creating = [browser, other]
            .map(|mut browser| std::thread::spawn(move || browser.submit("/account/keys", &[("name", "last")]).status));
        let mut statuses = creating.map(|thread| thread.join().expect("no panic"));
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_revokes_or_sees_anothers_key() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let key = site.signed_in(ADA).create_key("laptop");
        let mut browser = site.signed_in(BOB);
        browser.create_key("own");
        for id in [&key[4..12], "00000000", "nonsense", "%ff"] {
            let revoke = format!("/account/keys/{id}/revoke");
            for answer in [browser.get(&revoke), browser.submit(&revoke, &[])] {
                assert_eq!(answer.status, 404, "{id}");
                assert!(!answer.text().contains("laptop"));
            }
            let list = browser.get(&format!("/account/keys?revoked={id}"));
            assert!(!list.text().contains("laptop") && !list.text().contains("is revoked"));
        }
        assert_eq!(site.call(&key), 200);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_without_the_api_is_said_on_the_page() {
    on_each_store(async |home| {
        let site = Site::over(home).await;
        let mut browser = site.signed_in(ADA);
        let key = browser.create_key("laptop");
        assert!(!browser.get("/account/keys").text().contains("does not include"));
        home.open().await.change_plan(&ADA.parse().expect(ADA), "free").await.expect("a plan");
        assert!(browser.get("/account/keys").text().contains("Your plan, free, does not include the API"));
        assert_eq!(site.call(&key), 403);
    })
    .await;
}
