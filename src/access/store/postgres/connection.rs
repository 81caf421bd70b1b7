//! The connections to a PostgreSQL database, and its migrations.

use std::str::FromStr as _;
use std::time::Duration;

use deadpool_postgres::{Client, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio_postgres::{Config, NoTls};

use super::super::Error;

/// The schema, one step after another. A step that has been released is never changed; the next one follows it.
const MIGRATIONS: &[&str] = &[include_str!("1.sql"), include_str!("2.sql")];

/// The lock that migrations wait for: any number, as long as every version of this program has the same.
const MIGRATION_LOCK: i64 = 0x6361_7461_6c6f_6775;

/// How long a request waits for a connection, and a connection for the server.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many connections one gateway opens at most.
const MOST_CONNECTIONS: usize = 16;

/// Connects to the database and migrates it.
pub(super) async fn open(url: &str) -> Result<Pool, Error> {
    let mut config = Config::from_str(url)?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    // A server that has vanished without a word is noticed in seconds, not in the quarter of an hour that TCP would take.
    config.tcp_user_timeout(PATIENCE);
    if config.get_application_name().is_none() {
        config.application_name("catalogue");
    }
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let pool = Pool::builder(Manager::from_config(config, NoTls, recycling))
        .max_size(MOST_CONNECTIONS)
        .wait_timeout(Some(PATIENCE))
        .create_timeout(Some(PATIENCE))
        .recycle_timeout(Some(PATIENCE))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(Error::unavailable)?;
    migrate(&mut pool.get().await?).await?;
    Ok(pool)
}

async fn migrate(client: &mut Client) -> Result<(), Error> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let transaction = client.transaction().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await?;
    let is_new = "SELECT to_regclass('schema_version') IS NULL";
    if transaction.query_one(is_new, &[]).await?.try_get(0)? {
        transaction.batch_execute("CREATE TABLE schema_version (version BIGINT NOT NULL)").await?;
    }
    let version = "SELECT coalesce(max(version), 0) FROM schema_version";
    let found: i64 = transaction.query_one(version, &[]).await?.try_get(0)?;
    if found > known {
        return Err(Error::NewerSchema { found, known });
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.batch_execute(step).await?;
    }
    if found < known {
        transaction.execute("INSERT INTO schema_version (version) VALUES ($1)", &[&known]).await?;
    }
    Ok(transaction.commit().await?)
}
