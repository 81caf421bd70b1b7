//! A store to test with, of each kind in turn.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use catalogue_gateway::access::{Location, Store};
use tempfile::TempDir;

use super::postgres::{self, Server};

/// An account store of a test's own.
pub(crate) struct Home {
    url: String,
    folder: TempDir,
    server: Option<Arc<Server>>,
}

/// Makes the same claim of SQLite and of PostgreSQL.
pub(crate) async fn on_each_store(claim: impl AsyncFn(&Home)) {
    for home in [Home::in_sqlite(), Home::in_postgres()] {
        println!("on {}", home.url);
        claim(&home).await;
    }
}

impl Home {
    pub(crate) fn in_sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("new/accounts.sqlite").display());
        Self { url, folder, server: None }
    }

    pub(crate) fn in_postgres() -> Self {
        let server = Server::shared();
        let url = server.database();
        Self { url, folder: tempfile::tempdir().expect("a folder"), server: Some(server) }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn location(&self) -> Location {
        Location::new(Some(&self.url), self.folder.path()).expect("a good URL")
    }

    /// Opens the store, as one more process would.
    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        self.location().open().await.expect("the store opens")
    }

    /// The folder under which the store keeps its files.
    pub(crate) fn files(&self) -> &Path {
        self.server.as_ref().map_or(self.folder.path(), |server| server.folder())
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.server.is_none()
    }

    /// Changes the database behind the program's back.
    pub(crate) fn execute(&self, sql: &str) {
        if let Some(file) = self.url.strip_prefix("sqlite://") {
            rusqlite::Connection::open(file).and_then(|store| store.execute_batch(sql)).expect(sql);
        } else {
            let psql = Command::new(postgres::binary("psql")).args(["-q", "-c", sql, &self.url]).output();
            assert!(psql.expect("psql starts").status.success(), "{sql}");
        }
    }
}
