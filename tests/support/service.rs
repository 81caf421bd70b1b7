//! A real gateway in this process: its own data folder, SQLite store and frozen clock, on ports of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::time::{Duration, Instant};

use catalogue_gateway::access::account::NewAccount;
use catalogue_gateway::access::key::{NewKey, SealingKey};
use catalogue_gateway::access::store::{Location, Secret, Store};
use catalogue_gateway::access::{Email, Role, Token, password};
use catalogue_gateway::clock::Clock;
use catalogue_gateway::gateway::{Gateway, Settings};
use catalogue_gateway::graphql;
use catalogue_gateway::proxies::Proxies;
use catalogue_index::Report;
use tokio::runtime::Runtime;

use super::at;
use super::client::Client;
use super::data::{CHANGES_WINDOW, Data};
use super::export::Export;

/// When the first export is published.
pub(crate) const PUBLISHED_AT: &str = "2026-07-01T12:00:00.000Z";

/// Where the clock stands when the service begins.
pub(crate) const NOW: &str = "2026-07-02T00:00:00.000Z";

/// The end of the day of [`NOW`], in Unix seconds.
pub(crate) const DAY_ENDS: u64 = 1_783_036_800;

/// The account of a service's own client.
pub(crate) const READER: &str = "reader@example.org";

/// How long a publication may take to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);

/// What a test may choose of its service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    pub(crate) daily_limit: u32,
    pub(crate) changes_window: u64,
    pub(crate) query_time_limit: Duration,
    pub(crate) operator_secret: Option<&'static str>,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            daily_limit: 5_000,
            changes_window: CHANGES_WINDOW,
            query_time_limit: graphql::TIME_LIMIT,
            operator_secret: None,
        }
    }
}

/// A gateway that answers, and a client with a key of its own; used like that client.
pub(crate) struct Service {
    pub(crate) data: Data,
    pub(crate) clock: Clock,
    client: Client,
    key: String,
    public: SocketAddr,
    internal: SocketAddr,
    // Ends the gateway when it is dropped.
    runtime: Runtime,
    gateway: Gateway,
}

impl Deref for Service {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Service {
    /// Publishes an export and serves it.
    pub(crate) fn of(export: &Export) -> Self {
        Self::with(export, Choices::default())
    }

    /// Publishes an export and serves it as the test chooses.
    pub(crate) fn with(export: &Export, choices: Choices) -> Self {
        let data = Data::new();
        data.publish(export, PUBLISHED_AT);
        Self::over(data, choices)
    }

