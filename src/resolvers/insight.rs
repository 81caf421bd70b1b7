//! Insight: what all rows of a list say together (`schema/src/insight.rs` has the answers). For analysts only: nothing here is asked by
//! REST.
//!
//! [`Matches::of`] walks a list once; its methods then count what is asked. Both take milliseconds, so a surface asks them [`apart`].

use std::num::NonZero;
use std::sync::{Arc, LazyLock};

pub use catalogue_index::insight::{FacetField, Matches};
use catalogue_index::{Catalogue, Error, Generation, Resource, Traversal, insight};
use catalogue_schema::insight::ChangeDay;
use catalogue_schema::{Refusal, Requested, Timestamp};
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

/// The list of all grants, funders or recipients that meet a filter at the instant `now`: what [`Matches::of`] takes.
///
/// # Errors
/// [`Refusal::Unavailable`] before the first publication.
pub fn list(catalogue: &Catalogue, of: Resource, asked: &Requested, now: Timestamp) -> Result<Traversal, Refusal> {
    catalogue.traverse(of, asked, None, now)
}

/// The list of all grants that meet a filter, of the catalogue as it stood at `instant`, which is not after `now`.
///
/// # Errors
/// Those of [`Catalogue::as_of`], which name the parameter `asOf`.
pub fn grants_as_of(
    catalogue: &Catalogue,
    asked: &Requested,
    instant: Timestamp,
    now: Timestamp,
) -> Result<Traversal, Refusal> {
    let generation = catalogue.as_of("asOf", instant, now)?;
    catalogue.begin(generation, Resource::Grants, asked, instant)
}

/// The changes by day and kind that were observed since `since` and before `until`, where these are given; oldest day first, days
/// without changes left out.
#[must_use]
pub fn changes_by_day(generation: &Generation, since: Option<Timestamp>, until: Option<Timestamp>) -> Vec<ChangeDay> {
    insight::changes_by_day(generation, since, until)
}

/// Counts something over all rows of a list, apart from the threads that answer.
///
/// # Errors
/// Where the index cannot be read.
pub async fn over<T: Send + 'static>(
    traversal: Traversal,
    count: impl FnOnce(&Matches) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    apart(move || count(&Matches::of(&traversal)?)).await
}

/// The generation that is served.
///
/// # Errors
/// [`Refusal::Unavailable`] before the first publication.
pub fn served(catalogue: &Catalogue) -> Result<Arc<Generation>, Refusal> {
    catalogue.current().ok_or(Refusal::Unavailable)
}
