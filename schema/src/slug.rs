//! Slugs: the identifiers in paths (decisions, section 1).

use std::fmt;
use std::str::FromStr;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

/// The longest slug, in bytes.
pub const LONGEST: usize = 200;

/// An identifier: groups of a-z and 0-9 joined by single hyphens, at most 200 bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$", min_length = 1, max_length = 200, example = "rural-broadband-352014")]
pub struct Slug(Box<str>);

/// Why a text is not a slug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASlug;

impl fmt::Display for NotASlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a slug must be groups of a-z and 0-9 joined by single hyphens, at most 200 bytes")
    }
}

impl std::error::Error for NotASlug {}

impl Slug {
    /// The slug as a text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text has the form of a slug.
    #[must_use]
    pub fn is_valid(text: &str) -> bool {
        let in_group = |group: &[u8]| {
            !group.is_empty() && group.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        text.len() <= LONGEST && text.as_bytes().split(|&byte| byte == b'-').all(in_group)
    }
}

impl FromStr for Slug {
    type Err = NotASlug;

    fn from_str(text: &str) -> Result<Self, NotASlug> {
        if Self::is_valid(text) { Ok(Self(text.into())) } else { Err(NotASlug) }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An identifier of groups of a-z and 0-9 joined by single hyphens, at most 200 bytes.
#[Scalar]
impl ScalarType for Slug {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => text.parse().map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl<'de> Deserialize<'de> for Slug {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer, |text| text.parse().map_err(de::Error::custom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_letters_and_digits_joined_by_single_hyphens_are_slugs() {
        for text in ["a", "0", "rural-broadband-352014", &"a".repeat(200)] {
            assert!(Slug::is_valid(text), "{text}");
        }
        for text in ["", "-", "a-", "-a", "a--b", "A", "a_b", "a b", "é", &"a".repeat(201)] {
            assert!(!Slug::is_valid(text), "{text}");
        }
    }
}
