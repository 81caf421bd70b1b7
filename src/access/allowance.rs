//! The daily allowance of a key: exact, and spent in memory (specification, part 8; decisions, sections 5 and 9).
//!
//! The store counts, per key and UTC day, the requests that gateways have **taken**; a request is served only out of what was taken.
//! Taking is one atomic statement that never passes the limit, and what was taken is never served twice, so no crash, restart or
//! number of gateways gives a request too many. What is left is to give none too few.
//!
//! **Blocks.** A gateway takes one request at a time, until a key has come back [`CALM`] times without any other gateway taking in
//! between; then it takes blocks that double, up to a 64th of what the day has left. So a key that several gateways serve is counted
//! request by request, as is the end of every day and every limit below 128; a busy key on one gateway costs a write in a thousand
//! requests; and a crash loses at most a 64th.
//!
//! **No request is stranded.** The store also counts what is **lent**: taken in blocks and perhaps unspent. A gateway gives back
//! what it holds of a key that has not been used between two [`Allowance::settle`]s, or whose day has nothing left in the store, and
//! everything when it closes. A gateway that finds nothing left to take while something is lent asks again for longer than that
//! lasts before it refuses. What is still lent then died with its gateway, or is being spent there this moment; the wait is not
//! repeated until that changes.
//!
//! **What remains** is the limit less what is taken plus what this gateway holds. It is read with the key on every request, so it is
//! exact for requests one after another, and too low rather than too high while other gateways hold blocks.

mod bucket;
mod day;

use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use hashbrown::DefaultHashBuilder;

use self::bucket::Bucket;
use super::error::Error;
use super::key::KeyId;
use super::store::{Ledger, Store, Taking};

pub use day::Day;

/// How many requests a key may make in a day (specification, part 8).
pub const DAILY_LIMIT: u32 = 5_000;

/// How often [`Allowance::settle`] is to be called.
pub(super) const SETTLING: Duration = Duration::from_millis(250);

/// How long a gateway asks again before it refuses while others may hold unspent requests: more than two settlings.
const ASKING: Duration = Duration::from_secs(1);
const ASKING_AGAIN: Duration = Duration::from_millis(50);

/// How many takes in a row no other gateway must have disturbed before blocks grow.
const CALM: u32 = 8;

/// What part of a day's rest a block may be.
const PART: u32 = 64;

/// What a response says about a key's day (`X-RateLimit-*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Requests allowed in a day.
    pub limit: u32,
    /// Requests left today.
    pub remaining: u32,
    /// When the day ends, in Unix seconds.
    pub resets_at: i64,
}

/// The allowances of all keys, as one gateway spends them.
#[derive(Debug)]
pub struct Allowance {
    store: Arc<dyn Store>,
    limit: u32,
    buckets: DashMap<KeyId, Arc<Bucket>, DefaultHashBuilder>,
}

