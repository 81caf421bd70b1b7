//! The allowance over HTTP, by processes that are killed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use catalogue_gateway::clock::Clock;

use super::account_with_key;
use crate::support::client::Client;
use crate::support::data::Data;
use crate::support::export::Export;
use crate::support::process::Process;
use crate::support::stores::{Home, on_each_store};

const CLIENTS: u32 = 16;

const LIMIT: u32 = 50;

/// What a day allows must not begin anew while a test counts.
const MIDNIGHT_IS_NEAR: Duration = Duration::from_mins(1);

/// Some gateways, and what replaces one that was killed.
struct Fleet<'a> {
    data: &'a Data,
    home: &'a Home,
    gateways: Vec<Mutex<Process>>,
}

impl<'a> Fleet<'a> {
    fn of(size: usize, data: &'a Data, home: &'a Home) -> Self {
        let gateways = (0..size).map(|_| Mutex::new(Process::serve(data.path(), home.url(), LIMIT))).collect();
        Self { data, home, gateways }
    }

    fn client(&self, gateway: usize, key: &str) -> Client {
        self.gateways[gateway].lock().unwrap_or_else(PoisonError::into_inner).client(key)
    }

    /// Kills a gateway in the middle of whatever it does, and starts it anew.
    fn kill(&self, gateway: usize) {
        let mut running = self.gateways[gateway].lock().unwrap_or_else(PoisonError::into_inner);
        let next = Process::serve(self.data.path(), self.home.url(), LIMIT);
        std::mem::replace(&mut *running, next).kill();
    }

    /// Lets 16 clients ask until each is refused, and kills a gateway when so many requests were served; how many were in all.
    fn served(&self, key: &str, kills: &[u32]) -> u32 {
        let served = AtomicU32::new(0);
        let ask = |client: u32| {
            let gateway = usize::try_from(client).expect("small") % self.gateways.len();
            let mut patience = 1_000;
            while patience > 0 {
                // A gateway that was killed answers nothing; the next one has another port.
                match self.client(gateway, key).try_get("/api/v1/grants?limit=1") {
                    Ok(answer) if answer.status == 200 => {
                        let count = served.fetch_add(1, Ordering::SeqCst) + 1;
                        if kills.contains(&count) {
                            self.kill(gateway);
                        }
                    }
                    Ok(answer) => return answer.assert_refused(429, "rate_limited", None),
                    Err(_) => patience -= 1,
                }
            }
            panic!("the gateway is gone");
        };
        std::thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || ask(client))).collect();
            for client in clients {
                client.join().expect("every client is refused in the end");
            }
        });
        served.into_inner()
    }
}

fn await_the_day() {
    let is_near = || {
        let now = Clock::System.now();
        let later = now.plus_millis(i64::try_from(MIDNIGHT_IS_NEAR.as_millis()).expect("small")).expect("an instant");
        now.to_string()[..10] != later.to_string()[..10]
    };
    while is_near() {
        std::thread::sleep(Duration::from_secs(1));
    }
}

async fn key_and_data(home: &Home) -> (String, Data) {
    let data = Data::new();
    data.publish(&Export::of_count(3), "2026-07-01T12:00:00.000Z");
    (account_with_key(&*home.open().await, "api").await.reveal(), data)
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_clients_are_served_exactly_fifty_over_http() {
    await_the_day();
    on_each_store(async |home| {
        for size in [1, 2] {
            let home = if home.is_sqlite() { Home::in_sqlite() } else { Home::in_postgres() };
            let (key, data) = key_and_data(&home).await;
            assert_eq!(Fleet::of(size, &data, &home).served(&key, &[]), LIMIT, "{size} gateways");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateways_killed_in_the_middle_never_give_a_fifty_first() {
    await_the_day();
    on_each_store(async |home| {
        for size in [1, 2] {
            let home = if home.is_sqlite() { Home::in_sqlite() } else { Home::in_postgres() };
            let (key, data) = key_and_data(&home).await;
            let kills = [7, 19, 31];
            let served = Fleet::of(size, &data, &home).served(&key, &kills);
            // What a gateway had spent when it died was on its way to a client: one request for each of them at the most.
            let lost = CLIENTS * u32::try_from(kills.len()).expect("small");
            println!("{size} gateways, killed {} times: {served} requests served", kills.len());
            assert!(served <= LIMIT && served + lost >= LIMIT, "{served}");
        }
    })
    .await;
}
