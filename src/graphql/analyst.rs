//! The way in: an extractor that only an analyst's request gets past.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::response::Response;
use catalogue_schema::Refusal;

use super::answer;
use super::media::Media;
use crate::access::analyst::NotAnalyst;
use crate::access::{Cookies, StoreFailed};
use crate::app::App;
use crate::error::{self, Failed};

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
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip());
        let cookies = Cookies { secure: app.proxies.is_secure(peer, &parts.headers) };
        match app.access.analyst(&parts.headers, cookies).await {
            Ok(_) => Ok(Self),
            Err(NotAnalyst::Nobody) => Err(refuse(Refusal::MissingKey)),
            Err(NotAnalyst::Client(_)) => Err(refuse(Refusal::AnalystRequired)),
            Err(NotAnalyst::Denied(denied)) => Err(refused(denied.refusal(), error::denied(&denied))),
            Err(NotAnalyst::Failed(error)) => {
                let mut response = refuse(Refusal::Unavailable);
                response.extensions_mut().insert(StoreFailed);
                response.extensions_mut().insert(Failed::new(error));
                Err(response)
            }
        }
    }
}
