//! Awards: gathered by recipient and year.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use catalogue_schema::{Award, AwardYear, FunderName, Recipient, RecipientDetail, Year};
use serde::Deserialize;

use super::Progress;
use super::named::Named;
use super::segments::{Worker, write_list};
use super::spool::{Spool, SpoolWriter, Spooled};
use crate::error::Error;
use crate::export::AwardRow;
use crate::export::stream::RowFault;
use crate::generation::Shape;
use crate::generation::list::List;
use crate::generation::segment::SegmentWriter;
use crate::generation::sums::Sums;

/// How much the awards of one recipient may be together, in bytes: they are one row, which is held whole when it is written.
const MOST_OF_ONE: u32 = 32 << 20;

/// The awards to publish, being taken in.
pub(crate) struct AwardsWriter {
    rows: SpoolWriter,
    entries: Vec<Entry>,
    /// How many bytes there are of each recipient, by its number.
    bytes_of: Vec<u32>,
    buffer: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    recipient: u32,
    funder: u32,
    year: Year,
    row: Spooled,
}

impl AwardsWriter {
    /// Begins with no awards; what is set aside lies in the file `spool`.
    pub(crate) fn new(spool: &Path) -> Result<Self, Error> {
        Ok(Self {
            rows: SpoolWriter::create(spool.to_owned())?,
            entries: Vec::new(),
            bytes_of: Vec::new(),
            buffer: Vec::new(),
        })
    }

    /// Takes a row of the export in, or says what is wrong with it.
    pub(crate) fn take(
        &mut self,
        row: AwardRow,
        funders: &Named,
        recipients: &Named,
    ) -> Result<Result<(), RowFault>, Error> {
        let Some(recipient) = recipients.listed(row.recipient.as_str()) else {
            return Ok(Err(RowFault::of("recipient", format!("the export has no recipient `{}`", row.recipient))));
        };
        let Some(funder) = funders.listed(row.funder.as_str()) else {
            return Ok(Err(RowFault::of("funder", format!("the export has no funder `{}`", row.funder))));
        };
        let award = Award {
            funder: FunderName { slug: row.funder, name: funders.name(funder).to_owned() },
            amount: row.amount,
            purpose: row.purpose,
            source_url: row.source_url,
            last_verified_at: row.last_verified_at,
        };
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, &award)
            .map_err(|error| Error::damaged(Path::new("a row in memory"), error.to_string()))?;
        let number = recipient as usize;
        self.bytes_of.resize(self.bytes_of.len().max(number + 1), 0);
        let bytes = u32::try_from(self.buffer.len()).unwrap_or(u32::MAX).saturating_add(self.bytes_of[number]);
        if bytes > MOST_OF_ONE {
            let reason = format!("the awards of `{}` are more than {MOST_OF_ONE} bytes together", row.recipient);
            return Ok(Err(RowFault::of("recipient", reason)));
        }
        self.bytes_of[number] = bytes;
        let spooled = self.rows.push(&self.buffer)?;
        self.entries.push(Entry { recipient, funder, year: row.year, row: spooled });
        Ok(Ok(()))
    }

    /// Puts the awards into order: by recipient, newest year first, then by funder, then as the export has them.
    pub(crate) fn finish(self, funders: &Named) -> Result<Awards, Error> {
        let Self { rows, mut entries, .. } = self;
        // A stable sort keeps the export's order last.
        entries.sort_by(|one, other| {
            let key = |entry: &Entry| (entry.recipient, Reverse(entry.year));
            key(one).cmp(&key(other)).then_with(|| funders.slug(one.funder).cmp(funders.slug(other.funder)))
        });
        Ok(Awards { rows: rows.finish()?, entries })
    }
}

/// The awards to publish, by recipient.
pub(crate) struct Awards {
    rows: Spool,
    entries: Vec<Entry>,
}

impl Awards {
    /// How many of the export's awards are published.
    pub(crate) fn count(&self) -> usize {
        self.entries.len()
    }

    /// Writes the list of recipients with their awards into `folder`; gives the sums of the files.
    pub(crate) fn write_recipients(
        &self,
        recipients: &Named,
        funders: &Named,
        published: Option<&List>,
        folder: &Path,
        progress: &Progress<'_>,
    ) -> Result<Sums, Error> {
        let slug_at = |place: usize| recipients.slug_at(place);
        write_list(folder, Shape::RECIPIENTS, recipients.count(), progress, slug_at, |segment, worker, place| {
            let (number, unlisted) = recipients.entry_at(place);
            if let (Some(unlisted), Some(published)) = (unlisted, published) {
                let details = published.details(unlisted);
                recipients.write_row(segment, worker, place, &givers_in(details)?)?;
                return segment.push_details(details);
            }
            let givers = self.of(number).map(|entry| funders.slug(entry.funder)).collect();
            recipients.write_row(segment, worker, place, &givers)?;
            self.write_details(segment, worker, number)
        })
    }

    /// The awards of a recipient.
    fn of(&self, recipient: u32) -> impl Iterator<Item = &Entry> {
        let first = self.entries.partition_point(|entry| entry.recipient < recipient);
        self.entries[first..].iter().take_while(move |entry| entry.recipient == recipient)
    }

    /// Writes the longer row of the recipient whose list row is in the worker's buffer.
    fn write_details(&self, segment: &mut SegmentWriter, worker: &mut Worker, recipient: u32) -> Result<(), Error> {
        let damaged = |error: serde_json::Error| Error::damaged(self.rows.path(), error.to_string());
        let row: Recipient = serde_json::from_slice(&worker.buffer).map_err(damaged)?;
        let mut years: Vec<(Year, Vec<Award>)> = Vec::new();
        for entry in self.of(recipient) {
            self.rows.read(entry.row, &mut worker.buffer)?;
            let award: Award = serde_json::from_slice(&worker.buffer).map_err(damaged)?;
            match years.last_mut() {
                Some((year, awards)) if *year == entry.year => awards.push(award),
                _ => years.push((entry.year, vec![award])),
            }
        }
        let details = RecipientDetail {
            slug: row.slug,
            name: row.name,
            ein: row.ein,
            city: row.city,
            state: row.state,
            source_url: row.source_url,
            last_verified_at: row.last_verified_at,
            awards_by_year: years.into_iter().map(|(year, awards)| AwardYear::of(year, awards)).collect(),
        };
        worker.buffer.clear();
        serde_json::to_writer(&mut worker.buffer, &details).map_err(damaged)?;
        segment.push_details(&worker.buffer)
    }
}

/// The slugs of the funders that a published recipient has awards of.
fn givers_in(details: &[u8]) -> Result<BTreeSet<&str>, Error> {
    #[derive(Deserialize)]
    struct Details<'a> {
        #[serde(borrow)]
        awards_by_year: Vec<Awarded<'a>>,
    }

    #[derive(Deserialize)]
    struct Awarded<'a> {
        #[serde(borrow)]
        awards: Vec<Given<'a>>,
    }

    #[derive(Deserialize)]
    struct Given<'a> {
        #[serde(borrow)]
        funder: Giver<'a>,
    }

    #[derive(Deserialize)]
    struct Giver<'a> {
        slug: &'a str,
    }

    let details: Details<'_> = serde_json::from_slice(details)
        .map_err(|error| Error::damaged(Path::new("a published row"), error.to_string()))?;
    Ok(details.awards_by_year.iter().flat_map(|year| &year.awards).map(|award| award.funder.slug).collect())
}
