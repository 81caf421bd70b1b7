//! What a query selects of a row, worked out once for all rows of a page.
//!
//! A row lies in the index as the JSON that REST sends. Most of what a query selects of it is a piece of that JSON under another name, so
//! no row is read into a struct only to be written again: the plan says which pieces to copy, in which order and under which keys. The
//! schema itself says what each field is. Only a link, a field that leads to other rows, is resolved.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Field, FragmentDefinition, Selection, SelectionSet};
use async_graphql::registry::MetaType;
use async_graphql::{ContextSelectionSet, Name, Positioned, Value};

use super::cut;
use super::rows::Node;

/// What is selected of an object.
pub(super) struct Plan<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
}

/// One key of the answer.
pub(super) struct Piece<'a> {
    pub(super) key: &'a Name,
    pub(super) kind: Kind<'a>,
}

pub(super) enum Kind<'a> {
    /// `__typename`.
    TypeName(String),
    /// A field that is copied as it is; values of enums, and lists of them, in capital letters.
    Value { field: String, is_enum: bool },
    /// A field that is an object, a list of objects, or null.
    Object { field: String, plan: Plan<'a> },
    /// A field that leads to other rows.
    Link(Cow<'a, Positioned<Field>>),
}

/// What a document and the schema say, wherever in the selection one is.
struct Query<'a> {
    types: &'a BTreeMap<String, MetaType>,
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    links: &'static [&'static str],
    held: &'static [(&'static str, &'static [&'static str])],
}

impl<'a> Plan<'a> {
    /// The plan for the nodes that a field selects from.
    pub(super) fn of<N: Node>(ctx: &ContextSelectionSet<'a>) -> Self {
        let query = Query {
            types: &ctx.schema_env.registry.types,
            fragments: &ctx.query_env.fragments,
            links: N::LINKS,
            held: N::HELD,
        };
        query.plan(N::NAME, &[&ctx.item.node], true)
    }

    /// The plan for the objects of a type that a field selects from, none of whose fields is a link.
    pub(super) fn of_type(ctx: &ContextSelectionSet<'a>, name: &str) -> Self {
        let query =
            Query { types: &ctx.schema_env.registry.types, fragments: &ctx.query_env.fragments, links: &[], held: &[] };
        query.plan(name, &[&ctx.item.node], false)
    }

    /// Whether rows alone answer it.
    pub(super) fn is_plain(&self) -> bool {
        self.pieces.iter().all(|piece| !matches!(piece.kind, Kind::Link(_)))
    }

    /// Appends what is selected of a row to `out`; links are left out.
    pub(super) fn write(&self, row: &[u8], out: &mut Vec<u8>) {
        let fields: Vec<(&[u8], &[u8])> = cut::fields(row).collect();
        let mut before = b'{';
        for Piece { key, kind } in &self.pieces {
            out.push(before);
            before = b',';
            // A name has nothing that JSON would escape.
            out.push(b'"');
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
            match kind {
                Kind::TypeName(name) => {
                    out.push(b'"');
                    out.extend_from_slice(name.as_bytes());
                    out.push(b'"');
                }
                Kind::Value { field, is_enum } => write_value(value(&fields, field), *is_enum, out),
                Kind::Object { field, plan } => plan.write_objects(value(&fields, field), out),
                Kind::Link(_) => out.extend_from_slice(b"null"),
            }
        }
        out.push(b'}');
    }

    /// Appends what is selected of an object, or of each object of a list, to `out`; null for anything else.
    pub(super) fn write_objects(&self, value: &[u8], out: &mut Vec<u8>) {
        match value.first() {
            Some(b'{') => self.write(value, out),
            Some(b'[') => {
                let mut before = b'[';
                for element in cut::elements(value) {
                    out.push(before);
                    before = b',';
                    self.write(element, out);
                }
                if before == b'[' {
                    out.push(before);
                }
                out.push(b']');
            }
            _ => out.extend_from_slice(b"null"),
        }
    }

