//! The sweep: what the published generation says of a record, against what the new crawl says.
//!
//! A record is compared by its fingerprint first; only where that differs is the published row read and compared by field
//! (decisions, section 2).

use catalogue_schema::change::FieldValue;
use catalogue_schema::{Change, ChangeKind, Grant, Money, Status, Timestamp};

use crate::error::Error;
use crate::export::GrantRow;
use crate::generation::Generation;
use crate::generation::history::{Fingerprint, History};
use crate::generation::list::Place;

/// The published generation during a reindex, and which of its records the crawl has listed.
pub(crate) struct Published<'a> {
    generation: &'a Generation,
    listed: Vec<bool>,
    /// The number of the publication that is being made.
    next: u32,
}

/// What becomes of a record's history, and which changes that means.
pub(crate) struct Outcome {
    pub(crate) history: History,
    pub(crate) changes: Vec<Change>,
}

impl<'a> Published<'a> {
    pub(crate) fn new(generation: &'a Generation, next: u32) -> Self {
        Self { generation, listed: vec![false; generation.grants.count() as usize], next }
    }

    /// Marks a record as listed by the crawl and gives its place; `None` where it is new.
    pub(crate) fn list(&mut self, slug: &str) -> Option<Place> {
        let place = self.generation.grants.find(slug)?;
        self.listed[place as usize] = true;
        Some(place)
    }

    /// Whether the crawl has listed the record at `place`.
    pub(crate) fn is_listed(&self, place: Place) -> bool {
        self.listed[place as usize]
    }

    /// The published row at `place`.
    pub(crate) fn grant(&self, place: Place) -> Result<Grant, Error> {
        self.generation.read_grant(place, &mut Vec::new())
    }

    /// Compares a row of the crawl with the published record at `place`, or with none.
    pub(crate) fn compare(
        &self,
        place: Option<Place>,
        row: &GrantRow,
        fingerprint: Fingerprint,
    ) -> Result<Outcome, Error> {
        let Some(place) = place else {
            return Ok(Outcome { history: first_seen_in(self.next, fingerprint), changes: vec![added(row)] });
        };
        let history = self.history(place)?;
        if history.fingerprint == fingerprint {
            return Ok(Outcome { history, changes: Vec::new() });
        }
        let history = History { fingerprint, updated: self.next, ..history };
        Ok(Outcome { history, changes: differences(&self.grant(place)?, row) })
    }

    /// The history of the published record at `place`.
    pub(crate) fn history(&self, place: Place) -> Result<History, Error> {
        self.generation.grants.history(place).ok_or_else(|| self.damaged("a record has no history"))
    }

    /// How many records are published.
    pub(crate) fn count(&self) -> Place {
        self.generation.grants.count()
    }

    /// The slug of the published record at `place`.
    pub(crate) fn slug(&self, place: Place) -> &'a str {
        self.generation.grants.slug(place)
    }

    /// How many published records are not closed.
    pub(crate) fn not_closed(&self) -> u64 {
        self.generation.grants.not_closed()
    }

    fn damaged(&self, reason: &str) -> Error {
        let manifest = std::path::PathBuf::from(format!("generation {}", self.generation.number()));
        Error::damaged(&manifest, reason)
    }
}

/// The history of a record that this publication holds first.
pub(crate) fn first_seen_in(publication: u32, fingerprint: Fingerprint) -> History {
    History { fingerprint, first_seen: publication, updated: publication }
}

/// The change of a record that the sweep closes.
pub(crate) fn closed(record: &Grant) -> Change {
    let before = FieldValue::Text(record.status.to_string());
    let after = FieldValue::Text(Status::Closed.to_string());
    change(ChangeKind::RecordClosed, record.slug.clone(), &record.title, &record.source_url).moved(
        "status",
        Some(before),
        Some(after),
    )
}

fn added(row: &GrantRow) -> Change {
    change(ChangeKind::RecordAdded, row.slug.clone(), &row.title, &row.source_url)
}

/// The changes between a published record and a row of the crawl. A reopening is none of the kinds and gives none.
fn differences(published: &Grant, row: &GrantRow) -> Vec<Change> {
    let of = |kind| change(kind, row.slug.clone(), &row.title, &row.source_url);
    let mut changes = Vec::new();
    let amounts = [
        ("amount_max", published.amount_max, row.amount_max),
        ("amount_min", published.amount_min, row.amount_min),
        ("amount_total_pool", published.amount_total_pool, row.amount_total_pool),
    ];
    for (field, before, after) in amounts {
        if before != after {
            let value = |amount: Option<Money>| amount.map(FieldValue::Amount);
            changes.push(of(ChangeKind::AmountChanged).moved(field, value(before), value(after)));
        }
    }
    if published.deadline != row.deadline {
        let value = |deadline: Option<Timestamp>| deadline.map(|instant| FieldValue::Text(instant.to_string()));
        let (before, after) = (value(published.deadline), value(row.deadline));
        changes.push(of(ChangeKind::DeadlineChanged).moved("deadline", before, after));
    }
    if published.status != Status::Closed && row.status == Status::Closed {
        let value = |status: Status| Some(FieldValue::Text(status.to_string()));
        changes.push(of(ChangeKind::RecordClosed).moved("status", value(published.status), value(row.status)));
    }
    if published.title != row.title {
        let value = |title: &str| Some(FieldValue::Text(title.to_owned()));
        changes.push(of(ChangeKind::TitleChanged).moved("title", value(&published.title), value(&row.title)));
    }
    changes
}

/// A change whose instant is that of the publication, which is not known yet.
fn change(kind: ChangeKind, slug: catalogue_schema::Slug, title: &str, source_url: &str) -> Change {
    Change {
        kind,
        slug,
        title: title.to_owned(),
        field: None,
        before: None,
        after: None,
        source_url: source_url.to_owned(),
        observed_at: Timestamp::EPOCH,
    }
}
