//! The 56 state codes the catalogue answers for.

use std::borrow::Cow;
use std::fmt;

use async_graphql::parser::types::Field;
use async_graphql::registry::{Deprecation, MetaEnumValue, MetaType, MetaTypeId, Registry};
use async_graphql::{ContextSelectionSet, Name, OutputType, Positioned, ServerResult, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// The 50 states, DC and the territories AS, GU, MP, PR and VI, in alphabetical order.
const CODES: [&str; 56] = [
    "AK", "AL", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS",
    "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY",
    "OH", "OK", "OR", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY",
];

/// One of the 50 states, DC or the territories AS, GU, MP, PR and VI; written as its two capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, pattern = "^[A-Z]{2}$", example = "CA")]
pub struct UsState(u8);

impl UsState {
    /// The state of a code written in any case, or `None` outside the 56.
    #[must_use]
    pub fn from_any_case(code: &str) -> Option<Self> {
        Self::from_code(&code.to_ascii_uppercase())
    }

    /// The state of a code in capital letters, or `None` outside the 56.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        CODES.binary_search(&code).ok().and_then(|at| u8::try_from(at).ok()).map(Self)
    }

    /// Its two capital letters.
    #[must_use]
    pub fn code(self) -> &'static str {
        CODES[usize::from(self.0)]
    }

    /// Every state, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u8..).take(CODES.len()).map(Self)
    }
}

impl fmt::Display for UsState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for UsState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// An enum of the codes.
impl OutputType for UsState {
    fn type_name() -> Cow<'static, str> {
        "UsState".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_output_type::<Self, _>(MetaTypeId::Enum, |_| MetaType::Enum {
            name: Self::type_name().into_owned(),
            description: Some("One of the 50 states, DC or the territories AS, GU, MP, PR and VI.".to_owned()),
            enum_values: Self::all().map(|state| (state.code().to_owned(), value_of(state))).collect(),
            visible: None,
            inaccessible: false,
            tags: Vec::new(),
            rust_typename: Some(std::any::type_name::<Self>()),
            directive_invocations: Vec::new(),
            requires_scopes: Vec::new(),
        })
    }

    async fn resolve(&self, _: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        Ok(Value::Enum(Name::new(self.code())))
    }
}

fn value_of(state: UsState) -> MetaEnumValue {
    MetaEnumValue {
        name: state.code().to_owned(),
        description: None,
        deprecation: Deprecation::default(),
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        directive_invocations: Vec::new(),
    }
}

impl<'de> Deserialize<'de> for UsState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer, |text| {
            Self::from_code(&text)
                .ok_or_else(|| de::Error::custom("must be one of the 56 state and territory codes, such as CA"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_sorted_so_that_a_look_up_finds_each() {
        assert!(CODES.is_sorted());
        for state in UsState::all() {
            assert_eq!(UsState::from_any_case(&state.code().to_ascii_lowercase()), Some(state));
        }
        for code in ["", "ZZ", "C", "CAL", "Ça"] {
            assert_eq!(UsState::from_any_case(code), None, "{code}");
        }
    }
}
