//! GraphQL over HTTP: the two ends of a request, as its specification has them.

use std::pin::pin;
use std::sync::Arc;

use async_graphql::Request as Query;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use catalogue_schema::Refusal;
use futures_util::StreamExt;
use futures_util::future::poll_immediate;
use tokio::time::timeout;

use super::analyst::Analyst;
use super::answer::{self, answer};
use super::exchange::Exchange;
use super::media::{Media, is_json};
use super::request::{LONGEST_BODY, Parameters, Unusable, of_address, of_body};
use super::schema;
use crate::app::App;
use crate::error;

/// The methods that the address answers.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");

/// How much of a body that is too large is read and thrown away, in bytes: a client that is still sending when the connection closes may
/// never see why.
const LONGEST_DISCARDED: usize = 8 << 20;

/// A body whose sender went away or broke the rules of HTTP.
const INCOMPLETE: Unusable = Unusable {
    status: StatusCode::BAD_REQUEST,
    code: "bad_request",
    message: "The body could not be read to its end.",
};

/// A query in the address.
pub(crate) async fn get_query(
    _: Analyst,
    State(app): State<App>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(media) = Media::of(&headers) else { return not_acceptable() };
    match of_address(query.as_deref().unwrap_or_default()) {
        Ok(parameters) => execute(&app, parameters, media).await,
        Err(why) => answer::unusable(&why, media),
    }
}

/// A query in a body of JSON.
pub(crate) async fn post_query(_: Analyst, State(app): State<App>, headers: HeaderMap, body: Body) -> Response {
    let Some(media) = Media::of(&headers) else { return not_acceptable() };
    if !is_json(&headers) {
        let why = Unusable {
            status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
            code: "unsupported_media_type",
            message: "Send the query as JSON in UTF-8, with `Content-Type: application/json`.",
        };
        return answer::unusable(&why, media);
    }
    match read(&headers, body).await {
        Ok(parameters) => execute(&app, parameters, media).await,
        Err(why) => answer::unusable(&why, media),
    }
}

/// Any other method.
pub(crate) async fn refuse_method(_: Analyst, headers: HeaderMap) -> Response {
    let why = Unusable {
        status: StatusCode::METHOD_NOT_ALLOWED,
        code: "method_not_allowed",
        message: "This address answers GET, HEAD and POST only.",
    };
    let mut response = answer::unusable(&why, Media::or_json(&headers));
    response.headers_mut().insert(header::ALLOW, METHODS);
    response
}

async fn read(headers: &HeaderMap, body: Body) -> Result<Parameters, Unusable> {
    let too_large = || Unusable {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        code: "payload_too_large",
        message: "The body is larger than a megabyte.",
    };
    let stated = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if stated.is_some_and(|length| length > LONGEST_DISCARDED) {
        return Err(too_large());
    }
    let mut chunks = body.into_data_stream();
    let (mut body, mut length) = (Vec::with_capacity(stated.unwrap_or(0).min(LONGEST_BODY)), 0);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| INCOMPLETE)?;
        length += chunk.len();
        if length <= LONGEST_BODY {
            body.extend_from_slice(&chunk);
        } else if length > LONGEST_DISCARDED {
            break;
        }
    }
    if length > LONGEST_BODY { Err(too_large()) } else { of_body(&body) }
}

async fn execute(app: &App, parameters: Parameters, media: Media) -> Response {
    let Some(generation) = app.catalogue.current() else { return unavailable(media) };
    let Parameters { query, operation, variables } = parameters;
    let exchange = Arc::new(Exchange::new(Arc::clone(&app.catalogue), generation, app.clock.now(), operation.clone()));
    let mut request = Query::new(query).variables(variables).data(Arc::clone(&exchange));
    request.operation_name = operation;
    let mut executing = pin!(exchange.pace.slices(schema().execute(request)));
    // Most answers are there at once: only the others are worth a timer.
    let executed = match poll_immediate(executing.as_mut()).await {
        Some(executed) => Ok(executed),
        None => timeout(app.query_time_limit, executing).await,
    };
    let Ok(executed) = executed else {
        tracing::warn!(weight = ?exchange.weight(), "a query took longer than its time limit");
        return unavailable(media);
    };
    answer(executed, &exchange, media)
}

fn unavailable(media: Media) -> Response {
    answer::refused(&Refusal::Unavailable, error::refused(&Refusal::Unavailable, None), media)
}

fn not_acceptable() -> Response {
    let why = Unusable {
        status: StatusCode::NOT_ACCEPTABLE,
        code: "not_acceptable",
        message: "Answers are application/graphql-response+json or application/json.",
    };
    answer::unusable(&why, Media::default())
}
