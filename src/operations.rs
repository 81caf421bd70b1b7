//! What machines ask of the internal listener: whether the service lives, whether it can answer, and what it has counted.
//!
//! On this machine anyone may ask. Where the listener is reached from elsewhere the operator gives a secret, without which it does not
//! begin ([`crate::gateway`]), and [`Operator`] lets nobody past who does not bring it. People have accounts instead: they sign in.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::access::authorization::{authorization, bearer};
use crate::app::App;
use crate::caching::Untagged;
use crate::metrics;

/// Shorter ones could be guessed.
const SHORTEST: usize = 16;

const REFUSED: &str = "Send the secret of the internal listener as `Authorization: Bearer <secret>`.\n";

/// What a machine brings as `Authorization: Bearer <secret>` to ask from elsewhere.
#[derive(Clone)]
pub struct OperatorSecret(Arc<str>);

/// Why a text is no secret.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a secret has {SHORTEST} characters or more, all of them printable ASCII without spaces")]
pub struct NoSecret(());

impl FromStr for OperatorSecret {
    type Err = NoSecret;

    fn from_str(text: &str) -> Result<Self, NoSecret> {
        let is_sound = text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_sound { Ok(Self(text.into())) } else { Err(NoSecret(())) }
    }
}

impl fmt::Debug for OperatorSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorSecret(..)")
    }
}

impl OperatorSecret {
    /// Whether a request brings it. The time this takes says nothing about how much of it is right.
    #[must_use]
    pub fn is_brought_by(&self, headers: &HeaderMap) -> bool {
        let Ok(Some(line)) = authorization(headers) else { return false };
        // What is compared are digests, in a time that does not depend on them.
        bearer(line.as_bytes())
            .is_some_and(|brought| digest(brought).finalize() == digest(self.0.as_bytes()).finalize())
    }
}

fn digest(secret: &[u8]) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length")
}

/// Whether an address can be reached from this machine alone.
#[must_use]
pub const fn is_local(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Whoever may ask: everyone where no secret was given, and else who brings it.
#[derive(Clone, Copy, Debug)]
pub struct Operator(());

impl FromRequestParts<App> for Operator {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        match &app.operator_secret {
            Some(secret) if !secret.is_brought_by(&parts.headers) => {
                let mut response = (StatusCode::UNAUTHORIZED, REFUSED).into_response();
                response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                Untagged::Never.write(response.headers_mut());
                Err(response)
            }
            _ => Ok(Self(())),
        }
    }
}

/// `/healthz`: the service lives.
pub(crate) async fn say_alive(_: Operator) -> &'static str {
    "ok\n"
}

/// `/readyz`: requests can be answered, because a generation is published and served.
pub(crate) async fn say_ready(_: Operator, State(app): State<App>) -> Response {
    match app.catalogue.current() {
        Some(generation) => format!("ready: generation {}\n", generation.number()).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, "not ready: no generation is published yet\n").into_response(),
    }
}

/// `/metrics`: what has been counted, for Prometheus.
pub(crate) async fn tell_metrics(_: Operator, State(app): State<App>) -> Response {
    metrics::answer(&app)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_itself_is_the_secret() {
        let secret: OperatorSecret = "correct-horse-battery".parse().expect("long enough");
        let is_brought_by = |line: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, axum::http::HeaderValue::from_static(line));
            secret.is_brought_by(&headers)
        };
        assert!(is_brought_by("Bearer correct-horse-battery"));
        assert!(is_brought_by("bearer  correct-horse-battery "));
        for line in [
            "",
            "Bearer ",
            "Bearer correct-horse-batter",
            "Bearer correct-horse-batteryx",
            "Basic correct-horse-battery",
        ] {
            assert!(!is_brought_by(line), "{line}");
        }
        assert!(!secret.is_brought_by(&HeaderMap::new()));
        assert_eq!(format!("{secret:?}"), "OperatorSecret(..)");
        for text in ["", "too-short", "long enough, but with blanks", "lang genug und nicht ASCII: ü"] {
            assert!(text.parse::<OperatorSecret>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_loopback_is_local() {
        for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert!(is_local(address.parse().expect(address)), "{address}");
        }
        for address in ["0.0.0.0", "::", "10.0.0.1", "192.0.2.1", "::ffff:10.0.0.1", "fe80::1"] {
            assert!(!is_local(address.parse().expect(address)), "{address}");
        }
    }
}
