//! What the document says besides its operations.

use catalogue_schema::{Change, Funder, Grant, Recipient, RecipientDetail};
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Components, ComponentsBuilder, Schema};
use utoipa::openapi::security::{Http, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::tag::{Tag, TagBuilder};
use utoipa::openapi::{
    ContactBuilder, Info, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr, Server, ServerBuilder,
};

use super::{answers, headers, refusals};

/// The name of the one way to authenticate.
const API_KEY: &str = "apiKey";

/// The document before the first operation.
#[must_use]
pub fn frame() -> OpenApi {
    OpenApiBuilder::new()
        .info(info())
        .servers(Some([server()]))
        .security(Some([SecurityRequirement::new(API_KEY, Vec::<String>::new())]))
        .tags(Some(tags()))
        .components(Some(components()))
        .build()
}

fn info() -> Info {
    InfoBuilder::new()
        .title("Catalogue gateway")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(include_str!("about.md")))
        .contact(Some(ContactBuilder::new().name(Some("The operator of this service")).build()))
        .license(Some(LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build()))
        .build()
}

fn server() -> Server {
    ServerBuilder::new().url("/").description(Some("The service that answered this document.")).build()
}

fn tags() -> [Tag; 5] {
    [
        ("grants", "Funding programmes, the next deadline first."),
        ("funders", "Who gives the money, by name."),
        ("recipients", "Who received it, by name; each with its awards by year."),
        ("changes", "What moved in the catalogue, oldest first, and when the service saw it."),
        ("openapi", "This document."),
    ]
    .map(|(name, description)| TagBuilder::new().name(name).description(Some(description)).build())
}

fn components() -> Components {
    let mut schemas = Vec::new();
    with_parts::<Grant>(&mut schemas);
    with_parts::<Funder>(&mut schemas);
    with_parts::<Recipient>(&mut schemas);
    with_parts::<RecipientDetail>(&mut schemas);
    with_parts::<Change>(&mut schemas);
    schemas.extend([answers::page::<Grant>(), answers::page::<Funder>(), answers::page::<Recipient>()]);
    schemas.extend([answers::page::<Change>(), answers::single::<Grant>(), answers::single::<Funder>()]);
    schemas.push(answers::single::<RecipientDetail>());
    schemas.extend(refusals::schemas().map(|(name, schema)| (name.to_owned(), schema.into())));
    for (_, schema) in &mut schemas {
        finish(schema);
    }
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .responses_from_iter(refusals::responses())
        .response(answers::NOT_MODIFIED, answers::not_modified())
        .security_scheme(API_KEY, SecurityScheme::Http(bearer()));
    headers::all().into_iter().fold(components, |components, (name, header)| components.header(name, header)).build()
}

/// The schema of `T` and of everything in it.
fn with_parts<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// Finishes what the structs say of themselves.
fn finish(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    // Exports are read strictly; answers leave room for fields of later versions.
    if matches!(object.additional_properties.as_deref(), Some(AdditionalProperties::FreeForm(false))) {
        object.additional_properties = None;
    }
    // What is said of a nullable field belongs beside its choices, not into the first of them, where tools pass over it.
    for property in object.properties.values_mut() {
        if let RefOr::T(Schema::OneOf(choices)) = property
            && let Some(RefOr::Ref(first)) = choices.items.iter_mut().find(|choice| matches!(choice, RefOr::Ref(_)))
        {
            choices.description = Some(std::mem::take(&mut first.description));
        }
    }
}

fn bearer() -> Http {
    HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("ctg_<key id>_<secret>")
        .description(Some(
            "An API key of an account whose plan includes the API. An account holds at most three at a time; they are made and revoked on \
            its page, `/account/keys`.",
        ))
        .build()
}
