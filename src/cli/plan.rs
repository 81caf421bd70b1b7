//! `catalogue plan`.

use clap::Subcommand;

use super::{Failure, Global};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {}

pub(crate) fn run(_global: &Global, command: Command) -> Result<(), Failure> {
    match command {}
}
