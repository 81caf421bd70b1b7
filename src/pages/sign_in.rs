//! `/account/sign-in` and `/account/sign-out`.

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::Response;

use super::assets::Assets;
use super::form::{Form, TOKEN};
use super::moment::wait_in_words;
use super::page::{page, see};
use super::problem::Problem;
use super::signed_in::SignedForm;
use super::visitor::Visitor;
use crate::access::cookies::Kind;
use crate::access::session::SessionToken;
use crate::access::sign_in::{Attempt, SignIn};
use crate::app::App;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    assets: Assets,
    form_token: String,
    email: &'a str,
    faults: Vec<Fault>,
    notice: Option<&'static str>,
}

/// What is wrong, and the field to put it right in.
struct Fault {
    field: &'static str,
    sentence: String,
}

impl SignInPage<'_> {
    fn fault_of(&self, field: &str) -> Option<&str> {
        self.faults.iter().find(|fault| fault.field == field).map(|fault| fault.sentence.as_str())
    }
}

/// Why the form is shown once more.
enum Again {
    Missing { email: bool, password: bool },
    Forgotten,
    Wrong,
    Locked { millis: i64 },
}

/// The form.
pub(crate) async fn show_form(
    visitor: Visitor,
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    if visitor.session(&app.access).await?.is_some() {
        return Ok(see("/account/keys"));
    }
    let notice = (query.as_deref() == Some("signed-out")).then_some("You have signed out.");
    form(&app, &visitor, StatusCode::OK, "", Vec::new(), notice)
}

/// Signs in.
pub(crate) async fn sign_in(visitor: Visitor, State(app): State<App>, sent: Form) -> Result<Response, Problem> {
    let (email, password) = (sent.field("email"), sent.field("password"));
    let is_ours = visitor.visit().is_some_and(|visit| app.access.is_form_token(sent.field(TOKEN), Kind::Visit, &visit));
    if !is_ours {
        return again(&app, &visitor, email, &Again::Forgotten);
    }
    let missing = Again::Missing { email: email.trim().is_empty(), password: password.is_empty() };
    if let Again::Missing { email: true, .. } | Again::Missing { password: true, .. } = missing {
        return again(&app, &visitor, email, &missing);
    }
    let before = visitor.session(&app.access).await?;
    let attempt = Attempt { email, password, from: visitor.address };
    match app.access.sign_in(attempt, before.as_ref()).await? {
        SignIn::Begun(token) => {
            let mut response = see("/account/keys");
            let headers = response.headers_mut();
            headers.append(header::SET_COOKIE, visitor.cookies.give(Kind::Session, &token));
            headers.append(header::SET_COOKIE, visitor.cookies.take(Kind::Visit));
            Ok(response)
        }
        SignIn::Wrong => again(&app, &visitor, email, &Again::Wrong),
        SignIn::Locked(until) => {
            let millis = until.unix_millis() - app.clock.now().unix_millis();
            again(&app, &visitor, email, &Again::Locked { millis })
        }
    }
}

/// Signs out.
pub(crate) async fn sign_out(visitor: Visitor, State(app): State<App>, sent: SignedForm) -> Result<Response, Problem> {
    app.access.sign_out(&sent.session).await?;
    let mut response = see("/account/sign-in?signed-out");
    response.headers_mut().append(header::SET_COOKIE, visitor.cookies.take(Kind::Session));
    Ok(response)
}

fn again(app: &App, visitor: &Visitor, email: &str, why: &Again) -> Result<Response, Problem> {
    let fault = |field, sentence: &str| Fault { field, sentence: sentence.to_owned() };
    let (status, faults) = match *why {
        Again::Missing { email, password } => {
            let email = email.then(|| fault("email", "Enter your email address"));
            let password = password.then(|| fault("password", "Enter your password"));
            (StatusCode::UNPROCESSABLE_ENTITY, email.into_iter().chain(password).collect())
        }
        Again::Forgotten => {
            let sentence = "The form was out of date. Please sign in again; your browser has to accept cookies";
            (StatusCode::FORBIDDEN, vec![fault("email", sentence)])
        }
        Again::Wrong => (StatusCode::UNPROCESSABLE_ENTITY, vec![fault("email", "Email address or password is wrong")]),
        Again::Locked { millis } => {
            let wait = wait_in_words(millis);
            let sentence = format!("Too many attempts to sign in have failed. Please try again in {wait}");
            (StatusCode::TOO_MANY_REQUESTS, vec![Fault { field: "email", sentence }])
        }
    };
    let mut response = form(app, visitor, status, email, faults, None)?;
    if let Again::Locked { millis } = *why {
        let seconds = millis.max(1).cast_unsigned().div_ceil(1000);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

fn form(
    app: &App,
    visitor: &Visitor,
    status: StatusCode,
    email: &str,
    faults: Vec<Fault>,
    notice: Option<&'static str>,
) -> Result<Response, Problem> {
    let known = visitor.visit();
    let visit = known.clone().map_or_else(SessionToken::mint, Ok)?;
    let form_token = app.access.form_token(Kind::Visit, &visit);
    let mut response = page(status, &SignInPage { assets: Assets, form_token, email, faults, notice })?;
    if known.is_none() {
        response.headers_mut().append(header::SET_COOKIE, visitor.cookies.give(Kind::Visit, &visit));
    }
    Ok(response)
}
