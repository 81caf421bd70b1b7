//! GraphQL for analysts: the resources of REST, with the same filters, order and cursors, and what all rows of a list say together.
//!
//! A request goes [`http`] → [`analyst`] → [`request`] → [`documents`] (parsed, weighed, validated, or remembered) → [`query`], which begins
//! or resumes traversals by the resolvers, at a [`pace`] that leaves room for others → [`answer`].
//!
//! The types are the structs of `schema/`, told to GraphQL there. Rows are not resolved field by field: a [`plan`] says which pieces of the
//! JSON in the index a query selects, and [`rows`] copies them, as [`objects`] does with lists inside rows. Only what leads elsewhere
//! ([`links`]), pages ([`connection`]) and counts ([`insight`]) are resolved by the library.

mod analyst;
mod answer;
mod connection;
mod cut;
mod documents;
mod exchange;
mod filter;
pub(crate) mod http;
mod insight;
mod links;
mod media;
mod objects;
mod pace;
mod plan;
mod query;
mod request;
mod rows;
mod tokens;
mod weight;

use std::sync::LazyLock;
use std::time::Duration;

use async_graphql::{EmptyMutation, EmptySubscription, SDLExportOptions};

use self::documents::Documents;
use self::query::Query;

/// How long a query may take. The edge gives every request twice as long, but refuses it in the form of REST.
pub const TIME_LIMIT: Duration = Duration::from_secs(5);

type Schema = async_graphql::Schema<Query, EmptyMutation, EmptySubscription>;

/// The schema holds nothing of a catalogue, so that all gateways of a process share it.
fn schema() -> &'static Schema {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
        let builder = Schema::build(Query, EmptyMutation, EmptySubscription).extension(Documents);
        // Names that are nearly right are not looked for: `extensions` and the documentation are for that.
        builder.disable_suggestions().finish()
    });
    &SCHEMA
}

/// The schema in its own language: the contract in `schema/schema.graphql`.
#[must_use]
pub fn definition() -> String {
    schema().sdl_with_options(SDLExportOptions::new().include_specified_by().prefer_single_line_descriptions())
}
