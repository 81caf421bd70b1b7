//! `catalogue key`.

use std::fmt::Write as _;

use catalogue_schema::Timestamp;
use clap::Subcommand;

use super::output::{print, show};
use super::{Failure, Global};
use crate::access::holder::make_key;
use crate::access::key::{SealingKey, Token};
use crate::access::password::Argon;
use crate::access::store::{Secret, Store};
use crate::access::{Email, Error, KeyId};
use crate::clock::Clock;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Makes a key and prints it, once
    Create {
        /// The account that holds it
        email: String,
        /// Where the key runs: what tells it from the others
        name: String,
    },
    /// Lists an account's keys: id, name, when made, last used and revoked (`-` for never)
    List {
        /// The account's address
        email: String,
    },
    /// Revokes a key: the next request with it is refused
    Revoke {
        /// The account that holds it
        email: String,
        /// The key's id, as `key list` shows it
        key_id: String,
    },
}

pub(crate) fn run(global: &Global, command: Command) -> Result<(), Failure> {
    global.with_store_there(async move |store| match command {
        Command::Create { email, name } => create(store, &email.parse()?, &name).await,
        Command::List { email } => list(store, &email.parse()?).await,
        Command::Revoke { email, key_id } => revoke(store, &email.parse()?, &key_id).await,
    })
}

async fn create(store: &dyn Store, email: &Email, name: &str) -> Result<(), Failure> {
    let token = make(store, email, name).await?;
    let unseen =
        |error| Failure::new(format!("the key {} was made, but cannot be shown: {error}; revoke it", token.id()));
    show(format!("{}\n", token.reveal())).map_err(unseen)
}

/// Makes a key.
pub(super) async fn make(store: &dyn Store, email: &Email, name: &str) -> Result<Token, Failure> {
    let sealing = SealingKey::new(store.secret(Secret::Key).await?);
    let (token, _) = make_key(store, &sealing, &Argon::default(), email, (name, Clock::System.now())).await?;
    Ok(token)
}

async fn list(store: &dyn Store, email: &Email) -> Result<(), Failure> {
    let account = store.account(email).await?.ok_or_else(|| Error::UnknownAccount(email.clone()))?;
    let or_dash = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), |at| at.to_string());
    let mut list = "id\tname\tcreated\tlast_used\trevoked\n".to_owned();
    for key in store.keys(account.id).await? {
        let (last_used, revoked) = (or_dash(key.last_used), or_dash(key.revoked));
        writeln!(list, "{}\t{}\t{}\t{last_used}\t{revoked}", key.id, key.name, key.created)?;
    }
    print(list)
}

async fn revoke(store: &dyn Store, email: &Email, key_id: &str) -> Result<(), Failure> {
    let unknown = |_| Error::UnknownKey { email: email.clone(), id: key_id.to_owned() };
    let id: KeyId = key_id.parse().map_err(unknown)?;
    store.revoke_key(email, id, Clock::System.now()).await?;
    Ok(())
}
