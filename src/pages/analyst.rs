//! Analysts with a browser, or with a program that reads pages.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::signed_in::Holder;
use super::visitor::Visitor;
use super::way_back::WayBack;
use crate::access::Access;
use crate::access::analyst::NotAnalyst;
use crate::app::App;

/// An analyst. Others are asked to sign in, or told that the page is not theirs.
#[derive(Debug)]
pub struct Analyst {
    /// Who has signed in; nobody where the request brings a key.
    pub(super) holder: Option<Holder>,
}

impl FromRequestParts<App> for Analyst {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        let access: &Arc<Access> = &app.access;
        match access.analyst(&parts.headers, visitor.cookies).await {
            Ok(analyst) => Ok(Self { holder: analyst.session.map(|session| Holder::of(access, &session)) }),
            Err(NotAnalyst::Nobody) => Err(Problem::NotSignedIn(WayBack::to(&parts.uri)).into_response()),
            Err(NotAnalyst::Client(session)) => {
                let holder = session.map(|session| Holder::of(access, &session));
                Err(Problem::NotAnalyst(holder).into_response())
            }
            Err(NotAnalyst::Denied(denied)) => Err(denied.into_response()),
            Err(NotAnalyst::Failed(error)) => Err(Problem::Access(error).into_response()),
        }
    }
}
