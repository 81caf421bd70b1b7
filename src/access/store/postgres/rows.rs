//! What the rows of the PostgreSQL store mean.

use tokio_postgres::Row;

use super::super::{Account, AccountId, Email, Error, Key, KeyId, Ledger, Plan, Standing, UsedKey, instant};
use crate::access::account::Role;

pub(super) fn standing(row: &Row) -> Result<Standing, Error> {
    Ok(Standing {
        account: AccountId(row.try_get(0)?),
        role: Role::from_store(row.try_get(1)?),
        includes_api: row.try_get(2)?,
        revoked: row.try_get(3)?,
        ledger: Ledger { taken: count(row.try_get(4)?), lent: count(row.try_get(5)?) },
    })
}

pub(super) fn ledger(row: &Row) -> Result<Ledger, Error> {
    Ok(Ledger { taken: count(row.try_get(0)?), lent: count(row.try_get(1)?) })
}

pub(super) fn account(row: &Row) -> Result<Account, Error> {
    Ok(Account {
        id: AccountId(row.try_get(0)?),
        email: Email::from_store(row.try_get(1)?),
        role: Role::from_store(row.try_get(2)?),
        plan: row.try_get(3)?,
        created: instant(row.try_get(4)?)?,
    })
}

pub(super) fn plan(row: &Row) -> Result<Plan, Error> {
    Ok(Plan { name: row.try_get(0)?, includes_api: row.try_get(1)? })
}

pub(super) fn key(row: &Row) -> Result<Key, Error> {
    let maybe = |at: usize| row.try_get::<_, Option<i64>>(at)?.map(instant).transpose();
    Ok(Key {
        id: KeyId::from_store(row.try_get(0)?),
        name: row.try_get(1)?,
        created: instant(row.try_get(2)?)?,
        last_used: maybe(3)?,
        revoked: maybe(4)?,
    })
}

pub(super) fn used_key(row: &Row) -> Result<UsedKey, Error> {
    Ok(UsedKey {
        key: key(row)?,
        email: Email::from_store(row.try_get(5)?),
        ledger: Ledger { taken: count(row.try_get(6)?), lent: count(row.try_get(7)?) },
    })
}

/// A count as the table holds it, which its checks keep within range.
fn count(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}
