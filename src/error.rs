//! What a request can end in instead of an answer, and the response that says so.
//!
//! A refusal is the client's to act on and is sent as it is. A failure is ours: it is logged once, by the edge, which knows the request's
//! id, and the client learns only that there was one.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalogue_schema::Refusal;

use crate::access::Denied;
use crate::caching::Untagged;

/// After how many seconds a client may try again while the service cannot answer.
const UNAVAILABLE_FOR: u64 = 5;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The client's to act on.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The index failed.
    #[error("the catalogue cannot be read")]
    Index(#[from] catalogue_index::Error),
}

impl Error {
    /// What the client is told where the answer as a whole did not fail. A failure is logged here.
    #[must_use]
    pub fn into_refusal(self) -> Refusal {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Index(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a request failed");
                Refusal::InternalError
            }
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Refused(refusal) = self {
            return refused(&refusal, None);
        }
        let mut response = refused(&Refusal::InternalError, None);
        response.extensions_mut().insert(Failed::new(self));
        response
    }
}

/// What a response carries whose request failed: why. The edge logs it beside the id that the client was told.
#[derive(Clone, Debug)]
pub struct Failed(Arc<dyn std::error::Error + Send + Sync>);

impl Failed {
    /// It failed for this reason.
    pub fn new(why: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(why))
    }

    /// Logs it.
    pub fn log(&self, request: &str) {
        tracing::error!(request, error = &*self.0 as &dyn std::error::Error, "a request failed");
    }
}

/// The response of a request that was not let in.
#[must_use]
pub fn denied(denied: &Denied) -> Response {
    refused(denied.refusal(), denied.retry_after())
}

/// The response of a refusal: its body, and the headers that belong to its status.
#[must_use]
pub fn refused(refusal: &Refusal, retry_after: Option<u64>) -> Response {
    // The body is a struct of texts, which always has a JSON form.
    let body = serde_json::to_vec(&refusal.body()).unwrap_or_default();
    let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Untagged::Never.write(headers);
    match refusal {
        Refusal::MissingKey | Refusal::InvalidKey => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        Refusal::RateLimited | Refusal::Unavailable => {
            headers.insert(header::RETRY_AFTER, retry_after.unwrap_or(UNAVAILABLE_FOR).into());
        }
        _ => {}
    }
    response
}
