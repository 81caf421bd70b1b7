//! `catalogue generation`: what is published, the way back, and clearing away.

use std::fmt::Write as _;

use catalogue_index::{DataFolder, retention};
use clap::Subcommand;

use super::output::print;
use super::reindex::with_progress;
use super::{Failure, Global};
use crate::clock::Clock;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the generations on disk, oldest first, tab-separated
    List,
    /// Publishes the catalogue of an earlier generation again, as a new generation
    Rollback {
        /// The generation to go back to [default: the one before the published one]
        id: Option<u64>,
    },
    /// Removes the generations that were superseded more than 24 hours ago, as every reindex does too
    Prune,
}

pub(crate) fn run(global: &Global, command: &Command) -> Result<(), Failure> {
    let data = DataFolder::new(&global.data_dir);
    match command {
        Command::List => list(&data),
        Command::Rollback { id } => rollback(&data, *id),
        Command::Prune => prune(&data),
    }
}

fn list(data: &DataFolder) -> Result<(), Failure> {
    let all = retention::kept(data)?;
    let mut list = String::new();
    writeln!(list, "generation\tpublished_at\tcrawled_at\tgrants\tfunders\trecipients\tawards\tstate")?;
    for (number, kept) in all {
        let kept = match kept.map_err(Failure::from) {
            Ok(kept) => kept,
            Err(Failure { message, .. }) => {
                writeln!(list, "{number}\t\t\t\t\t\t\tunreadable: {message}")?;
                continue;
            }
        };
        let (manifest, rows) = (&kept.manifest, kept.manifest.counts);
        let state = match kept.until {
            _ if kept.is_published => "published".to_owned(),
            Some(until) => format!("kept until {until}"),
            None => "kept".to_owned(),
        };
        let (at, crawled) = (manifest.publication().at, manifest.crawled_at);
        let (grants, funders, recipients, awards) = (rows.grants, rows.funders, rows.recipients, rows.awards);
        writeln!(list, "{number}\t{at}\t{crawled}\t{grants}\t{funders}\t{recipients}\t{awards}\t{state}")?;
    }
    print(list)
}

fn rollback(data: &DataFolder, id: Option<u64>) -> Result<(), Failure> {
    let clock = Clock::System;
    let (target, published) = with_progress(|progress| catalogue_index::rollback(data, id, &|| clock.now(), progress))?;
    let done = format!("went back to generation {target}, published again as generation {published}");
    print(format!("{done}\n")).map_err(|failure| failure.after(&done))
}

fn prune(data: &DataFolder) -> Result<(), Failure> {
    let pruned = retention::prune_now(data, Clock::System.now())?;
    let mut list = String::new();
    for number in &pruned {
        writeln!(list, "removed generation {number}")?;
    }
    let done = format!("{} generations removed", pruned.len());
    print(format!("{list}{done}\n")).map_err(|failure| failure.after(&done))
}
