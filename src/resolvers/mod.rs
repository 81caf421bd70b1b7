//! The resolvers: what every surface asks of the catalogue. They know nothing of HTTP, so REST, GraphQL and pages answer alike.

pub mod changes;
pub mod funders;
pub mod grants;
pub mod insight;
pub mod publications;
pub mod recipients;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What the resolvers take and give. Surfaces name them from here: they never import the index.
pub use catalogue_index::{Catalogue, Found, Generation, Page, Place, Resource, Tag, Traversal};
use catalogue_schema::{Refusal, Requested, Timestamp};

/// A request for a page of a list.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// The filter as the client stated it.
    pub asked: Requested,
    /// How many rows.
    pub size: PageSize,
    /// Where to go on; without one, a traversal begins.
    pub cursor: Option<String>,
}

/// How many rows a page has at the most: from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u8);

impl PageSize {
    /// The largest page.
    pub const MOST: u8 = 100;

    /// A size from 1 to [`PageSize::MOST`], or `None`.
    #[must_use]
    pub const fn new(rows: u8) -> Option<Self> {
        if rows >= 1 && rows <= Self::MOST { Some(Self(rows)) } else { None }
    }

    /// Reads a size from 1 to 100 written in digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        text.parse().ok().and_then(Self::new)
    }

    /// The number of rows.
    #[must_use]
    pub fn get(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self(20)
    }
}

/// The rows of several slugs of a generation, each looked up once, however often it is named.
pub fn find_all<'s>(
    generation: &Arc<Generation>,
    resource: Resource,
    slugs: impl IntoIterator<Item = &'s str>,
) -> HashMap<&'s str, Found> {
    let mut found = HashMap::new();
    let distinct: BTreeSet<&str> = slugs.into_iter().collect();
    for slug in distinct {
        found.extend(Found::of(Arc::clone(generation), resource, slug).map(|row| (slug, row)));
    }
    found
}

/// Begins a traversal of a list in a generation at the instant `now`, or goes on where `cursor` stands: in its own generation, at its
/// own instant.
///
/// # Errors
/// The refusals of [`Catalogue::traverse`].
pub fn traverse(
    catalogue: &Catalogue,
    generation: Arc<Generation>,
    resource: Resource,
    asked: &Requested,
    cursor: Option<&str>,
    now: Timestamp,
) -> Result<Traversal, Refusal> {
    match cursor {
        Some(_) => catalogue.traverse(resource, asked, cursor, now),
        None => catalogue.begin(generation, resource, asked, now),
    }
}

/// The same in the generation that is served.
fn list(
    catalogue: &Catalogue,
    resource: Resource,
    request: &ListRequest,
    now: Timestamp,
) -> Result<Traversal, Refusal> {
    let generation = catalogue.current().ok_or(Refusal::Unavailable)?;
    traverse(catalogue, generation, resource, &request.asked, request.cursor.as_deref(), now)
}
