//! The way in: an extractor that only a request with a good key, plan and allowance gets past.

use std::sync::{Arc, OnceLock};

use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use catalogue_schema::{Refusal, Timestamp};

use super::allowance::RateLimit;
use super::authorization::authorization;
use super::key::KeyId;
use super::service::Access;

/// A request whose key is real, whose plan includes the API, and for which one request of the day has been spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    key: KeyId,
    rate: RateLimit,
}

impl Caller {
    pub(super) const fn new(key: KeyId, rate: RateLimit) -> Self {
        Self { key, rate }
    }

    /// The key.
    #[must_use]
    pub const fn key(&self) -> KeyId {
        self.key
    }

    /// What the response has to say about the key's day.
    #[must_use]
    pub const fn rate(&self) -> RateLimit {
        self.rate
    }
}

impl<S> FromRequestParts<S> for Caller
where
    S: Send + Sync,
    Arc<Access>: FromRef<S>,
{
    type Rejection = Denied;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Denied> {
        let access = Arc::<Access>::from_ref(state);
        let Ok(authorization) = authorization(&parts.headers) else {
            return Err(access.denied(Refusal::InvalidKey, access.now()));
        };
        let caller = access.authenticate(authorization).await?;
        if let Some(slot) = parts.extensions.get::<RateSlot>() {
            slot.0.get_or_init(|| caller);
        }
        Ok(caller)
    }
}

/// Where a caller leaves what the response has to say about the key's day, so that a refusal after the allowance says it too. Whoever
/// writes the response's headers puts one among the request's extensions and keeps a clone.
#[derive(Clone, Debug, Default)]
pub struct RateSlot(Arc<OnceLock<Caller>>);

impl RateSlot {
    /// What was left; `None` where no request was spent.
    #[must_use]
    pub fn get(&self) -> Option<RateLimit> {
        self.caller().map(|caller| caller.rate)
    }

    /// Whose request was spent; `None` where none was.
    #[must_use]
    pub fn caller(&self) -> Option<Caller> {
        self.0.get().copied()
    }
}

/// A request that was not let in: why, and what its response has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(Box<Denial>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Denial {
    refusal: Refusal,
    rate: RateLimit,
    at: Timestamp,
}

impl Denied {
    pub(super) fn new(refusal: Refusal, rate: RateLimit, at: Timestamp) -> Self {
        Self(Box::new(Denial { refusal, rate, at }))
    }

    /// Why: one of missing key, invalid key, plan required, rate limited, unavailable.
    #[must_use]
    pub const fn refusal(&self) -> &Refusal {
        &self.0.refusal
    }

    /// What the response has to say about the day: of a key whose day is used up nothing remains, in all other cases everything.
    #[must_use]
    pub const fn rate(&self) -> RateLimit {
        self.0.rate
    }

    /// Whole seconds until the day ends, for `Retry-After`, where the day is used up.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        let Denial { refusal, rate, at } = &*self.0;
        let millis = rate.resets_at.saturating_mul(1_000).saturating_sub(at.unix_millis());
        (*refusal == Refusal::RateLimited).then(|| u64::try_from(millis).unwrap_or(0).div_ceil(1_000).max(1))
    }
}

/// The bare status, with the [`Denied`] among the response's extensions: the surface that serves the request writes the body and the
/// headers in its own form.
impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.refusal().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}
