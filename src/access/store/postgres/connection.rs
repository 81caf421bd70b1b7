//! The connections to a PostgreSQL database, and its migrations.

use std::net::IpAddr;
use std::str::FromStr as _;
use std::time::Duration;

use deadpool_postgres::{Client, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

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
    let mut config = configuration(url)?;
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    // A server that has vanished without a word is noticed in seconds, not in the quarter of an hour that TCP would take.
    config.tcp_user_timeout(PATIENCE);
    if config.get_application_name().is_none() {
        config.application_name("catalogue");
    }
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = if config.get_ssl_mode() == SslMode::Disable {
        Manager::from_config(config, NoTls, recycling)
    } else {
        Manager::from_config(config, trusting_the_machine()?, recycling)
    };
    let pool = Pool::builder(manager)
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

/// What a URL asks for. Where it says nothing of TLS, another machine is spoken to by TLS or not at all: passwords' hashes and the
/// service's secrets go over this line. On this machine nobody is in between.
fn configuration(url: &str) -> Result<Config, Error> {
    let mut config = Config::from_str(url)?;
    let query = url.split_once('?').map_or("", |(_, query)| query);
    if !form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "sslmode") {
        config.ssl_mode(if is_here(&config) { SslMode::Disable } else { SslMode::Require });
    }
    Ok(config)
}

/// Whether the server is on this machine, wherever it is looked for.
fn is_here(config: &Config) -> bool {
    let is_here = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback()),
    };
    config.get_hosts().iter().all(is_here) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// TLS with servers whose certificate is for their host and by an authority that this machine trusts.
fn trusting_the_machine() -> Result<MakeRustlsConnect, Error> {
    let (connect, unread) = MakeRustlsConnect::with_native_certs().map_err(|errors| {
        let reasons: Vec<_> = errors.iter().map(ToString::to_string).collect();
        Error::unavailable(format!("no certificate of an authority can be read here: {}", reasons.join("; ")))
    })?;
    for error in unread {
        tracing::warn!(%error, "a certificate of an authority cannot be read");
    }
    Ok(connect)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_machine_is_spoken_to_by_tls_unless_the_url_says_otherwise() {
        for (url, mode) in [
            ("postgres://ada@db.example.org/catalogue", SslMode::Require),
            ("postgres://ada@192.0.2.7,127.0.0.1/catalogue", SslMode::Require),
            ("postgres://ada@localhost/catalogue?hostaddr=192.0.2.7", SslMode::Require),
            ("postgres://ada@db.example.org/catalogue?sslmode=disable", SslMode::Disable),
            ("postgres://ada@db.example.org/catalogue?connect_timeout=3&sslmode=prefer", SslMode::Prefer),
            ("postgres://ada@localhost/catalogue", SslMode::Disable),
            ("postgres://ada@127.0.0.1:5433/catalogue?application_name=sslmode", SslMode::Disable),
            ("postgres://ada@[::1]/catalogue", SslMode::Disable),
            ("postgres://ada@%2Frun%2Fpostgresql/catalogue", SslMode::Disable),
            ("postgres://ada@localhost/catalogue?sslmode=require", SslMode::Require),
        ] {
            assert_eq!(configuration(url).expect(url).get_ssl_mode(), mode, "{url}");
        }
        assert!(configuration("postgres://ada@localhost/catalogue?sslmode=perhaps").is_err());
    }
}
