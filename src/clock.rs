//! The clock, injected so that tests can hold and move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use catalogue_schema::Timestamp;

/// Where the service reads the time.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock that stands still until it is moved.
    Frozen(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `instant`.
    #[must_use]
    pub fn frozen_at(instant: Timestamp) -> Self {
        Self::Frozen(Arc::new(AtomicI64::new(instant.unix_millis())))
    }

    /// Puts a frozen clock to `instant`; the machine's clock stays as it is.
    pub fn set(&self, instant: Timestamp) {
        if let Self::Frozen(unix_millis) = self {
            unix_millis.store(instant.unix_millis(), Ordering::SeqCst);
        }
    }

    /// The present instant.
    ///
    /// # Panics
    /// Where the machine's clock is beyond the year 9999.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the one home of the machine's clock")]
    pub fn now(&self) -> Timestamp {
        let unix_millis = match self {
            Self::System => {
                let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX)
            }
            Self::Frozen(unix_millis) => unix_millis.load(Ordering::SeqCst),
        };
        Timestamp::from_unix_millis(unix_millis).expect("the clock is within the year 9999")
    }
}
