//! A running gateway: its listeners, and what runs beside them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use catalogue_index::{Catalogue, DataFolder};
use tokio::net::TcpListener;

use crate::access::{Access, Location};
use crate::app::Parts;
use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::operations::{OperatorSecret, is_local};
use crate::pages::dashboard::Dashboard;
use crate::pages::docs::Documentation;
use crate::proxies::Proxies;
use crate::shutdown::{self, Stop, Stopping};
use crate::{listener, router};

/// How often the published generation is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How a gateway is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The catalogue's folder.
    pub data: DataFolder,
    /// Where accounts and keys are kept.
    pub store: Location,
    /// The public listener's address.
    pub listen: SocketAddr,
    /// The internal listener's address.
    pub internal_listen: SocketAddr,
    /// What opens the operators' routes; without one they are open, to this machine alone.
    pub operator_secret: Option<OperatorSecret>,
    /// Requests per key and UTC day.
    pub daily_limit: u32,
    /// How many changes one traversal serves.
    pub changes_window: u64,
    /// How long a query of GraphQL may take.
    pub query_time_limit: Duration,
    /// Whose word on a request's origin is taken.
    pub proxies: Proxies,
    /// The time.
    pub clock: Clock,
}

/// Why a gateway could not begin, or has ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Anyone who reaches the address could ask after the service's state.
    #[error(
        "the internal listener must not answer on {0}, which other machines may reach, without a secret: give one \
        by CATALOGUE_INTERNAL_SECRET, or listen on an address of this machine alone, such as 127.0.0.1:8081"
    )]
    Exposed(SocketAddr),
    /// The account store failed.
    #[error(transparent)]
    Access(#[from] crate::access::Error),
    /// The catalogue cannot be opened.
    #[error(transparent)]
    Catalogue(#[from] catalogue_index::Error),
    /// An address cannot be listened on.
    #[error("cannot listen on {0}")]
    Listen(SocketAddr, #[source] std::io::Error),
    /// The API's description cannot be written down.
    #[error("the API's description cannot be written down")]
    Document(#[from] serde_json::Error),
    /// The documentation cannot be written down.
    #[error("the documentation cannot be written down")]
    Documentation(#[from] askama::Error),
    /// What answers has ended without having been asked to.
    #[error("the gateway ended unasked")]
    Ended(#[source] Option<tokio::task::JoinError>),
}

impl Settings {
    /// Whether a gateway may be set up so.
    ///
    /// # Errors
    /// [`Error::Exposed`].
    pub fn check(&self) -> Result<(), Error> {
        let is_exposed = self.operator_secret.is_none() && !is_local(self.internal_listen.ip());
        if is_exposed { Err(Error::Exposed(self.internal_listen)) } else { Ok(()) }
    }
}

/// A gateway that answers.
#[derive(Debug)]
pub struct Gateway {
    /// Where the public listener answers.
    pub public: SocketAddr,
    /// Where the internal listener answers.
    pub internal: SocketAddr,
    stop: Stop,
    running: tokio::task::JoinHandle<Result<(), crate::access::Error>>,
}

impl Gateway {
    /// Opens everything and begins to answer.
    ///
    /// # Errors
    /// Where the store, the catalogue or an address cannot be opened, or must not be.
    pub async fn begin(settings: Settings) -> Result<Self, Error> {
        settings.check()?;
        let store = settings.store.open().await?;
        let access = Arc::new(Access::new(store, settings.clock.clone(), settings.daily_limit).await?);
        let catalogue = Catalogue::open(settings.data, access.cursor_secret(), settings.changes_window)?;
        say_what_is_served(&catalogue);
        let parts = Parts {
            access,
            catalogue: Arc::new(catalogue),
            clock: settings.clock,
            query_time_limit: settings.query_time_limit,
            proxies: settings.proxies,
            document: Arc::new(router::document()?),
            documentation: Documentation::new(settings.daily_limit)?,
            dashboard: Dashboard::default(),
            metrics: Arc::new(Metrics::new()),
            operator_secret: settings.operator_secret,
        };
        let public = bind(settings.listen).await?;
        let internal = bind(settings.internal_listen).await?;
        let address_of =
            |listener: &TcpListener, asked| listener.local_addr().map_err(|error| Error::Listen(asked, error));
        let addresses = (address_of(&public, settings.listen)?, address_of(&internal, settings.internal_listen)?);
        let (stop, stopping) = shutdown::channel();
        let running = tokio::spawn(run(Arc::new(parts), public, internal, stopping));
        Ok(Self { public: addresses.0, internal: addresses.1, stop, running })
    }

    /// Is done when the gateway has ended without having been asked to; [`Gateway::end`] must not be called then.
    pub async fn ended(&mut self) -> Error {
        match (&mut self.running).await {
            Ok(Ok(())) => Error::Ended(None),
            Ok(Err(error)) => error.into(),
            Err(join) => Error::Ended(Some(join)),
        }
    }

    /// Finishes the requests in flight, gives unspent requests back and ends.
    ///
    /// # Errors
    /// Where the store does not take the unspent requests back, or a part of the gateway has panicked.
    pub async fn end(self) -> Result<(), Error> {
        self.stop.call();
        self.running.await.map_err(|join| Error::Ended(Some(join)))?.map_err(Error::from)
    }
}

/// Says in the log what the start found.
fn say_what_is_served(catalogue: &Catalogue) {
    let Some(generation) = catalogue.current() else {
        tracing::warn!("no generation is published yet: answering 503 until `catalogue reindex` publishes one");
        return;
    };
    let manifest = generation.manifest();
    tracing::info!(
        generation = manifest.generation,
        crawled_at = %manifest.crawled_at,
        grants = manifest.counts.grants,
        changes = manifest.publication().log_entries,
        "the published generation is served"
    );
}

async fn bind(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|error| Error::Listen(address, error))
}

async fn run(
    parts: Arc<Parts>,
    public: TcpListener,
    internal: TcpListener,
    stopping: Stopping,
) -> Result<(), crate::access::Error> {
    let (access, metrics) = (&parts.access, &parts.metrics);
    let (outside, inside) = (metrics.connections(router::PUBLIC), metrics.connections(router::INTERNAL));
    tokio::join!(
        listener::serve(public, router::public(Arc::clone(&parts)), outside, stopping.clone().wait()),
        listener::serve(internal, router::internal(Arc::clone(&parts)), inside, stopping.clone().wait()),
        look_for_publications(&parts.catalogue, stopping.clone()),
        access.tend(stopping.wait()),
    );
    // Only now is no request being answered, but for those that the listeners would not wait for any longer.
    access.close().await
}

/// Serves a newly published generation as soon as it is there.
async fn look_for_publications(catalogue: &Arc<Catalogue>, stopping: Stopping) {
    let stopped = stopping.wait();
    tokio::pin!(stopped);
    let mut complained = false;
    loop {
        tokio::select! {
            () = &mut stopped => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        let looking = Arc::clone(catalogue);
        let refreshed = tokio::task::spawn_blocking(move || looking.refresh()).await;
        let failure: Box<dyn std::error::Error> = match refreshed {
            Ok(Ok(is_new)) => {
                complained = false;
                if is_new {
                    let number = catalogue.current().map(|generation| generation.number());
                    tracing::info!(generation = number, "a new generation is served");
                }
                continue;
            }
            Ok(Err(error)) => error.into(),
            Err(join) => join.into(),
        };
        // Once for each time that it begins to fail, not four times a second.
        if !std::mem::replace(&mut complained, true) {
            tracing::error!(
                error = &*failure,
                "the published generation cannot be opened; the one before is still served"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[tokio::test]
    async fn a_gateway_that_ends_unasked_says_so() {
        let (stop, _stopping) = shutdown::channel();
        let running = tokio::spawn(async { panic!("a part of it fails") });
        let nowhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut gateway = Gateway { public: nowhere, internal: nowhere, stop, running };
        assert_eq!(gateway.ended().await.to_string(), "the gateway ended unasked");
    }
}
