//! Grants: from the export's order into list order, with their histories and changes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use catalogue_schema::{Change, Code, FunderName, Grant, Money, Status, Timestamp, UsState};
use serde::Deserialize;

use super::named::Named;
use super::segments::write_list;
use super::spool::{NumberOf, Spool, SpoolWriter, Spooled, TextAt, Texts};
use super::sweep::{self, Outcome, Published};
use super::{ChangeCounts, Progress};
use crate::error::Error;
use crate::export::GrantRow;
use crate::export::stream::RowFault;
use crate::fields::GrantDocument;
use crate::generation::history::{self, History};
use crate::generation::stamps::{CHANGE, GRANT};
use crate::generation::sums::Sums;
use crate::generation::{Shape, list::Place};

/// The stem of the file's name.
pub(crate) const STEM: &str = "grants";

/// How many codes an open vocabulary holds at the most: each generation states and holds them all.
const MOST_CODES: usize = 10_000;

/// The grants to publish, being taken in.
pub(crate) struct GrantsWriter<'a> {
    rows: SpoolWriter,
    changes: SpoolWriter,
    entries: Vec<Entry>,
    change_entries: Vec<ChangeEntry>,
    slugs: Texts,
    number_of: NumberOf,
    published: Option<Published<'a>>,
    publication: u32,
    entities: BTreeSet<String>,
    industries: BTreeSet<String>,
    counts: ChangeCounts,
    buffer: Vec<u8>,
}

/// A grant: what decides its place, and where its row lies. The row's bytes follow its history.
#[derive(Clone, Copy)]
struct Entry {
    /// Unix milliseconds; the largest number where there is none, so that the undated come last.
    deadline: i64,
    slug: TextAt,
    row: Spooled,
}

#[derive(Clone, Copy)]
struct ChangeEntry {
    slug: TextAt,
    row: Spooled,
}

impl<'a> GrantsWriter<'a> {
    /// Begins with no grants; what is set aside lies in `staging`.
    pub(crate) fn new(staging: &Path, published: Option<Published<'a>>, publication: u32) -> Result<Self, Error> {
        Ok(Self {
            rows: SpoolWriter::create(staging.join("grants.spool"))?,
            changes: SpoolWriter::create(staging.join("changes.spool"))?,
            entries: Vec::new(),
            change_entries: Vec::new(),
            slugs: Texts::default(),
            number_of: NumberOf::default(),
            published,
            publication,
            entities: BTreeSet::new(),
            industries: BTreeSet::new(),
            counts: ChangeCounts::default(),
            buffer: Vec::new(),
        })
    }

    /// Takes a row of the export in, or says what is wrong with it.
    pub(crate) fn take(&mut self, mut row: GrantRow, funders: &Named) -> Result<Result<(), RowFault>, Error> {
        let (entries, slugs) = (&self.entries, &self.slugs);
        let slug_of = |number: u32| slugs.get(entries[number as usize].slug);
        if self.number_of.find(row.slug.as_str(), slug_of).is_some() {
            return Ok(Err(RowFault::of("slug", format!("an earlier row has the slug `{}` too", row.slug))));
        }
        let Some(funder) = funders.listed(row.funder.as_str()) else {
            return Ok(Err(RowFault::of("funder", format!("the export has no funder `{}`", row.funder))));
        };
        for (field, vocabulary, codes) in
            [("elig_entities", &self.entities, &row.elig_entities), ("industries", &self.industries, &row.industries)]
        {
            let codes_of_row = codes.as_ref().map_or(0, BTreeSet::len);
            if vocabulary.len() + codes_of_row <= MOST_CODES {
                continue;
            }
            let room = MOST_CODES.saturating_sub(vocabulary.len());
            let is_new = |code: &&Code| !vocabulary.contains(code.as_str()) && !vocabulary.contains(&code.folded());
            if codes.iter().flatten().filter(is_new).nth(room).is_some() {
                return Ok(Err(RowFault::of(field, format!("the export has more than {MOST_CODES} different codes"))));
            }
        }
        let funder_name = funders.name(funder).to_owned();
        let fingerprint = history::fingerprint(&mut row, &mut self.buffer).map_err(not_json)?;
        let outcome = match &mut self.published {
            None => Outcome { history: sweep::first_seen_in(self.publication, fingerprint), changes: Vec::new() },
            Some(published) => {
                let place = published.list(row.slug.as_str());
                published.compare(place, &row, fingerprint)?
            }
        };
        self.push(&grant_of(row, funder_name), &outcome)?;
        Ok(Ok(()))
    }

    /// Marks a record whose row was rejected as listed: it stays as last published.
    pub(crate) fn take_rejected(&mut self, slug: &str) {
        if let Some(published) = &mut self.published {
            published.list(slug);
        }
    }

