//! What a store keeps of people who sign in: their sessions, and the attempts that failed.

use async_trait::async_trait;
use catalogue_schema::Timestamp;

use super::{Account, AccountId, Email, Error};

/// The SHA-256 of a session's token, under which the store keeps the session.
pub type SessionDigest = [u8; 32];

/// The keyed digest of what attempts are counted for: an address that was typed, or a client's network.
pub type Subject = [u8; 32];

/// Sessions and attempts to sign in. They are in the store so that several gateways see the same sessions and count together.
#[async_trait]
pub trait Sessions {
    /// The account with this address and the hash of its password.
    async fn credentials(&self, email: &Email) -> Result<Option<(AccountId, String)>, Error>;

    /// Begins a session.
    async fn add_session(&self, session: SessionDigest, account: AccountId, at: Timestamp) -> Result<(), Error>;

    /// The session and its account as it is now, where there is one that was begun and was last seen after these instants.
    async fn session(&self, session: SessionDigest, live: Live) -> Result<Option<SessionRow>, Error>;

    /// Notes that a session was seen.
    async fn see_session(&self, session: SessionDigest, at: Timestamp) -> Result<(), Error>;

    /// Ends a session. One that is not there has ended already.
    async fn end_session(&self, session: SessionDigest) -> Result<(), Error>;

    /// Forgets sessions that are over, and attempts made before `attempts`.
    async fn forget_sessions(&self, live: Live, attempts: Timestamp) -> Result<(), Error>;

    /// Counts one more failure for each subject, unless one of them is locked: then counts nothing and says until when. An attempt is
    /// counted before the password is looked at, so that no number of simultaneous attempts gets past a lock.
    async fn begin_attempt(&self, counters: &[Counter], at: Timestamp) -> Result<Option<Timestamp>, Error>;

    /// Takes back what a successful attempt counted: everything for `cleared`, one failure for `refunded`.
    async fn end_attempt(&self, cleared: Subject, refunded: Subject) -> Result<(), Error>;
}

/// The instants after which a session must have been begun and last seen to be one.
#[derive(Clone, Copy, Debug)]
pub struct Live {
    /// It was begun after this.
    pub begun_after: Timestamp,
    /// It was last seen after this.
    pub seen_after: Timestamp,
}

/// A session as the store has it.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// Who signed in.
    pub account: Account,
    /// Whether the account's plan includes the API.
    pub includes_api: bool,
    /// When the session was last noted as seen.
    pub seen: Timestamp,
}

/// How failures of one subject are counted.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Whose failures.
    pub subject: Subject,
    /// How many failures come before the first lock.
    pub free: u32,
}

impl Counter {
    /// After how long without an attempt failures are forgotten.
    pub const FORGOTTEN_AFTER: i64 = 60 * 60 * 1000;

    const FIRST_LOCK: i64 = 30 * 1000;
    const LONGEST_LOCK: i64 = 15 * 60 * 1000;

    /// For how many milliseconds the subject is locked after so many failures: half a minute, then twice as long each time, at most a
    /// quarter of an hour, so that whoever guesses at another's account cannot shut its owner out for long.
    #[must_use]
    pub fn lock_after(self, failures: u32) -> i64 {
        match failures.checked_sub(self.free) {
            None => 0,
            Some(further) => (Self::FIRST_LOCK << further.min(10)).min(Self::LONGEST_LOCK),
        }
    }

    /// The row that follows one more failure at `now`, or until when the subject is locked.
    pub(super) fn count(self, row: Option<Attempts>, now: i64) -> Result<Attempts, i64> {
        let before = row.filter(|row| now - row.last_at < Self::FORGOTTEN_AFTER).unwrap_or_default();
        if before.locked_until > now {
            return Err(before.locked_until);
        }
        let failures = before.failures.saturating_add(1);
        Ok(Attempts { failures, last_at: now, locked_until: now + self.lock_after(failures) })
    }
}

/// A row of the table of attempts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempts {
    pub(super) failures: u32,
    pub(super) last_at: i64,
    pub(super) locked_until: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_short_and_grows_to_a_quarter_of_an_hour() {
        let counter = Counter { subject: [0; 32], free: 5 };
        let seconds: Vec<_> = [1, 4, 5, 6, 7, 8, 9, 10, u32::MAX].map(|at| counter.lock_after(at) / 1000).into();
        assert_eq!(seconds, [0, 0, 30, 60, 120, 240, 480, 900, 900]);
    }

    #[test]
    fn failures_are_forgotten_after_an_hour() {
        let counter = Counter { subject: [0; 32], free: 5 };
        let row = Attempts { failures: 9, last_at: 0, locked_until: 480_000 };
        assert_eq!(counter.count(Some(row), 479_999).unwrap_err(), 480_000);
        assert_eq!(counter.count(Some(row), 480_000).expect("the lock is over").failures, 10);
        assert_eq!(counter.count(Some(row), Counter::FORGOTTEN_AFTER).expect("forgotten").failures, 1);
    }
}
