//! Recipients: who received the money, and their awards by year.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{FunderName, Money, Slug, Timestamp, UsState, Year};

/// A recipient, as the list of `/recipients` answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
#[graphql(name = "RecipientFields")]
#[serde(deny_unknown_fields)]
pub struct Recipient {
    /// Identifier, used in the path of the single recipient.
    pub slug: Slug,
    /// Name.
    #[serde(deserialize_with = "crate::text::required")]
    pub name: String,
    /// Employer identification number. Null: the source did not say.
    #[schema(required = true)]
    pub ein: Option<String>,
    /// City. Null: the source did not say.
    #[schema(required = true)]
    pub city: Option<String>,
    /// State. Null: the source did not say, so no value of `state` matches.
    #[schema(required = true)]
    pub state: Option<UsState>,
    /// The page the recipient was read from.
    #[serde(deserialize_with = "crate::text::page_address")]
    #[schema(format = "uri")]
    pub source_url: String,
    /// When that page was last read.
    pub last_verified_at: Timestamp,
}

/// A recipient, as `/recipients/{slug}` answers it: the list's fields, and the awards by year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
#[graphql(name = "AwardeeFields")]
pub struct RecipientDetail {
    /// Identifier, used in the path of the single recipient.
    pub slug: Slug,
    /// Name.
    pub name: String,
    /// Employer identification number. Null: the source did not say.
    #[schema(required = true)]
    pub ein: Option<String>,
    /// City. Null: the source did not say.
    #[schema(required = true)]
    pub city: Option<String>,
    /// State. Null: the source did not say.
    #[schema(required = true)]
    pub state: Option<UsState>,
    /// The page the recipient was read from.
    #[schema(format = "uri")]
    pub source_url: String,
    /// When that page was last read.
    pub last_verified_at: Timestamp,
    /// The awards the catalogue knows of, newest year first. Empty: it knows of none.
    pub awards_by_year: Vec<AwardYear>,
}

impl RecipientDetail {
    /// The same recipient with the awards of one funder, and the sums of these.
    #[must_use]
    pub fn of_funder(mut self, funder: &Slug) -> Self {
        for year in &mut self.awards_by_year {
            year.awards.retain(|award| award.funder.slug == *funder);
            year.sum();
        }
        self.awards_by_year.retain(|year| !year.awards.is_empty());
        self
    }
}

/// What a recipient was awarded in one year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
pub struct AwardYear {
    /// The year.
    pub year: Year,
    /// How many awards the catalogue knows of.
    #[schema(minimum = 1)]
    pub award_count: u32,
    /// The sum of the stated amounts, in US dollars. Null: none of the awards states one; never to be read as 0.
    #[schema(required = true)]
    pub amount_total: Option<Money>,
    /// The awards, by funder.
    pub awards: Vec<Award>,
}

impl AwardYear {
    /// A year and its awards, counted and summed.
    #[must_use]
    pub fn of(year: Year, awards: Vec<Award>) -> Self {
        let mut of = Self { year, award_count: 0, amount_total: None, awards };
        of.sum();
        of
    }

    fn sum(&mut self) {
        self.award_count = u32::try_from(self.awards.len()).unwrap_or(u32::MAX);
        self.amount_total = self.awards.iter().filter_map(|award| award.amount).reduce(Money::saturating_add);
    }
}

/// One award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
pub struct Award {
    /// Who gave it.
    pub funder: FunderName,
    /// How much, in US dollars. Null: the source did not say; never to be read as 0.
    #[schema(required = true)]
    pub amount: Option<Money>,
    /// What for. Null: the source did not say.
    #[schema(required = true)]
    pub purpose: Option<String>,
    /// The page the award was read from.
    #[schema(format = "uri")]
    pub source_url: String,
    /// When that page was last read.
    pub last_verified_at: Timestamp,
}
