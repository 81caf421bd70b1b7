//! The envelope around every answer, assembled from rows that are ready to send (specification, part 2).

use std::fmt::Write as _;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use catalogue_schema::{Dropped, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::buffer::Buffer;
use crate::caching::{self, Held, Policy};
use crate::error::Error;
use crate::resolvers::{Catalogue, Found, PageSize, Traversal};

/// The header that lists the values the catalogue cannot answer for.
const IGNORED_FILTERS: &str = "x-service-ignored-filters";

/// About how many headers an answer has in the end, so that their map is made once.
const HEADERS: usize = 12;

/// What stays as it is in a percent-encoded value: RFC 3986's unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A page of a list; or, to a client that holds it already, no body.
pub(super) fn page(
    catalogue: &Catalogue,
    traversal: &Traversal,
    size: PageSize,
    held: &Held,
) -> Result<Response, Error> {
    let policy = Policy::Private(traversal.tag(size.get()));
    let mut response = caching::conditional(&policy, held, || {
        let page = traversal.page(size.get())?;
        let mut body = Buffer::take();
        body.extend_from_slice(b"{\"data\":[");
        page.append_rows(&mut body);
        body.extend_from_slice(b"],");
        Ok::<_, Error>(close(body, catalogue.next_cursor(&page).as_deref(), traversal.as_of()))
    })?;
    if let Some(ignored) = ignored_filters(traversal.dropped()) {
        response.headers_mut().insert(IGNORED_FILTERS, ignored);
    }
    Ok(response)
}

/// One resource; or, to a client that holds it already, no body.
pub(super) fn single(found: &Found, as_of: Timestamp, held: &Held) -> Result<Response, Error> {
    caching::conditional(&Policy::Private(found.tag()), held, || {
        let mut body = Buffer::take();
        body.extend_from_slice(b"{\"data\":");
        found.append(&mut body);
        body.push(b',');
        Ok(close(body, None, as_of))
    })
}

/// Writes what stands behind `data`, and what it is.
fn close(mut body: Buffer, next_cursor: Option<&str>, as_of: Timestamp) -> Response {
    body.extend_from_slice(b"\"next_cursor\":");
    match next_cursor {
        // A cursor is URL-safe, so it needs no escaping.
        Some(cursor) => {
            body.push(b'"');
            body.extend_from_slice(cursor.as_bytes());
            body.push(b'"');
        }
        None => body.extend_from_slice(b"null"),
    }
    body.extend_from_slice(b",\"as_of\":\"");
    body.extend_from_slice(&as_of.written());
    body.extend_from_slice(b"\"}");
    let mut response = Response::new(Body::from(body.into_bytes()));
    response.headers_mut().reserve(HEADERS);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// How much of a value is listed, in bytes before they are encoded.
const LONGEST_LISTED: usize = 256;

/// How long the list may be, in bytes: clients and proxies give up on headers much longer than a few kilobytes.
const LONGEST_LIST: usize = 4_096;

/// What follows the last value listed where there are more.
const AND_MORE: &str = ", ...";

/// `state=ZZ, industry=foo`, with the values percent-encoded, and cut where they or all of them are very long.
fn ignored_filters(dropped: &[Dropped]) -> Option<HeaderValue> {
    let mut listed = String::new();
    for Dropped { field, value } in dropped {
        let start = listed.len();
        let separator = if start == 0 { "" } else { ", " };
        let value = utf8_percent_encode(&value[..value.floor_char_boundary(LONGEST_LISTED)], ENCODED);
        // Writing to a String cannot fail.
        let _ = write!(listed, "{separator}{field}={value}");
        if listed.len() > LONGEST_LIST {
            listed.truncate(start);
            listed.push_str(AND_MORE);
            break;
        }
    }
    if listed.is_empty() { None } else { HeaderValue::try_from(listed).ok() }
}
