//! `/account`.

use axum::extract::State;
use axum::response::Response;

use super::page::see;
use super::problem::Problem;
use super::visitor::Visitor;
use crate::app::App;

/// Sends the browser to the page it can use.
pub(crate) async fn find_page(visitor: Visitor, State(app): State<App>) -> Result<Response, Problem> {
    let is_signed_in = visitor.session(&app.access).await?.is_some();
    Ok(see(if is_signed_in { app.home } else { "/account/sign-in" }))
}
