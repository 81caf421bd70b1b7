//! What the dashboard counts, of one generation at one instant.

use std::sync::Arc;

use catalogue_schema::insight::{AmountField, ChangeDay, Deadlines, Facet, IndustryMoney, Interval};
use catalogue_schema::{ChangeKind, FilterField, Money, Requested, Timestamp};
use chrono::DateTime;

use super::bars::{Chart, Share, bars};
use super::map::{Tile, tiles};
use crate::error::Error;
use crate::pages::moment::{Bytes, Count, Dollars, Moment};
use crate::resolvers::insight::{FacetField, Matches, changes_by_day};
use crate::resolvers::publications::{self, Kept};
use crate::resolvers::{Catalogue, Generation, Resource, traverse};

/// How many weeks and months ahead deadlines are counted.
const STEPS: usize = 12;

/// How many days with changes are shown, and how far back they are looked for.
const CHANGE_DAYS: usize = 14;
const CHANGES_BACK: i64 = 92 * 24 * 60 * 60 * 1000;

/// The kinds of changes, as the tables have them in columns.
const COLUMNS: [ChangeKind; 5] = [
    ChangeKind::RecordAdded,
    ChangeKind::RecordClosed,
    ChangeKind::DeadlineChanged,
    ChangeKind::AmountChanged,
    ChangeKind::TitleChanged,
];

/// How many values of a field have a bar.
const MOST_BARS: usize = 12;

/// How many publications are listed.
const MOST_PUBLICATIONS: usize = 10;

/// Everything on the page that is counted over the catalogue.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) generation: u64,
    pub(super) published: Moment,
    pub(super) crawled: Moment,
    pub(super) open: Count,
    /// The catalogue in numbers: what, and how many.
    pub(super) sizes: Vec<(&'static str, String)>,
    pub(super) deadlines: [Chart; 2],
    /// Empty where no open record states a state.
    pub(super) tiles: Vec<Tile>,
    pub(super) states: Vec<(String, Count)>,
    pub(super) stateless: Count,
    pub(super) charts: Vec<Chart>,
    pub(super) money: Vec<MoneyRow>,
    /// Which industries are not shown.
    pub(super) money_note: Option<String>,
    pub(super) changes: Vec<ChangeRow>,
    pub(super) publications: Vec<PublicationRow>,
    /// How many publications there have been.
    pub(super) published_in_all: Count,
}

/// The money of an industry.
#[derive(Debug)]
pub(super) struct MoneyRow {
    pub(super) industry: Option<String>,
    pub(super) records: Count,
    pub(super) stated: Count,
    pub(super) total: Option<Dollars>,
    pub(super) share: Option<Share>,
}

/// The changes of a day, by kind.
#[derive(Debug)]
pub(super) struct ChangeRow {
    pub(super) day: String,
    pub(super) kinds: [Count; 5],
    pub(super) count: Count,
    pub(super) share: Share,
}

/// A publication and the report of its reindex.
#[derive(Debug)]
pub(super) struct PublicationRow {
    pub(super) generation: u64,
    pub(super) published: Moment,
    pub(super) crawled: Moment,
    pub(super) grants: Count,
    pub(super) changes: [Count; 5],
    pub(super) rejected: Count,
    pub(super) is_served: bool,
    pub(super) kept_until: Option<Moment>,
}

impl Figures {
    /// Counts all of it: milliseconds.
    pub(super) fn count(catalogue: &Catalogue, generation: &Arc<Generation>, now: Timestamp) -> Result<Self, Error> {
        let matches = |resource, asked: &Requested| -> Result<Matches, Error> {
            let traversal = traverse(catalogue, Arc::clone(generation), resource, asked, None, now)?;
            Ok(Matches::of(&traversal)?)
        };
        let asked = Requested { values: vec![(FilterField::Status, "open".to_owned())], ..Requested::default() };
        let open = matches(Resource::Grants, &asked)?;
        let statuses = matches(Resource::Grants, &Requested::default())?.facet(FacetField::Status)?;
        let states = open.facet(FacetField::State)?;
        let money = open.money_by_industry(AmountField::AmountTotalPool)?;
        let since = now.plus_millis(-CHANGES_BACK);
        let manifest = generation.manifest();
        Ok(Self {
            generation: generation.number(),
            published: Moment(manifest.publication().at),
            crawled: Moment(manifest.crawled_at),
            open: Count(count_of(&statuses, "open")),
            sizes: sizes(generation, &statuses),
            deadlines: [
                deadlines("weeks", "Deadlines by week", Interval::Week, &open.deadlines(Interval::Week, STEPS)),
                deadlines("months", "Deadlines by month", Interval::Month, &open.deadlines(Interval::Month, STEPS)),
            ],
            stateless: Count(states.not_stated),
            tiles: if states.buckets.is_empty() { Vec::new() } else { tiles(&states.buckets) },
            states: states.buckets.into_iter().map(|bucket| (bucket.value, Count(bucket.count))).collect(),
            charts: vec![
                facet("industries", "Open by industry", "Industry", &open.facet(FacetField::Industry)?),
                facet("entities", "Open by applicant", "Who may apply", &open.facet(FacetField::Entity)?),
                funders(&open)?,
            ],
            money_note: money_note(&money),
            money: money_rows(money),
            changes: change_rows(&changes_by_day(generation, since, None)),
            publications: publications::kept(catalogue)?.into_iter().take(MOST_PUBLICATIONS).map(publication).collect(),
            published_in_all: Count(generation.publications().len() as u64),
        })
    }
}

