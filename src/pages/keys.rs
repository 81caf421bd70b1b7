//! `/account/keys`.

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::assets::Assets;
use super::moment::{Count, Moment};
use super::page::page;
use super::problem::Problem;
use super::signed_in::{Holder, SignedForm, SignedIn};
use crate::access::key::LONGEST_NAME;
use crate::access::store::MOST_KEYS;
use crate::access::{Error, KeyId, Session};
use crate::app::App;

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage<'a> {
    assets: Assets,
    holder: Holder,
    session: &'a Session,
    keys: Vec<Row>,
    is_full: bool,
    daily_limit: Count,
    longest_name: usize,
    /// The name of a key just revoked.
    revoked: Option<String>,
    /// What was typed for a name, and what is wrong with it.
    name: &'a str,
    fault: Option<&'static str>,
}

/// A key, as the list shows it.
struct Row {
    id: KeyId,
    name: String,
    created: Moment,
    last_used: Option<Moment>,
    remaining: u32,
}

impl Row {
    fn left(&self) -> Count {
        Count(self.remaining.into())
    }
}

#[derive(Template)]
#[template(path = "created.html")]
struct CreatedPage<'a> {
    assets: Assets,
    holder: Holder,
    name: &'a str,
    key: String,
}

/// The keys of the account.
pub(crate) async fn list_keys(
    SignedIn { session }: SignedIn,
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let revoked = revoked_key(&app, &session, query.as_deref()).await?;
    list(&app, &session, StatusCode::OK, revoked, ("", None)).await
}

/// Makes a key, and shows it this once.
pub(crate) async fn create_key(
    State(app): State<App>,
    SignedForm { session, form }: SignedForm,
) -> Result<Response, Problem> {
    let name = form.field("name");
    match app.access.create_key(&session.account, name).await {
        Ok((token, key)) => {
            let holder = Holder::of(&app.access, &session);
            let created = CreatedPage { assets: Assets, holder, name: &key.name, key: token.reveal() };
            page(StatusCode::OK, &created)
        }
        Err(Error::BadName { .. }) => {
            let fault = if name.trim().is_empty() {
                "Give the key a name"
            } else {
                "The name must be 100 characters at most, on one line"
            };
            list(&app, &session, StatusCode::UNPROCESSABLE_ENTITY, None, (name, Some(fault))).await
        }
        Err(Error::TooManyKeys(_)) => {
            let fault = "Your account holds three keys already: revoke one first";
            list(&app, &session, StatusCode::CONFLICT, None, (name, Some(fault))).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn list(
    app: &App,
    session: &Session,
    status: StatusCode,
    revoked: Option<String>,
    (name, fault): (&str, Option<&'static str>),
) -> Result<Response, Problem> {
    let held = app.access.held_keys(&session.account).await?;
    let row = |held: crate::access::holder::HeldKey| Row {
        id: held.key.id,
        name: held.key.name,
        created: Moment(held.key.created),
        last_used: held.key.last_used.map(Moment),
        remaining: held.remaining,
    };
    let keys: Vec<_> = held.into_iter().map(row).collect();
    let keys_page = KeysPage {
        assets: Assets,
        holder: Holder::of(&app.access, session),
        session,
        is_full: keys.len() >= MOST_KEYS as usize,
        keys,
        daily_limit: Count(app.access.untouched().limit.into()),
        longest_name: LONGEST_NAME,
        revoked,
        name,
        fault,
    };
    page(status, &keys_page)
}

/// The name of the key that `?revoked=` says has just been revoked, where that is so.
async fn revoked_key(app: &App, session: &Session, query: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(id) = query.and_then(|query| query.strip_prefix("revoked=")).and_then(|id| id.parse().ok()) else {
        return Ok(None);
    };
    let key = app.access.key_of(&session.account, id).await?;
    Ok(key.filter(|key| key.revoked.is_some()).map(|key| key.name))
}