    /// What is selected of a row without its links, as a value whose leaves are pieces of JSON.
    pub(super) fn value(&self, row: &[u8]) -> IndexMap<Name, Value> {
        let fields: Vec<(&[u8], &[u8])> = cut::fields(row).collect();
        let piece = |Piece { key, kind }: &Piece<'a>| {
            let value = match kind {
                Kind::TypeName(name) => Value::String(name.clone()),
                Kind::Value { field, is_enum } => {
                    let mut out = Vec::new();
                    write_value(value(&fields, field), *is_enum, &mut out);
                    Value::Binary(out.into())
                }
                Kind::Object { field, plan } => plan.objects(value(&fields, field)),
                Kind::Link(_) => Value::Null,
            };
            ((*key).clone(), value)
        };
        self.pieces.iter().map(piece).collect()
    }

    /// What is selected of an object, or of each object of a list, as a value; null for anything else.
    pub(super) fn objects(&self, value: &[u8]) -> Value {
        match value.first() {
            Some(b'{') => Value::Object(self.value(value)),
            Some(b'[') => Value::List(cut::elements(value).map(|element| Value::Object(self.value(element))).collect()),
            _ => Value::Null,
        }
    }
}

impl<'a> Query<'a> {
    /// The plan for an object of a type; links are those of the row itself.
    fn plan(&self, type_name: &str, selected: &[&'a SelectionSet], is_row: bool) -> Plan<'a> {
        let mut keys: IndexMap<&'a Name, Vec<&'a Positioned<Field>>> = IndexMap::new();
        for selection in selected {
            self.flatten(selection, &mut keys);
        }
        let pieces = keys.into_iter().map(|(key, fields)| Piece { key, kind: self.kind(type_name, &fields, is_row) });
        Plan { pieces: pieces.collect() }
    }

    /// The fields of a selection by their keys, fragments included. No type has another inside, so every fragment applies.
    fn flatten(&self, selection: &'a SelectionSet, keys: &mut IndexMap<&'a Name, Vec<&'a Positioned<Field>>>) {
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => keys.entry(&field.node.response_key().node).or_default().push(field),
                Selection::InlineFragment(fragment) => self.flatten(&fragment.node.selection_set.node, keys),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.fragments.get(&spread.node.fragment_name.node) {
                        self.flatten(&fragment.node.selection_set.node, keys);
                    }
                }
            }
        }
    }

    fn kind(&self, type_name: &str, fields: &[&'a Positioned<Field>], is_row: bool) -> Kind<'a> {
        let Some(&first) = fields.first() else { return Kind::TypeName(type_name.to_owned()) };
        let name = first.node.name.node.as_str();
        if name == "__typename" {
            return Kind::TypeName(type_name.to_owned());
        }
        let selected: Vec<&SelectionSet> = fields.iter().map(|field| &field.node.selection_set.node).collect();
        if is_row && self.links.contains(&name) && !self.is_held(name, &selected) {
            return Kind::Link(merged(fields));
        }
        let written = self.types.get(type_name).and_then(|of| of.field_by_name(name)).map_or("", |field| &*field.ty);
        let inner = written.trim_matches(['[', ']', '!']);
        let field = snake_case(name);
        match self.types.get(inner) {
            Some(MetaType::Object { .. }) => Kind::Object { field, plan: self.plan(inner, &selected, false) },
            of => Kind::Value { field, is_enum: matches!(of, Some(MetaType::Enum { .. })) },
        }
    }

    /// Whether the row itself says everything that is selected of a link.
    fn is_held(&self, link: &str, selected: &[&'a SelectionSet]) -> bool {
        let Some((_, held)) = self.held.iter().find(|(name, _)| *name == link) else { return false };
        let mut keys = IndexMap::new();
        for selection in selected {
            self.flatten(selection, &mut keys);
        }
        let name = |field: &&Positioned<Field>| field.node.name.node.clone();
        keys.values().flatten().map(name).all(|name| name == *"__typename" || held.contains(&name.as_str()))
    }
}

/// One field that selects what each of these does.
fn merged<'a>(fields: &[&'a Positioned<Field>]) -> Cow<'a, Positioned<Field>> {
    if let [only] = fields {
        return Cow::Borrowed(only);
    }
    let mut merged = fields[0].clone();
    for field in &fields[1..] {
        merged.node.selection_set.node.items.extend(field.node.selection_set.node.items.iter().cloned());
    }
    Cow::Owned(merged)
}

fn value<'r>(fields: &[(&[u8], &'r [u8])], name: &str) -> &'r [u8] {
    fields.iter().find(|(field, _)| *field == name.as_bytes()).map_or(b"null", |(_, value)| value)
}

fn write_value(value: &[u8], is_enum: bool, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(value);
    if is_enum && value != b"null" {
        out[start..].make_ascii_uppercase();
    }
}

/// The name that REST gives a field.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
