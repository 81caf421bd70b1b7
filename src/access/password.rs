//! Argon2id, for the secrets of keys and the passwords of accounts.
//!
//! One run takes about 14 ms of a core and 19 MiB, by design. [`Argon`] therefore keeps it off the threads that serve requests and runs
//! no more at a time than there are cores; the rest wait their turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::Semaphore;

use super::error::Error;

/// The longest password of an account, in bytes. So the form's field, which counts characters, holds every password there is.
pub const LONGEST: usize = 1_000;

/// The password that somebody chose, where it can be one.
///
/// # Errors
/// [`Error::EmptyPassword`], [`Error::LongPassword`].
pub fn chosen(password: &str) -> Result<&str, Error> {
    match password.len() {
        0 => Err(Error::EmptyPassword),
        length if length > LONGEST => Err(Error::LongPassword),
        _ => Ok(password),
    }
}

/// The Argon2id hash of `secret`, with a salt of its own, in the PHC text form.
///
/// # Errors
/// [`Error::Hashing`] where no salt can be made or the secret is too long.
pub fn hash(secret: &[u8]) -> Result<String, Error> {
    Ok(Argon2::default().hash_password(secret).map_err(Error::Hashing)?.to_string())
}

/// Whether `secret` is the one that was hashed. A hash that cannot be read matches nothing.
#[must_use]
pub fn matches(secret: &[u8], hash: &str) -> bool {
    Argon2::default().verify_password(secret, hash).is_ok()
}

/// Argon2id for the serving process.
#[derive(Debug)]
pub struct Argon {
    cores: usize,
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    runs: AtomicU64,
}

impl Default for Argon {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, std::num::NonZero::get);
        Self { cores, permits: Arc::new(Semaphore::new(cores)), waiting: AtomicUsize::new(0), runs: AtomicU64::new(0) }
    }
}

impl Argon {
    /// As [`matches()`], off the async threads.
    pub async fn matches(&self, secret: Vec<u8>, hash: String) -> bool {
        self.run(move || matches(&secret, &hash)).await
    }

    /// As [`hash()`], off the async threads.
    ///
    /// # Errors
    /// As [`hash()`].
    pub async fn hash(&self, secret: Vec<u8>) -> Result<String, Error> {
        self.run(move || hash(&secret)).await
    }

    /// How often Argon2 has run in this process on a request's behalf.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs.load(Ordering::Relaxed)
    }

    /// How many runs are under way.
    #[must_use]
    pub fn running(&self) -> usize {
        self.cores.saturating_sub(self.permits.available_permits())
    }

    /// How many runs wait for a core.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let waiting = Waiting::begin(&self.waiting);
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        drop(waiting);
        self.runs.fetch_add(1, Ordering::Relaxed);
        let running = tokio::task::spawn_blocking(move || {
            // The permit goes with the work: a client that hangs up frees no core.
            let _permit = permit;
            work()
        });
        running.await.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic()))
    }
}

/// One that waits; counted until it is dropped, as it is too where its client hangs up.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn runs_wait_for_a_core_and_are_counted_while_they_do() {
        let argon = Argon::default();
        let all = u32::try_from(argon.cores).expect("a number of cores");
        let taken = argon.permits.acquire_many(all).await.expect("all are free");
        assert_eq!((argon.running(), argon.waiting()), (argon.cores, 0));
        let mut hashing = Box::pin(argon.hash(b"secret".to_vec()));
        assert!(futures_util::future::poll_immediate(hashing.as_mut()).await.is_none());
        assert_eq!((argon.waiting(), argon.runs()), (1, 0));
        let hung_up = Box::pin(argon.hash(b"secret".to_vec()));
        drop(hung_up);
        drop(taken);
        hashing.await.expect("a hash");
        assert_eq!((argon.waiting(), argon.runs()), (0, 1));
    }

    #[tokio::test]
    async fn only_the_secret_that_was_hashed_matches() {
        let argon = Argon::default();
        let stored = argon.hash(b"secret".to_vec()).await.expect("a hash");
        assert!(stored.starts_with("$argon2id$"));
        assert_ne!(stored, hash(b"secret").expect("a hash"), "every hash has its own salt");
        assert!(matches(b"secret", &stored));
        assert!(argon.matches(b"secret".to_vec(), stored.clone()).await);
        assert!(!argon.matches(b"Secret".to_vec(), stored).await);
        assert!(!argon.matches(b"secret".to_vec(), "not a hash".to_owned()).await);
        assert_eq!(argon.runs(), 4);
    }
}
