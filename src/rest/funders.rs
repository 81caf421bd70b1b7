//! `/api/v1/funders`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::FilterField;

use super::envelope;
use super::params::{Endpoint, Query, Single, SlugPath};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::funders;

/// What the list takes.
pub(crate) struct Funders;

impl Endpoint for Funders {
    const FILTERS: &'static [FilterField] = &[FilterField::Q, FilterField::State];
}

/// A page of funders.
pub(crate) async fn list_funders(
    _: Caller,
    State(app): State<App>,
    query: Query<Funders>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = funders::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}

/// One funder.
pub(crate) async fn get_funder(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = funders::find(&app.catalogue, &slug)?;
    Ok(envelope::single(&found, app.clock.now(), &held))
}
