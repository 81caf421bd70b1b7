//! Insight: what the rows of a list say together. REST has none of it; analysts ask for it by GraphQL and see it on the dashboard.
//!
//! Everything here is counted over all rows that meet a filter at an instant, whatever page is being read. What a source did not
//! state is counted by itself (`not_stated`) and never as zero.

use async_graphql::{Enum, SimpleObject};
use chrono::{DateTime, Datelike, Days, Months, NaiveDate};

use crate::{ChangeKind, Money, Timestamp};

/// How many rows have each value of a field.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct Facet {
    /// The values that occur, most frequent first, ties by value. A row with several values counts in each.
    pub buckets: Vec<Bucket>,
    /// Rows whose source did not state the field. A stated list that is empty is in no bucket and not here.
    pub not_stated: u64,
}

/// A value and how many rows have it.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct Bucket {
    /// The value, in the form in which filters compare it: codes of entities and industries with their case folded.
    pub value: String,
    /// How many rows have it.
    pub count: u64,
}

/// Which funders give, and how many grants each.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct FunderFacet {
    /// The funders with the most grants, most first, ties by slug.
    pub buckets: Vec<FunderBucket>,
    /// How many funders there are, with those that are not in `buckets`.
    pub funders: u64,
    /// Grants of the funders that are not in `buckets`.
    pub others: u64,
}

/// A funder and how many grants it has.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct FunderBucket {
    /// The funder's slug.
    pub slug: String,
    /// The funder's name.
    pub name: String,
    /// How many grants.
    pub count: u64,
}

/// A step of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum Interval {
    /// A day.
    Day,
    /// From Monday to Sunday.
    Week,
    /// A calendar month.
    Month,
}

impl Interval {
    /// Where the step begins that holds an instant; `None` where that is outside the years 0 to 9999.
    #[must_use]
    pub fn start_of(self, instant: Timestamp) -> Option<Timestamp> {
        let day = day_of(instant)?;
        let first = match self {
            Self::Day => day,
            Self::Week => day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into()))?,
            Self::Month => day.with_day(1)?,
        };
        start_of_day(first)
    }

    /// Where the step ends that begins at `start`; `None` where that is outside the years 0 to 9999.
    #[must_use]
    pub fn end_of(self, start: Timestamp) -> Option<Timestamp> {
        let day = day_of(start)?;
        let next = match self {
            Self::Day => day.succ_opt()?,
            Self::Week => day.checked_add_days(Days::new(7))?,
            Self::Month => day.checked_add_months(Months::new(1))?,
        };
        start_of_day(next)
    }
}

/// The day of an instant, in UTC.
fn day_of(instant: Timestamp) -> Option<NaiveDate> {
    DateTime::from_timestamp_millis(instant.unix_millis()).map(|instant| instant.date_naive())
}

fn start_of_day(day: NaiveDate) -> Option<Timestamp> {
    Timestamp::at_or_after(day.and_hms_opt(0, 0, 0)?.and_utc())
}

/// When the deadlines fall that lie ahead.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct Deadlines {
    /// One bucket for each step of the calendar, from that of the list's instant on, empty ones too.
    pub buckets: Vec<DeadlineBucket>,
    /// Deadlines behind the last bucket.
    pub later: u64,
    /// Deadlines that had passed at the list's instant.
    pub passed: u64,
    /// Records whose source stated no deadline.
    pub not_stated: u64,
}

/// A step of the calendar and its deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SimpleObject)]
pub struct DeadlineBucket {
    /// Where it begins.
    pub from: Timestamp,
    /// Where the next one begins.
    pub until: Timestamp,
    /// How many deadlines fall in it; in the first one, those that had not passed.
    pub count: u64,
}

/// The amounts a record states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum)]
pub enum AmountField {
    /// The least one applicant may receive.
    AmountMin,
    /// The most one applicant may receive.
    #[default]
    AmountMax,
    /// What the whole programme has to give away.
    AmountTotalPool,
}

/// How an amount is distributed over the records that state it.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct AmountDistribution {
    /// Ranges from zero up, each beginning where the one before ends; the last has no end.
    pub buckets: Vec<AmountBucket>,
    /// Records that state the amount.
    pub stated: u64,
    /// Records whose source did not state it.
    pub not_stated: u64,
    /// The smallest stated amount. Null: none is stated.
    pub least: Option<Money>,
    /// The median of the stated amounts, of an even number the lower of the middle two. Null: none is stated.
    pub median: Option<Money>,
    /// The largest stated amount. Null: none is stated.
    pub most: Option<Money>,
    /// The sum of the stated amounts. Null: none is stated.
    pub total: Option<Money>,
}

/// A range of amounts and how many records are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SimpleObject)]
pub struct AmountBucket {
    /// The least amount in the range.
    pub from: Money,
    /// The amount below which all in the range are. Null: the range has no end.
    pub below: Option<Money>,
    /// How many records state an amount in the range.
    pub count: u64,
}

/// The money of one industry.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct IndustryMoney {
    /// The industry's folded code. Null: the records whose source stated none.
    pub industry: Option<String>,
    /// How many records name the industry.
    pub records: u64,
    /// How many of them state the amount.
    pub stated: u64,
    /// The sum of the stated amounts. A record with several industries counts whole in each, so these sums must not be added up.
    /// Null: none of the records states one.
    pub total: Option<Money>,
}

/// The changes that were observed on one day, in UTC.
#[derive(Clone, Debug, PartialEq, Eq, SimpleObject)]
pub struct ChangeDay {
    /// Where the day begins.
    pub day: Timestamp,
    /// How many changes of each kind, every kind listed, in the feed's order of kinds.
    pub kinds: Vec<KindCount>,
    /// How many changes in all.
    pub count: u64,
}

/// A kind of change and how many there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SimpleObject)]
pub struct KindCount {
    /// The kind.
    pub kind: ChangeKind,
    /// How many.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_mondays_and_months_on_their_first_days() {
        let at = |text: &str| text.parse::<Timestamp>().expect(text);
        let written = |instant: Option<Timestamp>| instant.expect("an instant").to_string();
        for (by, instant, start, end) in [
            (Interval::Week, "2026-07-26T23:59:59.999Z", "2026-07-20", "2026-07-27"),
            (Interval::Week, "2026-07-27T00:00:00Z", "2026-07-27", "2026-08-03"),
            (Interval::Week, "2026-01-01T12:00:00Z", "2025-12-29", "2026-01-05"),
            (Interval::Month, "2026-01-31T12:00:00Z", "2026-01-01", "2026-02-01"),
            (Interval::Month, "2026-12-01T00:00:00Z", "2026-12-01", "2027-01-01"),
        ] {
            let begun = by.start_of(at(instant));
            assert_eq!(written(begun), format!("{start}T00:00:00.000Z"));
            assert_eq!(written(begun.and_then(|begun| by.end_of(begun))), format!("{end}T00:00:00.000Z"));
        }
        assert_eq!(Interval::Month.end_of(at("9999-12-01T00:00:00Z")), None);
    }
}
