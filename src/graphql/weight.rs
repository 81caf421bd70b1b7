//! What a document asks for, weighed before anything is read: every field once for each row that it is answered for.
//!
//! The walk goes into fragments where they are spread, and ends as soon as the weight is over its limit. So it takes no longer than the
//! heaviest query that is answered, whatever fragments spread one another, and even where they do so in a circle.
//!
//! Validation walks in the same way through the operations that are not asked for, and without any limit. So these are walked here too,
//! but what they would answer has no weight.

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

/// How long lists are taken to be whose length nobody asks for: introspection's about as long as they are, and the awards of a recipient,
/// with their years, as long as a page.
const LENGTHS: [(&str, u32); 3] = [("types", 60), ("fields", 4), ("awardsByYear", 20)];

/// What a document weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) complexity: u32,
    pub(super) depth: u32,
    /// Whether some object is selected twice under one key, so that its values have to be merged.
    pub(super) merges: bool,
}

/// Weighs the operation that is asked for. Without it there is nothing to weigh, and the library refuses the request.
///
/// # Errors
/// What is too deep or too complex, in any operation of the document.
pub(super) fn weigh(
    registry: &Registry,
    document: &ExecutableDocument,
    operation: Option<&str>,
    variables: &Variables,
) -> Result<Weight, ServerError> {
    let asked = operation_of(document, operation);
    let (mut weight, mut visited) = (Weight::default(), 0);
    for (_, operation) in document.operations.iter() {
        let is_asked = asked.is_some_and(|asked| std::ptr::eq(asked, operation));
        let operation = &operation.node;
        let mut scales = Scales { registry, document, operation, variables, visited, weight: Weight::default() };
        let root = Scope { of: Some(&registry.query_type), times: u32::from(is_asked), page: 1, depth: 1 };
        scales.selection(&operation.selection_set.node, root, &mut HashSet::new())?;
        visited = scales.visited;
        if is_asked {
            weight = scales.weight;
        }
    }
    Ok(weight)
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
    /// How many selections have been walked through, in all operations.
    visited: u32,
    weight: Weight,
}

/// Where in the answer a selection stands.
#[derive(Clone, Copy)]
struct Scope<'d> {
    /// The type selected from; `None` where there is no such type, which validation will say.
    of: Option<&'d str>,
    /// For how many rows it is answered; none, where its operation is not asked for.
    times: u32,
    /// How many rows the list has whose connection is selected from.
    page: u32,
    depth: u32,
}

impl<'d> Scales<'d> {
    fn selection(
        &mut self,
        selection: &'d SelectionSet,
        scope: Scope<'d>,
        keys: &mut HashSet<&'d str>,
    ) -> Result<(), ServerError> {
        self.weight.depth = self.weight.depth.max(scope.depth);
        if scope.depth > DEEPEST {
            return Err(refusal("query_too_deep", format!("The query is nested too deep: deeper than {DEEPEST}.")));
        }
        for item in &selection.items {
            let deeper = Scope { depth: scope.depth + 1, ..scope };
            match &item.node {
                Selection::Field(field) => self.field(&field.node, scope, keys)?,
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

    fn field(&mut self, field: &'d Field, scope: Scope<'d>, keys: &mut HashSet<&'d str>) -> Result<(), ServerError> {
        let name = field.name.node.as_str();
        let is_connection = scope.of.is_some_and(|of| of.ends_with("Connection"));
        let each = match name {
            // It is about the places of the whole page.
            "pageInfo" if is_connection => scope.page,
            _ if COUNTED.contains(&name) || scope.of == Some(FACETS) && name != "__typename" => COUNTING,
            _ => 1,
        };
        self.add(scope.times.saturating_mul(each))?;
        let selected = &field.selection_set.node;
        if selected.items.is_empty() {
            return Ok(());
        }
        self.weight.merges |= !keys.insert(field.response_key().node.as_str());
        let length = match name {
            "nodes" | "edges" if is_connection => scope.page,
            _ => LENGTHS.iter().find(|(list, _)| *list == name).map_or(1, |(_, length)| *length),
        };
        let below = Scope {
            of: self.type_of(scope.of, name),
            times: scope.times.saturating_mul(length),
            page: self.page(field),
            depth: scope.depth + 1,
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

    /// Takes in a selection with its weight.
    fn add(&mut self, complexity: u32) -> Result<(), ServerError> {
        self.visited = self.visited.saturating_add(1);
        self.weight.complexity = self.weight.complexity.saturating_add(complexity);
        if self.visited.max(self.weight.complexity) > MOST_COMPLEX {
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
