//! Filters as a client states them, before the catalogue says which of the values it can answer for.

use std::fmt;

use crate::{Slug, Timestamp};

/// A filter whose values are matched against the catalogue's vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterField {
    /// Words and phrases of the text.
    Q,
    /// Who may apply.
    Entity,
    /// A state.
    State,
    /// A field of activity.
    Industry,
    /// The record's status.
    Status,
}

impl FilterField {
    /// The query parameter's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Q => "q",
            Self::Entity => "entity",
            Self::State => "state",
            Self::Industry => "industry",
            Self::Status => "status",
        }
    }

    /// Whether the filter may be given several times, its values being alternatives.
    #[must_use]
    pub const fn is_repeatable(self) -> bool {
        matches!(self, Self::Entity | Self::State | Self::Industry)
    }
}

impl fmt::Display for FilterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A filter as a client states it: values in the order given, empty ones left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requested {
    /// Field and value, in the order given.
    pub values: Vec<(FilterField, String)>,
    /// Only records that changed at or after this instant.
    pub updated_since: Option<Timestamp>,
    /// Only changes observed at or after this instant.
    pub since: Option<Timestamp>,
    /// Only what this funder gives: of grants its own, of recipients those it has awarded. REST does not ask this.
    pub given_by: Option<Slug>,
}

/// A value the catalogue cannot answer for: left out of the filter and reported (specification, part 4, rule 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The filter.
    pub field: FilterField,
    /// The value as it was given.
    pub value: String,
}