fn sizes(generation: &Generation, statuses: &Facet) -> Vec<(&'static str, String)> {
    let counts = generation.manifest().counts;
    let number = |count: u64| Count(count).to_string();
    vec![
        ("Open", number(count_of(statuses, "open"))),
        ("Forecasted", number(count_of(statuses, "forecasted"))),
        ("Closed", number(count_of(statuses, "closed"))),
        ("Funders", number(counts.funders)),
        ("Recipients", number(counts.recipients)),
        ("Awards", number(counts.awards)),
        ("Changes", number(generation.manifest().publication().log_entries)),
        ("On disk", Bytes(generation.bytes()).to_string()),
    ]
}

fn count_of(facet: &Facet, value: &str) -> u64 {
    facet.buckets.iter().find(|bucket| bucket.value == value).map_or(0, |bucket| bucket.count)
}

fn deadlines(id: &'static str, title: &'static str, by: Interval, found: &Deadlines) -> Chart {
    let form = if by == Interval::Month { "%b %Y" } else { "%-d %b %Y" };
    let stated = found.buckets.iter().map(|bucket| (written(bucket.from, form), bucket.count));
    let rest = [("later", found.later), ("passed", found.passed), ("no deadline stated", found.not_stated)];
    Chart {
        id,
        title,
        lead: "Of open records; each step begins on the day given, in UTC.".to_owned(),
        of: if by == Interval::Month { "Month" } else { "Week from" },
        bars: bars(stated, rest),
        note: None,
    }
}

fn facet(id: &'static str, title: &'static str, of: &'static str, found: &Facet) -> Chart {
    let hidden = found.buckets.len().saturating_sub(MOST_BARS);
    Chart {
        id,
        title,
        lead: "A record with several values counts in each.".to_owned(),
        of,
        bars: bars(
            found.buckets.iter().take(MOST_BARS).map(|bucket| (bucket.value.clone(), bucket.count)),
            [("not stated", found.not_stated)],
        ),
        note: (hidden > 0).then(|| format!("{hidden} further values are rarer.")),
    }
}

fn funders(open: &Matches) -> Result<Chart, Error> {
    let found = open.funders(MOST_BARS)?;
    let shown = found.buckets.len() as u64;
    Ok(Chart {
        id: "funders",
        title: "Open by funder",
        lead: "The funders with the most open records.".to_owned(),
        of: "Funder",
        bars: bars(found.buckets.into_iter().map(|bucket| (bucket.name, bucket.count)), []),
        note: (found.funders > shown)
            .then(|| format!("{} further funders have {} more.", Count(found.funders - shown), Count(found.others))),
    })
}

fn money_rows(found: Vec<IndustryMoney>) -> Vec<MoneyRow> {
    let cents = |money: &IndustryMoney| money.total.map_or(0, Money::cents);
    let most = found.iter().filter(|money| money.industry.is_some()).map(cents).max().unwrap_or(0);
    let row = |money: IndustryMoney| MoneyRow {
        share: money.industry.is_some().then(|| Share::of(cents(&money), most)),
        records: Count(money.records),
        stated: Count(money.stated),
        total: money.total.map(Dollars),
        industry: money.industry,
    };
    let is_shown = |(at, money): &(usize, IndustryMoney)| *at < MOST_BARS || money.industry.is_none();
    found.into_iter().enumerate().filter(is_shown).map(|(_, money)| row(money)).collect()
}

fn money_note(found: &[IndustryMoney]) -> Option<String> {
    let hidden = found.iter().skip(MOST_BARS).filter(|money| money.industry.is_some()).count();
    (hidden > 0).then(|| format!("{hidden} further industries have smaller sums or state none."))
}

/// The latest days, newest first.
fn change_rows(days: &[ChangeDay]) -> Vec<ChangeRow> {
    let shown = days.len().saturating_sub(CHANGE_DAYS);
    let days = &days[shown..];
    let most = days.iter().map(|day| day.count).max().unwrap_or(0);
    let row = |day: &ChangeDay| ChangeRow {
        day: written(day.day, "%-d %b %Y"),
        kinds: COLUMNS.map(|column| {
            Count(day.kinds.iter().find(|counted| counted.kind == column).map_or(0, |counted| counted.count))
        }),
        count: Count(day.count),
        share: Share::of(day.count, most),
    };
    days.iter().rev().map(row).collect()
}

fn publication(Kept { manifest, is_published, until }: Kept) -> PublicationRow {
    let changes = manifest.changes;
    let by_kind = [
        changes.record_added,
        changes.record_closed,
        changes.deadline_changed,
        changes.amount_changed,
        changes.title_changed,
    ];
    PublicationRow {
        generation: manifest.generation,
        published: Moment(manifest.publication().at),
        crawled: Moment(manifest.crawled_at),
        grants: Count(manifest.counts.grants),
        changes: by_kind.map(Count),
        rejected: Count(manifest.rejected),
        is_served: is_published,
        kept_until: until.map(Moment),
    }
}

/// An instant's day, written in this form.
fn written(instant: Timestamp, form: &str) -> String {
    DateTime::from_timestamp_millis(instant.unix_millis())
        .map_or_else(|| instant.to_string(), |instant| instant.format(form).to_string())
}
