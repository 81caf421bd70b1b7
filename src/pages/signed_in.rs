//! Somebody who has signed in.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;

use super::form::{Form, TOKEN};
use super::problem::Problem;
use super::visitor::Visitor;
use crate::access::Session;
use crate::access::cookies::Kind;
use crate::app::App;

/// Somebody who has signed in; others are sent to do so.
#[derive(Debug)]
pub struct SignedIn {
    /// Who.
    pub session: Session,
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        let session = visitor.session(&app.access).await?.ok_or(Problem::NotSignedIn(None))?;
        Ok(Self { session })
    }
}

/// A form of ours, sent by somebody who has signed in.
#[derive(Debug)]
pub struct SignedForm {
    /// Who sent it.
    pub session: Session,
    /// What it holds.
    pub form: Form,
}

impl FromRequest<App> for SignedForm {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let SignedIn { session } = SignedIn::from_request_parts(&mut parts, app).await?;
        let form = Form::from_request(Request::from_parts(parts, body), app).await?;
        if app.access.is_form_token(form.field(TOKEN), Kind::Session, &session.token) {
            Ok(Self { session, form })
        } else {
            Err(Problem::ForeignForm)
        }
    }
}
