//! How a PostgreSQL is spoken to.

use std::path::Path;

use crate::support::command::{Said, catalogue, run};
use crate::support::postgres::Server;

/// `plan list` on a store, with the certificates that are trusted.
fn plans(store: &str, trusted: Option<&Path>) -> Said {
    let mut command = catalogue(Path::new("nowhere"));
    if let Some(file) = trusted {
        command.env("SSL_CERT_FILE", file);
    }
    run(command.args(["--database-url", store, "plan", "list"]))
}

#[test]
fn a_server_that_wants_tls_is_spoken_to_by_tls() {
    let (server, certificate) = Server::encrypted();
    let store = server.database();
    for mode in ["require", "prefer"] {
        let said = plans(&format!("{store}?sslmode={mode}"), Some(&certificate));
        assert_eq!((said.status, said.err.as_str()), (0, ""), "{mode}");
        assert!(said.out.starts_with("name\tapi\n"), "{said:?}");
    }
    let clear = plans(&format!("{store}?sslmode=disable"), Some(&certificate));
    assert_eq!(clear.status, 1);
    assert!(clear.err.contains("no encryption"), "{}", clear.err);
}

#[test]
fn a_server_that_anybody_could_be_is_not_spoken_to() {
    let (server, certificate) = Server::encrypted();
    let store = server.database();
    let stranger = plans(&format!("{store}?sslmode=require"), None);
    assert_eq!((stranger.status, stranger.out.as_str()), (1, ""));
    assert!(stranger.err.contains("certificate"), "{}", stranger.err);
    let other = store.replace("@127.0.0.1", "@localhost");
    let another_name = plans(&format!("{other}?sslmode=require"), Some(&certificate));
    assert_eq!(another_name.status, 1);
    assert!(another_name.err.contains("not valid for name"), "{}", another_name.err);
}

#[test]
fn who_requires_tls_is_not_spoken_to_without() {
    let server = Server::shared();
    let store = server.database();
    for (mode, status) in [("require", 1), ("prefer", 0), ("disable", 0)] {
        let said = plans(&format!("{store}?sslmode={mode}"), None);
        assert_eq!(said.status, status, "{mode}: {}", said.err);
    }
}
