//! `catalogue serve`.

use std::net::SocketAddr;

use catalogue_index::DataFolder;
use clap::Args;
use ipnet::IpNet;

use super::{Failure, Global};
use crate::access::Location;
use crate::clock::Clock;
use crate::gateway::{Gateway, Settings};
use crate::graphql;
use crate::operations::OperatorSecret;
use crate::proxies::Proxies;
use crate::shutdown;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Address of the public listener: REST and pages
    #[arg(long, default_value = "127.0.0.1:8080", env = "CATALOGUE_LISTEN", value_name = "ADDR")]
    pub(crate) listen: SocketAddr,
    /// Address of the internal listener: dashboard, GraphQL, operations
    #[arg(long, default_value = "127.0.0.1:8081", env = "CATALOGUE_INTERNAL_LISTEN", value_name = "ADDR")]
    pub(crate) internal_listen: SocketAddr,
    /// Secret with which machines elsewhere ask the internal listener for /metrics, /healthz and /readyz, as
    /// `Authorization: Bearer SECRET`; needed where that listener is not on a loopback address. Other users of this machine see command
    /// lines: rather set the variable
    #[arg(long, env = "CATALOGUE_INTERNAL_SECRET", hide_env_values = true, value_name = "SECRET")]
    internal_secret: Option<OperatorSecret>,
    /// Requests per key and UTC day
    #[arg(long, default_value_t = 5_000, env = "CATALOGUE_DAILY_LIMIT", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    daily_limit: u32,
    /// Changes one traversal of the feed serves at the most
    #[arg(long, default_value_t = 10_000, env = "CATALOGUE_CHANGES_WINDOW", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    changes_window: u64,
    /// Addresses of proxies, or ranges of them such as 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto are believed
    #[arg(
        long,
        default_value = "127.0.0.1,::1",
        env = "CATALOGUE_TRUSTED_PROXIES",
        value_name = "IP",
        value_delimiter = ',',
        value_parser = Proxies::network
    )]
    trusted_proxies: Vec<IpNet>,
}

pub(crate) fn run(global: &Global, options: &Options) -> Result<(), Failure> {
    let settings = settings(global, options)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(settings))
}

/// What the options ask for, where it may be asked for.
pub(crate) fn settings(global: &Global, options: &Options) -> Result<Settings, Failure> {
    let settings = Settings {
        data: DataFolder::new(&global.data_dir),
        store: Location::new(global.database_url.as_deref(), &global.data_dir)?,
        listen: options.listen,
        internal_listen: options.internal_listen,
        operator_secret: options.internal_secret.clone(),
        daily_limit: options.daily_limit,
        changes_window: options.changes_window,
        query_time_limit: graphql::TIME_LIMIT,
        proxies: Proxies::new(options.trusted_proxies.clone()),
        clock: Clock::System,
    };
    match settings.check() {
        Ok(()) => Ok(settings),
        Err(error) => Err(Failure { status: 2, message: error.to_string() }),
    }
}

/// Serves until the process is asked to end, or the gateway ends by itself.
pub(crate) async fn serve(settings: Settings) -> Result<(), Failure> {
    let mut gateway = Gateway::begin(settings).await?;
    tracing::info!(public = %gateway.public, internal = %gateway.internal, "listening");
    tokio::select! {
        asked = shutdown::asked_by_signal() => asked?,
        why = gateway.ended() => return Err(why.into()),
    }
    tracing::info!("finishing the requests in flight");
    Ok(gateway.end().await?)
}
