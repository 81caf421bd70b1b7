//! How much the keys are used: what analysts see of everybody's day.

use super::account::Email;
use super::allowance::Day;
use super::error::Error;
use super::key::Key;
use super::service::Access;

/// A key and its requests of today.
#[derive(Clone, Debug)]
pub struct KeyUsage {
    /// The address of the account that holds it.
    pub email: Email,
    /// The key.
    pub key: Key,
    /// Requests made today. Where several gateways serve the key, what one of them holds ready to spend counts too.
    pub made: u32,
    /// Requests left today.
    pub remaining: u32,
}

impl Access {
    /// The keys that made requests today, revoked ones too: the `most` with the most requests, most first.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn usage(&self, most: u32) -> Result<Vec<KeyUsage>, Error> {
        // What this gateway has noted and not yet written is what the reader wants to see.
        self.last_used.flush(&self.store).await?;
        let day = Day::of(self.now());
        let used = self.store.used_keys(day, most).await?;
        let mut usage: Vec<_> = used
            .into_iter()
            .map(|used| {
                let remaining = self.allowance.remaining(used.key.id, day, used.ledger);
                let made = self.allowance.limit().saturating_sub(remaining);
                KeyUsage { email: used.email, key: used.key, made, remaining }
            })
            .filter(|usage| usage.made > 0)
            .collect();
        usage.sort_by_key(|usage| std::cmp::Reverse(usage.made));
        Ok(usage)
    }
}
