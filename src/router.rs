//! Every route of every listener, on one page.

use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodRouter, get, post};
use catalogue_schema::Refusal;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::{App, Parts};
use crate::edge::Edge;
use crate::error::refused;
use crate::graphql::http;
use crate::metrics::Traffic;
use crate::operations;
use crate::pages::{account, assets, dashboard, docs, graphiql, keys, revoke, sign_in};
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

/// What metrics call the listener of REST and the account's pages.
pub const PUBLIC: &str = "public";

/// What metrics call the listener of analysts and operations.
pub const INTERNAL: &str = "internal";

/// Where the public listener's pages begin for somebody who has signed in.
const PUBLIC_HOME: &str = "/account/keys";

/// Where the internal listener's do.
const INTERNAL_HOME: &str = "/";

/// The public listener: REST and pages.
pub fn public(parts: Arc<Parts>) -> Edge<Router> {
    let routes = Routes::of(api())
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
        .route("/account/icon.svg", get(assets::icon));
    routes.with_edge(App::new(parts, PUBLIC_HOME), PUBLIC)
}

/// The internal listener: analysts and operations.
#[must_use]
pub fn internal(parts: Arc<Parts>) -> Edge<Router> {
    let routes = Routes::new()
        .route("/", get(dashboard::show))
        .route("/dashboard.css", get(assets::dashboard))
        .route("/graphql", get(http::get_query).post(http::post_query).fallback(http::refuse_method))
        .route("/graphiql", get(graphiql::show))
        .route("/graphiql/{file}", get(graphiql::file))
        .route("/account", get(account::find_page))
        .route("/account/sign-in", get(sign_in::show_form).post(sign_in::sign_in))
        .route("/account/sign-out", post(sign_in::sign_out))
        .route("/account/style.css", get(assets::style))
        .route("/account/script.js", get(assets::script))
        .route("/account/icon.svg", get(assets::icon))
        .route("/healthz", get(operations::say_alive))
        .route("/readyz", get(operations::say_ready))
        .route("/metrics", get(operations::tell_metrics));
    routes.with_edge(App::new(parts, INTERNAL_HOME), INTERNAL)
}

/// Routes, and their paths beside them: requests are counted by the path of the route that they take.
struct Routes {
    router: Router<App>,
    paths: Vec<String>,
}

impl Routes {
    fn new() -> Self {
        Self { router: Router::new(), paths: Vec::new() }
    }

    /// The routes that describe themselves.
    fn of(api: OpenApiRouter<App>) -> Self {
        let (router, description) = api.split_for_parts();
        Self { router, paths: description.paths.paths.into_keys().collect() }
    }

    fn route(mut self, path: &str, methods: MethodRouter<App>) -> Self {
        self.paths.push(path.to_owned());
        Self { router: self.router.route(path, methods), ..self }
    }

    fn with_edge(self, app: App, listener: &'static str) -> Edge<Router> {
        let traffic = Traffic::new(&app.metrics, listener, self.paths);
        let access = app.access.clone();
        let router = self
            .router
            .fallback(async || refused(&Refusal::NotFound, None))
            .method_not_allowed_fallback(async || refused(&Refusal::MethodNotAllowed, None))
            .with_state(app);
        Edge::new(router, access, traffic, listener == PUBLIC)
    }
}
