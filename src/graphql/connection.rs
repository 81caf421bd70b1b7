//! Lists as Relay connections. Their cursors are REST's: each goes on here where it was given there, and the other way round.

use std::borrow::Cow;
use std::sync::Arc;

use async_graphql::connection::PageInfo;
use async_graphql::{Context, Object, TypeName};
use catalogue_schema::{Refusal, Requested, Timestamp};
use tokio::sync::OnceCell;

use super::exchange::{Exchange, or_null};
use super::filter::page_size;
use super::rows::{Batch, Linked, Node, Row, Rows};
use crate::error::Error;
use crate::resolvers::insight::{Matches, apart};
use crate::resolvers::{Catalogue, Generation, Place, Traversal, traverse};

/// What is asked of a list.
pub(super) struct Asked {
    /// The filter, or what is wrong with it.
    pub(super) filter: Result<Requested, Error>,
    pub(super) first: Option<i32>,
    pub(super) after: Option<String>,
}

/// A page of a list, and what can be asked of the whole list.
pub(super) struct Connection<N> {
    catalogue: Arc<Catalogue>,
    traversal: Arc<Traversal>,
    rows: Arc<Linked<N>>,
    places: Vec<Place>,
    has_next: bool,
    has_previous: bool,
    matches: OnceCell<Arc<Matches>>,
}

impl<N: Node> Connection<N> {
    /// Reads the page of a list that begins in `generation` at the instant `now`, or that goes on where its cursor stands. Of the page only
    /// what is selected is read, but here already: where it cannot be, the whole list is null, and not a part of it that must not be.
    pub(super) fn read(
        ctx: &Context<'_>,
        generation: &Arc<Generation>,
        now: Timestamp,
        asked: Asked,
    ) -> Result<Self, Error> {
        let exchange = Exchange::of(ctx);
        let size = page_size(asked.first)?;
        let filter = asked.filter?;
        let after = asked.after.filter(|cursor| !cursor.is_empty());
        let traversal =
            traverse(&exchange.catalogue, Arc::clone(generation), N::RESOURCE, &filter, after.as_deref(), now)?;
        exchange.note_dropped(ctx, &traversal);
        let selects = |names: &[&str]| ctx.field().selection_set().any(|field| names.contains(&field.name()));
        let (mut places, mut has_next) = (Vec::new(), false);
        if selects(&["nodes", "edges", "pageInfo"]) {
            let page = traversal.page(size.get())?;
            (places, has_next) = (page.places().to_vec(), page.has_next());
        }
        let mut batch = Batch::new(Arc::clone(traversal.generation()), traversal.as_of());
        if selects(&["nodes", "edges"]) {
            for &place in &places {
                batch.push(|out| N::append(&traversal, &filter, place, out))?;
            }
        }
        Ok(Self {
            catalogue: Arc::clone(&exchange.catalogue),
            traversal: Arc::new(traversal),
            rows: Linked::new(batch),
            places,
            has_next,
            has_previous: after.is_some(),
            matches: OnceCell::new(),
        })
    }

    /// The instant of the list.
    pub(super) fn instant(&self) -> Timestamp {
        self.traversal.as_of()
    }

    /// Counts something over all rows of the list, which is walked once for all that is asked of it.
    pub(super) async fn count<T: Send + 'static>(
        &self,
        count: impl FnOnce(&Matches) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let walk = async || {
            let traversal = Arc::clone(&self.traversal);
            apart(move || Matches::of(&traversal)).await.map(Arc::new)
        };
        let matches = Arc::clone(self.matches.get_or_try_init(walk).await?);
        apart(move || count(&matches)).await
    }

    fn cursor(&self, place: Place) -> String {
        self.catalogue.cursor_after(&self.traversal, place)
    }
}

impl<N: Node> TypeName for Connection<N> {
    fn type_name() -> Cow<'static, str> {
        N::PAGE.into()
    }
}

/// A page of a list, and what can be asked of the whole list.
#[Object(name_type, serial)]
impl<N: Node> Connection<N> {
    /// The rows of the page, in list order.
    async fn nodes(&self) -> Rows<N> {
        Rows(Arc::clone(&self.rows))
    }

    /// The rows of the page, each with its cursor.
    async fn edges(&self) -> Vec<Edge<N>> {
        let edge = |(index, &place)| Edge { cursor: self.cursor(place), rows: Arc::clone(&self.rows), index };
        self.places.iter().enumerate().map(edge).collect()
    }

    /// Where the page stands in its list. A list is read forwards only.
    async fn page_info(&self) -> PageInfo {
        PageInfo {
            has_previous_page: self.has_previous,
            has_next_page: self.has_next,
            start_cursor: self.places.first().map(|&place| self.cursor(place)),
            end_cursor: self.places.last().map(|&place| self.cursor(place)),
        }
    }

    /// The instant at which the list was read: on every page that of the first.
    async fn as_of(&self) -> Timestamp {
        self.instant()
    }

    /// How many rows the whole list has. Counted only when it is asked for.
    async fn total_count(&self, ctx: &Context<'_>) -> Option<u64> {
        or_null(ctx, self.count(|matches| Ok(matches.total())).await)
    }
}

/// A row and where it stands.
pub(super) struct Edge<N> {
    cursor: String,
    rows: Arc<Linked<N>>,
    index: usize,
}

impl<N: Node> TypeName for Edge<N> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", N::NAME).into()
    }
}

/// A row and where it stands.
#[Object(name_type, serial)]
impl<N: Node> Edge<N> {
    /// Goes on after this row, as `after` of the same list with the same filter; that of a list which REST has too goes on there as well.
    async fn cursor(&self) -> &str {
        &self.cursor
    }

    /// The row.
    async fn node(&self) -> Row<N> {
        Row::new(Arc::clone(&self.rows), self.index)
    }
}

/// Refuses an instant beside a cursor that is of another one.
pub(super) fn same_instant<N: Node>(
    connection: Connection<N>,
    as_of: Option<Timestamp>,
) -> Result<Connection<N>, Error> {
    match as_of {
        Some(instant) if instant != connection.instant() => Err(Refusal::CursorFilterMismatch.into()),
        _ => Ok(connection),
    }
}
