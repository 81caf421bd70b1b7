//! Records: grants and other funding programmes (specification, part 2; decisions, section 2).

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Code, FunderName, Money, Slug, Timestamp, UsState};

/// A funding programme, as `/grants` answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
#[graphql(name = "GrantFields")]
pub struct Grant {
    /// Identifier, used in the path of the single record.
    pub slug: Slug,
    /// Title.
    pub title: String,
    /// What the programme is for. Null: the source gave no summary.
    #[schema(required = true)]
    pub summary: Option<String>,
    /// Who gives the money.
    pub funder: FunderName,
    /// What the source said of its state, or `closed` where a later crawl no longer lists it. Never changed by the clock alone.
    pub status: Status,
    /// Who may apply. Null: the source stated no restriction, so the record matches every `entity`. An empty list matches none.
    #[schema(required = true)]
    pub elig_entities: Option<BTreeSet<Code>>,
    /// Where applicants may be. Null: the source stated no geographic restriction, so the record matches every `state`. An
    /// empty list matches none.
    #[schema(required = true)]
    pub elig_states: Option<BTreeSet<UsState>>,
    /// Fields of activity. Null: the source stated none, so the record matches every `industry`. An empty list matches none.
    #[schema(required = true)]
    pub industries: Option<BTreeSet<Code>>,
    /// The least one applicant may receive, in US dollars. Null: the source stated no floor; never to be read as 0.
    #[schema(required = true)]
    pub amount_min: Option<Money>,
    /// The most one applicant may receive, in US dollars. Null: the source stated no ceiling; never to be read as 0.
    #[schema(required = true)]
    pub amount_max: Option<Money>,
    /// What the whole programme has to give away, in US dollars. Null: the source did not say; never to be read as 0.
    #[schema(required = true)]
    pub amount_total_pool: Option<Money>,
    /// Whether the applicant must match the money. Null: the source said neither way; never to be read as false.
    #[schema(required = true)]
    pub match_required: Option<bool>,
    /// When applications open. Null: the source did not say.
    #[schema(required = true)]
    pub opens_at: Option<Timestamp>,
    /// The last instant at which an application is taken. Null: the source stated none.
    #[schema(required = true)]
    pub deadline: Option<Timestamp>,
    /// The page the record was read from.
    #[schema(format = "uri")]
    pub source_url: String,
    /// When the funder's own page was last read.
    pub last_verified_at: Timestamp,
    /// When the catalogue first published the record.
    pub first_seen_at: Timestamp,
    /// When the catalogue last published a change of any field of the record other than `last_verified_at`.
    pub updated_at: Timestamp,
}

/// What a source says of a record's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema, Enum)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Announced, not yet open.
    Forecasted,
    /// Applications are taken.
    Open,
    /// No applications are taken, or the source no longer lists the record.
    Closed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Forecasted, Self::Open, Self::Closed];

    /// Its written form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forecasted => "forecasted",
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no [`Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAStatus;

impl FromStr for Status {
    type Err = NotAStatus;

    /// Reads a status in any case (decisions, section 9).
    fn from_str(text: &str) -> Result<Self, NotAStatus> {
        let folded = crate::text::fold(text);
        Self::ALL.into_iter().find(|status| status.as_str() == folded).ok_or(NotAStatus)
    }
}
