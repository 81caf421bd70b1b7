//! Grants: one row from one number.
//!
//! Null shares and shapes follow what real portals publish: half of the summaries and floors are missing, most records state no
//! place, and a few state a floor above their ceiling.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use catalogue_index::export::GrantRow;
use catalogue_schema::{Code, Money, Slug, Status, Timestamp, UsState};
use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, Error as ValueError};

use super::calendar;
use super::dice::{Dice, Purpose};
use super::phrase;

const HOUR: i64 = 3_600_000;

const ENTITIES: &[&str] = &[
    "nonprofits",
    "county-governments",
    "city-or-township-governments",
    "public-and-state-controlled-institutions-of-higher-education",
    "small-businesses",
    "state-governments",
    "private-institutions-of-higher-education",
    "independent-school-districts",
    "native-american-tribal-governments-federally-recognized",
    "special-district-governments",
    "for-profit-organizations-other-than-small-businesses",
    "public-and-indian-housing-authorities",
    "individuals",
    "native-american-tribal-organizations-other-than-governments",
    "unrestricted",
];

const INDUSTRIES: &[&str] = &[
    "education",
    "health",
    "science-and-technology",
    "environment-and-water",
    "community-development",
    "employment-labor-and-training",
    "agriculture",
    "energy",
    "housing",
    "arts",
    "transportation",
    "law-justice-and-legal-services",
    "natural-resources",
    "food-and-nutrition",
    "business-and-commerce",
    "disaster-prevention-and-relief",
    "humanities",
    "regional-development",
    "income-security-and-social-services",
    "libraries-and-archives",
    "parks-and-recreation",
    "consumer-protection",
    "information-and-statistics",
    "animal-services",
    "veterans-services",
];

static ENTITY_CODES: LazyLock<Vec<Code>> = LazyLock::new(|| codes(ENTITIES));
static INDUSTRY_CODES: LazyLock<Vec<Code>> = LazyLock::new(|| codes(INDUSTRIES));
static STATES: LazyLock<Vec<UsState>> = LazyLock::new(|| UsState::all().collect());

/// The grant of that number as a crawl at `crawled_at` finds it. Its slug and its title depend on `seed` and `number` alone, its
/// funder also on `funders`, which must not be empty.
pub(super) fn row(seed: u64, number: u64, crawled_at: Timestamp, funders: &[Slug]) -> GrantRow {
    let mut dice = Dice::new(seed, Purpose::Grant, number, 0);
    let title = phrase::title(&mut dice);
    let slug = phrase::slug(&title, number);
    let funder = dice.skewed(funders).clone();
    let summary = dice.percent(60).then(|| phrase::summary(&mut dice));
    let amounts = Amounts::roll(&mut dice);
    let deadline = deadline(&mut dice, crawled_at);
    let status = status(&mut dice, deadline, crawled_at);
    GrantRow {
        source_url: format!("https://example.org/grants/{slug}"),
        slug,
        title,
        summary,
        funder,
        status,
        elig_entities: entities(&mut dice),
        elig_states: states(&mut dice),
        industries: industries(&mut dice),
        amount_min: amounts.min,
        amount_max: amounts.max,
        amount_total_pool: amounts.pool,
        match_required: match dice.below(100) {
            0..35 => None,
            35..60 => Some(true),
            _ => Some(false),
        },
        opens_at: opening(&mut dice, status, deadline, crawled_at),
        deadline,
        last_verified_at: verified(&mut dice, crawled_at),
    }
}

/// The slug of the grant of that number.
pub(super) fn slug(seed: u64, number: u64) -> Slug {
    phrase::slug(&phrase::title(&mut Dice::new(seed, Purpose::Grant, number, 0)), number)
}

/// A deadline still ahead, within 18 months and sooner rather than later.
pub(super) fn deadline_ahead(dice: &mut Dice, crawled_at: Timestamp) -> Option<Timestamp> {
    const LONGEST: i64 = 548;
    let days = 1 + dice.between(0, LONGEST - 1) * dice.between(0, LONGEST - 1) / LONGEST;
    let day = calendar::day_of(crawled_at) + days;
    // Some sources prefer the middle of a month, so that more deadlines tie than chance has it.
    let to_the_fifteenth = 15 - calendar::day_of_month(day);
    let day = if to_the_fifteenth > 0 && dice.percent(20) { day + to_the_fifteenth } else { day };
    if dice.percent(5) { calendar::close_of_business(day) } else { calendar::end_of(day) }
}

