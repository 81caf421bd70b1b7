//! What moves from one crawl to the next.

use catalogue_index::export::GrantRow;
use catalogue_schema::{Money, Status, Timestamp};

use super::dice::{Dice, MILLION, Purpose};
use super::{grant, phrase};

/// How much of a catalogue moves from one crawl to the next, in millionths of its rows.
///
/// The default is what a real federal catalogue of about 1,460 open records did in a day, measured over 14 days: 191 came, 211
/// went, and 31 deadlines, 10 states and 6 amounts moved. A deadline that passes between two crawls also closes most of its
/// records, whatever the shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Churn {
    /// How many grants the next crawl lists. `None`: what the shares below make of the earlier crawl.
    pub grants: Option<u64>,
    /// Grants that come.
    pub added: u32,
    /// Grants no longer listed.
    pub left_out: u32,
    /// Grants left out by an earlier crawl that are listed again.
    pub reopened: u32,
    /// Grants whose deadline moves.
    pub deadlines: u32,
    /// Grants whose status moves.
    pub statuses: u32,
    /// Grants one of whose amounts moves.
    pub amounts: u32,
    /// Grants whose title moves.
    pub titles: u32,
    /// Grants whose summary moves.
    pub summaries: u32,
    /// Funders, recipients and awards that come; none goes.
    pub others_added: u32,
}

impl Default for Churn {
    fn default() -> Self {
        Self {
            grants: None,
            added: 10_000,
            left_out: 10_000,
            reopened: 300,
            deadlines: 2_000,
            statuses: 500,
            amounts: 500,
            titles: 300,
            summaries: 500,
            others_added: 1_000,
        }
    }
}

impl Churn {
    /// A churn in which `percent` of the grants come, as many go, and all else moves as much the more: `1` is about the default.
    #[must_use]
    pub fn of_percent(percent: u32) -> Self {
        let Self { grants, added, left_out, reopened, deadlines, statuses, amounts, titles, summaries, others_added } =
            Self::default();
        let scaled = |share: u32| share.saturating_mul(percent);
        Self {
            grants,
            added: scaled(added),
            left_out: scaled(left_out),
            reopened: scaled(reopened),
            deadlines: scaled(deadlines),
            statuses: scaled(statuses),
            amounts: scaled(amounts),
            titles: scaled(titles),
            summaries: scaled(summaries),
            others_added: scaled(others_added),
        }
    }

    /// How many grants come, go and come back.
    pub(super) fn turnover(&self, listed: u64, gaps: u64, dice: &mut Dice) -> Turnover {
        let left_out = share_of(listed, self.left_out, dice).min(listed);
        let reopened = share_of(listed, self.reopened, dice).min(gaps);
        let added = share_of(listed, self.added, dice);
        let Some(wanted) = self.grants else { return Turnover { added, left_out, reopened } };
        let reopened = reopened.min(wanted);
        let left_out = left_out.max((listed + reopened).saturating_sub(wanted));
        Turnover { added: wanted - reopened - (listed - left_out).min(wanted - reopened), left_out, reopened }
    }

    /// Moves what moves in a row that stays, from the crawl at `earlier` to the one at `crawled_at`.
    pub(super) fn apply(&self, row: &mut GrantRow, seed: u64, earlier: Timestamp, crawled_at: Timestamp) {
        let mut dice = Dice::new(seed, Purpose::Move, fingerprint(row.slug.as_str()), crawled_at.unix_millis());
        if row.deadline.is_some_and(|deadline| earlier <= deadline && deadline < crawled_at) && dice.percent(80) {
            row.status = Status::Closed;
        }
        if dice.millionths(self.deadlines) {
            move_deadline(row, &mut dice, crawled_at);
        }
        if dice.millionths(self.statuses) {
            row.status = match row.status {
                Status::Forecasted | Status::Closed => Status::Open,
                Status::Open => Status::Closed,
            };
        }
        if dice.millionths(self.amounts) {
            let amount = match dice.below(3) {
                0 => &mut row.amount_min,
                1 => &mut row.amount_max,
                _ => &mut row.amount_total_pool,
            };
            move_amount(amount, &mut dice);
        }
        if dice.millionths(self.titles) {
            row.title = phrase::renamed(&row.title, &mut dice);
        }
        if dice.millionths(self.summaries) {
            row.summary = Some(phrase::summary(&mut dice));
        }
        // One page in ten could not be read again.
        if dice.percent(90) {
            row.last_verified_at = row.last_verified_at.max(grant::verified(&mut dice, crawled_at));
        }
    }
}

