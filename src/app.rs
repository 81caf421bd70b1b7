//! What a gateway is made of: the state that every request shares.

use std::sync::Arc;

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

/// The parts a handler can ask for.
#[derive(Clone)]
pub struct App {
    /// Who may call.
    pub access: Arc<Access>,
    /// What is asked for.
    pub catalogue: Arc<Catalogue>,
    /// The time.
    pub clock: Clock,
    /// Whose word on a request's origin is taken.
    pub proxies: Arc<Proxies>,
    /// What the API says of itself.
    pub document: Arc<Document>,
    /// What it says to people.
    pub documentation: Arc<Documentation>,
    /// Where this listener's pages begin for somebody who has signed in.
    pub home: &'static str,
    /// What the dashboard shows.
    pub dashboard: Arc<Dashboard>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What machines elsewhere bring to ask after the service's state.
    pub operator_secret: Option<OperatorSecret>,
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
