//! What a document asks for, weighed before anything is read: every field once for each row that it is answered for.
//!
//! The walk goes into fragments where they are spread, and ends as soon as the weight is over its limit. So it takes no longer than the
//! heaviest query that is answered, whatever fragments spread one another, and even where they do so in a circle.

use std::collections::HashSet;

use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, Field, OperationDefinition, Selection, SelectionSet,
};
use async_graphql::registry::Registry;
use async_graphql::{Name, Positioned, ServerError, Value, Variables};

use crate::resolvers::PageSize;

/// The most fields answered, counted with the rows they are answered for.
pub(super) const MOST_COMPLEX: u32 = 25_000;

/// How deep selections may go, fragments counted. GraphiQL's introspection goes 17 deep.
pub(super) const DEEPEST: u32 = 24;

/// What it weighs to count over all rows of a list.
const COUNTING: u32 = 500;

/// The fields that count over all rows of a list, besides those of [`FACETS`].
const COUNTED: [&str; 6] = ["totalCount", "states", "deadlines", "amounts", "moneyByIndustry", "changesByDay"];

/// The type whose every field counts over all rows of a list.
const FACETS: &str = "GrantFacets";

/// What a document weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) complexity: u32,
    pub(super) depth: u32,
    /// Whether some object is selected twice under one key, so that its values have to be merged.
    pub(super) merges: bool,
}

/// Weighs the operation that is asked for.
pub(super) fn weigh(
    registry: &Registry,
    document: &ExecutableDocument,
    operation: Option<&str>,
    variables: &Variables,
) -> Result<Weight, ServerError> {
    // Without the operation there is nothing to weigh, and the library refuses the request.
    let Some(operation) = operation_of(document, operation) else {
        return Ok(Weight { complexity: 0, depth: 0, merges: false });
    };
    let weight = Weight { complexity: 0, depth: 0, merges: false };
    let mut scales = Scales { registry, document, operation: &operation.node, variables, weight };
    let root = Place { of: Some(&registry.query_type), times: 1, page: 1, depth: 1 };
    scales.selection(&operation.node.selection_set.node, root, &mut HashSet::new())?;
    Ok(scales.weight)
}

/// The operation of that name, or the only one.
pub(super) fn operation_of<'d>(
    document: &'d ExecutableDocument,
    name: Option<&str>,
) -> Option<&'d Positioned<OperationDefinition>> {
    match (&document.operations, name) {
        (DocumentOperations::Single(only), None) => Some(only),
        (DocumentOperations::Single(_), Some(_)) => None,
        (DocumentOperations::Multiple(operations), Some(name)) => operations.get(name),
        (DocumentOperations::Multiple(operations), None) => {
            operations.values().next().filter(|_| operations.len() == 1)
        }
    }
}

/// The keys of an operation's answer, in the order in which they are selected.
pub(super) fn keys_of<'d>(document: &'d ExecutableDocument, selection: &'d SelectionSet) -> Vec<&'d Name> {
    let of = |item: &'d Positioned<Selection>| match &item.node {
        Selection::Field(field) => vec![&field.node.response_key().node],
        Selection::InlineFragment(fragment) => keys_of(document, &fragment.node.selection_set.node),
        Selection::FragmentSpread(spread) => {
            let fragment = document.fragments.get(&spread.node.fragment_name.node);
            fragment.map_or_else(Vec::new, |fragment| keys_of(document, &fragment.node.selection_set.node))
        }
    };
    selection.items.iter().flat_map(of).collect()
}

struct Scales<'d> {
    registry: &'d Registry,
    document: &'d ExecutableDocument,
    operation: &'d OperationDefinition,
    variables: &'d Variables,
    weight: Weight,
}

/// Where in the answer a selection stands.
#[derive(Clone, Copy)]
struct Place<'d> {
    /// The type selected from; `None` where there is no such type, which validation will say.
    of: Option<&'d str>,
    /// For how many rows it is answered.
    times: u32,
    /// How many rows the list has whose connection is selected from.
    page: u32,
    depth: u32,
}