impl Allowance {
    /// Allowances of `limit` requests a day, counted by `store`.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, limit: u32) -> Self {
        Self { store, limit, buckets: DashMap::default() }
    }

    /// How many requests a day allows.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// Spends one request and says how many remain, or `None` where the day has none left. `seen` is the day in the store as this
    /// request has read it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store had to be asked and did not answer.
    pub async fn spend(&self, key: KeyId, day: Day, seen: Ledger) -> Result<Option<u32>, Error> {
        let bucket = self.bucket(key);
        if let Some(remaining) = bucket.spend(day, seen, self.limit) {
            return Ok(Some(remaining));
        }
        let (mut seen, mut asked) = (seen, Duration::ZERO);
        loop {
            if seen.taken >= self.limit && (seen.lent == 0 || bucket.has_waited_for(day, seen.lent)) {
                return Ok(None);
            }
            match self.spend_from_store(key, &bucket, day, seen).await? {
                Ok(remaining) => return Ok(Some(remaining)),
                Err(ledger) => seen = ledger,
            }
            if asked >= ASKING {
                bucket.waited_for(day, seen.lent);
            } else if seen.lent > 0 && !bucket.has_waited_for(day, seen.lent) {
                tokio::time::sleep(ASKING_AGAIN).await;
                asked += ASKING_AGAIN;
            }
        }
    }

    /// Gives one spent request back to its day in the store, where every gateway may take it again.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer; the request then stays spent.
    pub async fn unspend(&self, key: KeyId, day: Day) -> Result<(), Error> {
        let bucket = self.bucket(key);
        let _taking = bucket.taking().await;
        // What is lent stays lent: if the request was of a block, the whole block is repaid later.
        let ledger = self.store.give_back(key, day, 1, 0).await?;
        bucket.observe(day, ledger);
        Ok(())
    }

    /// How many requests remain of a key's day, spending none. `seen` is the day in the store as it was read just now.
    #[must_use]
    pub fn remaining(&self, key: KeyId, day: Day, seen: Ledger) -> u32 {
        let unspent = self.buckets.get(&key).map_or(0, |bucket| bucket.unspent(day));
        self.limit.saturating_sub(seen.taken).saturating_add(unspent).min(self.limit)
    }

    /// Gives back what lies idle, and forgets the days before `day`. With `closing`, gives everything back.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer; the rest is then settled the next time.
    pub async fn settle(&self, day: Day, closing: bool) -> Result<(), Error> {
        // A bucket that nobody else holds cannot be in use: the map is locked for others while this looks.
        self.buckets.retain(|_, bucket| Arc::strong_count(bucket) > 1 || !bucket.is_before(day));
        let buckets: Vec<_> = self.buckets.iter().map(|entry| (*entry.key(), Arc::clone(entry.value()))).collect();
        for (key, bucket) in buckets {
            let taking = if closing { Some(bucket.taking().await) } else { bucket.try_taking() };
            let Some(_taking) = taking else { continue };
            let Some(loan) = bucket.call_in(day, closing) else { continue };
            // Where this fails the loan is lost: the store may have taken it back before the answer was.
            let ledger = self.store.give_back(key, day, loan.unspent, loan.lent).await?;
            bucket.observe(day, ledger);
        }
        Ok(())
    }

    fn bucket(&self, key: KeyId) -> Arc<Bucket> {
        if let Some(bucket) = self.buckets.get(&key) {
            return Arc::clone(&bucket);
        }
        Arc::clone(&self.buckets.entry(key).or_default())
    }

    /// Takes a block from the store and spends one of it; where the store has none left, says how its day stands.
    async fn spend_from_store(
        &self,
        key: KeyId,
        bucket: &Arc<Bucket>,
        day: Day,
        seen: Ledger,
    ) -> Result<Result<u32, Ledger>, Error> {
        let taking = bucket.taking().await;
        // Another request may have fetched a block while this one waited.
        if let Some(remaining) = bucket.spend(day, seen, self.limit) {
            return Ok(Ok(remaining));
        }
        let (store, bucket, limit) = (Arc::clone(&self.store), Arc::clone(bucket), self.limit);
        // What is taken must reach the bucket even if the client hangs up meanwhile, which drops this future but not that task.
        let task = tokio::spawn(async move {
            let _taking = taking;
            let wanted = bucket.wants(day, seen, limit);
            let repaid = bucket.owes(day);
            // One is tried where a block was too much; where one was, it is not tried twice.
            for wanted in [wanted, 1].into_iter().skip(usize::from(wanted == 1)) {
                if let Some(ledger) = store.take(Taking { key, day, limit, wanted, repaid }).await? {
                    return Ok(Ok(bucket.fill(day, ledger, wanted, limit)));
                }
            }
            let ledger = store.give_back(key, day, 0, repaid).await?;
            bucket.repaid(day, ledger);
            Ok(Err(ledger))
        });
        task.await.map_err(Error::unavailable)?
    }
}
