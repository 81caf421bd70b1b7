//! When keys were last used: noted in memory, written down together every few seconds.

use std::sync::Arc;

use catalogue_schema::Timestamp;
use dashmap::DashMap;
use hashbrown::DefaultHashBuilder;

use super::error::Error;
use super::key::KeyId;
use super::store::Store;

/// The uses not yet written down.
#[derive(Debug, Default)]
pub(super) struct LastUsed(DashMap<KeyId, Timestamp, DefaultHashBuilder>);

impl LastUsed {
    pub(super) fn note(&self, key: KeyId, at: Timestamp) {
        self.0.insert(key, at);
    }

    /// Writes the noted uses down.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer; the uses are then written down the next time.
    pub(super) async fn flush(&self, store: &Arc<dyn Store>) -> Result<(), Error> {
        let uses: Vec<_> = self.0.iter().map(|entry| (*entry.key(), *entry.value())).collect();
        if uses.is_empty() {
            return Ok(());
        }
        store.record_last_used(&uses).await?;
        for (key, at) in uses {
            // A use noted meanwhile stays for the next time.
            self.0.remove_if(&key, |_, latest| *latest == at);
        }
        Ok(())
    }
}
