//! Traversals against a naive model: a vector that is filtered by the words of the decisions and sorted.

mod model;
mod over_http;
pub(crate) mod random;
mod reindexed;
mod segments;
mod words;
