//! What every store promises.

use std::sync::Arc;

use catalogue_gateway::access::allowance::Day;
use catalogue_gateway::access::store::{Ledger, Secret, Taking};
use catalogue_gateway::access::{Error, Plan};

use super::{NOW, account_with_key, add_key, email, instant, new_key};
use crate::support::stores::on_each_store;

#[tokio::test(flavor = "multi_thread")]
async fn gateways_that_start_at_once_find_one_store_with_one_secret() {
    on_each_store(async |home| {
        let starting: Vec<_> = (0..8)
            .map(|_| {
                let location = home.location();
                tokio::spawn(async move {
                    let store = location.open().await.expect("it opens");
                    let cursor = store.secret(Secret::Cursor).await.expect("a secret");
                    (cursor, store.secret(Secret::Key).await.expect("a secret"))
                })
            })
            .collect();
        let mut secrets = Vec::new();
        for start in starting {
            secrets.push(start.await.expect("no panic"));
        }
        secrets.dedup();
        assert_eq!(secrets.len(), 1);
        assert_ne!(secrets[0].0, secrets[0].1, "each purpose has its own");
        let plans = home.open().await.plans().await.expect("it answers");
        let plan = |name: &str, includes_api| Plan { name: name.to_owned(), includes_api };
        assert_eq!(plans, [plan("api", true), plan("free", false)]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_a_newer_program_has_changed_is_refused() {
    on_each_store(async |home| {
        drop(home.open().await);
        home.execute(if home.is_sqlite() {
            "PRAGMA user_version = 99"
        } else {
            "INSERT INTO schema_version VALUES (99)"
        });
        let refused = home.location().open().await.expect_err("too new");
        assert!(matches!(refused, Error::NewerSchema { found: 99, known: 2 }), "{refused}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_at_once_an_account_holds_three_keys() {
    on_each_store(async |home| {
        let (here, there) = (home.open().await, home.open().await);
        let first = account_with_key(&*here, "api").await;
        let mut creating = Vec::new();
        for at in 0..8 {
            let key = new_key(&*here).await.1;
            let store = Arc::clone(if at % 2 == 0 { &here } else { &there });
            creating.push(tokio::spawn(async move { store.add_key(&email(), &key).await }));
        }
        let mut created = 0;
        for creation in creating {
            match creation.await.expect("no panic") {
                Ok(()) => created += 1,
                Err(error) => {
                    assert_eq!(
                        error.to_string(),
                        "the account ada@example.org holds three keys already: revoke one first"
                    );
                }
            }
        }
        assert_eq!(created, 2);
        here.revoke_key(&email(), first.id(), instant(NOW)).await.expect("it is there");
        add_key(&*there).await;
        let account = here.account(&email()).await.expect("it answers").expect("an account");
        let keys = here.keys(account.id).await.expect("it answers");
        assert_eq!((keys.len(), keys.iter().filter(|key| key.revoked.is_none()).count()), (4, 3));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_counted_to_its_limit_and_forgotten_when_it_is_over() {
    on_each_store(async |home| {
        let store = home.open().await;
        let key = account_with_key(&*store, "api").await.id();
        let (day, next) = (Day::of(instant(NOW)), Day::of(instant("2026-11-22T00:00:00Z")));
        let take = async |day, wanted, repaid| {
            store.take(Taking { key, day, limit: 10, wanted, repaid }).await.expect("it answers")
        };
        let standing = async |day| store.standing(key, day).await.expect("it answers").expect("a key").ledger;
        assert_eq!(take(day, 11, 0).await, None);
        assert_eq!(take(day, 6, 0).await, Some(Ledger { taken: 6, lent: 5 }));
        assert_eq!(take(day, 5, 5).await, None, "all or none");
        assert_eq!(take(day, 4, 5).await, Some(Ledger { taken: 10, lent: 3 }));
        assert_eq!(store.give_back(key, day, 2, 3).await.expect("it answers"), Ledger { taken: 8, lent: 0 });
        assert_eq!(take(next, 1, 0).await, Some(Ledger { taken: 1, lent: 0 }), "another day is another count");
        store.forget_days_before(next).await.expect("it answers");
        assert_eq!(standing(day).await, Ledger::default());
        assert_eq!(standing(next).await, Ledger { taken: 1, lent: 0 });
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_not_there_is_unavailable() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "no database, and long enough to be taken for one".repeat(9))
        .expect("ours");
    for url in [
        format!("sqlite://{}/file/accounts.sqlite", folder.path().display()),
        format!("sqlite://{}/file", folder.path().display()),
        "postgres://postgres@127.0.0.1:1/catalogue".to_owned(),
        "postgres://postgres@127.0.0.1:port/catalogue".to_owned(),
    ] {
        let location = catalogue_gateway::access::Location::new(Some(&url), folder.path()).expect("a kind of store");
        let error = location.open().await.expect_err(&url);
        assert!(matches!(error, Error::Unavailable(_)), "{url}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_a_day_are_told_with_their_holders_most_used_first() {
    on_each_store(async |home| {
        let store = home.open().await;
        let few = account_with_key(&*store, "api").await.id();
        let many = add_key(&*store).await.id();
        let none = add_key(&*store).await.id();
        let (day, next) = (Day::of(instant(NOW)), Day::of(instant("2026-11-22T00:00:00Z")));
        for (key, day, wanted) in [(few, day, 2), (many, day, 7), (none, next, 9)] {
            let taking = Taking { key, day, limit: 10, wanted, repaid: 0 };
            store.take(taking).await.expect("it answers").expect("there are some left");
        }
        store.record_last_used(&[(many, instant(NOW))]).await.expect("it answers");
        store.revoke_key(&email(), many, instant(NOW)).await.expect("it is there");
        let used = store.used_keys(day, 10).await.expect("it answers");
        let told: Vec<_> = used.iter().map(|used| (used.key.id, used.ledger.taken, used.ledger.lent)).collect();
        assert_eq!(told, [(many, 7, 6), (few, 2, 1)]);
        assert!(used.iter().all(|used| used.email == email() && used.key.name == "laptop"));
        assert_eq!(used[0].key.last_used, Some(instant(NOW)));
        assert!(used[0].key.revoked.is_some() && used[1].key.revoked.is_none());
        assert_eq!(store.used_keys(day, 1).await.expect("it answers").len(), 1);
        assert_eq!(store.used_keys(Day::of(instant("2026-11-20T00:00:00Z")), 10).await.expect("it answers"), []);
    })
    .await;
}