/// When a page was read by the crawl: at most a day and a half before its end.
pub(super) fn verified(dice: &mut Dice, crawled_at: Timestamp) -> Timestamp {
    crawled_at.plus_millis(-dice.between(0, 36 * HOUR)).unwrap_or(crawled_at)
}

/// An amount as sources like to state them: a round one, with cents in a few.
pub(super) fn amount(dice: &mut Dice, least_power: u32, most_power: u32) -> Money {
    let mantissa = *dice.pick(&[10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80]);
    let power = least_power + u32::try_from(dice.below(u64::from(most_power - least_power) + 1)).unwrap_or(0);
    let odd_cents = if dice.percent(3) { 1 + dice.below(9_999) } else { 0 };
    Money::from_cents(mantissa * 10_u64.pow(power) * 10 + odd_cents).unwrap_or(Money::MAX)
}

/// The three amounts of a grant.
struct Amounts {
    min: Option<Money>,
    max: Option<Money>,
    pool: Option<Money>,
}

impl Amounts {
    fn roll(dice: &mut Dice) -> Self {
        let ceiling = amount(dice, 3, 6);
        let floor = Money::from_cents(ceiling.cents() / dice.pick(&[1, 2, 4, 5, 10, 20]) / 100 * 100);
        let pool = Money::from_cents(ceiling.cents() * dice.pick(&[3, 5, 10, 12, 20, 50]));
        let stated_backwards = dice.percent(1);
        let min = dice.percent(48).then_some(floor).flatten();
        let max = dice.percent(54).then_some(ceiling);
        match (min, max) {
            (Some(floor), Some(ceiling)) if stated_backwards => {
                Self { min: Some(ceiling), max: Some(floor), pool: None }
            }
            _ => Self { min, max, pool: dice.percent(70).then_some(pool).flatten() },
        }
    }
}

fn deadline(dice: &mut Dice, crawled_at: Timestamp) -> Option<Timestamp> {
    const LONGEST_AGO: i64 = 5 * 365;
    match dice.below(100) {
        0..10 => None,
        10..65 => deadline_ahead(dice, crawled_at),
        _ => calendar::end_of(calendar::day_of(crawled_at) - dice.between(1, LONGEST_AGO)),
    }
}

fn status(dice: &mut Dice, deadline: Option<Timestamp>, crawled_at: Timestamp) -> Status {
    let passed = deadline.is_some_and(|deadline| deadline < crawled_at);
    match dice.below(100) {
        0..10 if passed => Status::Open,
        _ if passed => Status::Closed,
        0..14 => Status::Forecasted,
        14..97 => Status::Open,
        _ => Status::Closed,
    }
}

fn opening(dice: &mut Dice, status: Status, deadline: Option<Timestamp>, crawled_at: Timestamp) -> Option<Timestamp> {
    let days = dice.between(20, 200);
    let said = dice.percent(85);
    let today = calendar::day_of(crawled_at);
    let day = match (status, deadline) {
        // A forecast opens some time before its deadline, and not before tomorrow.
        (Status::Forecasted, Some(deadline)) => (calendar::day_of(deadline) - days).max(today + 1),
        (Status::Forecasted, None) => today + days,
        (_, Some(deadline)) => (calendar::day_of(deadline) - days).min(today),
        (_, None) => today - days,
    };
    // Where the deadline is tomorrow there is no day left between.
    calendar::start_of(day).filter(|opens_at| said && deadline.is_none_or(|deadline| *opens_at < deadline))
}

fn entities(dice: &mut Dice) -> Option<BTreeSet<Code>> {
    let count = match dice.below(100) {
        0..30 => return None,
        30 => 0,
        31..60 => 1,
        60..90 => dice.between(2, 4),
        _ => dice.between(5, 9),
    };
    Some((0..count).map(|_| code(dice, &ENTITY_CODES)).collect())
}

fn states(dice: &mut Dice) -> Option<BTreeSet<UsState>> {
    let count = match dice.below(100) {
        0..70 => return None,
        70 => 0,
        71..90 => 1,
        90..98 => dice.between(2, 8),
        _ => dice.between(9, 60),
    };
    Some((0..count).map(|_| *dice.pick(&STATES)).collect())
}

