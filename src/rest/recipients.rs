//! `/api/v1/recipients`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::FilterField;

use super::envelope;
use super::params::{Endpoint, Query, Single, SlugPath};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::recipients;

/// What the list takes.
pub(crate) struct Recipients;

impl Endpoint for Recipients {
    const FILTERS: &'static [FilterField] = &[FilterField::Q, FilterField::State];
}

/// A page of recipients.
pub(crate) async fn list_recipients(
    _: Caller,
    State(app): State<App>,
    query: Query<Recipients>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = recipients::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}

/// One recipient.
pub(crate) async fn get_recipient(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = recipients::find(&app.catalogue, &slug)?;
    Ok(envelope::single(&found, app.clock.now(), &held))
}
