//! What a page can end in instead.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::assets::Assets;
use super::page::{page, see};
use super::signed_in::Holder;
use super::way_back::WayBack;
use crate::access::{self, StoreFailed};
use crate::error::Failed;

/// Why there is no page of the kind that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Nobody has signed in; where the browser is to go when somebody has.
    #[error("nobody has signed in")]
    NotSignedIn(Option<WayBack>),
    /// The page is an analyst's, and the account a client's.
    #[error("the account is no analyst's")]
    NotAnalyst(Option<Holder>),
    /// A form that is not ours, or of a session that is over.
    #[error("the form is not of this session")]
    ForeignForm,
    /// More than any form of ours holds.
    #[error("the form is too large, or is none")]
    BadForm,
    /// There is no such key.
    #[error("the account has no such key")]
    NoSuchKey,
    /// The account store failed.
    #[error(transparent)]
    Access(#[from] access::Error),
    /// The catalogue cannot be read.
    #[error("the catalogue cannot be read")]
    Catalogue(#[source] Arc<crate::error::Error>),
    /// A template failed.
    #[error("a page could not be written")]
    Template(#[source] askama::Error),
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    assets: Assets,
    heading: &'static str,
    sentence: &'static str,
    way_on: &'static str,
    /// Who has signed in and may sign out, where that is the way on.
    holder: Option<Holder>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, heading, sentence, way_on) = match &self {
            Self::NotSignedIn(None) => return see("/account/sign-in"),
            Self::NotSignedIn(Some(way_back)) => return see(&way_back.by_sign_in()),
            Self::NotAnalyst(_) => (
                StatusCode::FORBIDDEN,
                "This page is for analysts",
                "Your account is not an analyst’s. Sign out to sign in with one that is, or ask the people who run this service.",
                "Sign in",
            ),
            Self::ForeignForm => (
                StatusCode::FORBIDDEN,
                "That form is out of date",
                "Nothing was changed. The form was not sent from a page of your present session; open the page again and repeat what you wanted.",
                "To your API keys",
            ),
            Self::BadForm => (
                StatusCode::BAD_REQUEST,
                "That form cannot be read",
                "Nothing was changed. What was sent is not a form of this page, or is too large.",
                "To your API keys",
            ),
            Self::NoSuchKey => {
                (StatusCode::NOT_FOUND, "No such key", "Your account has no key with this id.", "To your API keys")
            }
            Self::Catalogue(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "The catalogue cannot be read",
                "The failure has been recorded.",
                "Try again",
            ),
            Self::Access(_) | Self::Template(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The service cannot answer at the moment",
                "Accounts cannot be reached. Please try again in a little while.",
                "Try again",
            ),
        };
        let holder = if let Self::NotAnalyst(holder) = &self { holder.clone() } else { None };
        let page = page(status, &ProblemPage { assets: Assets, heading, sentence, way_on, holder });
        let mut response = page.unwrap_or_else(|_| status.into_response());
        if matches!(self, Self::Access(access::Error::Unavailable(_))) {
            response.extensions_mut().insert(StoreFailed);
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        if status.is_server_error() {
            response.extensions_mut().insert(Failed::new(self));
        }
        response
    }
}
