//! The next crawl of an earlier export.
//!
//! The earlier files are read line by line; only the slugs of funders and recipients and the numbers of grants are held. A grant
//! that comes takes the number after the highest, which therefore always stays listed. A number below it that is not listed is a
//! record that an earlier crawl left out: since a number and a seed make a grant, it can come back under the same slug and title
//! without any file that remembers it.

use std::fs;
use std::path::Path;

use catalogue_index::export::{AwardRow, Counts, GrantRow, Manifest};
use catalogue_schema::{Funder, Recipient, Slug, Status, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::churn::{Churn, Turnover, share_of};
use super::dice::{Dice, Purpose, Sample};
use super::{Error, FILES, grant, organisation, phrase, previous, write};

const DAY: i64 = 86_400_000;

/// Writes the crawl after the export in `previous` to `dir`, which must be empty or not exist; a day later where `crawled_at` is
/// not given. The earlier export may be compressed, and need not be synthetic.
///
/// With the seed of the earlier export, records it left out can come back; with another none does.
///
/// # Errors
/// Where `dir` holds something, or `previous` is not an export that can be read, or is not older; and where a file cannot be written.
pub fn write_next(
    dir: &Path,
    previous: &Path,
    seed: u64,
    crawled_at: Option<Timestamp>,
    churn: Churn,
) -> Result<Manifest, Error> {
    if let (Ok(one), Ok(other)) = (fs::canonicalize(dir), fs::canonicalize(previous))
        && one == other
    {
        return Err(Error::SameFolder(dir.to_owned()));
    }
    let manifest = previous::manifest(previous)?;
    let earlier = manifest.crawled_at;
    let crawled_at = crawled_at.or_else(|| earlier.plus_millis(DAY)).unwrap_or(earlier);
    if crawled_at <= earlier {
        return Err(Error::NotLater { earlier, crawled_at });
    }
    let next = Next { dir, previous, counts: manifest.counts, seed, earlier, crawled_at, churn };
    write::export(dir, || next.write())
}

struct Next<'a> {
    dir: &'a Path,
    previous: &'a Path,
    counts: Counts,
    seed: u64,
    earlier: Timestamp,
    crawled_at: Timestamp,
    churn: Churn,
}

/// The slug of a row of any kind.
#[derive(Deserialize)]
struct Named {
    slug: Slug,
}