impl<'d> Scales<'d> {
    fn selection(
        &mut self,
        selection: &'d SelectionSet,
        place: Place<'d>,
        keys: &mut HashSet<&'d str>,
    ) -> Result<(), ServerError> {
        self.weight.depth = self.weight.depth.max(place.depth);
        if place.depth > DEEPEST {
            return Err(refusal("query_too_deep", format!("The query is nested too deep: deeper than {DEEPEST}.")));
        }
        for item in &selection.items {
            let deeper = Place { depth: place.depth + 1, ..place };
            match &item.node {
                Selection::Field(field) => self.field(&field.node, place, keys)?,
                Selection::InlineFragment(fragment) => {
                    self.add(1)?;
                    self.selection(&fragment.node.selection_set.node, deeper, keys)?;
                }
                Selection::FragmentSpread(spread) => {
                    self.add(1)?;
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node) {
                        self.selection(&fragment.node.selection_set.node, deeper, keys)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, field: &'d Field, place: Place<'d>, keys: &mut HashSet<&'d str>) -> Result<(), ServerError> {
        let name = field.name.node.as_str();
        let counts = COUNTED.contains(&name) || place.of == Some(FACETS) && name != "__typename";
        self.add(place.times.saturating_mul(if counts { COUNTING } else { 1 }))?;
        let selected = &field.selection_set.node;
        if selected.items.is_empty() {
            return Ok(());
        }
        self.weight.merges |= !keys.insert(field.response_key().node.as_str());
        let is_connection = place.of.is_some_and(|of| of.ends_with("Connection"));
        let times = if is_connection && ["nodes", "edges"].contains(&name) { place.page } else { 1 };
        let below = Place {
            of: self.type_of(place.of, name),
            times: place.times.saturating_mul(times),
            page: self.page(field),
            depth: place.depth + 1,
        };
        self.selection(selected, below, &mut HashSet::new())
    }

    /// The type of a field, without its brackets.
    fn type_of(&self, of: Option<&str>, field: &str) -> Option<&'d str> {
        let field = match field {
            "__schema" => return Some("__Schema"),
            "__type" => return Some("__Type"),
            field => self.registry.types.get(of?)?.field_by_name(field)?,
        };
        Some(field.ty.trim_matches(['[', ']', '!']))
    }

    /// How many rows a list is asked for; the most, where what is asked will be refused.
    fn page(&self, field: &Field) -> u32 {
        let given = |name: Name| {
            let definition =
                self.operation.variable_definitions.iter().find(|definition| definition.node.name.node == name);
            let default = definition.and_then(|definition| definition.node.default_value());
            Ok::<_, ()>(self.variables.get(&name).or(default).cloned().unwrap_or_default())
        };
        let stated = field.get_argument("first").and_then(|value| value.node.clone().into_const_with(given).ok());
        let default = u32::try_from(PageSize::default().get()).unwrap_or(u32::MAX);
        let most = u32::from(PageSize::MOST);
        match stated {
            None | Some(Value::Null) => default,
            Some(Value::Number(number)) => {
                let rows = number.as_u64().and_then(|rows| u32::try_from(rows).ok());
                rows.filter(|rows| (1..=most).contains(rows)).unwrap_or(most)
            }
            Some(_) => most,
        }
    }

    fn add(&mut self, complexity: u32) -> Result<(), ServerError> {
        self.weight.complexity = self.weight.complexity.saturating_add(complexity);
        if self.weight.complexity > MOST_COMPLEX {
            let reason = format!(
                "The query is too complex: it asks for more than {MOST_COMPLEX} fields, each counted once for every row that it is \
                 asked of, and each count over a whole list as {COUNTING}."
            );
            return Err(refusal("query_too_complex", reason));
        }
        Ok(())
    }
}

/// A refusal of a whole query.
pub(super) fn refusal(code: &str, reason: String) -> ServerError {
    let mut error = ServerError::new(reason, None);
    error.extensions.get_or_insert_default().set("code", code);
    error
}
