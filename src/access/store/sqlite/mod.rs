//! The store in an SQLite file.
//!
//! The read of every request happens on the request's own thread, by a connection of that thread whose statements are prepared once: it
//! takes about a microsecond, less than handing it to another thread would; and it is spared where [`commits`] shows that nothing was
//! written since this thread last read the same. Writes may wait for another process, so they run where
//! blocking is allowed. What operators and account holders change is on the disk before it is acknowledged; the counts of the day are
//! written without waiting for the disk, which a crash of the program survives.

mod commits;
mod connection;
mod rows;
mod sessions;
mod standings;

use std::path::Path;

use async_trait::async_trait;
use catalogue_schema::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};

use self::connection::Connections;
use self::standings::Standings;
use super::{
    Account, AccountId, Day, Email, Error, Key, KeyId, Ledger, MOST_KEYS, NewAccount, NewKey, Plan, Role, Secret,
    Standing, Store, Taking, UsedKey,
};

const STANDING: &str = "SELECT account.id, account.role, plan.includes_api, api_key.revoked_at IS NOT NULL, \
        coalesce(allowance.taken, 0), coalesce(allowance.lent, 0) \
    FROM api_key \
    JOIN account ON account.id = api_key.account_id \
    JOIN plan ON plan.id = account.plan_id \
    LEFT JOIN allowance ON allowance.key_id = api_key.id AND allowance.day = ?2 \
    WHERE api_key.id = ?1";

const TAKE: &str = "INSERT INTO allowance (key_id, day, taken, lent) VALUES (?1, ?2, ?4, ?4 - 1) \
    ON CONFLICT (key_id, day) DO UPDATE SET \
        taken = taken + excluded.taken, lent = max(0, lent - ?5) + excluded.lent \
        WHERE taken + excluded.taken <= ?3 \
    RETURNING taken, lent";

const GIVE_BACK: &str = "UPDATE allowance SET taken = max(0, taken - ?3), lent = max(0, lent - ?4) \
    WHERE key_id = ?1 AND day = ?2 RETURNING taken, lent";

const ACCOUNT: &str = "SELECT account.id, account.email, account.role, plan.name, account.created_at \
    FROM account JOIN plan ON plan.id = account.plan_id";

const USED_KEYS: &str = "SELECT api_key.id, api_key.name, api_key.created_at, api_key.last_used_at, api_key.revoked_at, \
        account.email, allowance.taken, allowance.lent \
    FROM allowance \
    JOIN api_key ON api_key.id = allowance.key_id \
    JOIN account ON account.id = api_key.account_id \
    WHERE allowance.day = ?1 AND allowance.taken > 0 ORDER BY allowance.taken DESC, api_key.id LIMIT ?2";

/// The store in an SQLite file.
#[derive(Debug)]
pub(super) struct Sqlite {
    connections: Connections,
    standings: Standings,
}

impl Sqlite {
    pub(super) fn open(file: &Path) -> Result<Self, Error> {
        Ok(Self { connections: Connections::open(file)?, standings: Standings::default() })
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::unavailable(error)
    }
}

#[async_trait]
impl Store for Sqlite {
    async fn standing(&self, key: KeyId, day: Day) -> Result<Option<Standing>, Error> {
        // Taken before the read: what is committed in between is then read twice, and never missed.
        let state = self.connections.commits.latest();
        self.standings.get_or_read(key, day, state, || {
            self.connections.read(|connection| {
                let mut statement = connection.prepare_cached(STANDING)?;
                statement.query_row(params![key.to_store(), day.number()], rows::standing).optional()
            })
        })
    }

