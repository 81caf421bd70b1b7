//! REST: the resolvers' answers in the specification's envelope. One file per resource, each handler in three moves: take, ask,
//! answer.

mod buffer;
mod envelope;
mod params;

pub mod changes;
pub mod funders;
pub mod grants;
pub mod openapi;
pub mod recipients;
