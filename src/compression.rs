//! Bodies compressed for clients that ask for it.
//!
//! Bodies are whole in memory, so each is compressed in one piece, at the levels that `benches/README.md` measures; one that never changes
//! is compressed once ([`Fixed`]). A client that does not ask costs a look at its headers. What may not be kept at all stays as it is:
//! refusals are small, and the account's pages hold tokens of forms beside text that others may have put into their address, whose length
//! would give the tokens away.

mod accepted;
mod coding;
mod fixed;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

pub use self::accepted::Accepted;
pub use self::coding::Coding;
pub use self::fixed::Fixed;
use crate::caching;

/// Bodies below this many bytes go in one packet either way.
const SMALLEST: u64 = 1_024;

/// Bodies above this many bytes are compressed on a thread that nobody waits for: other requests would wait for milliseconds.
const SMALL_ENOUGH: usize = 256 * 1024;

/// The kinds of content that compression makes smaller.
const KINDS: [&str; 7] =
    ["application/json", "text/html", "text/css", "text/javascript", "image/svg+xml", "text/plain", "font/ttf"];

/// The response as the client takes it.
pub async fn compress(mut response: Response, accepted: Accepted) -> Response {
    let Some(coding) = coding_of(&response, accepted) else { return response };
    let small = if let Some(fixed) = response.extensions_mut().remove::<Fixed>() {
        fixed.compressed(coding).await
    } else {
        let body = std::mem::take(response.body_mut());
        let Ok(plain) = axum::body::to_bytes(body, usize::MAX).await else { return response };
        let small = compressed(plain.clone(), coding).await.map(Bytes::from);
        if small.is_none() {
            *response.body_mut() = Body::from(plain);
        }
        small
    };
    if let Some(small) = small {
        *response.body_mut() = Body::from(small);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        headers.remove(header::CONTENT_LENGTH);
    }
    response
}

async fn compressed(plain: Bytes, coding: Coding) -> Option<Vec<u8>> {
    let done = if plain.len() <= SMALL_ENOUGH {
        coding.compress(&plain)
    } else {
        tokio::task::spawn_blocking(move || coding.compress(&plain)).await.ok()?
    };
    done.inspect_err(|error| tracing::error!(%error, coding = coding.name(), "a body could not be compressed")).ok()
}

/// The coding for a response, where it has a body that gains by one.
fn coding_of(response: &Response, accepted: Accepted) -> Option<Coding> {
    let coding = accepted.coding?;
    let headers = response.headers();
    let size = response.body().size_hint().exact()?;
    let is_worth_it = size >= SMALLEST || (size > 0 && !accepted.identity);
    let is_plain = !headers.contains_key(header::CONTENT_ENCODING) && !caching::is_never_kept(headers);
    (is_worth_it && is_plain && is_of_a_kind(headers)).then_some(coding)
}

fn is_of_a_kind(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    KINDS.contains(&kind.split(';').next().unwrap_or_default())
}
