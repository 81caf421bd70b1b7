//! REST and GraphQL say the same, page by page, whatever is asked.

use std::collections::BTreeSet;

use catalogue_schema::{FilterField, Requested, Timestamp};
use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{GRANT, in_camel_case, send};
use crate::support::client::Client;
use crate::support::service::Service;
use crate::traversal::random::{Reading, catalogue, export, reading, runner};

/// How many random filters are read to the end.
const FILTERS: usize = 200;

/// The filter as GraphQL takes it.
fn filter(asked: &Requested) -> Value {
    let mut filter = json!({});
    for (field, value) in &asked.values {
        let name = field.name();
        match field {
            FilterField::Q | FilterField::Status => filter[name] = json!(value),
            _ if filter.get(name).is_none() => filter[name] = json!([value]),
            _ => filter[name].as_array_mut().expect("a list").push(json!(value)),
        }
    }
    if let Some(since) = asked.updated_since {
        filter["updatedSince"] = json!(since);
    }
    filter
}

/// A page as either surface gives it: its rows, the cursor of the next, its instant, and what was left out of the filter.
type Page = (Vec<Value>, Option<String>, String, BTreeSet<(String, String)>);

fn by_rest(service: &Service, asked: &Requested, limit: usize, cursor: Option<&str>) -> Page {
    let limit = limit.to_string();
    let since = asked.updated_since.map(|since| since.to_string());
    let mut parameters: Vec<(&str, &str)> =
        asked.values.iter().map(|(field, value)| (field.name(), value.as_str())).collect();
    parameters.push(("limit", &limit));
    parameters.extend(since.as_deref().map(|since| ("updated_since", since)));
    parameters.extend(cursor.map(|cursor| ("cursor", cursor)));
    let answer = service.list("/api/v1/grants", &parameters);
    let page = answer.page();
    let ignored = answer.header("x-service-ignored-filters").unwrap_or_default().split(", ");
    let ignored = ignored
        .filter_map(|entry| entry.split_once('='))
        .map(|(field, value)| (field.to_owned(), percent_decode_str(value).decode_utf8().expect("UTF-8").into_owned()));
    (page.rows.iter().map(in_camel_case).collect(), page.next, page.as_of, ignored.collect())
}

fn by_graphql(client: &Client, asked: &Requested, limit: usize, cursor: Option<&str>) -> Page {
    let query = format!(
        "query($filter: GrantFilter, $first: Int, $after: String) {{ grants(filter: $filter, first: $first, after: $after) {{ asOf \
         nodes {{ {GRANT} funder {{ slug name }} }} pageInfo {{ hasNextPage endCursor }} }} }}"
    );
    let variables = json!({"filter": filter(asked), "first": limit, "after": cursor});
    let answer = send(client, &query, &variables).json();
    assert_eq!(answer.get("errors"), None, "{variables}");
    let page = &answer["data"]["grants"];
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let next =
        page["pageInfo"]["hasNextPage"].as_bool().expect("true or false").then(|| text(&page["pageInfo"]["endCursor"]));
    let ignored = answer["extensions"]["ignoredFilters"].as_array().into_iter().flatten();
    let ignored = ignored.map(|entry| (text(&entry["filter"]), text(&entry["value"])));
    (page["nodes"].as_array().expect("nodes").clone(), next, text(&page["asOf"]), ignored.collect())
}

/// Reads a list to its end by both, while the clock moves; gives how many rows it had.
fn agree(service: &Service, client: &Client, reading: &Reading) -> usize {
    let begun = Timestamp::from_unix_millis(reading.now).expect("an instant");
    let mut cursor: Option<String> = None;
    let mut rows = 0;
    for (number, (limit, half_hours)) in reading.steps.iter().cycle().enumerate() {
        let moved = if number == 0 { 0 } else { half_hours * 1_800_000 };
        service.clock.set(begun.plus_millis(moved).expect("an instant"));
        let page = by_rest(service, &reading.asked, *limit, cursor.as_deref());
        assert_eq!(by_graphql(client, &reading.asked, *limit, cursor.as_deref()), page, "{reading:?}");
        rows += page.0.len();
        cursor = page.1;
        if cursor.is_none() {
            return rows;
        }
    }
    rows
}

#[test]
fn two_hundred_filters_give_the_same_rows_in_the_same_order_page_by_page() {
    let cases = (catalogue(40..60), prop::collection::vec(reading(), FILTERS));
    let outcome = runner(1).run(&cases, |(rolled, readings)| {
        let service = Service::of(&export(&rolled, 0));
        for publication in [1, 2] {
            service.publish(&export(&rolled, publication), crate::traversal::random::PUBLICATIONS[publication]);
        }
        let client = service.analyst();
        let rows: usize = readings.iter().map(|reading| agree(&service, &client, reading)).sum();
        prop_assert!(rows > FILTERS, "the filters are not all empty: {rows}");
        Ok(())
    });
    outcome.expect("REST and GraphQL agree");
}
