//! What a request and its answer share besides the query: the instant and the generation that it keeps to its end, and what is to be
//! said beside the data.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_graphql::context::ContextBase;
use async_graphql::indexmap::IndexMap;
use async_graphql::{Context, Name, QueryPathNode, Value};
use catalogue_schema::{Dropped, Refusal, Timestamp};

use super::filter::{argument, in_our_names};
use super::pace::Pace;
use super::weight::Weight;
use crate::error::Error;
use crate::resolvers::{Catalogue, Generation, Traversal};

/// How many values that were left out of filters are listed, and how much of each, in bytes.
const MOST_IGNORED: usize = 200;
const LONGEST_IGNORED: usize = 256;

/// One request to GraphQL.
pub(super) struct Exchange {
    pub(super) catalogue: Arc<Catalogue>,
    /// The generation that was served when the request came.
    pub(super) generation: Arc<Generation>,
    /// When the request came.
    pub(super) now: Timestamp,
    /// The operation of the document that is asked for, where it has several.
    pub(super) operation: Option<String>,
    /// How it is answered beside others.
    pub(super) pace: Pace,
    /// Whether the operation began: only then has the answer data.
    began: AtomicBool,
    weight: OnceLock<Weight>,
    keys: OnceLock<Vec<Name>>,
    ignored: Mutex<Vec<Value>>,
}

impl Exchange {
    pub(super) fn new(
        catalogue: Arc<Catalogue>,
        generation: Arc<Generation>,
        now: Timestamp,
        operation: Option<String>,
    ) -> Self {
        let began = AtomicBool::new(false);
        Self {
            catalogue,
            generation,
            now,
            operation,
            pace: Pace::new(),
            began,
            weight: OnceLock::new(),
            keys: OnceLock::new(),
            ignored: Mutex::default(),
        }
    }

    /// The exchange that a field is resolved in.
    pub(super) fn of<'c, T>(ctx: &ContextBase<'c, T>) -> &'c Self {
        // `http` puts one into every request.
        ctx.data_unchecked::<Arc<Self>>()
    }

    pub(super) fn begin(&self) {
        self.began.store(true, Ordering::Relaxed);
    }

    pub(super) fn began(&self) -> bool {
        self.began.load(Ordering::Relaxed)
    }

    /// Whether the library has to merge values.
    pub(super) fn merges(&self) -> bool {
        self.weight.get().is_some_and(|weight| weight.merges)
    }

    /// Notes what the document weighs.
    pub(super) fn weighed(&self, weight: Weight) {
        self.weight.get_or_init(|| weight);
    }

    /// What the document weighs; `None` where it could not be weighed.
    pub(super) fn weight(&self) -> Option<Weight> {
        self.weight.get().copied()
    }

    /// Notes the keys of the answer, in the order in which they are selected.
    pub(super) fn selects(&self, keys: Vec<Name>) {
        self.keys.get_or_init(|| keys);
    }

    /// The keys of the answer, in the order in which they are selected.
    pub(super) fn keys(&self) -> &[Name] {
        self.keys.get().map_or(&[], Vec::as_slice)
    }

    /// Notes the values that a list leaves out of its filter; of all lists the first [`MOST_IGNORED`].
    pub(super) fn note_dropped(&self, ctx: &Context<'_>, traversal: &Traversal) {
        if traversal.dropped().is_empty() {
            return;
        }
        let path = ctx.path_node.map(QueryPathNode::to_string_vec).unwrap_or_default();
        let mut ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_IGNORED.saturating_sub(ignored.len());
        ignored.extend(traversal.dropped().iter().take(room).map(|Dropped { field, value }| {
            let entries = [
                ("path", Value::from(path.clone())),
                ("filter", Value::from(field.name())),
                ("value", Value::from(&value[..value.floor_char_boundary(LONGEST_IGNORED)])),
            ];
            Value::Object(entries.into_iter().map(|(key, value)| (Name::new(key), value)).collect::<IndexMap<_, _>>())
        }));
    }

    /// The values that were left out of filters.
    pub(super) fn take_ignored(&self) -> Vec<Value> {
        std::mem::take(&mut *self.ignored.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The value of a field that may be null; or null, and why among the errors. An unknown slug is null and no error.
pub(super) fn or_null<T>(ctx: &Context<'_>, found: Result<T, Error>) -> Option<T> {
    let refusal = match found.map_err(Error::into_refusal) {
        Ok(value) => return Some(value),
        Err(Refusal::NotFound) => return None,
        Err(refusal) => in_our_names(refusal),
    };
    let body = refusal.body();
    let mut error = async_graphql::Error::new(body.message);
    let mut extensions = async_graphql::ErrorExtensionValues::default();
    extensions.set("code", body.error);
    if let Some(parameter) = body.parameter {
        extensions.set("parameter", argument(&parameter));
    }
    error.extensions = Some(extensions);
    ctx.add_error(ctx.set_error_path(error.into_server_error(ctx.item.pos)));
    None
}
