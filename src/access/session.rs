//! Sessions of people who have signed in.
//!
//! A session is a row of the store, found by the SHA-256 of a random token that only the browser has; whoever reads the store cannot
//! sign in with it. It ends when it is signed out of, [`IDLE`] after it was last seen and [`AT_MOST`] after it was begun. What the
//! account may see is read with it each time.
//!
//! `tower-sessions` and `axum-login` keep a bag of values behind a session's id as it is in the cookie, so that a copy of the store opens
//! every session in it, and neither counts attempts; what they would save here is one table.

use std::fmt;

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalogue_schema::Timestamp;
use sha2::{Digest as _, Sha256};

use super::account::Account;
use super::cookies::{Cookies, Kind};
use super::error::Error;
use super::service::Access;
use super::store::{Counter, Live, SessionDigest};

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;

/// After how many milliseconds without a request a session ends.
pub const IDLE: i64 = 2 * HOUR;

/// After how many milliseconds a session ends in any case.
pub const AT_MOST: i64 = 12 * HOUR;

/// How old the note of when a session was last seen may become before it is written anew: a page is no reason to write.
const NOTED_EVERY: i64 = MINUTE;

const TOKEN_BYTES: usize = 32;

/// 256 random bits that a browser holds: of a session, or of a visitor who has not signed in.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken([u8; TOKEN_BYTES]);

impl SessionToken {
    /// A new token.
    ///
    /// # Errors
    /// [`Error::Randomness`] where the operating system gives no random bytes.
    pub fn mint() -> Result<Self, Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(Error::Randomness)?;
        Ok(Self(bytes))
    }

    /// The token with this text, where it is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The token as its cookie has it.
    #[must_use]
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Under which the store keeps the session.
    #[must_use]
    pub fn digest(&self) -> SessionDigest {
        Sha256::digest(self.0).into()
    }

    pub(super) const fn bytes(&self) -> &[u8; TOKEN_BYTES] {
        &self.0
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(..)")
    }
}

/// Somebody who has signed in.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who: with the role and the plan of this moment.
    pub account: Account,
    /// Whether the account's plan includes the API.
    pub includes_api: bool,
    /// What the browser holds.
    pub token: SessionToken,
}

impl Access {
    /// Who has signed in with the browser that sends these headers. `cookies` says whether it does so by TLS.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn session(&self, headers: &HeaderMap, cookies: Cookies) -> Result<Option<Session>, Error> {
        let Some(token) = cookies.read(Kind::Session, headers) else { return Ok(None) };
        let now = self.now();
        let Some(row) = self.store.session(token.digest(), live_at(now)).await? else { return Ok(None) };
        if now.unix_millis() - row.seen.unix_millis() >= NOTED_EVERY {
            self.store.see_session(token.digest(), now).await?;
        }
        Ok(Some(Session { account: row.account, includes_api: row.includes_api, token }))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer; the session then goes on.
    pub async fn sign_out(&self, session: &Session) -> Result<(), Error> {
        self.store.end_session(session.token.digest()).await
    }

    /// Forgets the sessions that are over and the attempts that no longer count.
    pub(super) async fn forget_sessions(&self) -> Result<(), Error> {
        let now = self.now();
        self.store.forget_sessions(live_at(now), earlier(now, Counter::FORGOTTEN_AFTER)).await
    }
}

fn live_at(now: Timestamp) -> Live {
    Live { begun_after: earlier(now, AT_MOST), seen_after: earlier(now, IDLE) }
}

fn earlier(now: Timestamp, millis: i64) -> Timestamp {
    now.plus_millis(-millis).unwrap_or(Timestamp::EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_as_what_was_minted_and_is_never_written_into_a_log() {
        let token = SessionToken::mint().expect("random bytes");
        let text = token.reveal();
        assert_eq!(text.len(), 43);
        assert_eq!(SessionToken::parse(&text).as_ref(), Some(&token));
        assert_eq!(format!("{token:?}"), "SessionToken(..)");
        assert_ne!(&token.digest(), token.bytes());
        for wrong in ["", "a", &text[1..], &format!("{text}="), &format!("{text}AAAA")] {
            assert_eq!(SessionToken::parse(wrong), None, "{wrong}");
        }
    }
}
