//! A gateway in this process over a vault, and clients that read from it.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use catalogue_gateway::access::account::NewAccount;
use catalogue_gateway::access::key::{NewKey, SealingKey};
use catalogue_gateway::access::store::Secret;
use catalogue_gateway::access::{Email, Location, Role, Store, Token, password};
use catalogue_gateway::clock::Clock;
use catalogue_gateway::gateway::{Gateway, Settings};
use catalogue_gateway::graphql;
use catalogue_gateway::proxies::Proxies;
use catalogue_schema::Timestamp;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::vault::Vault;

/// How long a publication may take to be served.
const SERVED_WITHIN: Duration = Duration::from_secs(20);

/// A gateway that answers.
pub(crate) struct Reading {
    pub(crate) clock: Clock,
    key: String,
    public: SocketAddr,
    internal: SocketAddr,
    // The gateway ends with its runtime.
    _gateway: Gateway,
    _runtime: Runtime,
}

/// A client that keeps its connection.
pub(crate) struct Reader {
    agent: ureq::Agent,
    address: SocketAddr,
    key: String,
}

impl Reading {
    /// Serves a vault, the clock standing at `now`.
    pub(crate) fn begin(vault: &Vault, now: Timestamp, changes_window: u64) -> Self {
        let clock = Clock::frozen_at(now);
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let store = Location::Sqlite(vault.file("accounts.sqlite"));
        let settings = Settings {
            data: vault.data(),
            store: store.clone(),
            listen: any_port,
            internal_listen: any_port,
            operator_secret: None,
            daily_limit: 10_000_000,
            changes_window,
            query_time_limit: graphql::TIME_LIMIT,
            proxies: Proxies::default(),
            clock: clock.clone(),
        };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
        let (gateway, key) = runtime.block_on(async {
            let gateway = Gateway::begin(settings).await.expect("the gateway begins");
            (gateway, new_key(&*store.open().await.expect("the store"), now).await)
        });
        let (public, internal) = (gateway.public, gateway.internal);
        Self { clock, key, public, internal, _gateway: gateway, _runtime: runtime }
    }

    /// One more client.
    pub(crate) fn reader(&self) -> Reader {
        Reader { agent: agent(), address: self.public, key: self.key.clone() }
    }

    /// Waits until the generation of that number is served.
    pub(crate) fn await_generation(&self, number: u64) {
        let started = Instant::now();
        let agent = agent();
        loop {
            let ready = agent.get(format!("http://{}/readyz", self.internal)).call().expect("an answer");
            let text = ready.into_body().read_to_string().expect("a text");
            if text.trim_end().ends_with(&format!("generation {number}")) {
                return;
            }
            assert!(started.elapsed() < SERVED_WITHIN, "generation {number} is not served: {text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Reader {
    /// Status and body of a path below `/api/v1`.
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        let request = self.agent.get(format!("http://{}/api/v1{path}", self.address));
        let response = request.header("authorization", format!("Bearer {}", self.key)).call().expect("an answer");
        let status = response.status().as_u16();
        let text = response.into_body().read_to_string().expect("a body");
        (status, serde_json::from_str(&text).expect("JSON"))
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

async fn new_key(store: &dyn Store, created: Timestamp) -> String {
    let email: Email = "reader@example.org".parse().expect("an address");
    let plan = "api".to_owned();
    // Nobody signs in with this account.
    let account = NewAccount { email: email.clone(), role: Role::Client, plan, password_hash: String::new(), created };
    store.add_account(&account).await.expect("a new account");
    let sealing = SealingKey::new(store.secret(Secret::Key).await.expect("a secret"));
    let token = Token::mint(&sealing).expect("random bytes");
    let secret_hash = password::hash(token.secret()).expect("a hash");
    let key = NewKey { id: token.id(), name: "test".to_owned(), secret_hash, created };
    store.add_key(&email, &key).await.expect("a new key");
    token.reveal()
}
