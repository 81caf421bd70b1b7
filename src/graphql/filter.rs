//! Filters and pages as arguments: REST's parameters by the names of GraphQL.

use async_graphql::{InputObject, InputValueError, InputValueResult, Scalar, ScalarType, Value};
use catalogue_schema::{FilterField, Refusal, Requested, Timestamp};

use crate::resolvers::PageSize;

/// How many values one filter takes. In an address there is no room for many more, in a body there would be.
const MOST_VALUES: usize = 200;

/// Which grants: values of one filter are alternatives, different filters narrow. A value that the catalogue cannot answer for is left
/// out, and listed in the answer's `extensions`. An empty value counts as not given.
#[derive(Default, InputObject)]
pub(super) struct GrantFilter {
    /// Words that must all occur in title, summary or the funder's name; `"a phrase"` in sequence.
    q: Option<String>,
    /// Codes of who may apply, in any case. Grants that state no restriction match every one.
    entity: Option<Vec<String>>,
    /// Codes of states and territories, in any case. Grants that state no geographic restriction match every one.
    state: Option<Vec<String>>,
    /// Codes of industries, in any case. Grants that state none match every one.
    industry: Option<Vec<String>>,
    /// `forecasted`, `open` or `closed`, in any case.
    status: Option<String>,
    /// Only grants that changed at or after this instant.
    updated_since: Option<WindowStart>,
}

/// Which funders or recipients: values of one filter are alternatives, different filters narrow. A value that the catalogue cannot
/// answer for is left out, and listed in the answer's `extensions`. An empty value counts as not given.
#[derive(Default, InputObject)]
pub(super) struct OrganisationFilter {
    /// Words that must all occur in the name, or in a funder's summary; `"a phrase"` in sequence.
    q: Option<String>,
    /// Codes of states and territories, in any case. One that states no state matches none.
    state: Option<Vec<String>>,
}

impl GrantFilter {
    /// What is asked for.
    ///
    /// # Errors
    /// A filter with more than [`MOST_VALUES`].
    pub(super) fn requested(self) -> Result<Requested, Refusal> {
        let mut values = Vec::new();
        push(&mut values, FilterField::Q, self.q);
        push(&mut values, FilterField::Entity, alternatives(FilterField::Entity, self.entity)?);
        push(&mut values, FilterField::State, alternatives(FilterField::State, self.state)?);
        push(&mut values, FilterField::Industry, alternatives(FilterField::Industry, self.industry)?);
        push(&mut values, FilterField::Status, self.status);
        let updated_since = self.updated_since.map(|WindowStart(since)| since);
        Ok(Requested { values, updated_since, ..Requested::default() })
    }
}

impl OrganisationFilter {
    /// What is asked for.
    ///
    /// # Errors
    /// A filter with more than [`MOST_VALUES`].
    pub(super) fn requested(self) -> Result<Requested, Refusal> {
        let mut values = Vec::new();
        push(&mut values, FilterField::Q, self.q);
        push(&mut values, FilterField::State, alternatives(FilterField::State, self.state)?);
        Ok(Requested { values, ..Requested::default() })
    }
}

/// The values of a filter, unless there are too many.
fn alternatives(field: FilterField, given: Option<Vec<String>>) -> Result<Vec<String>, Refusal> {
    let given = given.unwrap_or_default();
    if given.len() > MOST_VALUES {
        let reason = format!("it takes {MOST_VALUES} values at the most");
        return Err(Refusal::parameter(format!("filter.{}", field.name()), reason));
    }
    Ok(given)
}

fn push(values: &mut Vec<(FilterField, String)>, field: FilterField, given: impl IntoIterator<Item = String>) {
    values.extend(given.into_iter().filter(|value| !value.is_empty()).map(|value| (field, value)));
}

/// Where a window of time starts: a date such as `2026-07-26`, which is the start of that day in UTC, or a timestamp in RFC 3339.
#[derive(Clone, Copy)]
pub(super) struct WindowStart(pub(super) Timestamp);

/// Where a window of time starts: a date such as `2026-07-26`, which is the start of that day in UTC, or a timestamp in RFC 3339.
#[Scalar]
impl ScalarType for WindowStart {
    fn parse(value: Value) -> InputValueResult<Self> {
        let start = match &value {
            Value::String(text) => Timestamp::parse_window_start(text),
            _ => return Err(InputValueError::expected_type(value)),
        };
        let reason = "it must be a date such as 2026-07-26 or an RFC 3339 timestamp such as 2026-07-26T20:05:28Z";
        start.map(Self).ok_or_else(|| InputValueError::custom(reason))
    }

    fn is_valid(value: &Value) -> bool {
        Self::parse(value.clone()).is_ok()
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// How many rows a page has, by its argument.
pub(super) fn page_size(first: Option<i32>) -> Result<PageSize, Refusal> {
    let Some(first) = first else { return Ok(PageSize::default()) };
    let size = u8::try_from(first).ok().and_then(PageSize::new);
    size.ok_or_else(|| Refusal::parameter("first", format!("it must be a whole number from 1 to {}", PageSize::MOST)))
}

/// A refusal that names arguments of GraphQL instead of parameters of REST.
pub(super) fn in_our_names(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::InvalidParameter { parameter, reason } => Refusal::parameter(argument(&parameter), reason),
        other => other,
    }
}

/// The argument of a parameter of REST.
pub(super) fn argument(parameter: &str) -> &str {
    if parameter == "cursor" { "after" } else { parameter }
}
