//! Answers, written as JSON.
//!
//! A value of the kind *binary*, which GraphQL does not have, is JSON already: what [`super::rows`] cut from the index. It goes into the
//! answer as it is, and so amounts of money are exact to the last digit.

use async_graphql::{Name, Response as Executed, ServerError, Value};
use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;
use catalogue_schema::Refusal;

use super::exchange::Exchange;
use super::media::Media;
use super::request::Unusable;
use super::weight::{DEEPEST, MOST_COMPLEX};
use crate::caching::Untagged;

/// The answer to a query.
pub(super) fn answer(executed: Executed, exchange: &Exchange, media: Media) -> Response {
    let mut body = Vec::with_capacity(16 * 1024);
    body.push(b'{');
    if !executed.errors.is_empty() {
        let mut errors = executed.errors;
        errors.iter_mut().for_each(name);
        write_errors(&errors, &mut body);
        body.push(b',');
    }
    // A request that was not executed has no data, not even null.
    if exchange.began() {
        body.extend_from_slice(b"\"data\":");
        write(&in_order(executed.data, exchange), &mut body);
        body.push(b',');
    }
    write_extensions(exchange, &mut body);
    body.push(b'}');
    let status = match media {
        Media::GraphQl if !exchange.began() => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    response(status, media, body)
}

/// The answer to a request without a query that could be executed.
pub(super) fn unusable(why: &Unusable, media: Media) -> Response {
    response(why.status, media, errors(why.code, why.message))
}

/// A refusal's response with its body as GraphQL has it.
pub(super) fn refused(refusal: &Refusal, mut response: Response, media: Media) -> Response {
    *response.body_mut() = Body::from(errors(refusal.slug(), &refusal.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, media.header());
    response
}

fn errors(code: &str, message: &str) -> Vec<u8> {
    serde_json::json!({"errors": [{"message": message, "extensions": {"code": code}}]}).to_string().into_bytes()
}

fn response(status: StatusCode, media: Media, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, media.header());
    Untagged::Never.write(headers);
    response
}

/// The data with its fields in the order in which they are selected: what waits for a count comes back later than what does not.
fn in_order(mut data: Value, exchange: &Exchange) -> Value {
    if let Value::Object(fields) = &mut data {
        let place = |key: &Name| exchange.keys().iter().position(|selected| selected == key);
        fields.sort_by_cached_key(|key, _| place(key));
    }
    data
}

/// What is said beside the data: what the query weighs, and which values of its filters were left out.
fn write_extensions(exchange: &Exchange, out: &mut Vec<u8>) {
    let (complexity, depth) = exchange.weight().map_or((0, 0), |weight| (weight.complexity, weight.depth));
    let mut extensions = serde_json::json!({
        "complexity": {"value": complexity, "limit": MOST_COMPLEX},
        "depth": {"value": depth, "limit": DEEPEST},
    });
    let ignored = exchange.take_ignored();
    if !ignored.is_empty() {
        extensions["ignoredFilters"] = Value::List(ignored).into_json().unwrap_or_default();
    }
    out.extend_from_slice(b"\"extensions\":");
    write_json(&extensions, out);
}

/// Gives an error without a code that of a query that is wrong: it is the library's, which says so of nothing else.
fn name(error: &mut ServerError) {
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        extensions.set("code", "invalid_query");
    }
}

fn write_errors(errors: &[ServerError], out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"errors\":");
    write_json(errors, out);
}

/// Appends a value as JSON.
fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Binary(json) => out.extend_from_slice(json),
        Value::List(values) => {
            out.push(b'[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(value, out);
            }
            out.push(b']');
        }
        Value::Object(fields) => {
            out.push(b'{');
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_json(key.as_str(), out);
                out.push(b':');
                write(value, out);
            }
            out.push(b'}');
        }
        leaf => write_json(leaf, out),
    }
}

fn write_json(value: &(impl serde::Serialize + ?Sized), out: &mut Vec<u8>) {
    // Texts, numbers and maps of them always have a JSON form, and a Vec takes all.
    let _cannot_fail = serde_json::to_writer(out, value);
}
