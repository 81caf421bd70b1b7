//! The store in a PostgreSQL database, for gateways on more than one machine.
//!
//! Every call is one round trip, or one transaction where several rows must agree. What requests ask for again and again is prepared once
//! a connection; what operators and account holders change is too rare for that.

mod connection;
mod rows;
mod sessions;

use async_trait::async_trait;
use catalogue_schema::Timestamp;
use deadpool_postgres::{Client, Pool, PoolError, Transaction};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::{
    Account, AccountId, Day, Email, Error, Key, KeyId, Ledger, MOST_KEYS, NewAccount, NewKey, Plan, Role, Secret,
    Standing, Store, Taking, UsedKey,
};

const STANDING: &str = "SELECT account.id, account.role, plan.includes_api, api_key.revoked_at IS NOT NULL, \
        coalesce(allowance.taken, 0), coalesce(allowance.lent, 0) \
    FROM api_key \
    JOIN account ON account.id = api_key.account_id \
    JOIN plan ON plan.id = account.plan_id \
    LEFT JOIN allowance ON allowance.key_id = api_key.id AND allowance.day = $2 \
    WHERE api_key.id = $1";

const TAKE: &str = "INSERT INTO allowance (key_id, day, taken, lent) VALUES ($1, $2, $4, $4::bigint - 1) \
    ON CONFLICT (key_id, day) DO UPDATE SET \
        taken = allowance.taken + excluded.taken, lent = greatest(0, allowance.lent - $5::bigint) + excluded.lent \
        WHERE allowance.taken + excluded.taken <= $3::bigint \
    RETURNING taken, lent";

const GIVE_BACK: &str = "UPDATE allowance SET taken = greatest(0, taken - $3), lent = greatest(0, lent - $4) \
    WHERE key_id = $1 AND day = $2 RETURNING taken, lent";

/// The rows are locked in one order, so that two gateways that write at once do not wait for one another.
const LAST_USED: &str = "WITH locked AS (SELECT id FROM api_key WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE) \
    UPDATE api_key SET last_used_at = greatest(api_key.last_used_at, noted.at) \
    FROM locked JOIN unnest($1::bigint[], $2::bigint[]) AS noted (id, at) USING (id) \
    WHERE api_key.id = locked.id";

const ACCOUNT: &str = "SELECT account.id, account.email, account.role, plan.name, account.created_at \
    FROM account JOIN plan ON plan.id = account.plan_id";

const USED_KEYS: &str = "SELECT api_key.id, api_key.name, api_key.created_at, api_key.last_used_at, api_key.revoked_at, \
        account.email, allowance.taken, allowance.lent \
    FROM allowance \
    JOIN api_key ON api_key.id = allowance.key_id \
    JOIN account ON account.id = api_key.account_id \
    WHERE allowance.day = $1 AND allowance.taken > 0 ORDER BY allowance.taken DESC, api_key.id LIMIT $2";

/// The store in a PostgreSQL database.
pub(super) struct Postgres {
    pool: Pool,
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, Error> {
        Ok(Self { pool: connection::open(url).await? })
    }

    async fn client(&self) -> Result<Client, Error> {
        Ok(self.pool.get().await?)
    }

    async fn query(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Error> {
        let client = self.client().await?;
        let statement = client.prepare_cached(statement).await?;
        Ok(client.query(&statement, values).await?)
    }

    async fn query_opt(&self, statement: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, Error> {
        let client = self.client().await?;
        let statement = client.prepare_cached(statement).await?;
        Ok(client.query_opt(&statement, values).await?)
    }
}

impl Postgres {
    /// Changes an account to a value and ends its sessions, all at once.
    async fn change_and_end_sessions(
        &self,
        email: &Email,
        change: &str,
        value: &(dyn ToSql + Sync),
    ) -> Result<(), Error> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        let account = locked_account(&transaction, email).await?;
        transaction.execute(change, &[&account, value]).await?;
        transaction.execute("DELETE FROM session WHERE account_id = $1", &[&account]).await?;
        Ok(transaction.commit().await?)
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("pool", &self.pool.status()).finish()
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::unavailable(error)
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        Self::unavailable(error)
    }
}

#[async_trait]
impl Store for Postgres {
    async fn standing(&self, key: KeyId, day: Day) -> Result<Option<Standing>, Error> {
        let row = self.query_opt(STANDING, &[&key.to_store(), &day.number()]).await?;
        row.as_ref().map(rows::standing).transpose()
    }

