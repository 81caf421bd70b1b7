//! What the holder of an account does with its keys.

use catalogue_schema::Timestamp;

use super::account::{Account, Email};
use super::allowance::Day;
use super::error::Error;
use super::key::{Key, KeyId, NewKey, SealingKey, Token, key_name};
use super::password::Argon;
use super::service::Access;
use super::store::Store;

/// A key that is not revoked, and what is left of its day.
#[derive(Clone, Debug)]
pub struct HeldKey {
    /// The key.
    pub key: Key,
    /// Requests left today.
    pub remaining: u32,
}

impl Access {
    /// The keys of an account that are not revoked, in the order in which they were made.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn held_keys(&self, account: &Account) -> Result<Vec<HeldKey>, Error> {
        // What this gateway has noted and not yet written is what the holder wants to see.
        self.last_used.flush(&self.store).await?;
        let day = Day::of(self.now());
        let mut held = Vec::new();
        for key in self.store.keys(account.id).await?.into_iter().filter(|key| key.revoked.is_none()) {
            let ledger = self.store.standing(key.id, day).await?.map(|standing| standing.ledger).unwrap_or_default();
            held.push(HeldKey { remaining: self.allowance.remaining(key.id, day, ledger), key });
        }
        Ok(held)
    }

    /// A key of an account, revoked or not.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn key_of(&self, account: &Account, id: KeyId) -> Result<Option<Key>, Error> {
        Ok(self.store.keys(account.id).await?.into_iter().find(|key| key.id == id))
    }

    /// Makes a key for an account. The token is not kept and cannot be had again.
    ///
    /// # Errors
    /// [`Error::BadName`], [`Error::TooManyKeys`], [`Error::Unavailable`].
    pub async fn create_key(&self, account: &Account, name: &str) -> Result<(Token, NewKey), Error> {
        make_key(&*self.store, &self.sealing, &self.argon, &account.email, (name, self.now())).await
    }

    /// Revokes a key of an account, as of now. A key that was revoked before stays so.
    ///
    /// # Errors
    /// [`Error::UnknownKey`], [`Error::Unavailable`].
    pub async fn revoke_key(&self, account: &Account, id: KeyId) -> Result<(), Error> {
        let now: Timestamp = self.now();
        match self.store.revoke_key(&account.email, id, now).await {
            Ok(()) | Err(Error::AlreadyRevoked(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Makes a key of this name, as of this instant, for the account of an address.
///
/// # Errors
/// [`Error::BadName`], [`Error::UnknownAccount`], [`Error::TooManyKeys`], [`Error::Unavailable`].
pub async fn make_key(
    store: &dyn Store,
    sealing: &SealingKey,
    argon: &Argon,
    email: &Email,
    (name, created): (&str, Timestamp),
) -> Result<(Token, NewKey), Error> {
    let name = key_name(name)?;
    let token = Token::mint(sealing)?;
    let secret_hash = argon.hash(token.secret().to_vec()).await?;
    let key = NewKey { id: token.id(), name, secret_hash, created };
    store.add_key(email, &key).await?;
    Ok((token, key))
}
