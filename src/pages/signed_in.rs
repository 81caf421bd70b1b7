//! Somebody who has signed in.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;

use super::form::{Form, TOKEN};
use super::problem::Problem;
use super::visitor::Visitor;
use crate::access::cookies::Kind;
use crate::access::{Access, Session};
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

/// Who has signed in, for the bar of a page, with what forms of theirs need.
#[derive(Clone, Debug)]
pub struct Holder {
    pub(super) email: String,
    pub(super) form_token: String,
}

impl Holder {
    pub(super) fn of(access: &Access, session: &Session) -> Self {
        Self { email: session.account.email.to_string(), form_token: access.form_token(Kind::Session, &session.token) }
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
