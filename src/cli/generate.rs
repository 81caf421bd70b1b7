//! `catalogue generate`.

use std::path::PathBuf;

use catalogue_index::export::Counts;
use catalogue_schema::Timestamp;
use clap::Args;

use super::Failure;
use crate::synthetic::{self, Churn, DEFAULT_CRAWLED_AT, DEFAULT_SEED, Error, Size};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder to write the export to; must be empty or not exist
    dir: PathBuf,
    /// How many grants. With --after, how many the next crawl lists, more coming or going than usual [default with --after: about as
    /// many as before]
    #[arg(long, value_name = "N", required_unless_present = "after")]
    grants: Option<u64>,
    /// How many funders; at least one where there are grants or awards [default: a fiftieth of the grants, at least 1]
    #[arg(long, value_name = "N", conflicts_with = "after")]
    funders: Option<u64>,
    /// How many recipients; at least one where there are awards [default: a quarter of the grants]
    #[arg(long, value_name = "N", conflicts_with = "after")]
    recipients: Option<u64>,
    /// How many awards [default: three for every recipient, none without funders]
    #[arg(long, value_name = "N", conflicts_with = "after")]
    awards: Option<u64>,
    /// The same seed gives the same export. With --after, the seed of the earlier export lets records it left out come back
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Instant of the crawl, from which deadlines are counted [default: 2026-07-01T12:00:00.000Z; with --after, a day after the earlier
    /// export's]
    #[arg(long, value_name = "T")]
    crawled_at: Option<Timestamp>,
    /// Writes the next crawl of the export in this folder, in which about 1 % of the grants come, 1 % are no longer listed, and a few
    /// deadlines, amounts, titles and states move
    #[arg(long, value_name = "DIR")]
    after: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let written = match &options.after {
        Some(previous) => {
            let churn = Churn { grants: options.grants, ..Churn::default() };
            synthetic::write_next(&options.dir, previous, options.seed, options.crawled_at, churn)
        }
        None => synthetic::write(&options.dir, size(options), options.seed, first_crawl(options)?),
    };
    let manifest = written.map_err(|error| match error {
        Error::Size(sentence) => Failure { status: 2, message: sentence.to_owned() },
        error => error.into(),
    })?;
    let Counts { grants, funders, recipients, awards } = manifest.counts;
    println!(
        "{grants} grants, {funders} funders, {recipients} recipients and {awards} awards, crawled at {}, written to {}",
        manifest.crawled_at,
        options.dir.display()
    );
    Ok(())
}

fn size(options: &Options) -> Size {
    let usual = Size::of_grants(options.grants.unwrap_or_default());
    let funders = options.funders.unwrap_or(usual.funders);
    let recipients = options.recipients.unwrap_or(usual.recipients);
    let usual_awards = if funders == 0 { 0 } else { recipients.saturating_mul(3) };
    Size { grants: usual.grants, funders, recipients, awards: options.awards.unwrap_or(usual_awards) }
}

fn first_crawl(options: &Options) -> Result<Timestamp, Failure> {
    options.crawled_at.map_or_else(|| DEFAULT_CRAWLED_AT.parse().map_err(Failure::from), Ok)
}
