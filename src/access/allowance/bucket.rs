//! What one gateway holds of one key's day.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use super::{CALM, Day, Ledger, PART};

/// What one gateway holds of one key's day. Its day is the latest that it was asked for; what was held of an earlier one is void, and a
/// late answer of such a day changes nothing.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    holdings: Mutex<Holdings>,
    /// Held while the store is asked, so that of many requests that find the bucket empty one asks for all.
    taking: Arc<tokio::sync::Mutex<()>>,
}

/// A block, or what is left of it, on its way back to the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loan {
    pub(super) unspent: u32,
    pub(super) lent: u32,
}

#[derive(Debug, Default)]
struct Holdings {
    day: Day,
    unspent: u32,
    /// How much of what the store counts as lent is this bucket's.
    lent: u32,
    /// What the store had given out when this gateway last changed it.
    taken: u32,
    /// Takes in a row between which no other gateway took.
    calm: u32,
    spent_since_settling: bool,
    /// Whether the store had nothing left when a request last looked.
    is_last: bool,
    waited_for: u32,
}

impl Bucket {
    /// Spends one of the held requests and says how many remain; `None` where none is held.
    pub(super) fn spend(&self, day: Day, seen: Ledger, limit: u32) -> Option<u32> {
        let mut holdings = self.on(day)?;
        holdings.unspent = holdings.unspent.checked_sub(1)?;
        holdings.spent_since_settling = true;
        holdings.is_last = seen.taken >= limit;
        // What this request read may be older than this gateway's own last change.
        let taken = holdings.taken.max(seen.taken);
        Some(limit.saturating_sub(taken).saturating_add(holdings.unspent))
    }

    /// What is held of a day, to be looked at only: a holding of another day stays as it is.
    pub(super) fn unspent(&self, day: Day) -> u32 {
        let holdings = self.lock();
        if holdings.day == day { holdings.unspent } else { 0 }
    }

    /// How large the next block is to be.
    pub(super) fn wants(&self, day: Day, seen: Ledger, limit: u32) -> u32 {
        let Some(mut holdings) = self.on(day) else { return 1 };
        if seen.taken > holdings.taken {
            holdings.calm = 0;
        }
        let left = limit.saturating_sub(holdings.taken.max(seen.taken));
        let doublings = holdings.calm.saturating_sub(CALM).min(u32::BITS - 1);
        (1 << doublings).min(left / PART).max(1)
    }

    /// What the store counts as lent to this bucket.
    pub(super) fn owes(&self, day: Day) -> u32 {
        self.on(day).map_or(0, |holdings| holdings.lent)
    }

    /// Puts a block in, spends one of it and says how many remain.
    pub(super) fn fill(&self, day: Day, ledger: Ledger, block: u32, limit: u32) -> u32 {
        let Some(mut holdings) = self.on(day) else { return limit.saturating_sub(ledger.taken) };
        let undisturbed = ledger.taken.saturating_sub(block) == holdings.taken;
        holdings.calm = if undisturbed { holdings.calm.saturating_add(1) } else { 0 };
        holdings.taken = ledger.taken;
        holdings.lent = block - 1;
        holdings.unspent = block - 1;
        holdings.spent_since_settling = true;
        limit.saturating_sub(ledger.taken).saturating_add(holdings.unspent)
    }

    /// The loan is settled, and nothing more was to be had.
    pub(super) fn repaid(&self, day: Day, ledger: Ledger) {
        if let Some(mut holdings) = self.on(day) {
            holdings.lent = 0;
            holdings.taken = ledger.taken;
        }
    }

    /// Empties the bucket where it holds a loan that is idle, that others may be waiting for, or in any case when `closing`.
    pub(super) fn call_in(&self, day: Day, closing: bool) -> Option<Loan> {
        let mut holdings = self.on(day)?;
        let idle = !std::mem::take(&mut holdings.spent_since_settling);
        let called_in = closing || idle || holdings.is_last;
        (holdings.lent > 0 && called_in)
            .then(|| Loan { unspent: std::mem::take(&mut holdings.unspent), lent: std::mem::take(&mut holdings.lent) })
    }