/// How many grants come, go and come back from one crawl to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turnover {
    pub(super) added: u64,
    pub(super) left_out: u64,
    pub(super) reopened: u64,
}

/// So many millionths of `total`. What is left of a row is one more row with that chance, so that the shares hold over many crawls
/// of a small catalogue too.
pub(super) fn share_of(total: u64, millionths: u32, dice: &mut Dice) -> u64 {
    let share = (u128::from(total) * u128::from(millionths) + u128::from(dice.below(MILLION))) / u128::from(MILLION);
    u64::try_from(share).unwrap_or(u64::MAX)
}

fn move_deadline(row: &mut GrantRow, dice: &mut Dice, crawled_at: Timestamp) {
    const WEEK: i64 = 7 * 86_400_000;
    let ahead = row.deadline.filter(|deadline| *deadline >= crawled_at);
    // Most deadlines that move are put off by some weeks; the others are set anew, or first set where none was stated.
    let put_off =
        ahead.filter(|_| dice.percent(85)).and_then(|deadline| deadline.plus_millis(dice.between(1, 9) * WEEK));
    let moved = put_off.or_else(|| grant::deadline_ahead(dice, crawled_at));
    if moved == row.deadline {
        // Set anew on the very day it was: a source can also take it back.
        row.deadline = None;
        return;
    }
    if ahead.is_none() && row.deadline.is_some() && moved.is_some() {
        row.status = Status::Open;
    }
    row.deadline = moved;
}

fn move_amount(amount: &mut Option<Money>, dice: &mut Dice) {
    let Some(stated) = *amount else {
        *amount = Some(grant::amount(dice, 3, 6));
        return;
    };
    let (times, over) = *dice.pick(&[(2, 1), (3, 2), (5, 4), (3, 4), (1, 2)]);
    let moved = Money::from_cents(stated.cents().saturating_mul(times) / over).unwrap_or(Money::MAX);
    // An amount of 0 or of a cent may stay what it is when multiplied: the source takes it back.
    *amount = (moved != stated).then_some(moved);
}

/// A number that tells slugs apart (FNV-1a); two slugs that share it merely move alike.
fn fingerprint(slug: &str) -> u64 {
    slug.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice() -> Dice {
        Dice::new(1, Purpose::Count, 0, 0)
    }

    #[test]
    fn a_wanted_number_of_grants_is_met_by_letting_more_come_or_more_go() {
        for listed in [0, 1, 10, 1_000] {
            for gaps in [0, 3] {
                for wanted in [0, 1, 9, 10, 11, 500, 2_000] {
                    let churn = Churn { grants: Some(wanted), reopened: 100_000, ..Churn::default() };
                    let Turnover { added, left_out, reopened } = churn.turnover(listed, gaps, &mut dice());
                    assert!(left_out <= listed && reopened <= gaps);
                    assert_eq!(listed - left_out + reopened + added, wanted, "{listed} {gaps} {wanted}");
                }
            }
        }
    }

    #[test]
    fn a_share_of_a_small_catalogue_holds_over_many_crawls() {
        let mut dice = dice();
        let sum: u64 = (0..1_000).map(|_| share_of(50, 10_000, &mut dice)).sum();
        assert!((430..570).contains(&sum), "{sum}");
        assert_eq!(share_of(1_000_000, 10_000, &mut dice), 10_000);
        assert_eq!(share_of(0, 10_000, &mut dice), 0);
    }

    #[test]
    fn an_amount_that_moves_is_another_afterwards() {
        let mut dice = dice();
        for cents in [0, 1, 2, 3, 150_000, Money::MAX.cents()] {
            for _ in 0..50 {
                let stated = Money::from_cents(cents);
                let mut amount = stated;
                move_amount(&mut amount, &mut dice);
                assert_ne!(amount, stated);
            }
        }
    }
}
