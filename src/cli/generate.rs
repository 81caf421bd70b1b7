//! `catalogue generate`.

use std::path::PathBuf;

use catalogue_index::export::Counts;
use catalogue_schema::Timestamp;
use clap::Args;

use super::Failure;
use super::output::print;
use crate::synthetic::{self, Churn, DEFAULT_SEED, Error, Size};

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
    let written = if let Some(previous) = &options.after {
        let churn = Churn { grants: options.grants, ..Churn::default() };
        synthetic::write_next(&options.dir, previous, options.seed, options.crawled_at, churn)
    } else {
        let crawled_at = options.crawled_at.unwrap_or_else(synthetic::default_crawled_at);
        synthetic::write(&options.dir, size(options), options.seed, crawled_at)
    };
    let manifest = written.map_err(|error| match error {
        Error::Size(sentence) => Failure { status: 2, message: sentence.to_owned() },
        error => error.into(),
    })?;
    let Counts { grants, funders, recipients, awards } = manifest.counts;
    print(format!(
        "{grants} grants, {funders} funders, {recipients} recipients and {awards} awards, crawled at {}, written to {}\n",
        manifest.crawled_at,
        options.dir.display()
    ))
}

fn size(options: &Options) -> Size {
    let usual = Size::of_grants(options.grants.unwrap_or_default());
    let funders = options.funders.unwrap_or(usual.funders);
    let recipients = options.recipients.unwrap_or(usual.recipients);
    let usual_awards = if funders == 0 { 0 } else { recipients.saturating_mul(3) };
    Size { grants: usual.grants, funders, recipients, awards: options.awards.unwrap_or(usual_awards) }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use tempfile::TempDir;

    use super::*;

    #[derive(Debug, Parser)]
    struct Generate {
        #[command(flatten)]
        options: Options,
    }

    fn parse(line: &str) -> Result<Options, clap::Error> {
        Generate::try_parse_from(line.split(' ')).map(|generate| generate.options)
    }

    fn sizes(line: &str) -> [u64; 4] {
        let Size { grants, funders, recipients, awards } = size(&parse(line).expect(line));
        [grants, funders, recipients, awards]
    }

    #[test]
    fn what_is_not_said_goes_with_the_grants() {
        assert_eq!(sizes("generate dir --grants 1000"), [1_000, 20, 250, 750]);
        assert_eq!(sizes("generate dir --grants 3"), [3, 1, 0, 0]);
        assert_eq!(sizes("generate dir --grants 1000 --recipients 7"), [1_000, 20, 7, 21]);
        assert_eq!(sizes("generate dir --grants 0 --funders 0 --recipients 5"), [0, 0, 5, 0]);
        assert_eq!(sizes("generate dir --grants 10 --funders 4 --recipients 2 --awards 9"), [10, 4, 2, 9]);
    }

    #[test]
    fn wrong_usage_is_refused() {
        for line in [
            "generate --grants 5",
            "generate dir",
            "generate dir --grants -1",
            "generate dir --grants 5 --crawled-at yesterday",
            "generate dir --after earlier --funders 5",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert!(parse("generate dir --after earlier").is_ok());
        let root = TempDir::new().expect("a folder");
        let mut options = parse("generate dir --grants 5 --funders 0").expect("numbers");
        options.dir = root.path().join("export");
        let failure = run(&options).expect_err("no grant is without a funder");
        assert_eq!((failure.status, failure.message.contains("at least one funder")), (2, true));
        assert!(!options.dir.exists());
    }

    #[test]
    fn a_folder_in_use_is_refused_as_a_failure() {
        let root = TempDir::new().expect("a folder");
        std::fs::write(root.path().join("mine.txt"), "mine").expect("a file");
        let mut options = parse("generate dir --grants 5").expect("numbers");
        options.dir = root.path().to_owned();
        assert_eq!(run(&options).expect_err("it is not empty").status, 1);
    }

    #[test]
    fn the_help_names_the_instant_of_a_first_crawl() {
        let help = Generate::command().render_long_help().to_string();
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(words.join(" ").contains(&format!("[default: {};", synthetic::default_crawled_at())));
    }
}
