//! `/api/v1/recipients`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::{FilterField, Recipient, RecipientDetail};

use super::envelope;
use super::openapi::{One, Pages};
use super::params::{Endpoint, Query, Single, SlugPath};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::recipients;

/// What the list takes.
pub(crate) struct Recipients;

impl Endpoint for Recipients {
    const FILTERS: &'static [(FilterField, &'static str)] = &[
        (
            FilterField::Q,
            "Words that must all be in the recipient's name; in any case, with or without accents, in any grammatical form of English. \
            `\"a phrase\"` matches in sequence. No text is an error; one without a word is left out.",
        ),
        (
            FilterField::State,
            "Where the recipient is: the two letters of one of the 50 states, DC, AS, GU, MP, PR or VI, in any case. Several are alternatives. \
            A recipient whose `state` is null matches none. Any other code is left out.",
        ),
    ];
}

/// A page of recipients.
///
/// By name, in any case; then by slug. Values of one filter are alternatives, different filters narrow.
#[utoipa::path(
    get,
    path = "/api/v1/recipients",
    tag = "recipients",
    params(Query<Recipients>, Held),
    responses(Pages<Recipients, Recipient>)
)]
pub(crate) async fn list_recipients(
    _: Caller,
    State(app): State<App>,
    query: Query<Recipients>,
    held: Held,
) -> Result<Response, Error> {
    let traversal = recipients::list(&app.catalogue, &query.list, app.clock.now())?;
    envelope::page(&app.catalogue, &traversal, query.list.size, &held)
}

/// One recipient, with its awards by year.
///
/// As the catalogue has it now; awards of the newest year first. `amount_total` is the sum of the amounts stated, and null where none is.
#[utoipa::path(
    get,
    path = "/api/v1/recipients/{slug}",
    tag = "recipients",
    params(SlugPath, Held),
    responses(One<RecipientDetail>)
)]
pub(crate) async fn get_recipient(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = recipients::find(&app.catalogue, &slug)?;
    envelope::single(&found, app.clock.now(), &held)
}
