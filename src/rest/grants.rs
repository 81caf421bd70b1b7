//! `/api/v1/grants`.

use axum::extract::State;
use axum::response::Response;
use catalogue_schema::{FilterField, Grant};

use super::envelope;
use super::openapi::{One, Pages};
use super::params::{Endpoint, Query, Single, SlugPath, Window};
use crate::access::Caller;
use crate::app::App;
use crate::caching::Held;
use crate::error::Error;
use crate::resolvers::grants;

/// What the list takes.
pub(crate) struct Grants;

impl Endpoint for Grants {
    const FILTERS: &'static [(FilterField, &'static str)] = &[
        (
            FilterField::Q,
            "Words that must all be in the title, the summary or the funder's name; in any case, with or without accents, in any \
            grammatical form of English. `\"a phrase\"` matches in sequence. No text is an error; one without a word is left out.",
        ),
        (
            FilterField::Entity,
            "Who applies: a code of `elig_entities`, in any case. Several are alternatives. A grant whose `elig_entities` is null states \
            no restriction and matches all; an empty list matches none. A code the catalogue does not have is left out.",
        ),
        (
            FilterField::State,
            "Where the applicant is: the two letters of one of the 50 states, DC, AS, GU, MP, PR or VI, in any case. Several are \
            alternatives. A grant whose `elig_states` is null states no restriction and matches all; an empty list matches none. Any other \
            code is left out.",
        ),
        (
            FilterField::Industry,
            "Field of activity: a code of `industries`, in any case. Several are alternatives. A grant whose `industries` is null states \
            no restriction and matches all; an empty list matches none. A code the catalogue does not have is left out.",
        ),
        (
            FilterField::Status,
            "What the source says of the grant: `forecasted`, `open` or `closed`, in any case. Anything else is left out.",
        ),
    ];
    const WINDOW: Option<Window> = Some(Window::UpdatedSince);
}

/// A page of grants.
///
/// In the order of their deadlines: those still ahead, the next one first; then those without a deadline; then those that have passed, the
/// latest first; ties by slug. All pages of one traversal are in the order of the instant of its first page. Values of one filter are
/// alternatives, different filters narrow.
#[utoipa::path(
    get,
    path = "/api/v1/grants",
    tag = "grants",
    params(Query<Grants>, Held),
    responses(Pages<Grants, Grant>)
)]
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
///
/// As the catalogue has it now: whatever a traversal under way shows, a single grant is of the latest publication.
#[utoipa::path(
    get,
    path = "/api/v1/grants/{slug}",
    tag = "grants",
    params(SlugPath, Held),
    responses(One<Grant>)
)]
pub(crate) async fn get_grant(
    _: Caller,
    State(app): State<App>,
    _: Query<Single>,
    SlugPath(slug): SlugPath,
    held: Held,
) -> Result<Response, Error> {
    let found = grants::find(&app.catalogue, &slug)?;
    envelope::single(&found, app.clock.now(), &held)
}
