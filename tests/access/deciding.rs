//! 401, 403, 429 and what comes with them.

use std::sync::Arc;

use axum::extract::FromRequestParts as _;
use axum::http::Request;
use axum::http::header::AUTHORIZATION;
use axum::response::IntoResponse as _;
use catalogue_gateway::access::{Access, Caller, Email, Plan, RateLimit};
use catalogue_schema::Refusal;

use super::{END_OF_DAY, NOW, access, account_with_key, add_key, bearer, call, clock, email, header, instant};
use crate::support::stores::on_each_store;

const UNTOUCHED: RateLimit = RateLimit { limit: 2, remaining: 2, resets_at: END_OF_DAY };

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_refused_for_the_first_reason_there_is() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "free").await;
        let access = access(Arc::clone(&store), 2).await;

        let denied = access.authenticate(None).await.expect_err("no key");
        assert_eq!((denied.refusal(), denied.rate(), denied.retry_after()), (&Refusal::MissingKey, UNTOUCHED, None));

        let denied = access.authenticate(Some(&header("Bearer nonsense"))).await.expect_err("no key either");
        assert_eq!((denied.refusal(), denied.rate(), denied.retry_after()), (&Refusal::InvalidKey, UNTOUCHED, None));

        let denied = call(&access, &token).await.expect_err("the plan is free");
        assert_eq!((denied.refusal(), denied.rate(), denied.retry_after()), (&Refusal::PlanRequired, UNTOUCHED, None));

        store.change_plan(&email(), "api").await.expect("both exist");
        let caller = access.authenticate(Some(&bearer(&token))).await.expect("the plan is read each time");
        assert_eq!(caller.rate(), RateLimit { remaining: 1, ..UNTOUCHED });
        assert_eq!(caller.key(), token.id());
        assert_eq!(call(&access, &token).await, Ok(0));

        let denied = call(&access, &token).await.expect_err("two a day");
        assert_eq!(denied.refusal(), &Refusal::RateLimited);
        assert_eq!(denied.rate(), RateLimit { remaining: 0, ..UNTOUCHED });
        assert_eq!(denied.retry_after(), Some(18 * 3_600), "rounded up to whole seconds");

        store.set_plan(&Plan { name: "api".to_owned(), includes_api: false }).await.expect("it is there");
        let denied = call(&access, &token).await.expect_err("the plan lost the API");
        assert_eq!(denied.refusal(), &Refusal::PlanRequired, "403 comes before 429");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheme_is_matched_in_any_case_and_nothing_else_is_a_key() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let access = access(store, 100).await;
        let text = token.reveal();
        for good in [format!("Bearer {text}"), format!("bearer {text}"), format!("BEARER  {text}")] {
            assert!(access.authenticate(Some(&header(&good))).await.is_ok(), "{good}");
        }
        let upper = format!("Bearer {}", text.to_uppercase());
        for wrong in ["", "Bearer", "Bearer ", &text, &format!("Basic {text}"), &format!("Bearer{text}"), &upper] {
            let denied = access.authenticate(Some(&header(wrong))).await.expect_err(wrong);
            assert_eq!(denied.refusal(), &Refusal::InvalidKey, "{wrong}");
        }
        let bytes = axum::http::HeaderValue::from_bytes(b"Bearer \xff\xfe").expect("opaque bytes are allowed");
        assert_eq!(access.authenticate(Some(&bytes)).await.expect_err("junk").refusal(), &Refusal::InvalidKey);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn argon2_runs_once_for_a_key_and_never_for_junk() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let stranger = super::new_key(&*store).await.0;
        let access = access(store, 1_000).await;

        for wrong in forgeries(&token.reveal()) {
            let denied = access.authenticate(Some(&header(&wrong))).await.expect_err("junk");
            assert_eq!(denied.refusal(), &Refusal::InvalidKey);
        }
        let denied = call(&access, &stranger).await.expect_err("sealed, and yet no key");
        assert_eq!(denied.refusal(), &Refusal::InvalidKey);
        assert_eq!(access.argon().runs(), 0);

        let first_uses: Vec<_> = (0..16)
            .map(|_| {
                let (access, token) = (Arc::clone(&access), token.clone());
                tokio::spawn(async move { call(&access, &token).await })
            })
            .collect();
        for first_use in first_uses {
            first_use.await.expect("no panic").expect("a good key");
        }
        assert_eq!(access.argon().runs(), 1);
        assert_eq!(call(&access, &token).await, Ok(1_000 - 17));
        assert_eq!(access.argon().runs(), 1);
    })
    .await;
}

/// Two hundred secrets made up for a real key, each with the checksum it should have.
fn forgeries(token: &str) -> Vec<String> {
    let other = catalogue_gateway::access::key::SealingKey::new([1; 32]);
    let id = &token[..13];
    (0..200)
        .map(|_| {
            // Another store's token with this key's id: only the checksum has to be made right.
            let foreign = catalogue_gateway::access::Token::mint(&other).expect("random bytes").reveal();
            with_right_checksum(&format!("{id}{}", &foreign[13..]))
        })
        .collect()
}

