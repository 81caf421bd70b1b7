//! Insight: what all rows of a list say together (`schema/src/insight.rs` has the answers). For analysts only: nothing here is asked by
//! REST.
//!
//! [`Matches::of`] walks a list once; its methods then count what is asked. Both take milliseconds, so a surface asks them [`apart`].

use std::num::NonZero;
use std::sync::LazyLock;

pub use catalogue_index::insight::{FacetField, Matches};
use catalogue_index::{Generation, insight};
use catalogue_schema::Timestamp;
use catalogue_schema::insight::ChangeDay;
use tokio::sync::Semaphore;

/// As many counts at a time as there are cores: more would only take longer, all of them. Whoever gives up waiting gives up its turn.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get)));

/// Does work that takes milliseconds on a thread that may be held up.
///
/// # Panics
/// Where `work` does.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    // Nobody closes it, so that there is always a turn.
    let turn = TURNS.acquire().await;
    let work = move || {
        let _turn = turn;
        work()
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Nobody cancels it but the end of the runtime, with which whoever waits here ends too.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The changes by day and kind that were observed since `since` and before `until`, where these are given; oldest day first, days
/// without changes left out.
#[must_use]
pub fn changes_by_day(generation: &Generation, since: Option<Timestamp>, until: Option<Timestamp>) -> Vec<ChangeDay> {
    insight::changes_by_day(generation, since, until)
}
