//! `/api/v1/changes`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::Change;

use super::envelope;
use super::openapi::Pages;
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

/// A page of what changed.
///
/// Oldest first by `observed_at`; then by slug, kind and field. A window is answered whole or refused with `window_too_large`, never cut
/// off. Kinds: a record was added, a record was closed, its deadline, one of its amounts or its title moved. The first publication of a
/// catalogue is where the feed begins and yields no changes.
#[utoipa::path(
    get,
    path = "/api/v1/changes",
    tag = "changes",
    params(Query<Changes>, Held),
    responses(Pages<Changes, Change>)
)]
pub(crate) async fn list_changes(
    _: Caller,
    State(app): State<App>,
    query: Query<Changes>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = changes::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}
