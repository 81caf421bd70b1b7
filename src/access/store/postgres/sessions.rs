//! Sessions and attempts in the PostgreSQL database.

use async_trait::async_trait;
use catalogue_schema::Timestamp;

use super::super::sessions::{Attempts, Counter, Live, SessionDigest, SessionRow, Sessions, Subject};
use super::super::{AccountId, Email, Error, instant};
use super::{Postgres, rows};

const SESSION: &str = "SELECT account.id, account.email, account.role, plan.name, account.created_at, \
        plan.includes_api, session.seen_at \
    FROM session \
    JOIN account ON account.id = session.account_id \
    JOIN plan ON plan.id = account.plan_id \
    WHERE session.digest = $1 AND session.begun_at > $2 AND session.seen_at > $3";

/// Makes the row where it is missing and locks it, in one statement: two gateways that count the same subject take turns.
const LOCK_ATTEMPTS: &str = "INSERT INTO sign_in_attempt (subject, failures, last_at, locked_until) \
    VALUES ($1, 0, 0, 0) ON CONFLICT (subject) DO UPDATE SET failures = sign_in_attempt.failures \
    RETURNING failures, last_at, locked_until";

#[async_trait]
impl Sessions for Postgres {
    async fn credentials(&self, email: &Email) -> Result<Option<(AccountId, String)>, Error> {
        let row = self.query_opt("SELECT id, password_hash FROM account WHERE email = $1", &[&email.as_str()]).await?;
        row.map(|row| Ok((AccountId(row.try_get(0)?), row.try_get(1)?))).transpose()
    }

    async fn add_session(&self, session: SessionDigest, account: AccountId, at: Timestamp) -> Result<(), Error> {
        let add = "INSERT INTO session (digest, account_id, begun_at, seen_at) VALUES ($1, $2, $3, $3)";
        self.query(add, &[&session.as_slice(), &account.0, &at.unix_millis()]).await?;
        Ok(())
    }

    async fn session(&self, session: SessionDigest, live: Live) -> Result<Option<SessionRow>, Error> {
        let (begun_after, seen_after) = (live.begun_after.unix_millis(), live.seen_after.unix_millis());
        let row = self.query_opt(SESSION, &[&session.as_slice(), &begun_after, &seen_after]).await?;
        row.map(|row| {
            Ok(SessionRow {
                account: rows::account(&row)?,
                includes_api: row.try_get(5)?,
                seen: instant(row.try_get(6)?)?,
            })
        })
        .transpose()
    }

    async fn see_session(&self, session: SessionDigest, at: Timestamp) -> Result<(), Error> {
        let seen = "UPDATE session SET seen_at = greatest(seen_at, $2) WHERE digest = $1";
        self.query(seen, &[&session.as_slice(), &at.unix_millis()]).await?;
        Ok(())
    }

    async fn end_session(&self, session: SessionDigest) -> Result<(), Error> {
        self.query("DELETE FROM session WHERE digest = $1", &[&session.as_slice()]).await?;
        Ok(())
    }

    async fn forget_sessions(&self, live: Live, attempts: Timestamp) -> Result<(), Error> {
        let (begun_after, seen_after) = (live.begun_after.unix_millis(), live.seen_after.unix_millis());
        self.query("DELETE FROM session WHERE begun_at <= $1 OR seen_at <= $2", &[&begun_after, &seen_after]).await?;
        self.query("DELETE FROM sign_in_attempt WHERE last_at < $1", &[&attempts.unix_millis()]).await?;
        Ok(())
    }

    async fn begin_attempt(&self, counters: &[Counter], at: Timestamp) -> Result<Option<Timestamp>, Error> {
        // Rows are locked in one order, so that two attempts never wait for one another.
        let mut counters = counters.to_vec();
        counters.sort_unstable_by_key(|counter| counter.subject);
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        for counter in counters {
            let row = transaction.query_one(LOCK_ATTEMPTS, &[&counter.subject.as_slice()]).await?;
            let failures: i64 = row.try_get(0)?;
            let before = Attempts {
                failures: u32::try_from(failures).unwrap_or(u32::MAX),
                last_at: row.try_get(1)?,
                locked_until: row.try_get(2)?,
            };
            let counted = match counter.count(Some(before), at.unix_millis()) {
                Ok(counted) => counted,
                // The transaction is given up, and with it what was counted for the other subject.
                Err(until) => return instant(until).map(Some),
            };
            let write = "UPDATE sign_in_attempt SET failures = $2, last_at = $3, locked_until = $4 WHERE subject = $1";
            let failures = i64::from(counted.failures);
            let values: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                [&counter.subject.as_slice(), &failures, &counted.last_at, &counted.locked_until];
            transaction.execute(write, &values).await?;
        }
        transaction.commit().await?;
        Ok(None)
    }

    async fn end_attempt(&self, cleared: Subject, refunded: Subject) -> Result<(), Error> {
        let clear = "DELETE FROM sign_in_attempt WHERE subject = $1";
        self.query(clear, &[&cleared.as_slice()]).await?;
        let refund =
            "UPDATE sign_in_attempt SET failures = greatest(0, failures - 1), locked_until = 0 WHERE subject = $1";
        self.query(refund, &[&refunded.as_slice()]).await?;
        Ok(())
    }
}
