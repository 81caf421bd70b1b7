//! What it costs to let a caller in, part by part.
//!
//! On SQLite the whole is to stay within 3 µs. With `CATALOGUE_DATABASE_URL` set to an empty database, the same is measured there.

use std::env;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::HeaderValue;
use catalogue_gateway::access::account::NewAccount;
use catalogue_gateway::access::allowance::{Allowance, Day};
use catalogue_gateway::access::key::{NewKey, SealingKey};
use catalogue_gateway::access::store::{Ledger, Secret};
use catalogue_gateway::access::{Access, Email, Location, Role, Store, Token, password};
use catalogue_gateway::clock::Clock;
use criterion::{Criterion, criterion_group, criterion_main};
use hashbrown::DefaultHashBuilder;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::runtime::Runtime;

/// As in service.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

criterion_group!(benches, letting_in);
criterion_main!(benches);

/// The machine's clock, as in service: reading it is part of the price.
const CLOCK: Clock = Clock::System;

fn letting_in(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = env::var("CATALOGUE_DATABASE_URL").ok();
    let runtime = Runtime::new().expect("a runtime");
    let store = runtime.block_on(async {
        Location::new(url.as_deref(), folder.path()).expect("a good URL").open().await.expect("the store opens")
    });
    let token = runtime.block_on(account_with_key(&*store));
    let text = token.reveal();
    let day = Day::of(CLOCK.now());

    criterion.bench_function("access/parse", |bencher| bencher.iter(|| Token::parse(black_box(text.as_bytes()))));
    criterion.bench_function("access/digest", |bencher| bencher.iter(|| black_box(&token).digest()));

    let sealing = runtime.block_on(async { SealingKey::new(store.secret(Secret::Key).await.expect("a secret")) });
    criterion.bench_function("access/seal", |bencher| bencher.iter(|| black_box(&token).is_sealed_by(&sealing)));

    let verified = Cache::builder()
        .max_capacity(100_000)
        .time_to_live(Duration::from_hours(24))
        .eviction_policy(EvictionPolicy::lru())
        .build_with_hasher(DefaultHashBuilder::default());
    runtime.block_on(verified.insert(token.digest(), ()));
    let digest = token.digest();
    measure(criterion, &runtime, "access/remember", async || verified.contains_key(&digest));
    measure(criterion, &runtime, "access/standing", async || store.standing(token.id(), day).await.is_ok());

    let allowance = Allowance::new(Arc::clone(&store), u32::MAX);
    let spend = async || allowance.spend(token.id(), day, Ledger::default()).await.is_ok();
    measure(criterion, &runtime, "access/spend", spend);

    let access = runtime.block_on(Access::new(Arc::clone(&store), CLOCK, u32::MAX)).expect("access opens");
    let header = HeaderValue::from_str(&format!("Bearer {text}")).expect("plain text");
    let call = async || access.authenticate(Some(&header)).await.is_ok();
    measure(criterion, &runtime, "access/whole", call);

    let other = Token::mint(&SealingKey::new([0; 32])).expect("random bytes").reveal();
    let made_up = HeaderValue::from_str(&format!("Bearer {other}")).expect("plain text");
    let refuse = async || access.authenticate(Some(&made_up)).await.is_err();
    measure(criterion, &runtime, "access/refuse a made-up key", refuse);
}

/// Calls one after another on one thread of the runtime, as a connection's requests come.
fn measure(criterion: &mut Criterion, runtime: &Runtime, name: &str, call: impl AsyncFn() -> bool) {
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|calls| {
            runtime.block_on(async {
                let start = Instant::now();
                for _ in 0..calls {
                    assert!(call().await);
                }
                start.elapsed()
            })
        });
    });
}

async fn account_with_key(store: &dyn Store) -> Token {
    let email: Email = "bench@example.org".parse().expect("an address");
    let (created, role, plan) = (CLOCK.now(), Role::Client, "api".to_owned());
    let password_hash = password::hash(b"password").expect("a hash");
    store
        .add_account(&NewAccount { email: email.clone(), role, plan, password_hash, created })
        .await
        .expect("a new account");
    let sealing = SealingKey::new(store.secret(Secret::Key).await.expect("a secret"));
    let token = Token::mint(&sealing).expect("random bytes");
    let secret_hash = password::hash(token.secret()).expect("a hash");
    let key = NewKey { id: token.id(), name: "bench".to_owned(), secret_hash, created };
    store.add_key(&email, &key).await.expect("a new key");
    token
}
