//! Synthetic catalogues: exports of any size that are the same, byte for byte, for the same arguments.
//!
//! # How a row is made
//!
//! Every row rolls dice of its own: a stream cipher's, keyed by the seed, the kind of row and the row's number. So any row can be made
//! alone and in any order, nothing is remembered from one row to the next, and a catalogue with more rows begins with the rows of a
//! smaller one. The dice first choose a title's form and fill it with words of the word bank, the first of each list being
//! drawn far more often than the last; the slug is the title in small letters with the number behind it, and therefore unique.
//! Then come the other fields, with the null shares of real portals. Dates are counted from the instant of the crawl, which is an
//! argument: no clock is read.
//!
//! The [next crawl](write_next) of an export reads it line by line and moves a little of it ([`Churn`]).

mod calendar;
mod churn;
mod dice;
mod error;
mod grant;
mod next;
mod organisation;
mod phrase;
mod previous;
#[cfg(test)]
mod tests;
// A list of words reads better by the line than by the word.
#[rustfmt::skip]
mod words;
mod write;

use std::path::Path;

use catalogue_index::export::{AwardRow, Counts, GrantRow, Manifest};
use catalogue_schema::{Funder, Recipient, Slug, Timestamp};

pub use churn::Churn;
pub use error::Error;
pub use next::write_next;

/// The seed where none is given.
pub const DEFAULT_SEED: u64 = 1;

/// The instant of the first crawl where none is given: 2026-07-01T12:00:00.000Z. It is fixed, so that the rows are.
///
/// # Panics
/// Never: it is a valid instant.
#[must_use]
pub fn default_crawled_at() -> Timestamp {
    Timestamp::from_unix_millis(1_782_907_200_000).expect("the instant lies in the year 2026")
}

/// How many rows of each kind a catalogue has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Grants; each names a funder.
    pub grants: u64,
    /// Funders.
    pub funders: u64,
    /// Recipients.
    pub recipients: u64,
    /// Awards; each names a recipient and a funder.
    pub awards: u64,
}

impl Size {
    /// A catalogue of so many grants with as much else as goes with them: a funder for every 50 grants, at least one; a recipient for
    /// every 4; and three awards for every recipient.
    #[must_use]
    pub const fn of_grants(grants: u64) -> Self {
        let funders = if grants < 50 { 1 } else { grants / 50 };
        let recipients = grants / 4;
        Self { grants, funders, recipients, awards: recipients.saturating_mul(3) }
    }
}

/// A synthetic catalogue, whose rows are made as they are asked for.
#[derive(Debug)]
pub struct Catalogue {
    size: Size,
    seed: u64,
    crawled_at: Timestamp,
    funders: Vec<Slug>,
    recipients: Vec<Slug>,
}

impl Catalogue {
    /// A catalogue of that size as a crawl at `crawled_at` finds it.
    ///
    /// # Errors
    /// Where grants are asked for without funders, or awards without funders and recipients.
    pub fn new(size: Size, seed: u64, crawled_at: Timestamp) -> Result<Self, Error> {
        if size.grants > 0 && size.funders == 0 {
            return Err(Error::Size("every grant names a funder: ask for at least one funder"));
        }
        if size.awards > 0 && (size.funders == 0 || size.recipients == 0) {
            return Err(Error::Size(
                "every award names a funder and a recipient: ask for at least one of each, or for no awards",
            ));
        }
        let funders = (1..=size.funders).map(|number| organisation::funder(seed, number, crawled_at).slug).collect();
        let named_recipients = if size.awards > 0 { size.recipients } else { 0 };
        let recipients =
            (1..=named_recipients).map(|number| organisation::recipient(seed, number, crawled_at).slug).collect();
        Ok(Self { size, seed, crawled_at, funders, recipients })
    }

    /// The grants.
    pub fn grants(&self) -> impl Iterator<Item = GrantRow> {
        (1..=self.size.grants).map(|number| grant::row(self.seed, number, self.crawled_at, &self.funders))
    }

    /// The funders.
    pub fn funders(&self) -> impl Iterator<Item = Funder> {
        (1..=self.size.funders).map(|number| organisation::funder(self.seed, number, self.crawled_at))
    }

    /// The recipients.
    pub fn recipients(&self) -> impl Iterator<Item = Recipient> {
        (1..=self.size.recipients).map(|number| organisation::recipient(self.seed, number, self.crawled_at))
    }

    /// The awards.
    pub fn awards(&self) -> impl Iterator<Item = AwardRow> {
        (1..=self.size.awards)
            .map(|number| organisation::award((self.seed, number, 0), self.crawled_at, &self.funders, &self.recipients))
    }
}

/// Writes an export of that size to `dir`, which must be empty or not exist.
///
/// # Errors
/// Where `dir` holds something, a file cannot be written, or the size is one no catalogue has ([`Catalogue::new`]).
pub fn write(dir: &Path, size: Size, seed: u64, crawled_at: Timestamp) -> Result<Manifest, Error> {
    let catalogue = Catalogue::new(size, seed, crawled_at)?;
    write::export(dir, || {
        let mut grants = write::Rows::create(dir, FILES.grants)?;
        catalogue.grants().try_for_each(|row| grants.push_grant(&row))?;
        let mut funders = write::Rows::create(dir, FILES.funders)?;
        catalogue.funders().try_for_each(|row| funders.push(&row))?;
        let mut recipients = write::Rows::create(dir, FILES.recipients)?;
        catalogue.recipients().try_for_each(|row| recipients.push(&row))?;
        let mut awards = write::Rows::create(dir, FILES.awards)?;
        catalogue.awards().try_for_each(|row| awards.push(&row))?;
        let counts = Counts {
            grants: grants.finish()?,
            funders: funders.finish()?,
            recipients: recipients.finish()?,
            awards: awards.finish()?,
        };
        write::manifest(dir, crawled_at, counts)
    })
}

/// The names of an export's files of rows.
struct Files {
    grants: &'static str,
    funders: &'static str,
    recipients: &'static str,
    awards: &'static str,
}

const FILES: Files = Files {
    grants: "grants.ndjson",
    funders: "funders.ndjson",
    recipients: "recipients.ndjson",
    awards: "awards.ndjson",
};
