//! What one gateway holds of one key's day.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use super::{CALM, Day, Ledger, PART};

/// What one gateway holds of one key's day. Its day is that of the latest call; what was held of another day is void.
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
        let mut holdings = self.on(day);
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
        let mut holdings = self.on(day);
        if seen.taken > holdings.taken {
            holdings.calm = 0;
        }
        let left = limit.saturating_sub(holdings.taken.max(seen.taken));
        let doublings = holdings.calm.saturating_sub(CALM).min(u32::BITS - 1);
        (1 << doublings).min(left / PART).max(1)
    }

    /// What the store counts as lent to this bucket.
    pub(super) fn owes(&self, day: Day) -> u32 {
        self.on(day).lent
    }

    /// Puts a block in, spends one of it and says how many remain.
    pub(super) fn fill(&self, day: Day, ledger: Ledger, block: u32, limit: u32) -> u32 {
        let mut holdings = self.on(day);
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
        let mut holdings = self.on(day);
        holdings.lent = 0;
        holdings.taken = ledger.taken;
    }

    /// Empties the bucket where it holds a loan that is idle, that others may be waiting for, or in any case when `closing`.
    pub(super) fn call_in(&self, day: Day, closing: bool) -> Option<Loan> {
        let mut holdings = self.on(day);
        let idle = !std::mem::take(&mut holdings.spent_since_settling);
        let called_in = closing || idle || holdings.is_last;
        (holdings.lent > 0 && called_in)
            .then(|| Loan { unspent: std::mem::take(&mut holdings.unspent), lent: std::mem::take(&mut holdings.lent) })
    }

    /// Takes note of the store after a loan went back.
    pub(super) fn observe(&self, day: Day, ledger: Ledger) {
        self.on(day).taken = ledger.taken;
    }

    /// Whether waiting for this much lent has been in vain before.
    pub(super) fn has_waited_for(&self, day: Day, lent: u32) -> bool {
        self.on(day).waited_for == lent
    }

    /// Waiting for this much lent was in vain.
    pub(super) fn waited_for(&self, day: Day, lent: u32) {
        self.on(day).waited_for = lent;
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

    fn on(&self, day: Day) -> MutexGuard<'_, Holdings> {
        let mut holdings = self.lock();
        if holdings.day != day {
            *holdings = Holdings { day, ..Holdings::default() };
        }
        holdings
    }

    fn lock(&self) -> MutexGuard<'_, Holdings> {
        // Nothing panics between two changes that belong together: what is inside is sound.
        self.holdings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