    /// Serves a data folder, whatever it holds.
    pub(crate) fn over(data: Data, choices: Choices) -> Self {
        let clock = Clock::frozen_at(at(NOW));
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let settings = Settings {
            data: data.folder(),
            store: Location::Sqlite(data.path().join("accounts.sqlite")),
            listen: any_port,
            internal_listen: any_port,
            operator_secret: choices.operator_secret.map(|secret| secret.parse().expect("a sound secret")),
            daily_limit: choices.daily_limit,
            changes_window: choices.changes_window,
            query_time_limit: choices.query_time_limit,
            proxies: Proxies::default(),
            clock: clock.clone(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime for the gateway");
        let (gateway, key) = runtime.block_on(async {
            let gateway = Gateway::begin(settings).await.expect("the gateway begins");
            (gateway, new_key(&data, READER, "api", Role::Client).await)
        });
        let client = Client::new(gateway.public, Some(&key));
        let (public, internal) = (gateway.public, gateway.internal);
        Self { data, clock, client, key, public, internal, runtime, gateway }
    }

    /// Where the public listener answers.
    pub(crate) fn public(&self) -> SocketAddr {
        self.public
    }

    /// A client of the internal listener, without a key.
    pub(crate) fn operations(&self) -> Client {
        Client::new(self.internal, None)
    }

    /// Makes the store of accounts fail from here on.
    pub(crate) fn break_store(&self) {
        let store = rusqlite::Connection::open(self.data.path().join("accounts.sqlite")).expect("the store's file");
        store.execute_batch("ALTER TABLE plan RENAME TO lost").expect("a table");
    }

    /// Ends the gateway and keeps what it served.
    pub(crate) fn into_data(self) -> Data {
        let Self { data, runtime, gateway, client, .. } = self;
        // Connections that are kept open would hold the end up.
        drop(client);
        runtime.block_on(gateway.end()).expect("the gateway ends");
        data
    }

    /// The key of the client.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// A client without a key.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.public, None)
    }

    /// A client with this text for a key.
    pub(crate) fn with_key(&self, key: &str) -> Client {
        Client::new(self.public, Some(key))
    }

    /// A client with a new key of a new account on a plan.
    pub(crate) fn client_on(&self, plan: &str) -> Client {
        let key = self.key_of(&format!("{plan}@example.org"), plan, Role::Client);
        Client::new(self.public, Some(&key))
    }

    /// A client of the internal listener with a key of an analyst, whose plan does not include the API.
    pub(crate) fn analyst(&self) -> Client {
        Client::new(self.internal, Some(&self.key_of("analyst@example.org", "free", Role::Analyst)))
    }

    /// A client of the internal listener with this text for a key, or with none.
    pub(crate) fn inside(&self, key: Option<&str>) -> Client {
        Client::new(self.internal, key)
    }

    /// A new key of an account, which is made where it is not there.
    pub(crate) fn key_of(&self, email: &str, plan: &str, role: Role) -> String {
        self.runtime.block_on(new_key(&self.data, email, plan, role))
    }

    /// Where the internal listener answers.
    pub(crate) fn internal(&self) -> SocketAddr {
        self.internal
    }

    /// Does something with the store of accounts.
    pub(crate) fn with_store<T>(&self, work: impl AsyncFnOnce(&dyn Store) -> T) -> T {
        self.runtime.block_on(async { work(&*open_store(&self.data).await).await })
    }

    /// Publishes the next export and waits until it is served.
    pub(crate) fn publish(&self, export: &Export, instant: &str) -> Report {
        let report = self.data.publish(export, instant);
        let generation = report.generation.expect("a published export has a generation");
        let internal = self.operations();
        let started = Instant::now();
        loop {
            let ready = internal.get("/readyz");
            if String::from_utf8_lossy(&ready.body).trim_end().ends_with(&format!("generation {generation}")) {
                return report;
            }
            assert!(started.elapsed() < SERVED_WITHIN, "generation {generation} is not served");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Moves the clock.
    pub(crate) fn set_clock(&self, instant: &str) {
        self.clock.set(at(instant));
    }
}

async fn open_store(data: &Data) -> std::sync::Arc<dyn Store> {
    Location::Sqlite(data.path().join("accounts.sqlite")).open().await.expect("the store opens")
}

/// Makes an account on a plan and a key of it.
async fn new_key(data: &Data, email: &str, plan: &str, role: Role) -> String {
    let store = open_store(data).await;
    let email: Email = email.parse().expect("an address");
    // Nobody signs in with these accounts, so that no password need be hashed.
    let account = NewAccount {
        email: email.clone(),
        role,
        plan: plan.to_owned(),
        password_hash: String::new(),
        created: at(PUBLISHED_AT),
    };
    // A data folder that was served before has the account already.
    if store.account(&email).await.expect("the store answers").is_none() {
        store.add_account(&account).await.expect("a new account");
    }
    let sealing = SealingKey::new(store.secret(Secret::Key).await.expect("the store's secret"));
    let token = Token::mint(&sealing).expect("random bytes");
    let secret_hash = password::hash(token.secret()).expect("a hash");
    let key = NewKey { id: token.id(), name: "test".to_owned(), secret_hash, created: at(PUBLISHED_AT) };
    store.add_key(&email, &key).await.expect("a new key");
    token.reveal()
}
