//! `catalogue generate`.

use clap::Args;

use super::Failure;

#[derive(Debug, Args)]
pub(crate) struct Options {}

pub(crate) fn run(_options: &Options) -> Result<(), Failure> {
    Ok(())
}
