//! `catalogue demo`: a sample catalogue, an account, a key and an analyst, and a gateway that serves them.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use catalogue_index::DataFolder;
use catalogue_schema::Timestamp;
use data_encoding::BASE32_NOPAD;

use super::output::print;
use super::{Failure, Global, key, reindex, serve};
use crate::access::account::NewAccount;
use crate::access::store::Store;
use crate::access::{Email, Location, Role, password};
use crate::clock::Clock;
use crate::synthetic::{self, Churn, DEFAULT_SEED, Size};

/// Says that a data folder was made by a demo, which may make it anew.
const MARK: &str = "DEMO";

/// How many grants the sample has.
const GRANTS: u64 = 2_000;

/// How long before now the sample's first crawl was, in milliseconds.
const A_DAY: i64 = 24 * 60 * 60 * 1000;

/// The addresses of the demo's accounts.
const CLIENT: &str = "client@demo.example";
const ANALYST: &str = "analyst@demo.example";

pub(crate) fn run(global: &Global, options: &serve::Options) -> Result<(), Failure> {
    if global.database_url.is_some() {
        let message =
            "a demo keeps its accounts in its own folder: it takes no --database-url and no CATALOGUE_DATABASE_URL";
        return Err(Failure { status: 2, message: message.to_owned() });
    }
    // A demo that may not or cannot listen must not make the folder of one that does anew.
    serve::settings(global, options)?;
    for address in [options.listen, options.internal_listen] {
        TcpListener::bind(address).map_err(|error| Failure::new(format!("cannot listen on {address}: {error}")))?;
    }
    make_room(global)?;
    build(&global.data_dir)?;
    let accounts = global.with_store(add_accounts)?;
    introduce(options, &accounts)?;
    serve::run(global, options)
}

/// Makes the data folder empty: one of an earlier demo is cleared where nobody has made an account in it since, any other that holds
/// something is left alone.
fn make_room(global: &Global) -> Result<(), Failure> {
    let folder = &global.data_dir;
    if folder.join(MARK).exists() {
        if let Some(other) = other_account(global)? {
            let folder = folder.display();
            return Err(Failure::new(format!(
                "{folder} was made by a demo and has an account of {other} now: give another folder by --data-dir"
            )));
        }
        fs::remove_dir_all(folder)?;
    }
    if folder.exists() && fs::read_dir(folder)?.next().is_some() {
        let folder = folder.display();
        return Err(Failure::new(format!(
            "{folder} holds something that no demo made: give another folder by --data-dir"
        )));
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join(MARK), "This folder was made by `catalogue demo`, which makes it anew each time.\n")?;
    Ok(())
}

/// An address in the folder's store that is not the demo's.
fn other_account(global: &Global) -> Result<Option<Email>, Failure> {
    if matches!(global.location()?, Location::Sqlite(file) if !file.exists()) {
        return Ok(None);
    }
    let accounts = global.with_store(async |store| Ok(store.accounts().await?))?;
    Ok(accounts.into_iter().map(|account| account.email).find(|email| ![CLIENT, ANALYST].contains(&email.as_str())))
}

/// Publishes two crawls, a day apart, so that the change feed has something to tell.
fn build(folder: &Path) -> Result<(), Failure> {
    let data = DataFolder::new(folder);
    let now = Clock::System.now();
    let first = folder.join("exports/1");
    let second = folder.join("exports/2");
    let yesterday = now.plus_millis(-A_DAY).unwrap_or(Timestamp::EPOCH);
    synthetic::write(&first, Size::of_grants(GRANTS), DEFAULT_SEED, yesterday)?;
    synthetic::write_next(&second, &first, DEFAULT_SEED, Some(now), Churn::default())?;
    for export in [first, second] {
        reindex::index(&data, &export, catalogue_index::Options::default())?;
    }
    Ok(())
}

/// What a visitor needs to get in.
struct Accounts {
    key: String,
    client_password: String,
    analyst_password: String,
    analyst_key: String,
}

async fn add_accounts(store: &dyn Store) -> Result<Accounts, Failure> {
    let client_password = add_account(store, CLIENT, Role::Client).await?;
    let analyst_password = add_account(store, ANALYST, Role::Analyst).await?;
    let add_key = async |email: &str| Ok::<_, Failure>(key::make(store, &email.parse()?, "demo").await?.reveal());
    Ok(Accounts {
        key: add_key(CLIENT).await?,
        client_password,
        analyst_password,
        analyst_key: add_key(ANALYST).await?,
    })
}

/// Makes an account and gives its password.
async fn add_account(store: &dyn Store, email: &str, role: Role) -> Result<String, Failure> {
    let mut random = [0; 10];
    getrandom::fill(&mut random).map_err(crate::access::Error::Randomness)?;
    let password = BASE32_NOPAD.encode(&random).to_lowercase();
    let password_hash = password::hash(password.as_bytes())?;
    let created = Clock::System.now();
    let account = NewAccount { email: email.parse()?, role, plan: "api".to_owned(), password_hash, created };
    store.add_account(&account).await?;
    Ok(password)
}

/// Says what there is to try.
fn introduce(options: &serve::Options, accounts: &Accounts) -> Result<(), Failure> {
    let Accounts { key, client_password, analyst_password, analyst_key } = accounts;
    let (listen, internal) = (options.listen, options.internal_listen);
    print(format!(
        "A sample catalogue is served on http://{listen} until you press Ctrl-C.\n\n\
         client   {CLIENT}  {client_password}\n\
         analyst  {ANALYST}  {analyst_password}\n\
         key      {key}\n\n\
         Try:\n\n\
         curl -H 'Authorization: Bearer {key}' 'http://{listen}/api/v1/grants?state=CA&q=water&limit=2'\n\
         curl -H 'Authorization: Bearer {key}' 'http://{listen}/api/v1/funders?limit=2'\n\
         curl -H 'Authorization: Bearer {key}' 'http://{listen}/api/v1/changes?limit=2'\n\
         curl -H 'Authorization: Bearer {analyst_key}' -G 'http://{internal}/graphql' \
         --data-urlencode 'query={{ grants {{ totalCount facets {{ industry {{ notStated buckets {{ value count }} }} }} }} }}'\n\n\
         Sign in as the client on http://{listen}/account to manage keys; http://{listen}/docs explains the API.\n\
         Sign in as the analyst on http://{internal}/ for the dashboard and GraphiQL; operations answer on\n\
         http://{internal}/metrics and /readyz.\n\n"
    ))
}