/// What anyone can do who has read the source.
fn with_right_checksum(text: &str) -> String {
    let mut specification = data_encoding::Specification::new();
    specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    let base32 = specification.encoding().expect("an alphabet");
    let id = base32.decode(&text.as_bytes()[4..12]).expect("an id");
    let mut body = base32.decode(&text.as_bytes()[13..]).expect("a body");
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(b"ctg_");
    hasher.update(&id);
    hasher.update(&body[..21]);
    body.splice(21.., hasher.finalize().to_le_bytes());
    let forged = format!("{}{}", &text[..13], base32.encode(&body));
    assert!(catalogue_gateway::access::Token::parse(forged.as_bytes()).is_some(), "the checksum is right");
    format!("Bearer {forged}")
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_a_key_do_not_lock_its_holder_out() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let access = access(store, 1_000).await;
        let guesses = forgeries(&token.reveal());
        for guess in &guesses[..100] {
            assert!(access.authenticate(Some(&header(guess))).await.is_err());
        }
        assert_eq!(call(&access, &token).await, Ok(999), "on its first use");
        for guess in &guesses[100..] {
            assert!(access.authenticate(Some(&header(guess))).await.is_err());
        }
        assert_eq!(call(&access, &token).await, Ok(998), "and on the next");
        assert_eq!(access.argon().runs(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_on_its_next_request_on_every_gateway() {
    on_each_store(async |home| {
        let (here, there) = (home.open().await, home.open().await);
        let token = account_with_key(&*here, "api").await;
        let other = add_key(&*here).await;
        let (here, there) = (access(here, 100).await, access(there, 100).await);
        assert!(call(&here, &token).await.is_ok());
        assert!(call(&there, &token).await.is_ok());
        here.store().revoke_key(&email(), token.id(), instant(NOW)).await.expect("it is there");
        for gateway in [&here, &there] {
            assert_eq!(call(gateway, &token).await.expect_err("revoked").refusal(), &Refusal::InvalidKey);
            assert!(call(gateway, &other).await.is_ok(), "the other key is as it was");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_identity_costs_nothing_and_needs_no_plan() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "free").await;
        let access = access(Arc::clone(&store), 1).await;
        for _ in 0..3 {
            let identity = access.identify(Some(&bearer(&token))).await.expect("a real key");
            assert_eq!(identity.key, token.id());
        }
        assert_eq!(access.identify(None).await.expect_err("no key").refusal(), &Refusal::MissingKey);
        store.change_plan(&email(), "api").await.expect("both exist");
        assert_eq!(call(&access, &token).await, Ok(0), "nothing was charged");
        assert_eq!(access.untouched(), RateLimit { limit: 1, remaining: 1, resets_at: END_OF_DAY });
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_use_is_written_down_when_a_gateway_closes() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let clock = clock();
        let access = Access::new(Arc::clone(&store), clock.clone(), 10).await.expect("access opens");
        let last_used = async || {
            let account = store.account(&email()).await.expect("it answers").expect("an account");
            store.keys(account.id).await.expect("it answers")[0].last_used
        };
        call(&access, &token).await.expect("a good key");
        assert_eq!(last_used().await, None, "not on the request's time");
        access.close().await.expect("it answers");
        assert_eq!(last_used().await, Some(instant(NOW)));
        clock.set(instant("2026-11-21T05:00:00Z"));
        call(&access, &token).await.expect("a good key");
        access.close().await.expect("it answers");
        assert_eq!(last_used().await, Some(instant(NOW)), "an earlier use is not the last");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_store_a_gateway_lets_nobody_in() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let access = access(store, 10).await;
        assert_eq!(call(&access, &token).await, Ok(9));
        home.execute("ALTER TABLE plan RENAME TO lost");
        let denied = call(&access, &token).await.expect_err("the store fails");
        assert_eq!((denied.refusal().slug(), denied.refusal().status()), ("unavailable", 503));
        assert_eq!(denied.rate().remaining, 10);
        home.execute("ALTER TABLE lost RENAME TO plan");
        assert_eq!(call(&access, &token).await, Ok(8), "and a request refused so is not charged");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_credentials_are_no_credential() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let access = access(store, 10).await;
        let (mut request, ()) = Request::new(()).into_parts();
        let denied = Caller::from_request_parts(&mut request, &access).await.expect_err("no header");
        assert_eq!(denied.refusal(), &Refusal::MissingKey);
        request.headers.append(AUTHORIZATION, bearer(&token));
        let caller = Caller::from_request_parts(&mut request, &access).await.expect("one good key");
        assert_eq!(caller.rate().remaining, 9);
        request.headers.append(AUTHORIZATION, bearer(&token));
        let denied = Caller::from_request_parts(&mut request, &access).await.expect_err("two headers");
        assert_eq!(denied.refusal(), &Refusal::InvalidKey);
        assert_eq!(denied.into_response().status(), 401);
    })
    .await;
}

#[test]
fn an_address_is_one_address_in_any_case() {
    assert_eq!("ADA@example.org".parse::<Email>().expect("an address"), email());
}