    /// Takes in a record of the generation that is rolled back to, which had this history there.
    pub(crate) fn take_back(&mut self, grant: &Grant, history: History) -> Result<(), Error> {
        let Some(published) = &mut self.published else { return Ok(()) };
        let place = published.list(grant.slug.as_str());
        let mut outcome = published.compare(place, &row_of(grant), history.fingerprint)?;
        // The catalogue has held the record before, even where an earlier rollback took it out and a crawl brought it anew.
        outcome.history.first_seen = outcome.history.first_seen.min(history.first_seen);
        self.push(grant, &outcome)
    }

    /// Lets go of the published records that the generation rolled back to does not hold: the feed says that they closed.
    pub(crate) fn let_go(&mut self) -> Result<(), Error> {
        let Some(published) = self.published.take() else { return Ok(()) };
        for place in (0..published.count()).filter(|&place| !published.is_listed(place)) {
            let grant = published.grant(place)?;
            if grant.status != Status::Closed {
                let slug = self.slugs.push(grant.slug.as_str());
                self.push_changes(slug, &[sweep::closed(&grant)])?;
            }
        }
        Ok(())
    }

    /// Takes in the published records that the export does not list: closed by the sweep, but those whose rows were rejected stay
    /// as they were. Gives how many the sweep closed, and how many were not closed before.
    pub(crate) fn sweep(&mut self) -> Result<(u64, u64), Error> {
        let Some(published) = self.published.take() else { return Ok((0, 0)) };
        let mut swept = 0;
        for place in 0..published.count() {
            let slug_is_taken = |writer: &Self, slug: &str| {
                writer.number_of.find(slug, |number| writer.slugs.get(writer.entries[number as usize].slug)).is_some()
            };
            if published.is_listed(place) && slug_is_taken(self, published.slug(place)) {
                continue;
            }
            let outcome = self.carry_over(&published, place)?;
            swept += u64::from(outcome);
        }
        Ok((swept, published.not_closed()))
    }

    /// Takes in a published record that has no good row; gives whether the sweep closed it.
    fn carry_over(&mut self, published: &Published<'_>, place: Place) -> Result<bool, Error> {
        let mut grant = published.grant(place)?;
        let history = published.history(place)?;
        if published.is_listed(place) || grant.status == Status::Closed {
            self.push(&grant, &Outcome { history, changes: Vec::new() })?;
            return Ok(false);
        }
        let changes = vec![sweep::closed(&grant)];
        grant.status = Status::Closed;
        let fingerprint = history::fingerprint(&mut row_of(&grant), &mut self.buffer).map_err(not_json)?;
        let history = History { fingerprint, updated: self.publication, ..history };
        self.push(&grant, &Outcome { history, changes })?;
        Ok(true)
    }

    fn push(&mut self, grant: &Grant, outcome: &Outcome) -> Result<(), Error> {
        let slug = self.slugs.push(grant.slug.as_str());
        self.push_changes(slug, &outcome.changes)?;
        for (vocabulary, codes) in
            [(&mut self.entities, &grant.elig_entities), (&mut self.industries, &grant.industries)]
        {
            for code in codes.iter().flatten() {
                if !vocabulary.contains(code.as_str()) {
                    vocabulary.insert(code.folded());
                }
            }
        }
        self.buffer.clear();
        self.buffer.extend_from_slice(&outcome.history.to_bytes());
        serde_json::to_writer(&mut self.buffer, grant).map_err(not_json)?;
        GRANT.cut(&mut self.buffer);
        let row = self.rows.push(&self.buffer)?;
        let deadline = grant.deadline.map_or(i64::MAX, Timestamp::unix_millis);
        let number = u32::try_from(self.entries.len()).map_err(|_| too_many())?;
        self.entries.push(Entry { deadline, slug, row });
        let (entries, slugs) = (&self.entries, &self.slugs);
        self.number_of.insert(number, |number| slugs.get(entries[number as usize].slug));
        Ok(())
    }

    fn push_changes(&mut self, slug: TextAt, changes: &[Change]) -> Result<(), Error> {
        for change in changes {
            self.counts.add(change.kind);
            self.buffer.clear();
            serde_json::to_writer(&mut self.buffer, change).map_err(not_json)?;
            CHANGE.cut(&mut self.buffer);
            let row = self.changes.push(&self.buffer)?;
            self.change_entries.push(ChangeEntry { slug, row });
        }
        Ok(())
    }

    /// Puts the grants into list order and the changes into the feed's.
    pub(crate) fn finish(self) -> Result<Grants, Error> {
        let Self { rows, changes, mut entries, mut change_entries, slugs, entities, industries, counts, .. } = self;
        entries.sort_unstable_by(|one, other| {
            one.deadline.cmp(&other.deadline).then_with(|| slugs.get(one.slug).cmp(slugs.get(other.slug)))
        });
        // The changes of one record were made in the order of kind and field, which a stable sort keeps.
        change_entries.sort_by(|one, other| slugs.get(one.slug).cmp(slugs.get(other.slug)));
        Ok(Grants {
            rows: rows.finish()?,
            changes: changes.finish()?,
            entries,
            change_entries,
            slugs,
            entities,
            industries,
            counts,
        })
    }
}

