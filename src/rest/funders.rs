//! `/api/v1/funders`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::{FilterField, Funder};

use super::envelope;
use super::openapi::{One, Pages};
use super::params::{Endpoint, Query, Single, SlugPath};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::funders;

/// What the list takes.
pub(crate) struct Funders;

impl Endpoint for Funders {
    const FILTERS: &'static [(FilterField, &'static str)] = &[
        (
            FilterField::Q,
            "Words that must all be in the funder's name or summary; in any case, with or without accents, in any grammatical form of English. \
            `\"a phrase\"` matches in sequence. No text is an error; one without a word is left out.",
        ),
        (
            FilterField::State,
            "Where the funder is: the two letters of one of the 50 states, DC, AS, GU, MP, PR or VI, in any case. Several are alternatives. \
            A funder whose `state` is null matches none. Any other code is left out.",
        ),
    ];
}

/// A page of funders.
///
/// By name, in any case; then by slug. Values of one filter are alternatives, different filters narrow.
#[utoipa::path(
    get,
    path = "/api/v1/funders",
    tag = "funders",
    params(Query<Funders>, Held),
    responses(Pages<Funders, Funder>)
)]
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
///
/// As the catalogue has it now. `giving_total` is of the year `giving_data_year`: both are stated, or both are null.
#[utoipa::path(
    get,
    path = "/api/v1/funders/{slug}",
    tag = "funders",
    params(SlugPath, Held),
    responses(One<Funder>)
)]
pub(crate) async fn get_funder(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = funders::find(&app.catalogue, &slug)?;
    envelope::single(&found, app.clock.now(), &held)
}
