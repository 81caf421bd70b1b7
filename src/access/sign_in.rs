//! Signing in.
//!
//! Whoever has no account and whoever has the wrong password get the same answer after the same work: one look-up, one run of Argon2.
//! Attempts are counted in the store, for the address that was typed and for the client's network, before the password is looked at.

use std::net::{IpAddr, Ipv6Addr};

use catalogue_schema::Timestamp;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::account::Email;
use super::error::Error;
use super::password;
use super::service::Access;
use super::session::{Session, SessionToken};
use super::store::{Counter, Subject};

/// How many attempts an address may fail before the first lock.
const FREE_FOR_AN_ACCOUNT: u32 = 5;

/// How many attempts a network may fail before the first lock: many people may share one.
const FREE_FOR_A_NETWORK: u32 = 20;

/// An attempt to sign in.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    /// The address as it was typed.
    pub email: &'a str,
    /// The password as it was typed.
    pub password: &'a str,
    /// Where the attempt comes from.
    pub from: IpAddr,
}

/// What an attempt came to.
#[derive(Clone, Debug)]
pub enum SignIn {
    /// A session has begun; the browser is to hold its token.
    Begun(SessionToken),
    /// Address or password are wrong: which of them is not said.
    Wrong,
    /// Too many attempts have failed; the next is looked at from this instant on.
    Locked(Timestamp),
}

impl Access {
    /// Tries to sign somebody in. The session that the browser had before ends, so that a token never outlives the moment in which it
    /// comes to mean more.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn sign_in(&self, attempt: Attempt<'_>, before: Option<&Session>) -> Result<SignIn, Error> {
        let typed = attempt.email.trim().to_lowercase();
        let (account, network) =
            (self.subject("account", &typed), self.subject("network", &network(attempt.from).to_string()));
        let counters = [
            Counter { subject: account, free: FREE_FOR_AN_ACCOUNT },
            Counter { subject: network, free: FREE_FOR_A_NETWORK },
        ];
        let now = self.now();
        if let Some(until) = self.store.begin_attempt(&counters, now).await? {
            return Ok(SignIn::Locked(until));
        }
        // Made before it is known whether it will be needed: the first attempt of a process takes longer, whoever it names.
        let nobody = self.hash_of_nobody().await?;
        let credentials = match typed.parse::<Email>() {
            Ok(email) => self.store.credentials(&email).await?,
            Err(_) => None,
        };
        let (holder, hash) = credentials.map_or((None, nobody), |(holder, hash)| (Some(holder), hash));
        let matches = self.argon.matches(attempt.password.as_bytes().to_vec(), hash).await;
        let Some(holder) = holder.filter(|_| matches) else { return Ok(SignIn::Wrong) };
        self.store.end_attempt(account, network).await?;
        if let Some(before) = before {
            self.sign_out(before).await?;
        }
        let token = SessionToken::mint()?;
        self.store.add_session(token.digest(), holder, now).await?;
        Ok(SignIn::Begun(token))
    }

    /// The hash of a password that nobody has.
    async fn hash_of_nobody(&self) -> Result<String, Error> {
        let hash = self.hash_of_nobody.get_or_try_init(async || {
            let password = SessionToken::mint()?.reveal().into_bytes();
            tokio::task::spawn_blocking(move || password::hash(&password)).await.map_err(Error::unavailable)?
        });
        Ok(hash.await?.clone())
    }

    fn subject(&self, kind: &str, text: &str) -> Subject {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.attempt_secret).expect("HMAC takes a key of any length");
        mac.update(kind.as_bytes());
        mac.update(b" ");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// What one client can move about in: an IPv4 address, or a /64 of IPv6, which is what one household gets.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_cannot_leave_its_network_by_another_address_in_it() {
        let of = |text: &str| network(text.parse().expect(text)).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::9"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_eq!(of("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