    /// Takes note of the store after a loan went back.
    pub(super) fn observe(&self, day: Day, ledger: Ledger) {
        if let Some(mut holdings) = self.on(day) {
            holdings.taken = ledger.taken;
        }
    }

    /// Whether waiting for this much lent has been in vain before, as it is once the day is over.
    pub(super) fn has_waited_for(&self, day: Day, lent: u32) -> bool {
        self.on(day).is_none_or(|holdings| holdings.waited_for == lent)
    }

    /// Waiting for this much lent was in vain.
    pub(super) fn waited_for(&self, day: Day, lent: u32) {
        if let Some(mut holdings) = self.on(day) {
            holdings.waited_for = lent;
        }
    }

    pub(super) fn is_before(&self, day: Day) -> bool {
        self.lock().day < day
    }

    /// The right to ask the store, in turn.
    pub(super) async fn taking(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.taking).lock_owned().await
    }

    /// The right to ask the store, where nobody else has it.
    pub(super) fn try_taking(&self) -> Option<OwnedMutexGuard<()>> {
        Arc::clone(&self.taking).try_lock_owned().ok()
    }

    /// What is held of a day; `None` where a later one has begun here.
    fn on(&self, day: Day) -> Option<MutexGuard<'_, Holdings>> {
        let mut holdings = self.lock();
        if holdings.day < day {
            *holdings = Holdings { day, ..Holdings::default() };
        }
        (holdings.day == day).then_some(holdings)
    }

    fn lock(&self) -> MutexGuard<'_, Holdings> {
        // Nothing panics between two changes that belong together: what is inside is sound.
        self.holdings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: u32 = 5_000;

    /// Anything that a late answer of a day can do to the bucket.
    fn late(bucket: &Bucket, what: u8, day: Day, ledger: Ledger) {
        match what {
            0 => assert_eq!(bucket.spend(day, ledger, LIMIT), None),
            1 => assert_eq!(bucket.wants(day, ledger, LIMIT), 1),
            2 => assert_eq!(bucket.owes(day), 0),
            3 => assert_eq!(bucket.fill(day, ledger, 1, LIMIT), LIMIT - ledger.taken),
            4 => bucket.repaid(day, ledger),
            5 => assert!(bucket.call_in(day, true).is_none()),
            6 => bucket.observe(day, ledger),
            7 => assert!(bucket.has_waited_for(day, ledger.lent)),
            _ => bucket.waited_for(day, ledger.lent),
        }
    }

    proptest! {
        #[test]
        fn nothing_of_an_earlier_day_touches_what_is_held_today(
            answers in prop::collection::vec((0_u8..9, 1_i64..3, 0..=LIMIT, 0..100_u32), 1..20),
            block in 2_u32..60,
        ) {
            let bucket = Bucket::default();
            let today = Day::that_ends_at(1_795_305_600);
            let remaining = bucket.fill(today, Ledger { taken: block, lent: block - 1 }, block, LIMIT);
            for (what, days, taken, lent) in answers {
                let day = (0..days).fold(today, |day, _| day.before());
                late(&bucket, what, day, Ledger { taken, lent });
                prop_assert_eq!((bucket.unspent(today), bucket.owes(today)), (block - 1, block - 1));
            }
            let seen = Ledger { taken: block, lent: block - 1 };
            prop_assert_eq!(bucket.spend(today, seen, LIMIT), Some(remaining - 1));
        }
    }

    #[test]
    fn the_next_day_begins_with_nothing() {
        let bucket = Bucket::default();
        let today = Day::that_ends_at(1_795_305_600);
        bucket.fill(today.before(), Ledger { taken: 8, lent: 7 }, 8, LIMIT);
        assert_eq!(bucket.spend(today, Ledger::default(), LIMIT), None);
        assert_eq!((bucket.owes(today), bucket.unspent(today.before())), (0, 0));
    }
}
