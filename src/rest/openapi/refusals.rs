//! Refusals, from the one table of them.

use std::collections::BTreeMap;

use catalogue_schema::Refusal;
use serde_json::json;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use super::headers::Headed as _;

/// The schema of a refusal for which a parameter is at fault, and of any other.
const OF_PARAMETER: &str = "ParameterRefusal";
const OF_OTHER: &str = "Refusal";

/// A response that refuses, shared by every operation that can end in it.
struct Shared {
    name: &'static str,
    /// The slugs it can have, all of one status.
    slugs: &'static [&'static str],
    description: &'static str,
    headers: &'static [&'static str],
}

const SHARED: [Shared; 10] = [
    Shared {
        name: "InvalidRequest",
        slugs: &["invalid_parameter"],
        description: "A parameter cannot be acted on: the body names it.",
        headers: &[],
    },
    Shared {
        name: "InvalidListRequest",
        slugs: &["invalid_parameter", "cursor_filter_mismatch"],
        description: "A parameter cannot be acted on: the body names it. Or the cursor belongs to another filter or address: start again \
            without one.",
        headers: &[],
    },
    Shared {
        name: "InvalidFeedRequest",
        slugs: &["invalid_parameter", "cursor_filter_mismatch", "window_too_large"],
        description: "A parameter cannot be acted on: the body names it. Or the cursor belongs to another filter or address: start again \
            without one. Or the window holds more changes than one traversal serves (10,000, where the operator sets nothing else): ask \
            for a later one.",
        headers: &[],
    },
    Shared {
        name: "Unauthorized",
        slugs: &["missing_key", "invalid_key"],
        description: "There is no key, or what was sent is no key or a revoked one. Nothing is charged.",
        headers: &["WWW-Authenticate"],
    },
    Shared {
        name: "Forbidden",
        slugs: &["plan_required"],
        description: "The key is valid, and the plan of its account does not include the API. Nothing is charged.",
        headers: &[],
    },
    Shared { name: "NotFound", slugs: &["not_found"], description: "There is nothing of this slug.", headers: &[] },
    Shared {
        name: "MethodNotAllowed",
        slugs: &["method_not_allowed"],
        description: "Another method than GET or HEAD was used.",
        headers: &["Allow"],
    },
    Shared {
        name: "RateLimited",
        slugs: &["rate_limited"],
        description: "The key has used its requests of this UTC day. Nothing more is charged.",
        headers: &["Retry-After"],
    },
    Shared {
        name: "InternalError",
        slugs: &["internal_error"],
        description: "The service failed, and has recorded it.",
        headers: &[],
    },
    Shared {
        name: "Unavailable",
        slugs: &["unavailable"],
        description: "Nothing is published yet, or accounts cannot be reached. Nothing is charged.",
        headers: &["Retry-After"],
    },
];

/// The schemas of the bodies, by name.
pub(super) fn schemas() -> [(&'static str, Schema); 2] {
    let (of_parameter, of_other): (Vec<_>, Vec<_>) =
        Refusal::examples().into_iter().partition(|refusal| refusal.body().parameter.is_some());
    let parameter = text("The parameter at fault.");
    let of_parameter = body("The body of a refusal for which a parameter is at fault.", &of_parameter)
        .property("parameter", parameter)
        .required("parameter");
    [(OF_PARAMETER, Schema::from(of_parameter)), (OF_OTHER, Schema::from(body("The body of a refusal.", &of_other)))]
}

fn body(description: &str, refusals: &[Refusal]) -> ObjectBuilder {
    let slugs = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Stable slug to branch on."))
        .enum_values(Some(refusals.iter().map(Refusal::slug)));
    ObjectBuilder::new()
        .description(Some(description))
        .property("error", slugs)
        .required("error")
        .property("message", text("A sentence for logs and people; its wording may change."))
        .required("message")
}

fn text(description: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).build()
}

/// The shared responses, by name.
pub(super) fn responses() -> impl Iterator<Item = (&'static str, Response)> {
    SHARED.iter().map(|shared| (shared.name, shared.response()))
}

impl Shared {
    fn examples(&self) -> impl Iterator<Item = Refusal> {
        Refusal::examples().into_iter().filter(|refusal| self.slugs.contains(&refusal.slug()))
    }

    /// Its status: that of all of its slugs.
    fn status(&self) -> u16 {
        self.examples().next().map_or(500, |refusal| refusal.status())
    }

    fn response(&self) -> Response {
        let examples = self.examples().map(|refusal| {
            let example = ExampleBuilder::new().summary(refusal.slug()).value(Some(json!(refusal.body())));
            (refusal.slug(), example.build())
        });
        let schema = if self.status() == 400 { OF_PARAMETER } else { OF_OTHER };
        let content =
            ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).examples_from_iter(examples).build();
        ResponseBuilder::new()
            .description(self.description)
            .content("application/json", content)
            .headed(&["Cache-Control"])
            .headed(self.headers)
            .build()
    }
}

/// The shared responses of these names, by status.
pub(super) fn named(names: &[&str]) -> BTreeMap<String, RefOr<Response>> {
    let chosen = SHARED.iter().filter(|shared| names.contains(&shared.name));
    chosen.map(|shared| (shared.status().to_string(), Ref::from_response_name(shared.name).into())).collect()
}
