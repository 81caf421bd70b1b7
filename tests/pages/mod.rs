//! The account's pages and the documentation, as a browser without scripts meets them, and as a real one does.

mod analysts;
mod browser;
mod chromium;
mod chromium_analyst;
mod dashboard;
mod guide;
mod headers;
mod keys;
mod reference;
mod secrecy;
mod sessions;
mod sign_in;
mod tables;

use std::net::{Ipv4Addr, SocketAddr};

use catalogue_gateway::access::account::NewAccount;
use catalogue_gateway::access::{Role, password};
use catalogue_gateway::clock::Clock;
use catalogue_gateway::gateway::{Gateway, Settings};
use catalogue_gateway::graphql;
use catalogue_gateway::proxies::Proxies;
use catalogue_gateway::synthetic::{self, DEFAULT_SEED, Size, default_crawled_at};

use self::browser::Browser;
use crate::support::at;
use crate::support::data::Data;
use crate::support::stores::Home;

/// Where the clock stands when a site begins.
const NOW: &str = "2026-07-02T06:00:00.000Z";

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
/// An analyst.
const EVE: &str = "eve@example.org";
const PASSWORD: &str = "correct horse & battery";

/// A gateway with a small catalogue and two accounts.
struct Site {
    clock: Clock,
    gateway: Gateway,
    data: Data,
}

impl Site {
    async fn over(home: &Home) -> Self {
        Self::at_clock(home, Clock::frozen_at(at(NOW))).await
    }

    async fn at_clock(home: &Home, clock: Clock) -> Self {
        let data = Data::new();
        let export = tempfile::tempdir().expect("a folder");
        let crawled_at = default_crawled_at();
        synthetic::write(export.path(), Size::of_grants(10), DEFAULT_SEED, crawled_at).expect("an export");
        data.publish_folder(export.path(), NOW);
        Self::of(home, clock, data).await
    }

    /// A site with what a data folder holds.
    async fn of(home: &Home, clock: Clock, data: Data) -> Self {
        let store = home.open().await;
        for (email, role) in [(ADA, Role::Client), (BOB, Role::Client), (EVE, Role::Analyst)] {
            let account = NewAccount {
                email: email.parse().expect(email),
                role,
                plan: "api".to_owned(),
                password_hash: password::hash(PASSWORD.as_bytes()).expect("a hash"),
                created: at(NOW),
            };
            store.add_account(&account).await.expect("a new account");
        }
        let gateway = begin(home, &data, &clock).await;
        Self { clock, gateway, data }
    }

    /// One more gateway of the same store.
    async fn beside(&self, home: &Home) -> Self {
        let data = Data::new();
        let gateway = begin(home, &self.data, &self.clock).await;
        Self { clock: self.clock.clone(), gateway, data }
    }

    fn browser(&self) -> Browser {
        Browser::new(self.gateway.public)
    }

    /// A browser on the internal listener.
    fn inside(&self) -> Browser {
        Browser::new(self.gateway.internal)
    }

    /// A browser in which the analyst has signed in, on the internal listener.
    fn analyst(&self) -> Browser {
        let mut browser = self.inside();
        let answer = browser.sign_in(EVE, PASSWORD);
        assert_eq!((answer.status, answer.location()), (303, "/"), "{}", answer.text());
        browser
    }

    /// A browser in which somebody has signed in.
    fn signed_in(&self, email: &str) -> Browser {
        let mut browser = self.browser();
        let answer = browser.sign_in(email, PASSWORD);
        assert_eq!((answer.status, answer.location()), (303, "/account/keys"), "{}", answer.text());
        browser
    }

    /// The status of a call to the API with this key.
    fn call(&self, key: &str) -> u16 {
        let client = crate::support::client::Client::new(self.gateway.public, Some(key));
        client.get("/api/v1/grants").status
    }
}

async fn begin(home: &Home, data: &Data, clock: &Clock) -> Gateway {
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let settings = Settings {
        data: data.folder(),
        store: home.location(),
        listen: any_port,
        internal_listen: any_port,
        operator_secret: None,
        daily_limit: 5_000,
        changes_window: 10_000,
        query_time_limit: graphql::TIME_LIMIT,
        proxies: Proxies::default(),
        clock: clock.clone(),
    };
    Gateway::begin(settings).await.expect("the gateway begins")
}
