//! The rows of an export, as the crawl writes them (decisions, section 1).
//!
//! Funders and recipients are answered with the export's own fields, so their rows are the resources of `catalogue-schema`. The
//! two rows here differ from what the service answers: they name funders and recipients by slug.
//!
//! Absent and null mean the same: the source did not say. Whatever these types cannot hold is a fault of the row.

use std::collections::BTreeSet;

use catalogue_schema::{Code, Money, Slug, Status, Timestamp, UsState, Year};
use serde::{Deserialize, Serialize};

/// A line of `grants.ndjson`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantRow {
    /// Identifier.
    pub slug: Slug,
    /// Title; not blank.
    #[serde(deserialize_with = "catalogue_schema::text::required")]
    pub title: String,
    /// What the programme is for.
    pub summary: Option<String>,
    /// Slug of a funder of the same export.
    pub funder: Slug,
    /// What the source says of its state.
    pub status: Status,
    /// Who may apply.
    pub elig_entities: Option<BTreeSet<Code>>,
    /// Where applicants may be.
    pub elig_states: Option<BTreeSet<UsState>>,
    /// Fields of activity.
    pub industries: Option<BTreeSet<Code>>,
    /// The least one applicant may receive. May be above `amount_max`: that is then the source's statement.
    pub amount_min: Option<Money>,
    /// The most one applicant may receive.
    pub amount_max: Option<Money>,
    /// What the whole programme has to give away.
    pub amount_total_pool: Option<Money>,
    /// Whether the applicant must match the money.
    pub match_required: Option<bool>,
    /// When applications open.
    pub opens_at: Option<Timestamp>,
    /// The last instant at which an application is taken.
    pub deadline: Option<Timestamp>,
    /// The page the row was read from.
    #[serde(deserialize_with = "catalogue_schema::text::page_address")]
    pub source_url: String,
    /// When that page was last read.
    pub last_verified_at: Timestamp,
}

/// A line of `awards.ndjson`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AwardRow {
    /// Slug of a recipient of the same export.
    pub recipient: Slug,
    /// Slug of a funder of the same export.
    pub funder: Slug,
    /// The year it was awarded in.
    pub year: Year,
    /// How much.
    pub amount: Option<Money>,
    /// What for.
    pub purpose: Option<String>,
    /// The page the row was read from.
    #[serde(deserialize_with = "catalogue_schema::text::page_address")]
    pub source_url: String,
    /// When that page was last read.
    pub last_verified_at: Timestamp,
}
