//! The naive model of sweep and feed: decisions, section 2, as plainly as it can be written down.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::export::{Row, grant};

/// What a crawl says of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub(crate) title: String,
    pub(crate) status: &'static str,
    /// Hours after 1 August 2026.
    pub(crate) deadline: Option<u8>,
    /// `amount_max`, `amount_min`, `amount_total_pool`.
    pub(crate) amounts: [Option<u16>; 3],
    /// A field that the feed has no kind for.
    pub(crate) summary: Option<u8>,
    /// The one field whose moves are no change at all.
    pub(crate) verified: u8,
}

/// The amounts by name, in the order of the feed.
const AMOUNTS: [&str; 3] = ["amount_max", "amount_min", "amount_total_pool"];

impl Said {
    pub(crate) fn row(&self, slug: &str) -> Row {
        let mut row = grant(slug)
            .with("title", self.title.as_str())
            .with("status", self.status)
            .with("deadline", json!(self.deadline.map(deadline)))
            .with("summary", json!(self.summary.map(|number| format!("Summary {number}"))))
            .with("last_verified_at", format!("2026-06-{:02}T00:00:00Z", self.verified));
        for (name, amount) in AMOUNTS.iter().zip(self.amounts) {
            row = row.with(name, json!(amount));
        }
        row
    }
}

fn deadline(hours: u8) -> String {
    format!("2026-08-01T{hours:02}:00:00.000Z")
}

/// A record as the catalogue holds it.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) said: Said,
    pub(crate) first_seen_at: String,
    pub(crate) updated_at: String,
}

/// The catalogue and its feed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) held: BTreeMap<String, Held>,
    pub(crate) feed: Vec<Value>,
    published: bool,
}

impl Model {
    /// Publishes a crawl at the instant that the catalogue gave it.
    pub(crate) fn publish(&mut self, crawl: &BTreeMap<String, Said>, at: &str) {
        let mut changes = Vec::new();
        let slugs: Vec<String> = self.held.keys().chain(crawl.keys()).cloned().collect();
        for slug in slugs.into_iter().collect::<std::collections::BTreeSet<_>>() {
            let before = self.held.get(&slug).cloned();
            let said = match (crawl.get(&slug), &before) {
                (Some(said), _) => said.clone(),
                // No longer listed: it stays, closed.
                (None, Some(before)) => Said { status: "closed", ..before.said.clone() },
                (None, None) => continue,
            };
            let Some(before) = before else {
                changes.push(entry("record_added", &slug, &said.title, None, at));
                let held = Held { said, first_seen_at: at.to_owned(), updated_at: at.to_owned() };
                self.held.insert(slug, held);
                continue;
            };
            let moved = |kind: &str, field: &str, from: Value, to: Value| {
                entry(kind, &slug, &said.title, Some((field, from, to)), at)
            };
            for ((name, from), to) in AMOUNTS.iter().zip(before.said.amounts).zip(said.amounts) {
                if from != to {
                    changes.push(moved("amount_changed", name, json!(from), json!(to)));
                }
            }
            if before.said.deadline != said.deadline {
                let [from, to] = [before.said.deadline, said.deadline].map(|hours| json!(hours.map(deadline)));
                changes.push(moved("deadline_changed", "deadline", from, to));
            }
            if before.said.status != "closed" && said.status == "closed" {
                changes.push(moved("record_closed", "status", json!(before.said.status), json!("closed")));
            }
            if before.said.title != said.title {
                changes.push(moved("title_changed", "title", json!(before.said.title), json!(said.title)));
            }
            let same = Said { verified: said.verified, ..before.said.clone() } == said;
            let updated_at = if same { before.updated_at } else { at.to_owned() };
            self.held.insert(slug, Held { said, first_seen_at: before.first_seen_at, updated_at });
        }
        if std::mem::replace(&mut self.published, true) {
            self.feed.extend(changes);
        }
    }
}

fn entry(kind: &str, slug: &str, title: &str, moved: Option<(&str, Value, Value)>, at: &str) -> Value {
    let (field, before, after) =
        moved.map_or((None, Value::Null, Value::Null), |(field, before, after)| (Some(field), before, after));
    json!({
        "kind": kind, "slug": slug, "title": title, "field": field, "before": before, "after": after, "observed_at": at,
        "source_url": format!("https://source.example/grants/{slug}"),
    })
}
