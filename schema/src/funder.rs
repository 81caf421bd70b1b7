//! Funders: who gives the money.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Money, Slug, Timestamp, UsState, Year};

/// A funder as `/funders` answers it, with the fields of the export (decisions, section 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "FunderFields", try_from = "FunderFields")]
pub struct Funder {
    /// Identifier, used in the path of the single funder.
    pub slug: Slug,
    /// Name.
    pub name: String,
    /// What sort of funder it is.
    pub kind: Option<String>,
    /// Employer identification number.
    pub ein: Option<String>,
    /// City.
    pub city: Option<String>,
    /// State.
    pub state: Option<UsState>,
    /// The funder's own site.
    pub website: Option<String>,
    /// What the funder does.
    pub summary: Option<String>,
    /// What it gave, with the year of the figure.
    pub giving: Option<Giving>,
    /// The page the funder was read from.
    pub source_url: String,
    /// When the funder's own page was last read.
    pub last_verified_at: Timestamp,
}

/// What a funder gave in a year: the one type that holds the total, so that none can be used without its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Giving {
    /// All it gave in [`Giving::year`].
    pub total: Money,
    /// The year of the figure.
    pub year: Year,
}

/// A funder as another resource names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
pub struct FunderName {
    /// Identifier, used in the path of the single funder.
    pub slug: Slug,
    /// Name.
    pub name: String,
}

/// A funder, as `/funders` answers it. What it gave and the year of that figure stand side by side, both stated or both null.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, SimpleObject)]
#[graphql(name = "FunderFields")]
#[serde(deny_unknown_fields)]
#[schema(as = Funder)]
pub struct FunderFields {
    /// Identifier, used in the path of the single funder.
    slug: Slug,
    /// Name.
    #[serde(deserialize_with = "crate::text::required")]
    name: String,
    /// What sort of funder it is. Null: the source did not say.
    #[schema(required = true)]
    kind: Option<String>,
    /// Employer identification number. Null: the source did not say.
    #[schema(required = true)]
    ein: Option<String>,
    /// City. Null: the source did not say.
    #[schema(required = true)]
    city: Option<String>,
    /// State. Null: the source did not say, so no value of `state` matches.
    #[schema(required = true)]
    state: Option<UsState>,
    /// The funder's own site. Null: the source did not say.
    #[schema(required = true)]
    website: Option<String>,
    /// What the funder does. Null: the source did not say.
    #[schema(required = true)]
    summary: Option<String>,
    /// What it gave in `giving_data_year`, in US dollars. Null: the source did not say, and then the year is null too.
    #[schema(required = true)]
    giving_total: Option<Money>,
    /// The year of `giving_total`. Null: the source did not say, and then the total is null too.
    #[schema(required = true)]
    giving_data_year: Option<Year>,
    /// The page the funder was read from.
    #[serde(deserialize_with = "crate::text::page_address")]
    #[schema(format = "uri")]
    source_url: String,
    /// When the funder's own page was last read.
    last_verified_at: Timestamp,
}

impl PartialSchema for Funder {
    fn schema() -> RefOr<Schema> {
        FunderFields::schema()
    }
}

impl ToSchema for Funder {
    fn name() -> std::borrow::Cow<'static, str> {
        <FunderFields as ToSchema>::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        FunderFields::schemas(schemas);
    }
}

impl From<Funder> for FunderFields {
    fn from(funder: Funder) -> Self {
        Self {
            slug: funder.slug,
            name: funder.name,
            kind: funder.kind,
            ein: funder.ein,
            city: funder.city,
            state: funder.state,
            website: funder.website,
            summary: funder.summary,
            giving_total: funder.giving.map(|giving| giving.total),
            giving_data_year: funder.giving.map(|giving| giving.year),
            source_url: funder.source_url,
            last_verified_at: funder.last_verified_at,
        }
    }
}

impl TryFrom<FunderFields> for Funder {
    type Error = &'static str;

    fn try_from(fields: FunderFields) -> Result<Self, Self::Error> {
        let giving = match (fields.giving_total, fields.giving_data_year) {
            (Some(total), Some(year)) => Some(Giving { total, year }),
            (None, None) => None,
            _ => return Err("`giving_total` and `giving_data_year` must be stated together"),
        };
        Ok(Self {
            slug: fields.slug,
            name: fields.name,
            kind: fields.kind,
            ein: fields.ein,
            city: fields.city,
            state: fields.state,
            website: fields.website,
            summary: fields.summary,
            giving,
            source_url: fields.source_url,
            last_verified_at: fields.last_verified_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(giving: &str) -> Result<Funder, serde_json::Error> {
        serde_json::from_str(&format!(
            r#"{{"slug":"a","name":"A"{giving},"source_url":"https://a.example/","last_verified_at":"2026-01-01T00:00:00Z"}}"#
        ))
    }

    #[test]
    fn a_total_never_stands_without_its_year() {
        let stated = read(r#","giving_total":12.5,"giving_data_year":2024"#).expect("both are stated");
        assert_eq!(stated.giving.map(|giving| (giving.total.cents(), giving.year.number())), Some((1250, 2024)));
        assert_eq!(read("").expect("neither is stated").giving, None);
        for half in
            [r#","giving_total":1"#, r#","giving_data_year":2024"#, r#","giving_total":1,"giving_data_year":null"#]
        {
            assert!(read(half).is_err(), "{half}");
        }
    }

    #[test]
    fn what_the_source_did_not_say_is_written_as_null() {
        let json = serde_json::to_value(read("").expect("a funder")).expect("json");
        for field in ["kind", "ein", "city", "state", "website", "summary", "giving_total", "giving_data_year"] {
            assert_eq!(json.get(field), Some(&serde_json::Value::Null), "{field}");
        }
    }
}
