//! Calendar years.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

/// A calendar year from 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = u16, minimum = 1, maximum = 9999, example = 2025)]
pub struct Year(u16);

impl Year {
    /// The year of that number, or `None` outside 1 to 9999.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number >= 1 && number <= 9999 { Some(Self(number)) } else { None }
    }

    /// The year's number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// A calendar year from 1 to 9999, as a number.
#[Scalar]
impl ScalarType for Year {
    fn parse(value: Value) -> InputValueResult<Self> {
        let number = match &value {
            Value::Number(number) => number.as_u64(),
            _ => return Err(InputValueError::expected_type(value)),
        };
        let year = number.and_then(|number| u16::try_from(number).ok()).and_then(Self::new);
        year.ok_or_else(|| InputValueError::custom("a year must be from 1 to 9999"))
    }

    fn to_value(&self) -> Value {
        Value::from(self.0)
    }
}

impl<'de> Deserialize<'de> for Year {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u16::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| de::Error::custom("a year must be from 1 to 9999"))
    }
}
