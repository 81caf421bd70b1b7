//! Which machines may ask.

use std::net::{Ipv4Addr, SocketAddr};

use catalogue_gateway::access::Location;
use catalogue_gateway::clock::Clock;
use catalogue_gateway::gateway::{Error, Settings};
use catalogue_gateway::graphql;
use catalogue_gateway::operations::OperatorSecret;
use catalogue_gateway::proxies::Proxies;

use crate::support::client::Client;
use crate::support::command::{self, Said};
use crate::support::data::Data;
use crate::support::export::Export;
use crate::support::service::{Choices, Service};

const SECRET: &str = "correct-horse-battery";

#[test]
fn without_a_secret_this_machine_asks_without_one() {
    let service = Service::of(&Export::of_count(1));
    let operations = service.operations();
    let healthy = operations.get("/healthz");
    assert_eq!((healthy.status, healthy.body.as_slice()), (200, &b"ok\n"[..]));
    let ready = operations.get("/readyz");
    assert_eq!((ready.status, ready.body.as_slice()), (200, &b"ready: generation 1\n"[..]));
    let empty = Service::over(Data::new(), Choices::default());
    assert_eq!((empty.operations().get("/healthz").status, empty.operations().get("/readyz").status), (200, 503));
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(service.get(path).status, 404, "the public listener has no {path}");
    }
}

#[test]
fn with_a_secret_nobody_asks_who_does_not_bring_it() {
    let choices = Choices { operator_secret: Some(SECRET), ..Choices::default() };
    let service = Service::with(&Export::of_count(1), choices);
    let operations = service.operations();
    let near = &SECRET[..SECRET.len() - 1];
    for path in ["/healthz", "/readyz", "/metrics"] {
        let wrong = [near, "", &format!("{SECRET}x"), service.key()]
            .map(|wrong| Client::new(service.internal(), Some(wrong)).get(path));
        for refused in [&[operations.get(path)][..], &wrong].concat() {
            assert_eq!((refused.status, refused.header("www-authenticate")), (401, Some("Bearer")));
            assert_eq!(refused.header("cache-control"), Some("no-store"));
            let said = String::from_utf8_lossy(&refused.body);
            assert!(said.starts_with("Send the secret") && !said.contains(near), "{said}");
        }
        let twice = [("authorization", "Bearer x")];
        let operator = Client::new(service.internal(), Some(SECRET));
        assert_eq!(operator.get(path).status, 200, "{path}");
        assert_eq!(operator.get_with(path, &twice).status, 401, "two credentials are no credential");
    }
}

#[test]
fn an_address_that_others_reach_needs_a_secret() {
    let data = Data::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8081"] {
        for command in ["serve", "demo"] {
            let mut catalogue = command::catalogue(data.path());
            catalogue.env_remove("CATALOGUE_INTERNAL_SECRET");
            let said = command::run(catalogue.args([command, "--internal-listen", address, "--listen", "127.0.0.1:0"]));
            let Said { status, out, err } = said;
            assert_eq!((status, &*out), (2, ""), "{err}");
            assert!(
                err.contains(&format!("must not answer on {address}")) && err.contains("CATALOGUE_INTERNAL_SECRET")
            );
        }
    }
    let mut catalogue = command::catalogue(data.path());
    catalogue.env("CATALOGUE_INTERNAL_SECRET", "short");
    let said = command::run(catalogue.args(["serve", "--internal-listen", "0.0.0.0:0"]));
    assert_eq!(said.status, 2);
    assert!(said.err.contains("16 characters or more"), "{}", said.err);
    assert!(!said.err.contains("0.0.0.0"), "nothing was begun");

    let secret: OperatorSecret = SECRET.parse().expect("long enough");
    let settings = |operator_secret| Settings {
        data: data.folder(),
        store: Location::Sqlite(data.path().join("accounts.sqlite")),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        internal_listen: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
        operator_secret,
        daily_limit: 1,
        changes_window: 1,
        query_time_limit: graphql::TIME_LIMIT,
        proxies: Proxies::default(),
        clock: Clock::System,
    };
    assert!(matches!(settings(None).check(), Err(Error::Exposed(_))));
    assert!(settings(Some(secret)).check().is_ok());
}
