//! The access service: one per gateway.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::http::HeaderValue;
use catalogue_schema::{Refusal, Timestamp};
use hashbrown::DefaultHashBuilder;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::sync::OnceCell;

use super::account::Role;
use super::allowance::{Allowance, Day, RateLimit, SETTLING};
use super::authorization::bearer;
use super::caller::{Caller, Denied};
use super::error::Error;
use super::key::{KeyId, SealingKey, Token};
use super::last_used::LastUsed;
use super::password::Argon;
use super::store::{Secret, Standing, Store};
use crate::clock::Clock;

/// How many verified tokens are remembered.
const REMEMBERED: u64 = 100_000;

/// For how long a token is remembered. Forgetting one costs its next use a run of Argon2.
const REMEMBERED_FOR: Duration = Duration::from_hours(24);

/// How many settlings pass between two writings of when keys were last used: about five seconds.
const SETTLINGS_PER_FLUSH: u32 = 20;

/// Decides who may call (specification, part 5; decisions, section 5).
#[derive(Debug)]
pub struct Access {
    pub(super) store: Arc<dyn Store>,
    clock: Clock,
    pub(super) sealing: SealingKey,
    cursor_secret: [u8; 32],
    pub(super) form_secret: [u8; 32],
    pub(super) attempt_secret: [u8; 32],
    pub(super) argon: Argon,
    /// What the passwords of unknown addresses are compared with.
    pub(super) hash_of_nobody: OnceCell<String>,
    /// The digests of tokens whose secret has been compared with its hash. That never changes; everything else about a key may, and is
    /// read each time.
    verified: Cache<[u8; 32], (), DefaultHashBuilder>,
    pub(super) allowance: Allowance,
    pub(super) last_used: LastUsed,
    /// Whether the store failed the last time, so that an outage is logged once and not once a request.
    failing: AtomicBool,
    store_failures: AtomicU64,
}

/// What a response carries whose request met a store that did not answer, where nobody has counted that yet.
#[derive(Clone, Copy, Debug)]
pub struct StoreFailed;

/// Whose key a request carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The key.
    pub key: KeyId,
    /// What the account that holds it may see.
    pub role: Role,
}

