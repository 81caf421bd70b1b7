//! Every route of every listener, on one page.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use catalogue_schema::Refusal;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::edge::Edge;
use crate::error::refused;
use crate::graphql::http;
use crate::pages::{account, assets, docs, keys, revoke, sign_in};
use crate::rest::openapi::Document;
use crate::rest::{changes, funders, grants, openapi, recipients};

/// The API, each path stated where its handler is; what collects the routes collects their description.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(grants::list_grants))
        .routes(routes!(grants::get_grant))
        .routes(routes!(funders::list_funders))
        .routes(routes!(funders::get_funder))
        .routes(routes!(recipients::list_recipients))
        .routes(routes!(recipients::get_recipient))
        .routes(routes!(changes::list_changes))
        .routes(routes!(openapi::get_openapi))
}

/// The API's description.
///
/// # Errors
/// Where it has no JSON form.
pub fn document() -> Result<Document, serde_json::Error> {
    Document::new(&api().into_openapi())
}

/// The public listener: REST and pages.
pub fn public(app: App) -> Edge<Router> {
    let access = app.access.clone();
    let (api, _) = api().split_for_parts();
    let router = Router::new()
        .merge(api)
        .route("/docs", get(docs::guide))
        .route("/docs/reference", get(docs::reference))
        .route("/docs/reference/reference.js", get(assets::reference_script))
        .route("/docs/reference/swagger-ui.js", get(assets::reference_library))
        .route("/docs/reference/swagger-ui.css", get(assets::reference_style))
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
