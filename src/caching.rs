//! Tags and cache headers (specification, part 4, rule 7; decisions, section 5).
//!
//! A handler states what may be kept of its answer; here, and nowhere else, that is written. A tag is known before the answer is, so that
//! a client that holds it costs no search.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What may be kept of an answer, by whom and for how long. What may be kept for a while has a tag by which to ask whether it is still so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy<T> {
    /// By the key's holder, for 300 seconds.
    Private(T),
    /// By anyone, for 300 seconds.
    Public(T),
    /// By anyone, for good: the address names the content.
    ForGood,
    /// By anyone, but to be asked for again each time.
    AskAgain,
    /// Not at all.
    Never,
}

/// The policy of what has no tag.
pub type Untagged = Policy<&'static str>;

impl<T: AsRef<str>> Policy<T> {
    /// Writes what may be kept into the headers of a response.
    pub fn write(&self, headers: &mut HeaderMap) {
        let (control, vary) = match self {
            Self::Private(_) => ("private, max-age=300", "Authorization, Accept-Encoding"),
            Self::Public(_) => ("public, max-age=300", "Accept-Encoding"),
            Self::ForGood => ("public, max-age=31536000, immutable", "Accept-Encoding"),
            Self::AskAgain => ("no-cache", "Accept-Encoding"),
            Self::Never => {
                headers.insert(header::CACHE_CONTROL, NO_STORE);
                return;
            }
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        headers.insert(header::VARY, HeaderValue::from_static(vary));
        if let Some(tag) = self.tag()
            && let Ok(tag) = HeaderValue::try_from(["W/\"", tag.as_ref(), "\""].concat())
        {
            headers.insert(header::ETAG, tag);
        }
    }

    fn tag(&self) -> Option<&T> {
        match self {
            Self::Private(tag) | Self::Public(tag) => Some(tag),
            Self::ForGood | Self::AskAgain | Self::Never => None,
        }
    }
}

/// Whether nothing of a response may be kept.
#[must_use]
pub fn is_never_kept(headers: &HeaderMap) -> bool {
    headers.get(header::CACHE_CONTROL) == Some(&NO_STORE)
}

/// The answer that `make` makes; or, to a client that holds it already, 304 without a body. Either has the headers of its policy.
///
/// # Errors
/// Those of `make`, which is not called for a client that holds the answer.
pub fn conditional<T: AsRef<str>, E>(
    policy: &Policy<T>,
    held: &Held,
    make: impl FnOnce() -> Result<Response, E>,
) -> Result<Response, E> {
    let is_held = policy.tag().is_some_and(|tag| held.holds(tag.as_ref()));
    let mut response = if is_held { StatusCode::NOT_MODIFIED.into_response() } else { make()? };
    policy.write(response.headers_mut());
    Ok(response)
}

/// The tags a client holds already.
#[derive(Clone, Debug, Default)]
pub struct Held(Vec<HeaderValue>);

impl Held {
    /// Whether the client holds this tag, by weak comparison: `W/` does not count, `*` is every tag.
    #[must_use]
    pub fn holds(&self, tag: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn held(value: &'static str) -> Held {
        Held(vec![HeaderValue::from_static(value)])
    }

    #[test]
    fn what_is_held_is_never_made() {
        for policy in [Policy::Private("tag"), Policy::Public("tag")] {
            for value in ["\"tag\"", "W/\"tag\"", "*", "\"a\", \"tag\""] {
                let make = || -> Result<Response, ()> { panic!("a search for a client that holds the answer") };
                let response = conditional(&policy, &held(value), make).expect("nothing to fail");
                assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{value}");
                assert_eq!(response.headers()[header::ETAG], "W/\"tag\"");
            }
        }
        let response = conditional(&Policy::Private("tag"), &held("\"other\""), || Err::<Response, _>("made"));
        assert_eq!(response.expect_err("it is made"), "made");
    }
}
