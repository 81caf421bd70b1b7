//! The envelope around every answer (specification, part 2).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Timestamp;

/// A page of a list: what is asked for, in the envelope of every answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The rows: as many as `limit` says, or fewer. A short page is not the end; a null `next_cursor` is.
    pub data: Vec<T>,
    /// Opaque token of the next page, for the parameter `cursor`: URL-safe, below 2 kB. Null: the traversal is finished.
    #[schema(required = true)]
    pub next_cursor: Option<String>,
    /// The instant the catalogue was read; within one traversal, the instant of its first page.
    pub as_of: Timestamp,
}

/// One resource, in the envelope of every answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Single<T> {
    /// The resource.
    pub data: T,
    /// Always null: a single resource has no next page.
    #[schema(required = true)]
    pub next_cursor: Option<String>,
    /// The instant the catalogue was read.
    pub as_of: Timestamp,
}

/// The body of every refusal (decisions, section 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// Stable slug to branch on.
    pub error: String,
    /// A sentence for logs and people.
    pub message: String,
    /// The parameter at fault, where one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
}
