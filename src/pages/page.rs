//! A page as it is sent.

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use crate::caching::Untagged;

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// Nothing but the service's own files, in no frame, and forms to the service alone.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
    frame-ancestors 'none'; base-uri 'none'",
);

const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("same-origin");

/// A window that opened ours has no hold on it.
const OPENER_POLICY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));

/// A page written by a template.
pub(super) fn page(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(Problem::Template)?;
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HTML);
    headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    write_private(headers);
    Ok(response)
}

/// Sends the browser on to another page of ours, by GET.
pub(super) fn see(path: &str) -> Response {
    let location = HeaderValue::try_from(path).unwrap_or_else(|_| HeaderValue::from_static("/account"));
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response();
    write_private(response.headers_mut());
    response
}

fn write_private(headers: &mut HeaderMap) {
    Untagged::Never.write(headers);
    headers.insert(header::REFERRER_POLICY, REFERRER_POLICY);
    let (name, value) = OPENER_POLICY;
    headers.insert(name, value);
}
