//! The change feed's entries (specification, part 2; decisions, section 2).

use std::fmt;

use async_graphql::{Enum, InputValueError, InputValueResult, Scalar, ScalarType, SimpleObject, Value};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Money, Slug, Timestamp};

/// One thing that moved in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, SimpleObject)]
#[graphql(name = "ChangeFields")]
pub struct Change {
    /// What sort of change it is.
    pub kind: ChangeKind,
    /// The record's slug.
    pub slug: Slug,
    /// The record's title; of a `title_changed`, the new one.
    pub title: String,
    /// The field that moved: `deadline`, `title`, `amount_min`, `amount_max`, `amount_total_pool`, or `status` where the record
    /// closed. Null: the record was added.
    #[schema(required = true)]
    pub field: Option<String>,
    /// The field's value before. Null: the source did not say, or the record was added.
    #[schema(required = true)]
    pub before: Option<FieldValue>,
    /// The field's value after. Null: the source does not say, or the record was added.
    #[schema(required = true)]
    pub after: Option<FieldValue>,
    /// The page the record was read from.
    #[schema(format = "uri")]
    pub source_url: String,
    /// When the service saw the change. It is not when the funder made it: no source publishes that.
    pub observed_at: Timestamp,
}

impl Change {
    /// The change as one of `field`.
    #[must_use]
    pub fn moved(self, field: &str, before: Option<FieldValue>, after: Option<FieldValue>) -> Self {
        Self { field: Some(field.to_owned()), before, after, ..self }
    }
}

/// The kinds of change the feed carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema, Enum)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// An amount moved.
    AmountChanged,
    /// The deadline moved.
    DeadlineChanged,
    /// The catalogue published the record for the first time.
    RecordAdded,
    /// The source closed the record, or no longer lists it.
    RecordClosed,
    /// The title moved.
    TitleChanged,
}

impl ChangeKind {
    /// Every kind, by its written form: the order of the feed.
    pub const ALL: [Self; 5] =
        [Self::AmountChanged, Self::DeadlineChanged, Self::RecordAdded, Self::RecordClosed, Self::TitleChanged];

    /// Its written form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AmountChanged => "amount_changed",
            Self::DeadlineChanged => "deadline_changed",
            Self::RecordAdded => "record_added",
            Self::RecordClosed => "record_closed",
            Self::TitleChanged => "title_changed",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The value of a field that moved: an amount, or a text (a deadline, a title, a status).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FieldValue {
    /// US dollars.
    Amount(Money),
    /// A deadline, a title or a status.
    Text(String),
}

/// The value of a field that moved: a number of US dollars, or a text (a deadline, a title, a status).
#[Scalar]
impl ScalarType for FieldValue {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Number(number) => number.to_string().parse().map(Self::Amount).map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Amount(amount) => amount.to_value(),
            Self::Text(text) => Value::String(text.clone()),
        }
    }
}

impl<'de> Deserialize<'de> for FieldValue {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An amount is exact only as a raw token, which serde's own untagged reading would lose.
        let token = <&serde_json::value::RawValue>::deserialize(deserializer)?.get();
        if token.starts_with('"') {
            return serde_json::from_str(token).map(Self::Text).map_err(serde::de::Error::custom);
        }
        token.parse().map(Self::Amount).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_in_the_order_of_their_written_forms() {
        assert!(ChangeKind::ALL.map(ChangeKind::as_str).is_sorted());
        assert!(ChangeKind::ALL.is_sorted());
    }

    #[test]
    fn a_value_is_read_as_it_was_written() {
        for json in ["12.5", "15000", "\"2026-07-26T00:00:00.000Z\""] {
            let value: FieldValue = serde_json::from_str(json).expect(json);
            let written = serde_json::to_string(&value).expect(json);
            assert_eq!(serde_json::from_str::<FieldValue>(&written).expect(json), value);
        }
    }
}
