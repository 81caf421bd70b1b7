//! Rows as GraphQL objects: copied from the index as a [`Plan`] says, and resolved by the library only where they link to other rows.
//!
//! Resolving each field on its own, as the library does for a struct, takes a boxed future, a name looked up and a value made for every
//! field of every row: several times as long as all else that a page takes.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaType, Registry};
use async_graphql::{ContextSelectionSet, ObjectType, OutputType, Positioned, ServerResult, Value};
use catalogue_schema::{Requested, Timestamp};

use super::exchange::Exchange;
use super::plan::{Kind, Plan};
use crate::error::Error;
use crate::resolvers::{Generation, Place, Resource, Traversal};

/// A resource as GraphQL has it: the fields of its struct in `schema/`, and the links that this type resolves.
pub(super) trait Node: ObjectType + Sized + 'static {
    /// The struct whose fields a row has.
    type Fields: ObjectType;
    /// Its name in the schema.
    const NAME: &'static str;
    /// The name of a page of it; where no connection adds to the page, that of the connection.
    const PAGE: &'static str;
    /// The list its rows are of.
    const RESOURCE: Resource;
    /// The fields that are resolved. They stand in place of fields of the struct that have the same names.
    const LINKS: &'static [&'static str];
    /// What a row says itself of where a link leads: that much need not be resolved.
    const HELD: &'static [(&'static str, &'static [&'static str])] = &[];

    /// Appends the row at a place of a list that has this filter.
    ///
    /// # Errors
    /// Where the row has to be read for that and cannot be.
    fn append(traversal: &Traversal, _: &Requested, place: Place, out: &mut Vec<u8>) -> Result<(), Error> {
        traversal.append_row(place, out);
        Ok(())
    }

    /// The links of some rows, made together so that what they lead to is read in one go.
    fn of(rows: &Batch) -> Vec<Self>;
}

/// Rows that were read together.
pub(super) struct Batch {
    pub(super) generation: Arc<Generation>,
    pub(super) as_of: Timestamp,
    json: Vec<u8>,
    ends: Vec<usize>,
}

impl Batch {
    /// No rows yet of this generation at this instant.
    pub(super) fn new(generation: Arc<Generation>, as_of: Timestamp) -> Self {
        Self { generation, as_of, json: Vec::new(), ends: Vec::new() }
    }

    /// Takes in the row that `append` writes, and gives what that gives.
    pub(super) fn push<T>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let appended = append(&mut self.json);
        self.ends.push(self.json.len());
        appended
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A row, as REST sends it.
    pub(super) fn row(&self, index: usize) -> &[u8] {
        let end = |index: usize| self.ends.get(index).copied().unwrap_or(self.json.len());
        let start = index.checked_sub(1).map_or(0, end);
        self.json.get(start..end(index)).unwrap_or_default()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.row(index))
    }
}

/// A batch and the links of its rows, which are made when the first is asked for.
pub(super) struct Linked<N> {
    pub(super) batch: Batch,
    links: OnceLock<Vec<N>>,
}

impl<N: Node> Linked<N> {
    pub(super) fn new(batch: Batch) -> Arc<Self> {
        Arc::new(Self { batch, links: OnceLock::new() })
    }

    /// A row with its links.
    async fn resolve(&self, plan: &Plan<'_>, index: usize, ctx: &ContextSelectionSet<'_>) -> ServerResult<Value> {
        let mut object = plan.value(self.batch.row(index));
        let links = self.links.get_or_init(|| N::of(&self.batch));
        for piece in &plan.pieces {
            if let (Kind::Link(field), Some(node)) = (&piece.kind, links.get(index)) {
                let ctx = ctx.with_field(field);
                // Links lead to rows that have links.
                let resolving: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(node.resolve_field(&ctx));
                object.insert(piece.key.clone(), resolving.await?.unwrap_or_default());
            }
        }
        Ok(Value::Object(object))
    }
}

/// All rows of a batch, as a list.
pub(super) struct Rows<N>(pub(super) Arc<Linked<N>>);

/// One row of a batch.
pub(super) struct Row<N> {
    rows: Arc<Linked<N>>,
    index: usize,
}

impl<N: Node> Row<N> {
    /// The row at an index of a batch.
    pub(super) fn new(rows: Arc<Linked<N>>, index: usize) -> Self {
        Self { rows, index }
    }

    /// Whether there is a row: what a link leads to may be gone.
    pub(super) fn is_there(&self) -> bool {
        self.rows.batch.row(self.index).starts_with(b"{")
    }

    /// The only row of a batch.
    pub(super) fn only(batch: Batch) -> Self {
        Self::new(Linked::new(batch), 0)
    }
}

impl<N: Node> OutputType for Rows<N> {
    fn type_name() -> Cow<'static, str> {
        format!("[{}]", described::<N>()).into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        describe::<N>(registry);
        Self::qualified_type_name()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        let Self(rows) = self;
        let plan = Plan::of::<N>(ctx);
        if plan.is_plain() && !Exchange::of(ctx).merges() {
            let mut out = Vec::with_capacity(rows.batch.json.len());
            out.push(b'[');
            for (index, row) in rows.batch.rows().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                plan.write(row, &mut out);
            }
            out.push(b']');
            return Ok(Value::Binary(out.into()));
        }
        let mut values = Vec::with_capacity(rows.batch.len());
        for index in 0..rows.batch.len() {
            values.push(rows.resolve(&plan, index, &ctx.with_index(index)).await?);
        }
        Ok(Value::List(values))
    }
}

impl<N: Node> OutputType for Row<N> {
    fn type_name() -> Cow<'static, str> {
        N::NAME.into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        describe::<N>(registry);
        described::<N>()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        let plan = Plan::of::<N>(ctx);
        if plan.is_plain() && !Exchange::of(ctx).merges() {
            let mut out = Vec::new();
            plan.write(self.rows.batch.row(self.index), &mut out);
            return Ok(Value::Binary(out.into()));
        }
        self.rows.resolve(&plan, self.index, ctx).await
    }
}

/// How the schema names a node where it is never null.
fn described<N: Node>() -> String {
    format!("{}!", N::NAME)
}

/// Puts a node's type into the schema: the fields of its struct with its description, and its links.
fn describe<N: Node>(registry: &mut Registry) {
    if registry.types.contains_key(N::NAME) {
        return;
    }
    N::Fields::create_type_info(registry);
    let Some(MetaType::Object { fields, .. }) = registry.types.get(&*N::Fields::type_name()) else { return };
    let mut fields = fields.clone();
    // Where links lead back to this type they must find it there already; what stands there is replaced below.
    let Some(placeholder) = registry.types.get(&*N::Fields::type_name()).cloned() else { return };
    registry.types.insert(N::NAME.to_owned(), placeholder);
    N::create_type_info(registry);
    let Some(mut of) = registry.types.get(&*N::type_name()).cloned() else { return };
    if let MetaType::Object { name, fields: links, .. } = &mut of {
        N::NAME.clone_into(name);
        fields.extend(std::mem::take(links));
        *links = fields;
    }
    registry.types.insert(N::NAME.to_owned(), of);
}
