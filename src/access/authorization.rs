//! `Authorization: Bearer <credential>` (RFC 6750, section 2.1).

use axum::http::{HeaderMap, HeaderValue, header};

/// A request has several `Authorization` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeveralLines;

/// The `Authorization` line of a request, where it has one.
///
/// # Errors
/// [`SeveralLines`]: two credentials are no credential, since proxies disagree on which of them counts.
pub fn authorization(headers: &HeaderMap) -> Result<Option<&HeaderValue>, SeveralLines> {
    let mut lines = headers.get_all(header::AUTHORIZATION).iter();
    let line = lines.next();
    if lines.next().is_some() { Err(SeveralLines) } else { Ok(line) }
}

/// What follows the scheme `Bearer`, in whatever case it is written.
#[must_use]
pub fn bearer(authorization: &[u8]) -> Option<&[u8]> {
    let (scheme, credential) = authorization.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| credential.trim_ascii())
}
