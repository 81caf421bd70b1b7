//! Exports in: what a crawl wrote, read and checked one row at a time.

pub mod fault;
pub mod lines;
pub mod row;
pub(crate) mod stream;

use catalogue_schema::Timestamp;
use serde::{Deserialize, Serialize};

pub use row::{AwardRow, GrantRow};

/// The only format read, as `manifest.json` names it.
pub const FORMAT: &str = "catalogue-export/1";

/// The name of an export's manifest.
pub const MANIFEST: &str = "manifest.json";

/// An export's `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Must be [`FORMAT`].
    pub format: String,
    /// When the crawl was made.
    pub crawled_at: Timestamp,
    /// How many rows each file holds.
    pub counts: Counts,
}

/// How many rows there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Rows of `grants.ndjson`.
    pub grants: u64,
    /// Rows of `funders.ndjson`.
    pub funders: u64,
    /// Rows of `recipients.ndjson`.
    pub recipients: u64,
    /// Rows of `awards.ndjson`.
    pub awards: u64,
}
