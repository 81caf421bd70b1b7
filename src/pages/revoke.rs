//! `/account/keys/{id}/revoke`.

use askama::Template;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;

use super::assets::Assets;
use super::moment::Moment;
use super::page::{page, see};
use super::problem::Problem;
use super::signed_in::{Holder, SignedForm, SignedIn};
use crate::access::{Error, Key, KeyId};
use crate::app::App;

/// The key that the path names.
pub(crate) struct KeyPath(Option<KeyId>);

impl<S: Sync> FromRequestParts<S> for KeyPath {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let path = parts.uri.path().strip_prefix("/account/keys/").and_then(|rest| rest.strip_suffix("/revoke"));
        Ok(Self(path.and_then(|id| id.parse().ok())))
    }
}

#[derive(Template)]
#[template(path = "revoke.html")]
struct RevokePage<'a> {
    assets: Assets,
    holder: Holder,
    id: KeyId,
    name: &'a str,
    last_used: Option<Moment>,
}

/// Asks whether the key is really to be revoked.
pub(crate) async fn ask(
    SignedIn { session }: SignedIn,
    State(app): State<App>,
    KeyPath(id): KeyPath,
) -> Result<Response, Problem> {
    let id = id.ok_or(Problem::NoSuchKey)?;
    let Key { name, last_used, revoked, .. } =
        app.access.key_of(&session.account, id).await?.ok_or(Problem::NoSuchKey)?;
    if revoked.is_some() {
        return Ok(see("/account/keys"));
    }
    let holder = Holder::of(&app.access, &session);
    let last_used = last_used.map(Moment);
    page(StatusCode::OK, &RevokePage { assets: Assets, holder, id, name: &name, last_used })
}

/// Revokes the key.
pub(crate) async fn revoke_key(
    State(app): State<App>,
    KeyPath(id): KeyPath,
    SignedForm { session, .. }: SignedForm,
) -> Result<Response, Problem> {
    let id = id.ok_or(Problem::NoSuchKey)?;
    match app.access.revoke_key(&session.account, id).await {
        Ok(()) => Ok(see(&format!("/account/keys?revoked={id}"))),
        Err(Error::UnknownKey { .. }) => Err(Problem::NoSuchKey),
        Err(error) => Err(error.into()),
    }
}