fn industries(dice: &mut Dice) -> Option<BTreeSet<Code>> {
    let count = match dice.below(100) {
        0..20 => return None,
        20 => 0,
        21..70 => 1,
        _ => dice.between(2, 4),
    };
    Some((0..count).map(|_| code(dice, &INDUSTRY_CODES)).collect())
}

/// One of the codes; the first are the commonest, but none is rare.
fn code(dice: &mut Dice, codes: &[Code]) -> Code {
    if dice.percent(50) { dice.pick(codes) } else { dice.skewed(codes) }.clone()
}

fn codes(texts: &[&'static str]) -> Vec<Code> {
    let code = |text: &&'static str| {
        Code::deserialize(BorrowedStrDeserializer::<ValueError>::new(text))
            .expect("a short text without control characters")
    };
    texts.iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<GrantRow> {
        let crawled_at = "2026-07-26T12:00:00Z".parse().expect("an instant");
        let funders = ["a", "b"].map(|slug| slug.parse().expect("a slug"));
        (1..=4_000).map(|number| row(3, number, crawled_at, &funders)).collect()
    }

    #[test]
    fn a_row_names_its_slug_by_seed_and_number_alone() {
        for (row, number) in rows().iter().zip(1..) {
            assert_eq!(row.slug, slug(3, number));
        }
    }

    #[test]
    fn shares_are_those_of_real_portals() {
        let rows = rows();
        let crawled_at: Timestamp = "2026-07-26T12:00:00Z".parse().expect("an instant");
        let per_cent = |name: &str, expected: usize, holds: &dyn Fn(&GrantRow) -> bool| {
            let found = rows.iter().filter(|row| holds(row)).count() * 100 / rows.len();
            assert!(found.abs_diff(expected) <= 3, "{name}: {found} %, not {expected} %");
        };
        per_cent("no summary", 40, &|row| row.summary.is_none());
        per_cent("no deadline", 10, &|row| row.deadline.is_none());
        per_cent("ahead", 55, &|row| row.deadline.is_some_and(|deadline| deadline > crawled_at));
        per_cent("passed", 35, &|row| row.deadline.is_some_and(|deadline| deadline < crawled_at));
        per_cent("no floor", 52, &|row| row.amount_min.is_none());
        per_cent("no ceiling", 46, &|row| row.amount_max.is_none());
        per_cent("no pool", 30, &|row| row.amount_total_pool.is_none());
        per_cent("no states", 70, &|row| row.elig_states.is_none());
        per_cent("closed", 34, &|row| row.status == Status::Closed);
        per_cent("no entities", 30, &|row| row.elig_entities.is_none());
        per_cent("no industries", 20, &|row| row.industries.is_none());
        per_cent("no word on a match", 35, &|row| row.match_required.is_none());
        per_cent("no opening", 15, &|row| row.opens_at.is_none());
    }

    #[test]
    fn the_odd_cases_of_real_portals_occur() {
        let rows = rows();
        let occurs = |holds: &dyn Fn(&GrantRow) -> bool| rows.iter().any(holds);
        assert!(occurs(&|row| row.amount_min.is_some() && row.amount_max.is_some() && row.amount_min > row.amount_max));
        assert!(occurs(&|row| row.amount_max.is_some_and(|amount| amount.cents() % 100 != 0)));
        assert!(occurs(&|row| row.elig_states.as_ref().is_some_and(BTreeSet::is_empty)));
        assert!(occurs(&|row| row.elig_states.as_ref().is_some_and(|states| states.len() > 20)));
        assert!(occurs(&|row| row.elig_entities.as_ref().is_some_and(BTreeSet::is_empty)));
        assert!(occurs(&|row| row.industries.as_ref().is_some_and(BTreeSet::is_empty)));
        assert!(rows.iter().all(|row| row.opens_at.is_none() || row.deadline.is_none() || row.opens_at < row.deadline));
        let distinct: BTreeSet<_> = rows.iter().filter_map(|row| row.deadline).collect();
        assert!(distinct.len() < rows.len() / 2, "{} deadlines among {} rows", distinct.len(), rows.len());
    }
}
