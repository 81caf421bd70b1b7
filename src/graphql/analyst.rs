//! The way in: an extractor that only an analyst's request gets past.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use catalogue_schema::Refusal;

use super::answer;
use super::media::Media;
use crate::access::{Cookies, Role};
use crate::app::App;
use crate::error;

/// Somebody whose account is an analyst's, known by a key, whatever its plan, or by the session of a browser.
///
/// A session can be used by no other site: its cookie is not sent with another site's POST, a POST has to be JSON, which no form can
/// send, and a GET changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analyst;

impl FromRequestParts<App> for Analyst {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let refused = |refusal: &Refusal, response| answer::refused(refusal, response, Media::or_json(&parts.headers));
        let refuse = |refusal: Refusal| refused(&refusal, error::refused(&refusal, None));
        let mut authorizations = parts.headers.get_all(header::AUTHORIZATION).iter();
        let role = match (authorizations.next(), authorizations.next()) {
            (Some(authorization), None) => match app.access.identify(Some(authorization)).await {
                Ok(identity) => identity.role,
                Err(denied) => return Err(refused(denied.refusal(), error::denied(&denied))),
            },
            // Two credentials are no credential: proxies disagree on which of them counts.
            (Some(_), Some(_)) => return Err(refuse(Refusal::InvalidKey)),
            (None, _) => {
                let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
                let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip());
                let cookies = Cookies { secure: app.proxies.is_secure(peer, &parts.headers) };
                match app.access.session(&parts.headers, cookies).await {
                    Ok(Some(session)) => session.account.role,
                    Ok(None) => return Err(refuse(Refusal::MissingKey)),
                    Err(error) => {
                        tracing::error!(error = &error as &dyn std::error::Error, "a session cannot be looked up");
                        return Err(refuse(Refusal::Unavailable));
                    }
                }
            }
        };
        if role == Role::Analyst { Ok(Self) } else { Err(refuse(Refusal::AnalystRequired)) }
    }
}
