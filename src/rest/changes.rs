//! `/api/v1/changes`.

use axum::extract::State;
use axum::response::Response;

use super::envelope;
use super::params::{Endpoint, Query, Window};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::changes;

/// What the feed takes.
pub(crate) struct Changes;

impl Endpoint for Changes {
    const WINDOW: Option<Window> = Some(Window::Since);
}

/// A page of changes.
pub(crate) async fn list_changes(
    _: Caller,
    State(app): State<App>,
    query: Query<Changes>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = changes::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}