    async fn secret_hash(&self, key: KeyId) -> Result<Option<String>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT secret_hash FROM api_key WHERE id = ?1")?;
            statement.query_row([key.to_store()], |row| row.get(0)).optional()
        })
    }

    async fn take(&self, Taking { key, day, limit, wanted, repaid }: Taking) -> Result<Option<Ledger>, Error> {
        if wanted > limit {
            return Ok(None);
        }
        let count = self.connections.count(move |transaction| {
            let mut statement = transaction.prepare_cached(TAKE)?;
            let values = params![key.to_store(), day.number(), limit, wanted, repaid];
            Ok(statement.query_row(values, rows::ledger).optional()?)
        });
        count.await
    }

    async fn give_back(&self, key: KeyId, day: Day, unspent: u32, repaid: u32) -> Result<Ledger, Error> {
        let count = self.connections.count(move |transaction| {
            let mut statement = transaction.prepare_cached(GIVE_BACK)?;
            let values = params![key.to_store(), day.number(), unspent, repaid];
            Ok(statement.query_row(values, rows::ledger).optional()?.unwrap_or_default())
        });
        count.await
    }

    async fn forget_days_before(&self, day: Day) -> Result<(), Error> {
        let count = self.connections.count(move |transaction| {
            transaction.execute("DELETE FROM allowance WHERE day < ?1", [day.number()])?;
            Ok(())
        });
        count.await
    }

    async fn record_last_used(&self, uses: &[(KeyId, Timestamp)]) -> Result<(), Error> {
        let uses = uses.to_vec();
        let count = self.connections.count(move |transaction| {
            let mut statement = transaction.prepare_cached(
                "UPDATE api_key SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE id = ?1",
            )?;
            for (key, at) in uses {
                statement.execute(params![key.to_store(), at.unix_millis()])?;
            }
            Ok(())
        });
        count.await
    }

    async fn secret(&self, purpose: Secret) -> Result<[u8; 32], Error> {
        let candidate = Secret::random()?;
        let write = self.connections.write(move |transaction| {
            transaction.execute(
                "INSERT INTO secret (purpose, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![purpose.name(), candidate],
            )?;
            let first = "SELECT bytes FROM secret WHERE purpose = ?1";
            Ok(transaction.query_row(first, [purpose.name()], |row| row.get(0))?)
        });
        write.await
    }

    async fn add_account(&self, account: &NewAccount) -> Result<AccountId, Error> {
        let NewAccount { email, role, plan, password_hash, created } = account.clone();
        let write = self.connections.write(move |transaction| {
            let plan_id = plan_id(transaction, &plan)?;
            let added = transaction.execute(
                "INSERT INTO account (email, role, plan_id, password_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                ON CONFLICT (email) DO NOTHING",
                params![email.as_str(), role.as_str(), plan_id, password_hash, created.unix_millis()],
            )?;
            if added == 0 { Err(Error::AccountExists(email)) } else { Ok(AccountId(transaction.last_insert_rowid())) }
        });
        write.await
    }

    async fn account(&self, email: &Email) -> Result<Option<Account>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached(&format!("{ACCOUNT} WHERE account.email = ?1"))?;
            statement.query_row([email.as_str()], rows::account).optional()
        })
    }

    async fn accounts(&self) -> Result<Vec<Account>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare(&format!("{ACCOUNT} ORDER BY account.email"))?;
            statement.query_map([], rows::account)?.collect()
        })
    }

    async fn change_plan(&self, email: &Email, plan: &str) -> Result<(), Error> {
        let (email, plan) = (email.clone(), plan.to_owned());
        let write = self.connections.write(move |transaction| {
            let account = account_id(transaction, &email)?;
            let plan = plan_id(transaction, &plan)?;
            transaction.execute("UPDATE account SET plan_id = ?2 WHERE id = ?1", [account, plan])?;
            Ok(())
        });
        write.await
    }

    async fn change_role(&self, email: &Email, role: Role) -> Result<(), Error> {
        let email = email.clone();
        let write = self.connections.write(move |transaction| {
            let account = account_id(transaction, &email)?;
            transaction.execute("UPDATE account SET role = ?2 WHERE id = ?1", params![account, role.as_str()])?;
            end_sessions(transaction, account)
        });
        write.await
    }

    async fn change_password(&self, email: &Email, password_hash: &str) -> Result<(), Error> {
        let (email, hash) = (email.clone(), password_hash.to_owned());
        let write = self.connections.write(move |transaction| {
            let account = account_id(transaction, &email)?;
            transaction.execute("UPDATE account SET password_hash = ?2 WHERE id = ?1", params![account, hash])?;
            end_sessions(transaction, account)
        });
        write.await
    }

    async fn set_plan(&self, plan: &Plan) -> Result<(), Error> {
        let plan = plan.clone();
        let write = self.connections.write(move |transaction| {
            transaction.execute(
                "INSERT INTO plan (name, includes_api) VALUES (?1, ?2) \
                ON CONFLICT (name) DO UPDATE SET includes_api = excluded.includes_api",
                params![plan.name, plan.includes_api],
            )?;
            Ok(())
        });
        write.await
    }

    async fn plans(&self) -> Result<Vec<Plan>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare("SELECT name, includes_api FROM plan ORDER BY name")?;
            statement.query_map([], rows::plan)?.collect()
        })
    }

    async fn add_key(&self, email: &Email, key: &NewKey) -> Result<(), Error> {
        let (email, key) = (email.clone(), key.clone());
        let write = self.connections.write(move |transaction| {
            let account = account_id(transaction, &email)?;
            let held = "SELECT count(*) FROM api_key WHERE account_id = ?1 AND revoked_at IS NULL";
            if transaction.query_row(held, [account], |row| row.get::<_, u32>(0))? >= MOST_KEYS {
                return Err(Error::TooManyKeys(email));
            }
            transaction.execute(
                "INSERT INTO api_key (id, account_id, name, secret_hash, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![key.id.to_store(), account, key.name, key.secret_hash, key.created.unix_millis()],
            )?;
            Ok(())
        });
        write.await
    }

    async fn keys(&self, account: AccountId) -> Result<Vec<Key>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, name, created_at, last_used_at, revoked_at FROM api_key WHERE account_id = ?1 \
                ORDER BY created_at, id",
            )?;
            statement.query_map([account.0], rows::key)?.collect()
        })
    }

    async fn used_keys(&self, day: Day, most: u32) -> Result<Vec<UsedKey>, Error> {
        self.connections.read(|connection| {
            let mut statement = connection.prepare_cached(USED_KEYS)?;
            statement.query_map(params![day.number(), most], rows::used_key)?.collect()
        })
    }

    async fn revoke_key(&self, email: &Email, key: KeyId, at: Timestamp) -> Result<(), Error> {
        let email = email.clone();
        let write = self.connections.write(move |transaction| {
            let account = account_id(transaction, &email)?;
            let revoked = "SELECT revoked_at IS NOT NULL FROM api_key WHERE id = ?1 AND account_id = ?2";
            match transaction.query_row(revoked, [key.to_store(), account], |row| row.get(0)).optional()? {
                None => return Err(Error::UnknownKey { email, id: key.to_string() }),
                Some(true) => return Err(Error::AlreadyRevoked(key)),
                Some(false) => {}
            }
            let revoke = "UPDATE api_key SET revoked_at = ?2 WHERE id = ?1";
            transaction.execute(revoke, [key.to_store(), at.unix_millis()])?;
            Ok(())
        });
        write.await
    }
}

fn account_id(transaction: &Transaction<'_>, email: &Email) -> Result<i64, Error> {
    let id = "SELECT id FROM account WHERE email = ?1";
    let found = transaction.query_row(id, [email.as_str()], |row| row.get(0)).optional()?;
    found.ok_or_else(|| Error::UnknownAccount(email.clone()))
}

fn end_sessions(transaction: &Transaction<'_>, account: i64) -> Result<(), Error> {
    transaction.execute("DELETE FROM session WHERE account_id = ?1", [account])?;
    Ok(())
}

fn plan_id(transaction: &Transaction<'_>, name: &str) -> Result<i64, Error> {
    let found = transaction.query_row("SELECT id FROM plan WHERE name = ?1", [name], |row| row.get(0)).optional()?;
    found.ok_or_else(|| Error::UnknownPlan(name.to_owned()))
}
