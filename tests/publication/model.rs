//! The catalogue as simply as it can be said: maps and lists, sorted when they are asked for.

use std::collections::BTreeMap;

use catalogue_index::export::GrantRow;
use catalogue_schema::{Status, Timestamp};
use serde_json::{Value, json};

/// A record and what only the catalogue knows of it.
#[derive(Clone, Debug)]
struct Record {
    row: GrantRow,
    first_seen: Timestamp,
    updated: Timestamp,
}

/// Everything that was ever published.
#[derive(Debug, Default)]
pub(super) struct Model {
    records: BTreeMap<String, Record>,
    feed: Vec<(Timestamp, Value)>,
    generations: Vec<BTreeMap<String, Record>>,
    published_at: Option<Timestamp>,
}

impl Model {
    /// How many generations there are.
    pub(super) fn generations(&self) -> usize {
        self.generations.len()
    }

    /// When the last one was published.
    pub(super) fn published_at(&self) -> Option<Timestamp> {
        self.published_at
    }

    /// Publishes a crawl; gives how many changes it brought.
    pub(super) fn publish(&mut self, rows: &[GrantRow], now: Timestamp) -> usize {
        let at = self.instant(now);
        let mut next = BTreeMap::new();
        let mut changes = Vec::new();
        for row in rows {
            let record = match self.records.get(row.slug.as_str()) {
                None => {
                    changes.push(change(row, "record_added", None, at));
                    Record { row: row.clone(), first_seen: at, updated: at }
                }
                Some(before) => {
                    changes.extend(differences(&before.row, row, at));
                    let updated = if says_the_same(&before.row, row) { before.updated } else { at };
                    Record { row: row.clone(), first_seen: before.first_seen, updated }
                }
            };
            next.insert(row.slug.to_string(), record);
        }
        for (slug, record) in &self.records {
            if next.contains_key(slug) {
                continue;
            }
            let mut record = record.clone();
            if record.row.status != Status::Closed {
                changes.push(closed(&record.row, at));
                record.row.status = Status::Closed;
                record.updated = at;
            }
            next.insert(slug.clone(), record);
        }
        if self.generations.is_empty() {
            changes.clear();
        }
        self.end(next, changes, at)
    }

    /// Publishes the catalogue of a generation, counted from 1, again; gives how many changes it brought.
    pub(super) fn roll_back(&mut self, target: usize, now: Timestamp) -> usize {
        let at = self.instant(now);
        let mut next = self.generations[target - 1].clone();
        let mut changes = Vec::new();
        for (slug, record) in &mut next {
            if let Some(current) = self.records.get(slug) {
                changes.extend(differences(&current.row, &record.row, at));
                record.first_seen = record.first_seen.min(current.first_seen);
                record.updated = if says_the_same(&current.row, &record.row) { current.updated } else { at };
            } else {
                changes.push(change(&record.row, "record_added", None, at));
                record.updated = at;
            }
        }
        for (slug, record) in &self.records {
            if !next.contains_key(slug) && record.row.status != Status::Closed {
                changes.push(closed(&record.row, at));
            }
        }
        self.end(next, changes, at)
    }

    fn instant(&self, now: Timestamp) -> Timestamp {
        self.published_at.map_or(now, |before| now.max(before.plus_millis(1).expect("an instant")))
    }

    fn end(&mut self, next: BTreeMap<String, Record>, mut changes: Vec<Value>, at: Timestamp) -> usize {
        let text = |change: &Value, field: &str| change[field].as_str().unwrap_or_default().to_owned();
        changes.sort_by_key(|change| ["slug", "kind", "field"].map(|field| text(change, field)));
        let count = changes.len();
        self.feed.extend(changes.into_iter().map(|change| (at, change)));
        self.generations.push(next.clone());
        self.records = next;
        self.published_at = Some(at);
        count
    }

    /// The grants in list order at an instant.
    pub(super) fn grants(&self, now: Timestamp, updated_since: Option<Timestamp>) -> Vec<Value> {
        let matches = |record: &&Record| updated_since.is_none_or(|since| record.updated >= since);
        let mut records: Vec<&Record> = self.records.values().filter(matches).collect();
        records.sort_by_key(|record| {
            let millis = record.row.deadline.map(Timestamp::unix_millis);
            let place = match millis {
                Some(deadline) if deadline >= now.unix_millis() => (0, deadline),
                None => (1, 0),
                Some(deadline) => (2, -deadline),
            };
            (place, record.row.slug.clone())
        });
        records.into_iter().map(sent).collect()
    }

    /// The feed from an instant on.
    pub(super) fn changes(&self, since: Option<Timestamp>) -> Vec<Value> {
        let in_window = |(at, _): &&(Timestamp, Value)| since.is_none_or(|since| *at >= since);
        self.feed.iter().filter(in_window).map(|(_, change)| change.clone()).collect()
    }
}

fn says_the_same(one: &GrantRow, other: &GrantRow) -> bool {
    GrantRow { last_verified_at: Timestamp::EPOCH, ..one.clone() }
        == GrantRow { last_verified_at: Timestamp::EPOCH, ..other.clone() }
}

/// The record as it is sent.
fn sent(record: &Record) -> Value {
    let mut row = as_json(&record.row);
    row["funder"] = json!({"slug": "foundation", "name": "Foundation"});
    row["first_seen_at"] = as_json(&record.first_seen);
    row["updated_at"] = as_json(&record.updated);
    row
}

fn differences(before: &GrantRow, after: &GrantRow, at: Timestamp) -> Vec<Value> {
    let (old, new) = (as_json(before), as_json(after));
    let moved = [
        ("amount_changed", "amount_max"),
        ("amount_changed", "amount_min"),
        ("amount_changed", "amount_total_pool"),
        ("deadline_changed", "deadline"),
        ("title_changed", "title"),
    ];
    let mut changes: Vec<Value> = moved
        .into_iter()
        .filter(|(_, field)| old[field] != new[field])
        .map(|(kind, field)| change(after, kind, Some((field, old[field].clone(), new[field].clone())), at))
        .collect();
    if before.status != Status::Closed && after.status == Status::Closed {
        let moved = ("status", old["status"].clone(), new["status"].clone());
        changes.push(change(after, "record_closed", Some(moved), at));
    }
    changes
}

fn closed(row: &GrantRow, at: Timestamp) -> Value {
    change(row, "record_closed", Some(("status", as_json(&row.status), json!("closed"))), at)
}

fn change(row: &GrantRow, kind: &str, moved: Option<(&str, Value, Value)>, at: Timestamp) -> Value {
    let (field, before, after) = moved
        .map_or((Value::Null, Value::Null, Value::Null), |(field, before, after)| (Value::from(field), before, after));
    json!({
        "kind": kind, "slug": row.slug, "title": row.title, "field": field, "before": before, "after": after,
        "source_url": row.source_url, "observed_at": at,
    })
}

/// Through text, as it is sent: an amount is a number there.
fn as_json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::from_str(&serde_json::to_string(value).expect("JSON")).expect("JSON")
}