    async fn secret_hash(&self, key: KeyId) -> Result<Option<String>, Error> {
        let row = self.query_opt("SELECT secret_hash FROM api_key WHERE id = $1", &[&key.to_store()]).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    async fn take(&self, Taking { key, day, limit, wanted, repaid }: Taking) -> Result<Option<Ledger>, Error> {
        if wanted > limit {
            return Ok(None);
        }
        let (limit, wanted, repaid) = (i64::from(limit), i64::from(wanted), i64::from(repaid));
        let row = self.query_opt(TAKE, &[&key.to_store(), &day.number(), &limit, &wanted, &repaid]).await?;
        row.as_ref().map(rows::ledger).transpose()
    }

    async fn give_back(&self, key: KeyId, day: Day, unspent: u32, repaid: u32) -> Result<Ledger, Error> {
        let (unspent, repaid) = (i64::from(unspent), i64::from(repaid));
        let row = self.query_opt(GIVE_BACK, &[&key.to_store(), &day.number(), &unspent, &repaid]).await?;
        row.as_ref().map_or(Ok(Ledger::default()), rows::ledger)
    }

    async fn forget_days_before(&self, day: Day) -> Result<(), Error> {
        self.query("DELETE FROM allowance WHERE day < $1", &[&day.number()]).await?;
        Ok(())
    }

    async fn record_last_used(&self, uses: &[(KeyId, Timestamp)]) -> Result<(), Error> {
        let (keys, times): (Vec<i64>, Vec<i64>) =
            uses.iter().map(|(key, at)| (key.to_store(), at.unix_millis())).unzip();
        self.query(LAST_USED, &[&keys, &times]).await?;
        Ok(())
    }

    async fn secret(&self, purpose: Secret) -> Result<[u8; 32], Error> {
        let candidate = Secret::random()?;
        let keep_first = "INSERT INTO secret (purpose, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.query(keep_first, &[&purpose.name(), &candidate.as_slice()]).await?;
        let first = self.query_opt("SELECT bytes FROM secret WHERE purpose = $1", &[&purpose.name()]).await?;
        let bytes: Vec<u8> = first.map(|row| row.try_get(0)).transpose()?.unwrap_or_default();
        bytes.try_into().map_err(|_| Error::unavailable("it holds a secret of another length"))
    }

    async fn add_account(&self, account: &NewAccount) -> Result<AccountId, Error> {
        let NewAccount { email, role, plan, password_hash, created } = account;
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        let plan_id = plan_id(&transaction, plan).await?;
        let added = transaction
            .query_opt(
                "INSERT INTO account (email, role, plan_id, password_hash, created_at) VALUES ($1, $2, $3, $4, $5) \
                ON CONFLICT (email) DO NOTHING RETURNING id",
                &[&email.as_str(), &role.as_str(), &plan_id, password_hash, &created.unix_millis()],
            )
            .await?;
        let id = added.ok_or_else(|| Error::AccountExists(email.clone()))?.try_get(0)?;
        transaction.commit().await?;
        Ok(AccountId(id))
    }

    async fn account(&self, email: &Email) -> Result<Option<Account>, Error> {
        let row = self.query_opt(&format!("{ACCOUNT} WHERE account.email = $1"), &[&email.as_str()]).await?;
        row.as_ref().map(rows::account).transpose()
    }

    async fn accounts(&self) -> Result<Vec<Account>, Error> {
        // The order of bytes, as in SQLite, whatever the database's locale.
        let rows = self.query(&format!("{ACCOUNT} ORDER BY account.email COLLATE \"C\""), &[]).await?;
        rows.iter().map(rows::account).collect()
    }

    async fn change_plan(&self, email: &Email, plan: &str) -> Result<(), Error> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        let account = locked_account(&transaction, email).await?;
        let plan = plan_id(&transaction, plan).await?;
        transaction.execute("UPDATE account SET plan_id = $2 WHERE id = $1", &[&account, &plan]).await?;
        Ok(transaction.commit().await?)
    }

