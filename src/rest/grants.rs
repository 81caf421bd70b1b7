//! `/api/v1/grants`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::FilterField;

use super::envelope;
use super::params::{Endpoint, Query, Single, SlugPath, Window};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::grants;

/// What the list takes.
pub(crate) struct Grants;

impl Endpoint for Grants {
    const FILTERS: &'static [FilterField] =
        &[FilterField::Q, FilterField::Entity, FilterField::State, FilterField::Industry, FilterField::Status];
    const WINDOW: Option<Window> = Some(Window::UpdatedSince);
}

/// A page of grants.
pub(crate) async fn list_grants(
    _: Caller,
    State(app): State<App>,
    query: Query<Grants>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = grants::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}

/// One grant.
pub(crate) async fn get_grant(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = grants::find(&app.catalogue, &slug)?;
    Ok(envelope::single(&found, app.clock.now(), &held))
}
