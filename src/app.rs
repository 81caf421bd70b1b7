//! What a gateway is made of: the state that every request shares.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use catalogue_index::Catalogue;

use crate::access::Access;
use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::operations::OperatorSecret;
use crate::pages::dashboard::Dashboard;
use crate::pages::docs::Documentation;
use crate::proxies::Proxies;
use crate::rest::openapi::Document;

/// The state, as one listener has it. The router clones it several times for each request, so its parts are behind one pointer.
#[derive(Clone)]
pub struct App {
    parts: Arc<Parts>,
    /// Where this listener's pages begin for somebody who has signed in.
    pub home: &'static str,
}

/// The parts a handler can ask for.
pub struct Parts {
    /// Who may call.
    pub access: Arc<Access>,
    /// What is asked for.
    pub catalogue: Arc<Catalogue>,
    /// The time.
    pub clock: Clock,
    /// How long a query of GraphQL may take.
    pub query_time_limit: Duration,
    /// Whose word on a request's origin is taken.
    pub proxies: Proxies,
    /// What the API says of itself.
    pub document: Arc<Document>,
    /// What it says to people.
    pub documentation: Documentation,
    /// What the dashboard shows.
    pub dashboard: Dashboard,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What machines elsewhere bring to ask after the service's state.
    pub operator_secret: Option<OperatorSecret>,
}

impl App {
    /// The state for the listener whose pages begin at `home`.
    #[must_use]
    pub fn new(parts: Arc<Parts>, home: &'static str) -> Self {
        Self { parts, home }
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl FromRef<App> for Arc<Access> {
    fn from_ref(app: &App) -> Self {
        Arc::clone(&app.access)
    }
}

impl FromRef<App> for Arc<Document> {
    fn from_ref(app: &App) -> Self {
        Arc::clone(&app.document)
    }
}
