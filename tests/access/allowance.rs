//! So many requests a day, not one more and not one less.

use std::sync::Arc;
use std::time::Duration;

use catalogue_gateway::access::{Access, Token};
use catalogue_schema::Refusal;

use super::{access, account_with_key, call, clock, instant};
use crate::support::stores::{Home, on_each_store};

/// Sends so many requests by 16 clients at once, spread over the gateways; how many were served.
async fn served(gateways: &[Arc<Access>], token: &Token, requests: usize) -> usize {
    let clients: Vec<_> = (0..16)
        .map(|client| {
            let (gateways, token) = (gateways.to_vec(), token.clone());
            tokio::spawn(async move {
                let mut served = 0;
                for request in (client..requests).step_by(16) {
                    match call(&gateways[request / 16 % gateways.len()], &token).await {
                        Ok(_) => served += 1,
                        Err(denied) => assert_eq!(denied.refusal(), &Refusal::RateLimited),
                    }
                }
                served
            })
        })
        .collect();
    let mut total = 0;
    for client in clients {
        total += client.await.expect("no panic");
    }
    total
}

async fn gateways(home: &Home, count: usize, limit: u32) -> Vec<Arc<Access>> {
    let mut gateways = Vec::new();
    for _ in 0..count {
        gateways.push(access(home.open().await, limit).await);
    }
    gateways
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_clients_are_served_exactly_fifty_on_one_gateway() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let gateways = gateways(home, 1, 50).await;
        assert_eq!(served(&gateways, &token, 200).await, 50);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_clients_are_served_exactly_fifty_on_two_gateways() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let gateways = gateways(home, 2, 50).await;
        assert_eq!(served(&gateways, &token, 200).await, 50);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_killed_takes_nothing_beyond_the_limit() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let before = gateways(home, 1, 50).await;
        let served_before = served(&before, &token, 30).await;
        // Dropped, not closed: what it held is lost to it.
        drop(before);
        let after = gateways(home, 2, 50).await;
        assert_eq!(served_before + served(&after, &token, 200).await, 50, "of so small a limit nothing is held");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_costs_at_most_a_small_block_of_a_large_limit() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let before = gateways(home, 1, 2_000).await;
        let served_before = served(&before, &token, 700).await;
        assert_eq!(served_before, 700);
        drop(before);
        let total = served_before + served(&gateways(home, 1, 2_000).await, &token, 1_400).await;
        assert!((2_000 - 2_000 / 64..=2_000).contains(&total), "{total}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_gateway_holds_comes_back_when_it_closes() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let before = gateways(home, 1, 2_000).await;
        assert_eq!(served(&before, &token, 703).await, 703);
        before[0].close().await.expect("it answers");
        let after = gateways(home, 1, 2_000).await;
        assert_eq!(call(&after[0], &token).await, Ok(2_000 - 704));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_remains_is_exact_for_one_request_after_another() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let gateways = gateways(home, 2, 1_000).await;
        let mut remaining = 1_000;
        // In turn, on two gateways; then on one alone, long enough for it to take blocks.
        for request in 0..20 {
            remaining -= 1;
            assert_eq!(call(&gateways[request % 2], &token).await, Ok(remaining));
        }
        for _ in 0..500 {
            remaining -= 1;
            assert_eq!(call(&gateways[0], &token).await, Ok(remaining));
        }
        let elsewhere = call(&gateways[1], &token).await.expect("plenty left");
        assert!(elsewhere < remaining, "never more than there is");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_is_stranded_on_an_idle_gateway() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let gateways = gateways(home, 2, 1_000).await;
        let tending = Arc::clone(&gateways[0]);
        let tending = tokio::spawn(async move { tending.tend(std::future::pending()).await });
        // The first gateway alone, until it holds a block; then it is left alone.
        assert_eq!(served(&gateways[..1], &token, 110).await, 110);
        assert_eq!(served(&gateways[1..], &token, 1_200).await, 1_000 - 110);
        tending.abort();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_that_died_with_its_gateway_delays_the_refusal_once() {
    let home = Home::in_sqlite();
    let token = account_with_key(&*home.open().await, "api").await;
    let dying = gateways(&home, 1, 1_000).await;
    assert_eq!(served(&dying, &token, 110).await, 110);
    drop(dying);
    let living = gateways(&home, 1, 1_000).await;
    served(&living, &token, 1_000).await;
    let refusals = tokio::time::timeout(Duration::from_millis(500), served(&living, &token, 100)).await;
    assert_eq!(refusals, Ok(0), "later refusals come at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_day_brings_a_new_allowance() {
    on_each_store(async |home| {
        let store = home.open().await;
        let token = account_with_key(&*store, "api").await;
        let clock = clock();
        clock.set(instant("2026-11-21T23:59:59.001Z"));
        let access = Access::new(store, clock.clone(), 2).await.expect("access opens");
        assert_eq!(call(&access, &token).await, Ok(1));
        assert_eq!(call(&access, &token).await, Ok(0));
        let denied = call(&access, &token).await.expect_err("the day is used up");
        assert_eq!(denied.retry_after(), Some(1));
        clock.set(instant("2026-11-22T00:00:00Z"));
        assert_eq!(call(&access, &token).await, Ok(1));
        clock.set(instant("2026-11-21T23:59:59.999Z"));
        assert!(call(&access, &token).await.is_err(), "a clock set back brings nothing back");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_nothing_serves_nothing() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let denied = call(&gateways(home, 1, 0).await[0], &token).await.expect_err("nothing is allowed");
        assert_eq!(denied.refusal(), &Refusal::RateLimited);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_loses_no_block() {
    on_each_store(async |home| {
        let token = account_with_key(&*home.open().await, "api").await;
        let gateway = gateways(home, 1, 2_000).await.remove(0);
        assert_eq!(served(&[Arc::clone(&gateway)], &token, 200).await, 200);
        let mut sent = 200;
        for _ in 0..100 {
            // Given up at its first pause, wherever that is.
            let impatient = tokio::time::timeout(Duration::ZERO, call(&gateway, &token)).await;
            sent += 1;
            drop(impatient);
        }
        let remaining = call(&gateway, &token).await.expect("plenty left");
        assert!(remaining >= 2_000 - sent - 1, "a request costs one at most: {remaining}");
    })
    .await;
}
