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
use super::way_back::{self, WayBack};
use crate::access::cookies::Kind;
use crate::access::password;
use crate::access::session::SessionToken;
use crate::access::sign_in::{Attempt, SignIn};
use crate::app::App;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    assets: Assets,
    form_token: String,
    filled: Filled<'a>,
    /// Whether this listener has the documentation.
    has_documentation: bool,
    faults: Vec<Fault>,
    notice: Option<&'static str>,
    longest_password: usize,
}

/// What the form holds already.
#[derive(Clone, Copy, Default)]
struct Filled<'a> {
    email: &'a str,
    /// Where the browser goes on.
    way_back: Option<&'a WayBack>,
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
    let way_back = WayBack::in_query(query.as_deref());
    if visitor.session(&app.access).await?.is_some() {
        return Ok(see(way_back.as_ref().map_or(app.home, WayBack::as_str)));
    }
    let notice = (query.as_deref() == Some("signed-out")).then_some("You have signed out.");
    let filled = Filled { email: "", way_back: way_back.as_ref() };
    form(&app, &visitor, StatusCode::OK, filled, Vec::new(), notice)
}

/// Signs in.
pub(crate) async fn sign_in(visitor: Visitor, State(app): State<App>, sent: Form) -> Result<Response, Problem> {
    let (email, password) = (sent.field("email"), sent.field("password"));
    let way_back = WayBack::parse(sent.field(way_back::NAME));
    let filled = Filled { email, way_back: way_back.as_ref() };
    let is_ours = visitor.visit().is_some_and(|visit| app.access.is_form_token(sent.field(TOKEN), Kind::Visit, &visit));
    if !is_ours {
        return again(&app, &visitor, filled, &Again::Forgotten);
    }
    let missing = Again::Missing { email: email.trim().is_empty(), password: password.is_empty() };
    if let Again::Missing { email: true, .. } | Again::Missing { password: true, .. } = missing {
        return again(&app, &visitor, filled, &missing);
    }
    let before = visitor.session(&app.access).await?;
    let attempt = Attempt { email, password, from: visitor.address };
    match app.access.sign_in(attempt, before.as_ref()).await? {
        SignIn::Begun(token) => {
            let mut response = see(way_back.as_ref().map_or(app.home, WayBack::as_str));
            let headers = response.headers_mut();
            headers.append(header::SET_COOKIE, visitor.cookies.give(Kind::Session, &token));
            headers.append(header::SET_COOKIE, visitor.cookies.take(Kind::Visit));
            Ok(response)
        }
        SignIn::Wrong => again(&app, &visitor, filled, &Again::Wrong),
        SignIn::Locked(until) => {
            let millis = until.unix_millis() - app.clock.now().unix_millis();
            again(&app, &visitor, filled, &Again::Locked { millis })
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

fn again(app: &App, visitor: &Visitor, filled: Filled<'_>, why: &Again) -> Result<Response, Problem> {
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
    let mut response = form(app, visitor, status, filled, faults, None)?;
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
    filled: Filled<'_>,
    faults: Vec<Fault>,
    notice: Option<&'static str>,
) -> Result<Response, Problem> {
    let known = visitor.visit();
    let visit = known.clone().map_or_else(SessionToken::mint, Ok)?;
    let form_token = app.access.form_token(Kind::Visit, &visit);
    let mut response = page(
        status,
        &SignInPage {
            assets: Assets,
            form_token,
            filled,
            has_documentation: app.home != "/",
            faults,
            notice,
            longest_password: password::LONGEST,
        },
    )?;
    if known.is_none() {
        response.headers_mut().append(header::SET_COOKIE, visitor.cookies.give(Kind::Visit, &visit));
    }
    Ok(response)
}