impl Access {
    /// Access as `store` has it, with `daily_limit` requests per key and UTC day.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn new(store: Arc<dyn Store>, clock: Clock, daily_limit: u32) -> Result<Self, Error> {
        Ok(Self {
            sealing: SealingKey::new(store.secret(Secret::Key).await?),
            cursor_secret: store.secret(Secret::Cursor).await?,
            form_secret: store.secret(Secret::Form).await?,
            attempt_secret: store.secret(Secret::Attempt).await?,
            argon: Argon::default(),
            hash_of_nobody: OnceCell::new(),
            verified: Cache::builder()
                .max_capacity(REMEMBERED)
                .time_to_live(REMEMBERED_FOR)
                // Whether a token is in is asked without a note of the asking, which would cost more than the look.
                .eviction_policy(EvictionPolicy::lru())
                .build_with_hasher(DefaultHashBuilder::default()),
            allowance: Allowance::new(Arc::clone(&store), daily_limit),
            last_used: LastUsed::default(),
            failing: AtomicBool::new(false),
            store_failures: AtomicU64::new(0),
            store,
            clock,
        })
    }

    /// Decides over a request by its `Authorization` header: a real key (401), a plan that includes the API (403), a request left
    /// today (429). The request is then spent, whatever it is answered.
    ///
    /// # Errors
    /// [`Denied`], with the refusal and what the response has to say about the day.
    pub async fn authenticate(&self, authorization: Option<&HeaderValue>) -> Result<Caller, Denied> {
        let now = self.clock.now();
        let day = Day::of(now);
        let (identity, standing) = self.recognise(authorization, now, day).await?;
        if !standing.includes_api {
            return Err(self.denied(Refusal::PlanRequired, now));
        }
        match self.allowance.spend(identity.key, day, standing.ledger).await {
            Ok(Some(remaining)) => Ok(Caller::new(identity.key, RateLimit { remaining, ..self.untouched_on(day) })),
            Ok(None) => Err(self.denied(Refusal::RateLimited, now)),
            Err(error) => Err(self.failed(&error, now)),
        }
    }

    /// Takes the charge of a request back that the service could not answer (decisions, section 9), and gives what its response has
    /// to say about the day. Where the store does not answer the charge stays: one request too few is served, never one too many.
    pub async fn uncharge(&self, caller: &Caller) -> RateLimit {
        let rate = caller.rate();
        let uncharged = self.allowance.unspend(caller.key(), Day::that_ends_at(rate.resets_at)).await;
        let back = u32::from(uncharged.is_ok());
        self.logged(uncharged);
        RateLimit { remaining: rate.remaining.saturating_add(back), ..rate }
    }

    /// Whose key a request carries, charging nothing and whatever the plan: for surfaces outside the API's allowance.
    ///
    /// # Errors
    /// [`Denied`] with 401, or 503 where the store does not answer.
    pub async fn identify(&self, authorization: Option<&HeaderValue>) -> Result<Identity, Denied> {
        let now = self.clock.now();
        Ok(self.recognise(authorization, now, Day::of(now)).await?.0)
    }

    /// The day of a key that has made no request: what a response charged to no key reports.
    #[must_use]
    pub fn untouched(&self) -> RateLimit {
        self.untouched_on(Day::of(self.clock.now()))
    }

    /// The secret that authenticates cursors, the same on every gateway of the store.
    #[must_use]
    pub const fn cursor_secret(&self) -> &[u8; 32] {
        &self.cursor_secret
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// How many requests and tasks of this process met a store that did not answer.
    #[must_use]
    pub fn store_failures(&self) -> u64 {
        self.store_failures.load(Ordering::Relaxed)
    }

    /// Counts one more of them.
    pub fn count_store_failure(&self) {
        self.store_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Argon2 for requests that bring a password.
    #[must_use]
    pub const fn argon(&self) -> &Argon {
        &self.argon
    }

    /// Tends the allowances and the times of last use until `stopping` is done. To run beside the listeners, once; call
    /// [`Access::close`] when the last request has been answered.
    pub async fn tend(&self, stopping: impl Future<Output = ()>) {
        tokio::pin!(stopping);
        let mut settlings: u32 = 0;
        let mut forgotten = None;
        loop {
            // Only the pause is cut short: what is on its way to the store arrives there.
            tokio::select! {
                () = &mut stopping => return,
                () = tokio::time::sleep(SETTLING) => {}
            }
            let day = Day::of(self.clock.now());
            self.logged(self.allowance.settle(day, false).await);
            settlings = settlings.wrapping_add(1);
            if settlings.is_multiple_of(SETTLINGS_PER_FLUSH) {
                self.logged(self.last_used.flush(&self.store).await);
            }
            if forgotten != Some(day) {
                // Yesterday stays, for gateways whose clock is a little behind.
                let forgetting = self.store.forget_days_before(day.before()).await;
                forgotten = forgetting.is_ok().then_some(day);
                self.logged(forgetting);
                self.logged(self.forget_sessions().await);
            }
        }
    }

    /// Gives unspent requests back and writes down when keys were last used. A restart then loses nothing.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the store does not answer.
    pub async fn close(&self) -> Result<(), Error> {
        let settled = self.allowance.settle(Day::of(self.clock.now()), true).await;
        self.last_used.flush(&self.store).await?;
        settled
    }

    /// A refusal at this moment, with the day as it is reported beside it.
    pub(super) fn denied(&self, refusal: Refusal, now: Timestamp) -> Denied {
        let day = Day::of(now);
        let untouched = self.untouched_on(day);
        let rate = match refusal {
            Refusal::RateLimited => RateLimit { remaining: 0, ..untouched },
            _ => untouched,
        };
        Denied::new(refusal, rate, now)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    async fn recognise(
        &self,
        authorization: Option<&HeaderValue>,
        now: Timestamp,
        day: Day,
    ) -> Result<(Identity, Standing), Denied> {
        let authorization = authorization.ok_or_else(|| self.denied(Refusal::MissingKey, now))?;
        let token = bearer(authorization.as_bytes()).and_then(Token::parse);
        let recognised = match token {
            Some(token) => self.verify(&token, day).await,
            None => Ok(None),
        };
        match recognised {
            Ok(Some((identity, standing))) => {
                self.last_used.note(identity.key, now);
                Ok((identity, standing))
            }
            Ok(None) => Err(self.denied(Refusal::InvalidKey, now)),
            Err(error) => Err(self.failed(&error, now)),
        }
    }

    /// Who holds this token now, or `None` where it is none of this store's or revoked.
    async fn verify(&self, token: &Token, day: Day) -> Result<Option<(Identity, Standing)>, Error> {
        let digest = token.digest();
        let is_verified = self.verified.contains_key(&digest);
        if !is_verified && !token.is_sealed_by(&self.sealing) {
            return Ok(None);
        }
        let standing = self.store.standing(token.id(), day).await?;
        self.failing.store(false, Ordering::Relaxed);
        let Some(standing) = standing.filter(|standing| !standing.revoked) else { return Ok(None) };
        if !is_verified && !self.matches_its_hash(token, digest).await? {
            return Ok(None);
        }
        Ok(Some((Identity { key: token.id(), role: standing.role }, standing)))
    }

    /// Compares the secret with its hash. Of many requests that bring one token for the first time, one runs Argon2 for all.
    async fn matches_its_hash(&self, token: &Token, digest: [u8; 32]) -> Result<bool, Error> {
        let comparing = async {
            let hash = self.store.secret_hash(token.id()).await.map_err(|error| Some(Arc::new(error)))?.ok_or(None)?;
            if self.argon.matches(token.secret().to_vec(), hash).await { Ok(()) } else { Err(None) }
        };
        match self.verified.try_get_with(digest, comparing).await {
            Ok(()) => Ok(true),
            Err(failure) => match &*failure {
                None => Ok(false),
                Some(error) => Err(Error::unavailable(Arc::clone(error))),
            },
        }
    }

    fn untouched_on(&self, day: Day) -> RateLimit {
        let limit = self.allowance.limit();
        RateLimit { limit, remaining: limit, resets_at: day.ends_at() }
    }

    fn failed(&self, error: &Error, now: Timestamp) -> Denied {
        self.log(error);
        self.denied(Refusal::Unavailable, now)
    }

    fn logged(&self, outcome: Result<(), Error>) {
        if let Err(error) = outcome {
            self.log(&error);
        }
    }

    fn log(&self, error: &Error) {
        self.count_store_failure();
        if !self.failing.swap(true, Ordering::Relaxed) {
            let reason: &dyn std::error::Error = error;
            tracing::error!(
                error = reason,
                "the account store fails; requests are answered 503 until it answers again"
            );
        }
    }
}
