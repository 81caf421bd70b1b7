//! What can go wrong with accounts, plans, keys and their store.

use super::account::Email;
use super::key::KeyId;
use super::password::LONGEST;
use super::store::MOST_KEYS;

/// Why the store did not do what it was asked. Each is a sentence for an operator; none is ever sent to a client.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store does not answer. A request that meets this is answered 503, never served unauthenticated.
    #[error("the account store cannot be reached")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A newer version of the program has been here.
    #[error(
        "the account store has schema version {found} and this program knows only up to {known}: use the newer program"
    )]
    NewerSchema {
        /// The version the store has.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// The database URL names no kind of store.
    #[error("the database URL must begin with sqlite:// or postgres://")]
    UnknownDatabase,
    /// The text is no email address.
    #[error("{0:?} is not an email address")]
    NotAnEmail(String),
    /// The address has an account already.
    #[error("there is already an account {0}")]
    AccountExists(Email),
    /// No account has this address.
    #[error("there is no account {0}")]
    UnknownAccount(Email),
    /// No plan has this name.
    #[error("there is no plan {0:?}")]
    UnknownPlan(String),
    /// The name cannot name a key or a plan.
    #[error("a {what} needs a name of 1 to {longest} characters without control characters")]
    BadName {
        /// What was to be named.
        what: &'static str,
        /// The longest name allowed, in characters.
        longest: usize,
    },
    /// The account has as many keys as it may hold.
    #[error("the account {0} holds {holds} keys already: revoke one first", holds = in_words(MOST_KEYS))]
    TooManyKeys(Email),
    /// The account has no such key.
    #[error("the account {email} has no key {id}")]
    UnknownKey {
        /// The account.
        email: Email,
        /// The key asked for.
        id: String,
    },
    /// The key has been revoked before.
    #[error("the key {0} is revoked already")]
    AlreadyRevoked(KeyId),
    /// An empty password.
    #[error("the password is empty")]
    EmptyPassword,
    /// A password that the form to sign in would not take.
    #[error("the password is longer than {LONGEST} bytes")]
    LongPassword,
    /// A hash could not be made.
    #[error("the password could not be hashed")]
    Hashing(#[source] argon2::password_hash::Error),
    /// The operating system gave no randomness.
    #[error("the operating system gives no random bytes")]
    Randomness(#[source] getrandom::Error),
}

impl Error {
    /// The store failed for this reason.
    pub(super) fn unavailable(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(reason.into())
    }
}

fn in_words(number: u32) -> String {
    match number {
        3 => "three".to_owned(),
        other => other.to_string(),
    }
}
