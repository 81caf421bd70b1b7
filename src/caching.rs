//! Tags and cache headers (specification, part 4, rule 7; decisions, section 5).

use std::fmt::Write;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::resolvers::Tag;

/// What answers to a key's holder may be kept: by that holder, for 300 seconds.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, max-age=300");

/// What errors may be kept: not at all.
pub const NEVER: HeaderValue = HeaderValue::from_static("no-store");

/// What an answer depends on besides its address.
const VARY: HeaderValue = HeaderValue::from_static("Authorization, Accept-Encoding");

/// How long a written tag is, in bytes.
const TAG: usize = 20;

/// Writes the headers of an answer that was read with a key.
pub fn write_private(headers: &mut HeaderMap, tag: Tag) {
    headers.insert(header::CACHE_CONTROL, PRIVATE);
    headers.insert(header::VARY, VARY);
    let mut written = String::with_capacity(TAG);
    // Writing to a String cannot fail.
    let _ = write!(written, "W/\"{tag}\"");
    if let Ok(tag) = HeaderValue::try_from(written) {
        headers.insert(header::ETAG, tag);
    }
}

/// The tags a client holds already.
#[derive(Clone, Debug, Default)]
pub struct Held(Vec<HeaderValue>);

impl Held {
    /// Whether the client holds this tag, by weak comparison: `W/` does not count, `*` is every tag.
    #[must_use]
    pub fn holds(&self, tag: Tag) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let tag = format!("\"{tag}\"");
        let lists = self.0.iter().filter_map(|value| value.to_str().ok());
        // Our tags have no commas, so a tag of another's that has one cannot be mistaken for ours when split at it.
        lists
            .flat_map(|list| list.split(','))
            .map(str::trim)
            .any(|held| held == "*" || held.strip_prefix("W/").unwrap_or(held) == tag)
    }
}

impl<S: Sync> FromRequestParts<S> for Held {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.headers.get_all(header::IF_NONE_MATCH).iter().cloned().collect()))
    }
}