    async fn change_role(&self, email: &Email, role: Role) -> Result<(), Error> {
        let change = "UPDATE account SET role = $2 WHERE id = $1";
        self.change_and_end_sessions(email, change, &role.as_str()).await
    }

    async fn change_password(&self, email: &Email, password_hash: &str) -> Result<(), Error> {
        let change = "UPDATE account SET password_hash = $2 WHERE id = $1";
        self.change_and_end_sessions(email, change, &password_hash).await
    }

    async fn set_plan(&self, plan: &Plan) -> Result<(), Error> {
        let set = "INSERT INTO plan (name, includes_api) VALUES ($1, $2) \
            ON CONFLICT (name) DO UPDATE SET includes_api = excluded.includes_api";
        self.query(set, &[&plan.name, &plan.includes_api]).await?;
        Ok(())
    }

    async fn plans(&self) -> Result<Vec<Plan>, Error> {
        let rows = self.query("SELECT name, includes_api FROM plan ORDER BY name COLLATE \"C\"", &[]).await?;
        rows.iter().map(rows::plan).collect()
    }

    async fn add_key(&self, email: &Email, key: &NewKey) -> Result<(), Error> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        let account = locked_account(&transaction, email).await?;
        let held = "SELECT count(*) FROM api_key WHERE account_id = $1 AND revoked_at IS NULL";
        let held: i64 = transaction.query_one(held, &[&account]).await?.try_get(0)?;
        if held >= i64::from(MOST_KEYS) {
            return Err(Error::TooManyKeys(email.clone()));
        }
        transaction
            .execute(
                "INSERT INTO api_key (id, account_id, name, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5)",
                &[&key.id.to_store(), &account, &key.name, &key.secret_hash, &key.created.unix_millis()],
            )
            .await?;
        Ok(transaction.commit().await?)
    }

    async fn keys(&self, account: AccountId) -> Result<Vec<Key>, Error> {
        let keys = "SELECT id, name, created_at, last_used_at, revoked_at FROM api_key WHERE account_id = $1 \
            ORDER BY created_at, id";
        self.query(keys, &[&account.0]).await?.iter().map(rows::key).collect()
    }

    async fn used_keys(&self, day: Day, most: u32) -> Result<Vec<UsedKey>, Error> {
        self.query(USED_KEYS, &[&day.number(), &i64::from(most)]).await?.iter().map(rows::used_key).collect()
    }

    async fn revoke_key(&self, email: &Email, key: KeyId, at: Timestamp) -> Result<(), Error> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await?;
        let account = locked_account(&transaction, email).await?;
        let revoked = "SELECT revoked_at IS NOT NULL FROM api_key WHERE id = $1 AND account_id = $2";
        match transaction.query_opt(revoked, &[&key.to_store(), &account]).await? {
            None => return Err(Error::UnknownKey { email: email.clone(), id: key.to_string() }),
            Some(row) if row.try_get(0)? => return Err(Error::AlreadyRevoked(key)),
            Some(_) => {}
        }
        let revoke = "UPDATE api_key SET revoked_at = $2 WHERE id = $1";
        transaction.execute(revoke, &[&key.to_store(), &at.unix_millis()]).await?;
        Ok(transaction.commit().await?)
    }
}

/// The account's number. Until the transaction ends, no other changes the account or its keys by this way.
async fn locked_account(transaction: &Transaction<'_>, email: &Email) -> Result<i64, Error> {
    let id = "SELECT id FROM account WHERE email = $1 FOR UPDATE";
    let row = transaction.query_opt(id, &[&email.as_str()]).await?;
    Ok(row.ok_or_else(|| Error::UnknownAccount(email.clone()))?.try_get(0)?)
}

async fn plan_id(transaction: &Transaction<'_>, name: &str) -> Result<i64, Error> {
    let row = transaction.query_opt("SELECT id FROM plan WHERE name = $1", &[&name]).await?;
    Ok(row.ok_or_else(|| Error::UnknownPlan(name.to_owned()))?.try_get(0)?)
}
