//! The headers of responses, each with its unit.

use serde_json::{Value, json};
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::{Ref, ResponseBuilder};

/// What every response has.
const ON_ALL: [&str; 5] =
    ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "X-Content-Type-Options"];

/// What an answer has that may be kept.
const ON_KEPT: [&str; 3] = ["ETag", "Cache-Control", "Vary"];

/// Every header, with its schema, what it means, and an example.
pub(super) fn all() -> Vec<(&'static str, Header)> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let count = || ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).build();
    let one_of = |values: &[&str]| text().enum_values(Some(values.iter().copied())).build();
    vec![
        header(
            "X-RateLimit-Limit",
            count(),
            "Requests this key may make in a UTC day. A response that is charged to no key reports the same.",
            json!(5000),
        ),
        header(
            "X-RateLimit-Remaining",
            count(),
            "Requests left of this UTC day. Exact for requests one after another; two at the same time may be told the same number. \
            What decides is the 429.",
            json!(4999),
        ),
        header(
            "X-RateLimit-Reset",
            count(),
            "When this UTC day ends, and with it the allowance: Unix time, in seconds.",
            json!(1_785_110_400),
        ),
        header(
            "X-Request-Id",
            text().pattern(Some("^[0-9a-f]{24}$")).build(),
            "The request's number in the service's log: name it when you report a problem.",
            json!("5f1c09ab000000000000002a"),
        ),
        header(
            "X-Content-Type-Options",
            one_of(&["nosniff"]),
            "A browser is not to guess another type than the one stated.",
            json!("nosniff"),
        ),
        header(
            "ETag",
            text().pattern(Some("^W/\"[A-Za-z0-9_-]+\"$")).build(),
            "The answer's weak tag: equal tags of one address mean equal `data`, not an equal `as_of`. It is the same for every key and \
            every content coding. Send it in `If-None-Match`.",
            json!("W/\"5qVt6xZ0hVnS8mUa\""),
        ),
        header(
            "Cache-Control",
            one_of(&["private, max-age=300", "public, max-age=300", "no-store"]),
            "For how long the answer may be kept, in seconds, and by whom; `no-store` on every refusal.",
            json!("private, max-age=300"),
        ),
        header(
            "Vary",
            text().build(),
            "The request headers on which the answer depends besides its address.",
            json!("Authorization, Accept-Encoding"),
        ),
        header(
            "Content-Encoding",
            one_of(&["zstd", "br", "gzip"]),
            "How the body is compressed, where `Accept-Encoding` allows for it and the body is large enough to gain by it.",
            json!("zstd"),
        ),
        header(
            "X-Service-Ignored-Filters",
            text().build(),
            "Values of filters that the catalogue cannot answer for: they were left out, and the answer is what it would be without them. \
            `name=value` in the order given, separated by a comma and a space; values percent-encoded, and cut after 256 bytes. \
            The list ends with `...` instead of what would make it longer than 4,096 bytes. Missing where nothing was left out.",
            json!("state=ZZ, industry=foo"),
        ),
        header("Retry-After", count(), "After how many whole seconds to ask again.", json!(3600)),
        header("WWW-Authenticate", one_of(&["Bearer"]), "How a key is sent.", json!("Bearer")),
        header("Allow", text().build(), "The methods this address answers.", json!("GET,HEAD")),
    ]
}

fn header(name: &'static str, schema: Object, description: &str, example: Value) -> (&'static str, Header) {
    let header = HeaderBuilder::new().schema(Some(schema)).description(Some(description)).example(Some(example));
    (name, header.build())
}

/// Names headers of a response.
pub(super) trait Headed: Sized {
    /// These, and those that every response has.
    fn headed(self, names: &[&str]) -> Self;

    /// Those of an answer that may be kept, these, and those that every response has.
    fn kept(self, names: &[&str]) -> Self {
        self.headed(&ON_KEPT).headed(names)
    }
}

impl Headed for ResponseBuilder {
    fn headed(self, names: &[&str]) -> Self {
        let names = ON_ALL.iter().chain(names);
        names.fold(self, |response, name| response.header_ref(*name, Ref::new(format!("#/components/headers/{name}"))))
    }
}
