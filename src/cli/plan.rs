//! `catalogue plan`.

use std::fmt::Write as _;

use clap::{Args, Subcommand};

use super::output::print;
use super::{Failure, Global};
use crate::access::Plan;
use crate::access::store::Store;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Makes a plan, or changes whether it includes the API; accounts on it feel that on their next request
    Set {
        /// The plan's name
        name: String,
        #[command(flatten)]
        includes: Includes,
    },
    /// Lists all plans: name, whether it includes the API
    List,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Includes {
    /// The plan includes the API
    #[arg(long)]
    api: bool,
    /// The plan does not include the API
    #[arg(long)]
    no_api: bool,
}

pub(crate) fn run(global: &Global, command: Command) -> Result<(), Failure> {
    match command {
        Command::Set { name, includes } => {
            global.with_store(async move |store| Ok(store.set_plan(&Plan::new(&name, includes.api)?).await?))
        }
        Command::List => global.with_store_there(list),
    }
}

async fn list(store: &dyn Store) -> Result<(), Failure> {
    let mut list = "name\tapi\n".to_owned();
    for plan in store.plans().await? {
        writeln!(list, "{}\t{}", plan.name, if plan.includes_api { "yes" } else { "no" })?;
    }
    print(list)
}
