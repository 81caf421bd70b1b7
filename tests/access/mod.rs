//! Who may call, on each kind of store.

mod allowance;
mod command_line;
mod deciding;
mod encryption;
mod processes;
mod secrecy;
mod store;

use std::sync::Arc;

use axum::http::HeaderValue;
use catalogue_gateway::access::account::NewAccount;
use catalogue_gateway::access::key::{NewKey, SealingKey};
use catalogue_gateway::access::store::Secret;
use catalogue_gateway::access::{Access, Denied, Email, Role, Store, Token, password};
use catalogue_gateway::clock::Clock;
use catalogue_schema::Timestamp;

/// Eighteen hours before the end of a UTC day.
const NOW: &str = "2026-11-21T06:00:00.500Z";
const END_OF_DAY: i64 = 1_795_305_600;

fn instant(text: &str) -> Timestamp {
    text.parse().expect(text)
}

fn clock() -> Clock {
    Clock::frozen_at(instant(NOW))
}

fn email() -> Email {
    "ada@example.org".parse().expect("an address")
}

async fn access(store: Arc<dyn Store>, limit: u32) -> Arc<Access> {
    Arc::new(Access::new(store, clock(), limit).await.expect("access opens"))
}

/// An account on a plan, with a key.
async fn account_with_key(store: &dyn Store, plan: &str) -> Token {
    let account = NewAccount {
        email: email(),
        role: Role::Client,
        plan: plan.to_owned(),
        password_hash: password::hash(b"correct horse").expect("a hash"),
        created: instant(NOW),
    };
    store.add_account(&account).await.expect("a new account");
    add_key(store).await
}

async fn add_key(store: &dyn Store) -> Token {
    let (token, key) = new_key(store).await;
    store.add_key(&email(), &key).await.expect("a new key");
    token
}

async fn new_key(store: &dyn Store) -> (Token, NewKey) {
    let sealing = SealingKey::new(store.secret(Secret::Key).await.expect("a secret"));
    let token = Token::mint(&sealing).expect("random bytes");
    let secret_hash = password::hash(token.secret()).expect("a hash");
    let key = NewKey { id: token.id(), name: "laptop".to_owned(), secret_hash, created: instant(NOW) };
    (token, key)
}

fn bearer(token: &Token) -> HeaderValue {
    header(&format!("Bearer {}", token.reveal()))
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect(text)
}

/// One request with this key: how many remain.
async fn call(access: &Access, token: &Token) -> Result<u32, Denied> {
    Ok(access.authenticate(Some(&bearer(token))).await?.rate().remaining)
}
