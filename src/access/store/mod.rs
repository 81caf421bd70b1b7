//! Where accounts, plans, keys and allowances are kept.
//!
//! One trait, two stores: SQLite, a file that several gateways and the command line of one machine may share, and PostgreSQL for
//! gateways on many machines. Both keep the same promises:
//!
//! - what one gateway writes, every other reads on its next request;
//! - an account never holds more than [`MOST_KEYS`] unrevoked keys, and no day's count passes its limit, however many ask at once;
//! - migrations are versioned, run when the store is opened, wait for one another, and refuse a store that a newer program has changed.
//!
//! The trait is used as `Arc<dyn Store>`. Its futures are boxed for that, at some 20 ns a call; the one call of every request costs a
//! microsecond on SQLite, where it never awaits anything, and a round trip on PostgreSQL.

mod location;
mod postgres;
mod sessions;
mod sqlite;

use std::fmt;

use async_trait::async_trait;
use catalogue_schema::Timestamp;

use super::account::{Account, AccountId, Email, NewAccount, Role};
use super::allowance::Day;
use super::error::Error;
use super::key::{Key, KeyId, NewKey};
use super::plan::Plan;

pub use location::Location;
pub use sessions::{Counter, Live, SessionDigest, SessionRow, Sessions, Subject};

/// How many unrevoked keys an account may hold (specification, part 5).
pub const MOST_KEYS: u32 = 3;

/// Accounts, plans, keys, allowances and the secrets of the service; and, as [`Sessions`], who is signed in.
///
/// Every method fails with [`Error::Unavailable`] where the store does not answer; further errors are named where they arise.
#[async_trait]
pub trait Store: Sessions + Send + Sync + fmt::Debug {
    /// How a key stands now, and its day's allowance: read on every request. `None` where there is no such key.
    async fn standing(&self, key: KeyId, day: Day) -> Result<Option<Standing>, Error>;

    /// The hash of a key's secret.
    async fn secret_hash(&self, key: KeyId) -> Result<Option<String>, Error>;

    /// Takes `wanted` requests out of a key's day, all or none: `None` where fewer than that are left of `limit`. The first of them is
    /// spent at once, the others are lent; `repaid` of an earlier loan are no longer out.
    async fn take(&self, taking: Taking) -> Result<Option<Ledger>, Error>;

    /// Puts `unspent` requests back into a key's day and counts `repaid` as no longer lent.
    async fn give_back(&self, key: KeyId, day: Day, unspent: u32, repaid: u32) -> Result<Ledger, Error>;

    /// Forgets the allowances of all days before `day`.
    async fn forget_days_before(&self, day: Day) -> Result<(), Error>;

    /// Records when keys were last used; an earlier time never replaces a later one.
    async fn record_last_used(&self, uses: &[(KeyId, Timestamp)]) -> Result<(), Error>;

    /// A random secret of the service, made when it is first asked for and the same for all who share the store.
    async fn secret(&self, purpose: Secret) -> Result<[u8; 32], Error>;

    /// Makes an account. Errors: [`Error::AccountExists`], [`Error::UnknownPlan`].
    async fn add_account(&self, account: &NewAccount) -> Result<AccountId, Error>;

    /// The account with this address.
    async fn account(&self, email: &Email) -> Result<Option<Account>, Error>;

    /// All accounts, by address.
    async fn accounts(&self) -> Result<Vec<Account>, Error>;

    /// Puts an account on a plan. Errors: [`Error::UnknownAccount`], [`Error::UnknownPlan`].
    async fn change_plan(&self, email: &Email, plan: &str) -> Result<(), Error>;

    /// Gives an account another role and ends its sessions. Errors: [`Error::UnknownAccount`].
    async fn change_role(&self, email: &Email, role: Role) -> Result<(), Error>;

    /// Gives an account another password, by its hash, and ends its sessions. Errors: [`Error::UnknownAccount`].
    async fn change_password(&self, email: &Email, password_hash: &str) -> Result<(), Error>;

    /// Makes a plan, or changes what it includes.
    async fn set_plan(&self, plan: &Plan) -> Result<(), Error>;

    /// All plans, by name.
    async fn plans(&self) -> Result<Vec<Plan>, Error>;

    /// Adds a key to an account. Errors: [`Error::UnknownAccount`], [`Error::TooManyKeys`].
    async fn add_key(&self, email: &Email, key: &NewKey) -> Result<(), Error>;

    /// The keys of an account, revoked ones too, in the order in which they were made.
    async fn keys(&self, account: AccountId) -> Result<Vec<Key>, Error>;

    /// The keys of which requests were taken on a day: the `most` with the most, most first, ties by id.
    async fn used_keys(&self, day: Day, most: u32) -> Result<Vec<UsedKey>, Error>;

    /// Revokes a key of an account. Errors: [`Error::UnknownAccount`], [`Error::UnknownKey`], [`Error::AlreadyRevoked`].
    async fn revoke_key(&self, email: &Email, key: KeyId, at: Timestamp) -> Result<(), Error>;
}

/// How a key stands at the moment of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whose key it is.
    pub account: AccountId,
    /// What the account may see.
    pub role: Role,
    /// Whether the account's plan includes the API.
    pub includes_api: bool,
    /// Whether the key is revoked.
    pub revoked: bool,
    /// The key's day so far.
    pub ledger: Ledger,
}

/// A key's day in the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Requests taken by all gateways, spent or not.
    pub taken: u32,
    /// Of these, how many gateways may still hold unspent.
    pub lent: u32,
}

/// A key, whose it is, and its day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedKey {
    /// The address of the account that holds it.
    pub email: Email,
    /// The key.
    pub key: Key,
    /// Its day so far.
    pub ledger: Ledger,
}

/// What a gateway asks of a key's day.
#[derive(Clone, Copy, Debug)]
pub struct Taking {
    /// The key.
    pub key: KeyId,
    /// The UTC day.
    pub day: Day,
    /// What the day allows in all.
    pub limit: u32,
    /// How many requests to take: at least 1.
    pub wanted: u32,
    /// How much of an earlier loan is no longer out.
    pub repaid: u32,
}

/// What a secret of the store is for. One secret has one purpose, so that nothing made for one passes for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// Authenticates cursors.
    Cursor,
    /// Seals keys.
    Key,
    /// Authenticates forms.
    Form,
    /// Hides what attempts to sign in are counted for.
    Attempt,
}

impl Secret {
    const fn name(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::Key => "key",
            Self::Form => "form",
            Self::Attempt => "attempt",
        }
    }

    fn random() -> Result<[u8; 32], Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(Error::Randomness)?;
        Ok(bytes)
    }
}

/// An instant the store holds, which was a [`Timestamp`] when it was written.
fn instant(unix_millis: i64) -> Result<Timestamp, Error> {
    Timestamp::from_unix_millis(unix_millis)
        .ok_or_else(|| Error::unavailable(format!("it holds {unix_millis}, which is no instant")))
}
