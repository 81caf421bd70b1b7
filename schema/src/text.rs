//! Texts that must hold something, and the small parsers the resources share.

use std::borrow::Cow;
use std::fmt;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, de};
use utoipa::ToSchema;

/// The longest [`Code`], in bytes.
const LONGEST_CODE: usize = 100;

/// A code of an open vocabulary, such as an eligible entity or an industry: 1 to 100 bytes without control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, example = "small-businesses")]
pub struct Code(String);

impl Code {
    /// The code as its source writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn of(text: Cow<'_, str>) -> Result<Self, &'static str> {
        if text.trim().is_empty() {
            return Err("a code must not be empty");
        }
        if text.len() > LONGEST_CODE || text.chars().any(char::is_control) {
            return Err("a code must have at most 100 bytes and no control characters");
        }
        Ok(Self(text.into_owned()))
    }

    /// The form in which codes are compared: codes match in any case (decisions, section 9).
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// The form in which the values of `entity`, `industry` and `status` are compared.
#[must_use]
pub fn fold(code: &str) -> String {
    code.to_lowercase()
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A code of an open vocabulary, such as an eligible entity or an industry: 1 to 100 bytes without control characters.
#[Scalar]
impl ScalarType for Code {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => Self::of(text.into()).map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse(deserializer, |text| Self::of(text).map_err(de::Error::custom))
    }
}

/// Deserializes a text and makes a value of it, copying the text only where it must.
pub(crate) fn parse<'de, D, T>(
    deserializer: D,
    make: impl FnOnce(Cow<'_, str>) -> Result<T, D::Error>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct Text;

    impl<'de> de::Visitor<'de> for Text {
        type Value = Cow<'de, str>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }

        fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
            Ok(Cow::Borrowed(text))
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(Cow::Owned(text.to_owned()))
        }
    }

    make(deserializer.deserialize_str(Text)?)
}

/// A text that is not blank, for fields every row must state.
///
/// # Errors
/// Where the value is not a text, or is blank.
pub fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    parse(deserializer, |text| {
        if text.trim().is_empty() {
            return Err(de::Error::custom("must not be empty"));
        }
        Ok(text.into_owned())
    })
}

/// The address of a page a reader can open.
///
/// # Errors
/// Where the value is not a text that begins with `http://` or `https://` and goes on.
pub fn page_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    parse(deserializer, |text| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let has_host = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
        if !has_host || text.chars().any(|character| character.is_control() || character == ' ') {
            return Err(de::Error::custom("must be the address of a page, beginning with http:// or https://"));
        }
        Ok(text.into_owned())
    })
}
