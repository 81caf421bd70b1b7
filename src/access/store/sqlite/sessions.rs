//! Sessions and attempts in the SQLite file.
//!
//! When a session was last seen and how often attempts failed are counts: a power cut may lose the latest. Beginnings and ends of
//! sessions are on the disk before they are acknowledged, so that a session that was ended stays ended.

use async_trait::async_trait;
use catalogue_schema::Timestamp;
use rusqlite::{OptionalExtension as _, params};

use super::super::sessions::{Attempts, Counter, Live, SessionDigest, SessionRow, Sessions, Subject};
use super::super::{AccountId, Email, Error, instant};
use super::{Sqlite, rows};

const SESSION: &str = "SELECT account.id, account.email, account.role, plan.name, account.created_at, \
        plan.includes_api, session.seen_at \
    FROM session \
    JOIN account ON account.id = session.account_id \
    JOIN plan ON plan.id = account.plan_id \
    WHERE session.digest = ?1 AND session.begun_at > ?2 AND session.seen_at > ?3";

#[async_trait]
impl Sessions for Sqlite {
    async fn credentials(&self, email: &Email) -> Result<Option<(AccountId, String)>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT id, password_hash FROM account WHERE email = ?1")?;
            statement.query_row([email.as_str()], |row| Ok((AccountId(row.get(0)?), row.get(1)?))).optional()
        })
    }

    async fn add_session(&self, session: SessionDigest, account: AccountId, at: Timestamp) -> Result<(), Error> {
        let write = self.connections.write(move |transaction| {
            transaction.execute(
                "INSERT INTO session (digest, account_id, begun_at, seen_at) VALUES (?1, ?2, ?3, ?3)",
                params![session, account.0, at.unix_millis()],
            )?;
            Ok(())
        });
        write.await
    }

    async fn session(&self, session: SessionDigest, live: Live) -> Result<Option<SessionRow>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached(SESSION)?;
            let values = params![session, live.begun_after.unix_millis(), live.seen_after.unix_millis()];
            let session = statement.query_row(values, |row| {
                Ok(SessionRow {
                    account: rows::account(row)?,
                    includes_api: row.get(5)?,
                    seen: rows::timestamp(row.get(6)?, 6)?,
                })
            });
            session.optional()
        })
    }

    async fn see_session(&self, session: SessionDigest, at: Timestamp) -> Result<(), Error> {
        let count = self.connections.count(move |transaction| {
            let seen = "UPDATE session SET seen_at = max(seen_at, ?2) WHERE digest = ?1";
            transaction.execute(seen, params![session, at.unix_millis()])?;
            Ok(())
        });
        count.await
    }

    async fn end_session(&self, session: SessionDigest) -> Result<(), Error> {
        let write = self.connections.write(move |transaction| {
            transaction.execute("DELETE FROM session WHERE digest = ?1", [session])?;
            Ok(())
        });
        write.await
    }

    async fn forget_sessions(&self, live: Live, attempts: Timestamp) -> Result<(), Error> {
        let count = self.connections.count(move |transaction| {
            transaction.execute(
                "DELETE FROM session WHERE begun_at <= ?1 OR seen_at <= ?2",
                [live.begun_after.unix_millis(), live.seen_after.unix_millis()],
            )?;
            transaction.execute("DELETE FROM sign_in_attempt WHERE last_at < ?1", [attempts.unix_millis()])?;
            Ok(())
        });
        count.await
    }

    async fn begin_attempt(&self, counters: &[Counter], at: Timestamp) -> Result<Option<Timestamp>, Error> {
        let (counters, now) = (counters.to_vec(), at.unix_millis());
        let count = self.connections.count(move |transaction| {
            let mut counted = Vec::with_capacity(counters.len());
            let mut read = transaction
                .prepare_cached("SELECT failures, last_at, locked_until FROM sign_in_attempt WHERE subject = ?1")?;
            for counter in counters {
                let row = read.query_row([counter.subject], |row| {
                    Ok(Attempts { failures: row.get(0)?, last_at: row.get(1)?, locked_until: row.get(2)? })
                });
                match counter.count(row.optional()?, now) {
                    Ok(row) => counted.push((counter.subject, row)),
                    Err(until) => return instant(until).map(Some),
                }
            }
            let mut write = transaction.prepare_cached(
                "INSERT OR REPLACE INTO sign_in_attempt (subject, failures, last_at, locked_until) \
                VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (subject, row) in counted {
                write.execute(params![subject, row.failures, row.last_at, row.locked_until])?;
            }
            Ok(None)
        });
        count.await
    }

    async fn end_attempt(&self, cleared: Subject, refunded: Subject) -> Result<(), Error> {
        let count = self.connections.count(move |transaction| {
            transaction.execute("DELETE FROM sign_in_attempt WHERE subject = ?1", [cleared])?;
            let refund =
                "UPDATE sign_in_attempt SET failures = max(0, failures - 1), locked_until = 0 WHERE subject = ?1";
            transaction.execute(refund, [refunded])?;
            Ok(())
        });
        count.await
    }
}
