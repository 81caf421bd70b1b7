//! A page as it is sent.

use std::convert::Infallible;

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::assets::digest;
use super::problem::Problem;
use crate::caching::{self, Held, Policy, Untagged};
use crate::compression::Fixed;

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

/// A page that is the same for everyone, so that it is written once and may be kept.
#[derive(Debug)]
pub(super) struct PublicPage {
    content: Fixed,
    tag: String,
    policy: ContentPolicy,
}

impl PublicPage {
    /// Writes the page.
    ///
    /// # Errors
    /// Those of the template.
    pub(super) fn new(template: &impl Template, policy: ContentPolicy) -> askama::Result<Self> {
        let text = template.render()?;
        Ok(Self { tag: digest(text.as_bytes()), content: Fixed::new(text), policy })
    }

    /// The page; or, to a browser that holds it already, no body.
    pub(super) fn answer(&self, held: &Held) -> Response {
        let make = || Ok::<_, Infallible>(html(StatusCode::OK, self.content.clone(), self.policy));
        let Ok(mut response) = caching::conditional(&Policy::Public(&self.tag), held, make);
        write_isolated(response.headers_mut());
        response
    }
}

fn html(status: StatusCode, text: impl IntoResponse, policy: ContentPolicy) -> Response {
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