impl Next<'_> {
    fn write(&self) -> Result<Manifest, Error> {
        let mut dice = self.dice(Purpose::Count);
        let Counts { funders, recipients, .. } = self.counts;
        let funders =
            self.organisations(FILES.funders, funders, &mut dice, organisation::funder, |row: &Funder| &row.slug)?;
        let recipients =
            self.organisations(FILES.recipients, recipients, &mut dice, organisation::recipient, |row: &Recipient| {
                &row.slug
            })?;
        let awards = self.awards(&mut dice, &funders, &recipients)?;
        let grants = self.grants(&mut dice, &funders)?;
        let counts = Counts { grants, funders: funders.len() as u64, recipients: recipients.len() as u64, awards };
        write::manifest(self.dir, self.crawled_at, counts)
    }

    /// Writes the funders or the recipients, all that were listed and those that come, and gives their slugs.
    fn organisations<T: DeserializeOwned + Serialize>(
        &self,
        name: &str,
        stated: u64,
        dice: &mut Dice,
        make: fn(u64, u64, Timestamp) -> T,
        slug: fn(&T) -> &Slug,
    ) -> Result<Vec<Slug>, Error> {
        let mut written = write::Rows::create(self.dir, name)?;
        let mut rows = previous::Rows::open(self.previous, name, stated)?;
        let mut slugs = Vec::new();
        while let Some((line, row)) = rows.next_row::<T>()? {
            written.push_line(line)?;
            slugs.push(slug(&row).clone());
        }
        let highest = slugs.iter().filter_map(phrase::number).max().unwrap_or(0);
        for number in 1..=share_of(stated, self.churn.others_added, dice) {
            let row = make(self.seed, highest + number, self.crawled_at);
            written.push(&row)?;
            slugs.push(slug(&row).clone());
        }
        written.finish()?;
        Ok(slugs)
    }

    fn awards(&self, dice: &mut Dice, funders: &[Slug], recipients: &[Slug]) -> Result<u64, Error> {
        let mut written = write::Rows::create(self.dir, FILES.awards)?;
        let mut rows = previous::Rows::open(self.previous, FILES.awards, self.counts.awards)?;
        while let Some((line, _)) = rows.next_row::<AwardRow>()? {
            written.push_line(line)?;
        }
        let crawl = self.crawled_at.unix_millis();
        let added = share_of(self.counts.awards, self.churn.others_added, dice);
        // Where awards are listed but nobody to name in them, the export is at fault; more faults would not mend it.
        let added = if funders.is_empty() || recipients.is_empty() { 0 } else { added };
        for number in 0..added {
            written.push(&organisation::award((self.seed, number, crawl), self.crawled_at, funders, recipients))?;
        }
        written.finish()
    }

    fn grants(&self, dice: &mut Dice, funders: &[Slug]) -> Result<u64, Error> {
        let numbers = self.numbers()?;
        let Turnover { added, left_out, reopened } = self.churn.turnover(self.counts.grants, numbers.gaps(), dice);
        if added + reopened > 0 && funders.is_empty() {
            return Err(Error::NoFunders(self.previous.to_owned()));
        }
        let mut written = write::Rows::create(self.dir, FILES.grants)?;
        self.stay(&mut written, &numbers, left_out)?;
        let mut returns = Sample::new(reopened, numbers.gaps(), self.dice(Purpose::Return));
        for number in numbers.unlisted().filter(|_| returns.takes_next()) {
            written.push_grant(&self.reopened(number, funders))?;
        }
        for number in 1..=added {
            written.push_grant(&grant::row(self.seed, numbers.highest + number, self.crawled_at, funders))?;
        }
        written.finish()
    }

    /// Writes the grants that stay.
    fn stay(&self, written: &mut write::Rows, numbers: &Numbers, left_out: u64) -> Result<(), Error> {
        let mut rows = previous::Rows::open(self.previous, FILES.grants, self.counts.grants)?;
        let may_go = self.counts.grants - numbers.of_highest;
        let mut leaves = Sample::new(left_out, may_go, self.dice(Purpose::Leave));
        // The highest number goes only where everything else does, and more.
        let mut highest_leaves =
            Sample::new(left_out.saturating_sub(may_go), numbers.of_highest, self.dice(Purpose::Leave));
        while let Some((_, mut row)) = rows.next_row::<GrantRow>()? {
            let is_highest = phrase::number(&row.slug) == Some(numbers.highest);
            let leaves = if is_highest { &mut highest_leaves } else { &mut leaves };
            if !leaves.takes_next() {
                self.churn.apply(&mut row, self.seed, self.earlier, self.crawled_at);
                written.push_grant(&row)?;
            }
        }
        Ok(())
    }

    /// A grant that comes back: open, and with a deadline ahead.
    fn reopened(&self, number: u64, funders: &[Slug]) -> GrantRow {
        let mut dice = Dice::new(self.seed, Purpose::Return, number, self.crawled_at.unix_millis());
        GrantRow {
            status: Status::Open,
            opens_at: None,
            deadline: grant::deadline_ahead(&mut dice, self.crawled_at),
            ..grant::row(self.seed, number, self.crawled_at, funders)
        }
    }

    /// Reads which numbers the listed grants have.
    fn numbers(&self) -> Result<Numbers, Error> {
        let mut rows = previous::Rows::open(self.previous, FILES.grants, self.counts.grants)?;
        let mut listed = Vec::new();
        let mut newest = None;
        while let Some((_, Named { slug })) = rows.next_row()? {
            if let Some(number) = phrase::number(&slug) {
                listed.push(number);
                newest = newest.max(Some((number, slug)));
            }
        }
        listed.sort_unstable();
        let highest = listed.last().copied().unwrap_or(0);
        let of_highest = listed.iter().rev().take_while(|number| **number == highest).count() as u64;
        listed.dedup();
        // Where this seed makes another slug of the highest number, the numbers that are missing below it were never made by it.
        let has_gaps = newest.is_some_and(|(number, slug)| grant::slug(self.seed, number) == slug);
        Ok(Numbers { listed, highest, of_highest, has_gaps })
    }

    fn dice(&self, purpose: Purpose) -> Dice {
        Dice::new(self.seed, purpose, 0, self.crawled_at.unix_millis())
    }
}

/// The numbers at the ends of the slugs of the listed grants.
struct Numbers {
    /// Each once, ascending.
    listed: Vec<u64>,
    /// The highest, or 0 where none has a number.
    highest: u64,
    /// How many rows have the highest.
    of_highest: u64,
    /// Whether a number that is missing is that of a grant once listed.
    has_gaps: bool,
}

impl Numbers {
    /// How many grants once listed no longer are.
    fn gaps(&self) -> u64 {
        let positive = self.listed.iter().filter(|number| **number > 0).count() as u64;
        if self.has_gaps { self.highest - positive } else { 0 }
    }

    /// The numbers of those, ascending.
    fn unlisted(&self) -> impl Iterator<Item = u64> {
        let end = if self.has_gaps { self.highest } else { 0 };
        let mut listed = self.listed.iter().copied().peekable();
        (1..end).filter(move |number| {
            while listed.next_if(|other| other < number).is_some() {}
            listed.peek() != Some(number)
        })
    }
}
