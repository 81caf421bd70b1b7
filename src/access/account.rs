//! Accounts: who holds keys.

use std::fmt;
use std::str::FromStr;

use catalogue_schema::Timestamp;

use super::error::Error;

/// The longest email address the mail protocols carry, in bytes.
const LONGEST_EMAIL: usize = 254;

/// An account of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The store's number of the account.
    pub id: AccountId,
    /// The address the holder signs in with.
    pub email: Email,
    /// What the account may see.
    pub role: Role,
    /// The name of the account's plan.
    pub plan: String,
    /// When the account was made.
    pub created: Timestamp,
}

/// The store's number of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccountId(pub i64);

/// An account about to be made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The address, which no other account may have.
    pub email: Email,
    /// What the account may see.
    pub role: Role,
    /// The name of a plan that exists.
    pub plan: String,
    /// The Argon2id hash of the password.
    pub password_hash: String,
    /// When the account is made.
    pub created: Timestamp,
}

/// What an account may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Role {
    /// The API, where the plan includes it.
    Client,
    /// GraphQL besides, whatever the plan.
    Analyst,
}

impl Role {
    /// The word the store and the command line use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Analyst => "analyst",
        }
    }

    /// The role the store wrote down. An unknown word gives the lesser role.
    pub(super) fn from_store(word: &str) -> Self {
        if word == Self::Analyst.as_str() { Self::Analyst } else { Self::Client }
    }
}

/// An email address, trimmed and in lower case, so that one person has one account however they type it.
///
/// It is checked for its outline only (`something@domain`, no spaces): the one proof of an address is a letter that arrives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address the store holds, which was checked when it came in.
    pub(super) fn from_store(text: String) -> Self {
        Self(text)
    }
}

impl FromStr for Email {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let address = text.trim().to_lowercase();
        let has_outline = address.split_once('@').is_some_and(|(mailbox, domain)| {
            !mailbox.is_empty() && !domain.is_empty() && !domain.contains('@') && !domain.starts_with('.')
        });
        let is_plain = !address.chars().any(|character| character.is_whitespace() || character.is_control());
        if has_outline && is_plain && address.len() <= LONGEST_EMAIL {
            Ok(Self(address))
        } else {
            Err(Error::NotAnEmail(text.to_owned()))
        }
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_has_one_address_however_they_type_it() {
        for text in ["ada@example.org", " Ada@Example.ORG\n", "ADA@EXAMPLE.ORG"] {
            assert_eq!(text.parse::<Email>().expect(text).as_str(), "ada@example.org");
        }
    }

    #[test]
    fn what_has_no_outline_of_an_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(LONGEST_EMAIL));
        for text in ["", "ada", "@example.org", "ada@", "a da@example.org", "ada@x@y", "ada@x\ty", "ada@.org", &long] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
    }
}
