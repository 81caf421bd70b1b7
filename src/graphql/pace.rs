//! A request is answered in slices of time, so that it keeps nobody else waiting and its own time limit is seen to.
//!
//! Rows are read and resolved without waiting for anything, and so a query without slices would be done in one go, however long it takes.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::yield_now;

/// How long a slice lasts. A page of rows takes a small part of one.
const SLICE: Duration = Duration::from_millis(2);

/// The pace of one request.
#[derive(Debug)]
pub(super) struct Pace {
    begun: Instant,
    /// When the slice began, in microseconds from the beginning of the request.
    slice: AtomicU64,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), slice: AtomicU64::new(0) }
    }

    /// Does work slice by slice: one begins whenever the work is taken up.
    pub(super) async fn slices<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        std::future::poll_fn(|context| {
            self.slice.store(self.micros(), Ordering::Relaxed);
            work.as_mut().poll(context)
        })
        .await
    }

    /// Goes on at once, or in the next slice where this one is over. Fields that are resolved beside one another all wait for that:
    /// were the slice to begin anew with the first of them, each would have one.
    pub(super) async fn keep(&self) {
        while self.is_over() {
            yield_now().await;
        }
    }

    fn is_over(&self) -> bool {
        let taken = self.micros().saturating_sub(self.slice.load(Ordering::Relaxed));
        Duration::from_micros(taken) >= SLICE
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
