//! Forms as they are sent.

use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::problem::Problem;

/// More than any form of ours holds: the longest password, address and way back, each byte written as three.
const LARGEST: usize = 8 * 1024;

/// The field that shows that a form is ours.
pub(super) const TOKEN: &str = "form_token";

/// The fields of a form that was sent from a page of this host. Whether it was made for this browser is yet to be seen.
#[derive(Debug)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// The value of a field; empty where it is missing.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        if !is_from_here(&parts) {
            return Err(Problem::ForeignForm);
        }
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Problem::BadForm);
        }
        let body = axum::body::to_bytes(body, LARGEST).await.map_err(|_| Problem::BadForm)?;
        Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
    }
}

/// Whether the browser says that the form is on a page of this host. One that says nothing is judged by the form's token alone.
fn is_from_here(parts: &Parts) -> bool {
    if let Some(site) = parts.headers.get("sec-fetch-site") {
        // `none` is the user's own doing, such as sending a form again after a restart.
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = parts.headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some_and(|origin| hosts(&parts.headers, parts).any(|host| host.eq_ignore_ascii_case(origin)))
}

/// The names under which the browser may know this host. A proxy that puts its own name into `Host` tells the other in
/// `X-Forwarded-Host`, which no page of another site can make a browser send.
fn hosts<'a>(headers: &'a HeaderMap, parts: &'a Parts) -> impl Iterator<Item = &'a str> {
    let stated =
        [header::HOST.as_str(), "x-forwarded-host"].into_iter().filter_map(|name| headers.get(name)?.to_str().ok());
    stated.chain(parts.uri.authority().map(axum::http::uri::Authority::as_str))
}
