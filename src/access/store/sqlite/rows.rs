//! What the rows of the SQLite store mean.

use catalogue_schema::Timestamp;
use rusqlite::Row;
use rusqlite::types::Type;

use super::super::{Account, AccountId, Email, Key, KeyId, Ledger, Plan, Standing, UsedKey, instant};
use crate::access::account::Role;

pub(super) fn standing(row: &Row<'_>) -> rusqlite::Result<Standing> {
    Ok(Standing {
        account: AccountId(row.get(0)?),
        role: role(row, 1)?,
        includes_api: row.get(2)?,
        revoked: row.get(3)?,
        ledger: Ledger { taken: row.get(4)?, lent: row.get(5)? },
    })
}

pub(super) fn ledger(row: &Row<'_>) -> rusqlite::Result<Ledger> {
    Ok(Ledger { taken: row.get(0)?, lent: row.get(1)? })
}

pub(super) fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: AccountId(row.get(0)?),
        email: Email::from_store(row.get(1)?),
        role: role(row, 2)?,
        plan: row.get(3)?,
        created: timestamp(row.get(4)?, 4)?,
    })
}

pub(super) fn plan(row: &Row<'_>) -> rusqlite::Result<Plan> {
    Ok(Plan { name: row.get(0)?, includes_api: row.get(1)? })
}

pub(super) fn key(row: &Row<'_>) -> rusqlite::Result<Key> {
    let maybe = |at| row.get::<_, Option<i64>>(at)?.map(|millis| timestamp(millis, at)).transpose();
    Ok(Key {
        id: KeyId::from_store(row.get(0)?),
        name: row.get(1)?,
        created: timestamp(row.get(2)?, 2)?,
        last_used: maybe(3)?,
        revoked: maybe(4)?,
    })
}

pub(super) fn used_key(row: &Row<'_>) -> rusqlite::Result<UsedKey> {
    Ok(UsedKey {
        key: key(row)?,
        email: Email::from_store(row.get(5)?),
        ledger: Ledger { taken: row.get(6)?, lent: row.get(7)? },
    })
}

fn role(row: &Row<'_>, at: usize) -> rusqlite::Result<Role> {
    Ok(Role::from_store(row.get_ref(at)?.as_str()?))
}

pub(super) fn timestamp(unix_millis: i64, at: usize) -> rusqlite::Result<Timestamp> {
    instant(unix_millis).map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Integer, error.into()))
}
