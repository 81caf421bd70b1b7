//! Parameters, from the tables by which queries are read.

use catalogue_schema::{FilterField, Slug};
use serde_json::json;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{
    AnyOfBuilder, Array, ArrayBuilder, KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{RefOr, Required};
use utoipa::{IntoParams, PartialSchema};

use super::super::params::{Endpoint, MOST_VALUES, Query, SlugPath};
use crate::caching::Held;
use crate::resolvers::PageSize;

impl<E: Endpoint> IntoParams for Query<E> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let filters = E::FILTERS.iter().map(|&(field, meaning)| {
            let most = format!(" An address takes at most {MOST_VALUES} values of filters.");
            let meaning = [meaning, if field.is_repeatable() { &most } else { "" }].concat();
            query(field.name(), &meaning, filter_schema(field))
        });
        let window = E::WINDOW.map(|window| query(window.name(), window.meaning(), window_schema()));
        let paging = E::IS_LIST.then(|| [limit(), cursor()]);
        filters.chain(window).chain(paging.into_iter().flatten()).collect()
    }
}

impl IntoParams for SlugPath {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let slug = ParameterBuilder::new().name("slug").parameter_in(ParameterIn::Path).required(Required::True);
        let meaning = "Identifier, as lists and other resources name it.";
        vec![slug.description(Some(meaning)).schema(Some(Slug::schema())).build()]
    }
}

impl IntoParams for Held {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let meaning = "Tags that the client holds, from `ETag`, separated by commas; or `*` for any. Where the current one is among them the \
            answer is 304 without a body. Compared weakly: with or without `W/`.";
        let tags = ObjectBuilder::new().schema_type(Type::String).examples([json!("W/\"5qVt6xZ0hVnS8mUa\"")]);
        let header = ParameterBuilder::new().name("If-None-Match").parameter_in(ParameterIn::Header);
        vec![header.required(Required::False).description(Some(meaning)).schema(Some(tags)).build()]
    }
}

fn query(name: &str, meaning: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(meaning))
        .schema(Some(schema))
        .build()
}

fn filter_schema(field: FilterField) -> Schema {
    let example = match field {
        FilterField::Q => "\"water quality\" rural",
        FilterField::Entity => "nonprofits",
        FilterField::State => "CA",
        FilterField::Industry => "environment",
        FilterField::Status => "open",
    };
    let value = ObjectBuilder::new().schema_type(Type::String);
    if field.is_repeatable() { list_of(value, example).into() } else { value.examples([json!(example)]).into() }
}

fn list_of(value: ObjectBuilder, example: &str) -> Array {
    ArrayBuilder::new().items(value.build()).examples([json!([example])]).build()
}

fn window_schema() -> Schema {
    let of = |format, example: &str| {
        let text = ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(format)));
        text.examples([json!(example)]).build()
    };
    let date = of(KnownFormat::Date, "2026-07-26");
    let instant = of(KnownFormat::DateTime, "2026-07-26T20:05:28.582Z");
    let empty =
        ObjectBuilder::new().schema_type(Type::String).max_length(Some(0)).description(Some("As if not given."));
    AnyOfBuilder::new().item(date).item(instant).item(empty).build().into()
}

fn limit() -> Parameter {
    let number = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(PageSize::MOST))
        .default(Some(json!(PageSize::default().get())));
    query("limit", "How many rows a page has at the most. It may change from page to page.", Schema::from(number))
}

fn cursor() -> Parameter {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let meaning = "Where to go on: the `next_cursor` of the page before, with the same filters. It pins the clock and the generation of \
        the catalogue, so that each row is met exactly once. It can be followed for at least 24 hours after the next publication.";
    query("cursor", meaning, Schema::from(text))
}
