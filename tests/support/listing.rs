//! Lists read to their end through the index, without HTTP between.

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{FilterField, Refusal, Requested, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A page as a client gets it.
#[derive(Clone, Debug)]
pub(crate) struct Page<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) next: Option<String>,
    pub(crate) as_of: Timestamp,
}

/// The one field that tells rows apart, for tests that read very many.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Slugged {
    pub(crate) slug: String,
}

/// One page of a list.
pub(crate) fn page<T: DeserializeOwned>(
    catalogue: &Catalogue,
    resource: Resource,
    asked: &Requested,
    cursor: Option<&str>,
    limit: usize,
    now: Timestamp,
) -> Result<Page<T>, Refusal> {
    let traversal = catalogue.traverse(resource, asked, cursor, now)?;
    let page = traversal.page(limit).expect("the index can be read");
    let mut text = b"[".to_vec();
    page.append_rows(&mut text);
    text.push(b']');
    let rows: Vec<T> = serde_json::from_slice(&text).expect("rows are JSON");
    assert_eq!(rows.len(), page.len());
    Ok(Page { rows, next: catalogue.next_cursor(&page), as_of: traversal.as_of() })
}

/// Every row of a list, met by following cursors with pages of `limit`.
pub(crate) fn whole<T: DeserializeOwned>(
    catalogue: &Catalogue,
    resource: Resource,
    asked: &Requested,
    limit: usize,
    now: Timestamp,
) -> Vec<T> {
    let mut rows = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page: Page<T> =
            page(catalogue, resource, asked, cursor.as_deref(), limit, now).expect("the page is served");
        assert!(page.rows.len() == limit || page.next.is_none(), "a page before the last is full");
        rows.extend(page.rows);
        cursor = page.next;
        if cursor.is_none() {
            return rows;
        }
    }
}

/// The slugs of rows.
pub(crate) fn slugs(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["slug"].as_str().expect("every row has a slug")).collect()
}

/// A filter of these values.
pub(crate) fn asked<'a>(values: impl IntoIterator<Item = (FilterField, &'a str)>) -> Requested {
    let values = values.into_iter().map(|(field, value)| (field, value.to_owned())).collect();
    Requested { values, ..Requested::default() }
}
