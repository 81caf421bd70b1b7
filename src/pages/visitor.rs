//! Anyone who comes with a browser.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::problem::Problem;
use crate::access::cookies::{Cookies, Kind};
use crate::access::session::SessionToken;
use crate::access::{Access, Session};
use crate::app::App;

/// A browser, whoever sits before it.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// How its cookies are read and written.
    pub cookies: Cookies,
    /// Where it is.
    pub address: IpAddr,
    headers: HeaderMap,
}

impl Visitor {
    /// Who has signed in with it.
    pub(super) async fn session(&self, access: &Access) -> Result<Option<Session>, Problem> {
        Ok(access.session(&self.headers, self.cookies).await?)
    }

    /// The token that its sign-in form goes with.
    pub(super) fn visit(&self) -> Option<SessionToken> {
        self.cookies.read(Kind::Visit, &self.headers)
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip());
        Ok(Self {
            cookies: Cookies { secure: app.proxies.is_secure(peer, &parts.headers) },
            address: app.proxies.client(peer, &parts.headers),
            headers: parts.headers.clone(),
        })
    }
}
