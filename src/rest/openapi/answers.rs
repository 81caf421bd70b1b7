//! What operations end in: an answer, nothing new, or one of the refusals.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use catalogue_schema::envelope::{Page, Single};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, PartialSchema as _, ToSchema};

use super::super::params::{Endpoint, Window};
use super::headers::Headed as _;
use super::refusals;

/// The name of the shared response without a body.
pub(super) const NOT_MODIFIED: &str = "NotModified";

/// What every operation that takes a key can end in.
const WITH_KEY: [&str; 6] =
    ["Unauthorized", "Forbidden", "MethodNotAllowed", "RateLimited", "InternalError", "Unavailable"];

/// What a list of `T` ends in at the endpoint `E`.
pub(crate) struct Pages<E, T>(PhantomData<(E, T)>);

/// What a single `T` ends in.
pub(crate) struct One<T>(PhantomData<T>);

/// What this document ends in.
pub(crate) struct Description;

impl<E: Endpoint, T: ToSchema> IntoResponses for Pages<E, T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let bad_request = match E::WINDOW {
            Some(Window::Since) => "InvalidFeedRequest",
            Some(Window::UpdatedSince) | None => "InvalidListRequest",
        };
        let body = Ref::from_schema_name(page_name::<T>());
        let answer = ResponseBuilder::new().description("A page of the list.").kept(&["Content-Encoding"]);
        // Only lists have filters that can be left out; the feed has none.
        let answer = if E::FILTERS.is_empty() { answer } else { answer.headed(&["X-Service-Ignored-Filters"]) };
        all(answer, body, &[bad_request], &WITH_KEY)
    }
}

impl<T: ToSchema> IntoResponses for One<T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let body = Ref::from_schema_name(single_name::<T>());
        let answer = ResponseBuilder::new().description("The one asked for.").kept(&["Content-Encoding"]);
        all(answer, body, &["InvalidRequest", "NotFound"], &WITH_KEY)
    }
}

impl IntoResponses for Description {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let body = ObjectBuilder::new().schema_type(Type::Object).description(Some("An OpenAPI 3.1 document."));
        let answer = ResponseBuilder::new().description("The document.").kept(&["Content-Encoding"]);
        all(answer, Schema::from(body), &[], &["MethodNotAllowed", "InternalError", "Unavailable"])
    }
}

fn all(
    answer: ResponseBuilder,
    body: impl Into<RefOr<Schema>>,
    own: &[&str],
    shared: &[&str],
) -> BTreeMap<String, RefOr<Response>> {
    let content = ContentBuilder::new().schema(Some(body)).build();
    let mut responses = refusals::named(own);
    responses.extend(refusals::named(shared));
    responses.insert("200".to_owned(), answer.content("application/json", content).build().into());
    responses.insert("304".to_owned(), Ref::from_response_name(NOT_MODIFIED).into());
    responses
}

fn page_name<T: ToSchema>() -> String {
    format!("{}Page", T::name())
}

fn single_name<T: ToSchema>() -> String {
    format!("{}Answer", T::name())
}

/// The schema of a page of `T`, with its name.
pub(super) fn page<T: ToSchema>() -> (String, RefOr<Schema>) {
    (page_name::<T>(), Page::<T>::schema())
}

/// The schema of a single `T`, with its name.
pub(super) fn single<T: ToSchema>() -> (String, RefOr<Schema>) {
    (single_name::<T>(), Single::<T>::schema())
}

/// What answers a tag that is held.
pub(super) fn not_modified() -> Response {
    ResponseBuilder::new()
        .description(
            "The client holds this answer already: its tag is in `If-None-Match`. There is no body; the request is charged as any other.",
        )
        .kept(&["X-Service-Ignored-Filters"])
        .build()
}