/// The grants to publish, in list order.
pub(crate) struct Grants {
    rows: Spool,
    changes: Spool,
    entries: Vec<Entry>,
    change_entries: Vec<ChangeEntry>,
    slugs: Texts,
    pub(crate) entities: BTreeSet<String>,
    pub(crate) industries: BTreeSet<String>,
    pub(crate) counts: ChangeCounts,
}

impl Grants {
    pub(crate) fn count(&self) -> usize {
        self.entries.len()
    }

    /// Gives each change to `take`, in the feed's order.
    pub(crate) fn for_each_change(&self, mut take: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut buffer = Vec::new();
        for entry in &self.change_entries {
            self.changes.read(entry.row, &mut buffer)?;
            take(&buffer)?;
        }
        Ok(())
    }

    /// Writes the list into `folder`; gives the sums of the files.
    pub(crate) fn write(&self, folder: &Path, progress: &Progress<'_>) -> Result<Sums, Error> {
        let slug_at = |place: usize| self.slugs.get(self.entries[place].slug);
        write_list(folder, Shape::GRANTS, self.entries.len(), progress, slug_at, |segment, worker, place| {
            let mut buffer = std::mem::take(&mut worker.buffer);
            self.rows.read(self.entries[place].row, &mut buffer)?;
            let damaged = |reason: String| Error::damaged(self.rows.path(), reason);
            let history = buffer.get(..history::LENGTH).and_then(History::from_bytes);
            let history = history.ok_or_else(|| damaged("a history is cut short".to_owned()))?;
            buffer.push(b'}');
            let grant: IndexedGrant<'_> =
                serde_json::from_slice(&buffer[history::LENGTH..]).map_err(|error| damaged(error.to_string()))?;
            let texts = [Some(&*grant.title), grant.summary.as_deref(), Some(&*grant.funder.name)];
            let document = worker.fields.grant(&GrantDocument {
                texts,
                states: grant.elig_states.as_ref(),
                entities: grant.elig_entities.as_ref(),
                industries: grant.industries.as_ref(),
                status: grant.status,
                funder: grant.funder.slug,
                amounts: [grant.amount_min, grant.amount_max, grant.amount_total_pool],
                updated: u64::from(history.updated),
                deadline: grant.deadline,
            });
            segment.push(document, &buffer[history::LENGTH..buffer.len() - 1])?;
            segment.push_history(history)?;
            worker.buffer = buffer;
            Ok(())
        })
    }
}

/// What the index wants of a stored row.
#[derive(Deserialize)]
struct IndexedGrant<'a> {
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    summary: Option<Cow<'a, str>>,
    #[serde(borrow)]
    funder: IndexedFunder<'a>,
    status: Status,
    elig_entities: Option<BTreeSet<Code>>,
    elig_states: Option<BTreeSet<UsState>>,
    industries: Option<BTreeSet<Code>>,
    amount_min: Option<Money>,
    amount_max: Option<Money>,
    amount_total_pool: Option<Money>,
    deadline: Option<Timestamp>,
}

#[derive(Deserialize)]
struct IndexedFunder<'a> {
    slug: &'a str,
    #[serde(borrow)]
    name: Cow<'a, str>,
}

/// The record that a row of the export becomes; its stamps are cut off before it is stored.
fn grant_of(row: GrantRow, funder_name: String) -> Grant {
    Grant {
        slug: row.slug,
        title: row.title,
        summary: row.summary,
        funder: FunderName { slug: row.funder, name: funder_name },
        status: row.status,
        elig_entities: row.elig_entities,
        elig_states: row.elig_states,
        industries: row.industries,
        amount_min: row.amount_min,
        amount_max: row.amount_max,
        amount_total_pool: row.amount_total_pool,
        match_required: row.match_required,
        opens_at: row.opens_at,
        deadline: row.deadline,
        source_url: row.source_url,
        last_verified_at: row.last_verified_at,
        first_seen_at: Timestamp::EPOCH,
        updated_at: Timestamp::EPOCH,
    }
}

/// The row of the export that would become this record.
fn row_of(grant: &Grant) -> GrantRow {
    let grant = grant.clone();
    GrantRow {
        slug: grant.slug,
        title: grant.title,
        summary: grant.summary,
        funder: grant.funder.slug,
        status: grant.status,
        elig_entities: grant.elig_entities,
        elig_states: grant.elig_states,
        industries: grant.industries,
        amount_min: grant.amount_min,
        amount_max: grant.amount_max,
        amount_total_pool: grant.amount_total_pool,
        match_required: grant.match_required,
        opens_at: grant.opens_at,
        deadline: grant.deadline,
        source_url: grant.source_url,
        last_verified_at: grant.last_verified_at,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` passes")]
fn not_json(error: serde_json::Error) -> Error {
    Error::damaged(Path::new("a row in memory"), error.to_string())
}

fn too_many() -> Error {
    Error::damaged(Path::new(STEM), "a list holds at most 4,294,967,295 rows")
}
