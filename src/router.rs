//! Every route of every listener, on one page.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use catalogue_schema::Refusal;

use crate::app::App;
use crate::edge::Edge;
use crate::error::refused;
use crate::graphql::http;
use crate::pages::{account, assets, keys, revoke, sign_in};
use crate::rest::{changes, funders, grants, recipients};

/// The public listener: REST and pages.
pub fn public(app: App) -> Edge<Router> {
    let access = app.access.clone();
    let router = Router::new()
        .route("/api/v1/grants", get(grants::list_grants))
        .route("/api/v1/grants/{slug}", get(grants::get_grant))
        .route("/api/v1/funders", get(funders::list_funders))
        .route("/api/v1/funders/{slug}", get(funders::get_funder))
        .route("/api/v1/recipients", get(recipients::list_recipients))
        .route("/api/v1/recipients/{slug}", get(recipients::get_recipient))
        .route("/api/v1/changes", get(changes::list_changes))
        .route("/account", get(account::find_page))
        .route("/account/sign-in", get(sign_in::show_form).post(sign_in::sign_in))
        .route("/account/sign-out", post(sign_in::sign_out))
        .route("/account/keys", get(keys::list_keys).post(keys::create_key))
        .route("/account/keys/{id}/revoke", get(revoke::ask).post(revoke::revoke_key))
        .route("/account/style.css", get(assets::style))
        .route("/account/script.js", get(assets::script))
        .route("/account/icon.svg", get(assets::icon))
        .fallback(async || refused(&Refusal::NotFound, None))
        .method_not_allowed_fallback(async || refused(&Refusal::MethodNotAllowed, None))
        .with_state(app);
    Edge::new(router, Some(access))
}

/// The internal listener: GraphQL and operations.
#[must_use]
pub fn internal(app: App) -> Edge<Router> {
    let router = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(async |State(app): State<App>| ready(&app)))
        .route("/graphql", get(http::get_query).post(http::post_query).fallback(http::refuse_method))
        .fallback(async || refused(&Refusal::NotFound, None))
        .method_not_allowed_fallback(async || refused(&Refusal::MethodNotAllowed, None))
        .with_state(app);
    Edge::new(router, None)
}

/// Whether requests can be answered: a generation is published and served.
fn ready(app: &App) -> Response {
    match app.catalogue.current() {
        Some(generation) => format!("ready: generation {}\n", generation.number()).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, "not ready: no generation is published yet\n").into_response(),
    }
}
