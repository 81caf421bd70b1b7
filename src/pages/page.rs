//! A page as it is sent.

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::assets::digest;
use super::problem::Problem;
use crate::caching::{self, Held, Policy, Untagged};

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// What a page may load and do.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContentPolicy {
    /// Nothing but the service's own files, in no frame, and forms to the service alone.
    OwnFilesAlone,
    /// That, and calls to the service. The library that makes them draws by pictures within its style sheet.
    WithCalls,
}

impl ContentPolicy {
    const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::OwnFilesAlone => {
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                frame-ancestors 'none'; base-uri 'none'"
            }
            Self::WithCalls => {
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
            }
        })
    }
}

const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("same-origin");

/// A window that opened ours has no hold on it.
const OPENER_POLICY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));

/// A page written by a template for one visitor.
pub(super) fn page(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let mut response = html(status, template.render().map_err(Problem::Template)?, ContentPolicy::OwnFilesAlone);
    write_private(response.headers_mut());
    Ok(response)
}

/// A page that is the same for everyone and may be kept; or, to a browser that holds it already, no body.
pub(super) fn public_page(template: &impl Template, policy: ContentPolicy, held: &Held) -> Result<Response, Problem> {
    let text = template.render().map_err(Problem::Template)?;
    let tag = digest(text.as_bytes());
    let make = || Ok::<_, Problem>(html(StatusCode::OK, text, policy));
    let mut response = caching::conditional(&Policy::Public(tag), held, make)?;
    write_isolated(response.headers_mut());
    Ok(response)
}

fn html(status: StatusCode, text: String, policy: ContentPolicy) -> Response {
    let mut response = (status, text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HTML);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy.header());
    response
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
    write_isolated(headers);
}

fn write_isolated(headers: &mut HeaderMap) {
    headers.insert(header::REFERRER_POLICY, REFERRER_POLICY);
    let (name, value) = OPENER_POLICY;
    headers.insert(name, value);
}
