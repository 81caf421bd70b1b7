//! Funders and recipients: what has a name, listed by it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use catalogue_schema::{Slug, UsState};
use icu_casemap::CaseMapper;
use serde::{Deserialize, Serialize};

use super::segments::Worker;
use super::spool::{NumberOf, Spool, SpoolWriter, Spooled, TextAt, Texts};
use crate::error::Error;
use crate::export::stream::RowFault;
use crate::generation::list::{List, Place};
use crate::generation::segment::SegmentWriter;

/// The longest name, in bytes: names decide the order, so they are all held in memory.
const LONGEST_NAME: usize = 1_000;

/// Funders or recipients to publish, being taken in.
pub(crate) struct NamedWriter {
    rows: SpoolWriter,
    entries: Vec<Entry>,
    texts: Texts,
    number_of: NumberOf,
    rejected: HashSet<Box<str>>,
    buffer: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The name with its case folded, by which the list is ordered.
    folded: TextAt,
    slug: TextAt,
    name: TextAt,
    row: Spooled,
    standing: Standing,
}

/// How a row came to be published.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The export lists it, be it with a row that was rejected.
    Listed,
    /// The export no longer lists it: it stays as the published generation has it, at this place.
    Unlisted(Place),
}

impl NamedWriter {
    /// Begins with no rows; what is set aside lies in the file `spool`.
    pub(crate) fn new(spool: &Path) -> Result<Self, Error> {
        Ok(Self {
            rows: SpoolWriter::create(spool.to_owned())?,
            entries: Vec::new(),
            texts: Texts::default(),
            number_of: NumberOf::default(),
            rejected: HashSet::new(),
            buffer: Vec::new(),
        })
    }

    /// Takes a row of the export in, or says what is wrong with it.
    pub(crate) fn take(
        &mut self,
        slug: &Slug,
        name: &str,
        row: &impl Serialize,
    ) -> Result<Result<(), RowFault>, Error> {
        if self.number(slug.as_str()).is_some() {
            return Ok(Err(RowFault::of("slug", format!("an earlier row has the slug `{slug}` too"))));
        }
        if name.len() > LONGEST_NAME {
            return Ok(Err(RowFault::of("name", format!("it is longer than {LONGEST_NAME} bytes"))));
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        serde_json::to_writer(&mut buffer, row)
            .map_err(|error| Error::damaged(Path::new("a row in memory"), error.to_string()))?;
        self.push(slug.as_str(), name, &buffer, Standing::Listed)?;
        self.buffer = buffer;
        Ok(Ok(()))
    }

    /// Remembers a row that was rejected: it counts as listed and stays as last published.
    pub(crate) fn take_rejected(&mut self, slug: &str) {
        self.rejected.insert(slug.into());
    }

    /// Takes in what the published list has and the export does not, as it was; then puts all into list order.
    pub(crate) fn finish(mut self, published: Option<&List>) -> Result<Named, Error> {
        if let Some(published) = published {
            for place in 0..published.count() {
                let slug = published.slug(place);
                if self.number(slug).is_none() {
                    let row = published.row(place);
                    let named: IndexedNamed<'_> = serde_json::from_slice(row)
                        .map_err(|error| Error::damaged(Path::new("a published row"), error.to_string()))?;
                    let listed = self.rejected.contains(slug);
                    let standing = if listed { Standing::Listed } else { Standing::Unlisted(place) };
                    self.push(slug, &named.name, row, standing)?;
                }
            }
        }
        let Self { rows, entries, texts, number_of, .. } = self;
        let mut order: Vec<u32> = (0..).take(entries.len()).collect();
        let key = |number: &u32| {
            let entry = &entries[*number as usize];
            (texts.get(entry.folded), texts.get(entry.slug))
        };
        order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        Ok(Named { rows: rows.finish()?, entries, order, texts, number_of })
    }

    fn push(&mut self, slug: &str, name: &str, row: &[u8], standing: Standing) -> Result<(), Error> {
        let number = u32::try_from(self.entries.len())
            .map_err(|_| Error::damaged(Path::new("export"), "a list holds at most 4,294,967,295 rows"))?;
        let entry = Entry {
            folded: self.texts.push(&CaseMapper::new().fold_string(name)),
            slug: self.texts.push(slug),
            name: self.texts.push(name),
            row: self.rows.push(row)?,
            standing,
        };
        self.entries.push(entry);
        let (entries, texts) = (&self.entries, &self.texts);
        self.number_of.insert(number, |number| texts.get(entries[number as usize].slug));
        Ok(())
    }

    fn number(&self, slug: &str) -> Option<u32> {
        self.number_of.find(slug, |number| self.texts.get(self.entries[number as usize].slug))
    }
}

/// Funders or recipients to publish, in list order.
pub(crate) struct Named {
    rows: Spool,
    entries: Vec<Entry>,
    /// The entries' numbers, in list order.
    order: Vec<u32>,
    texts: Texts,
    number_of: NumberOf,
}

impl Named {
    pub(crate) fn count(&self) -> usize {
        self.order.len()
    }

    /// The number of an entry that rows of this export may name: one that the export lists.
    pub(crate) fn listed(&self, slug: &str) -> Option<u32> {
        let number = self.number_of.find(slug, |number| self.slug(number))?;
        (self.entries[number as usize].standing == Standing::Listed).then_some(number)
    }

    /// The slug of an entry.
    pub(crate) fn slug(&self, number: u32) -> &str {
        self.texts.get(self.entries[number as usize].slug)
    }

    /// The name of an entry.
    pub(crate) fn name(&self, number: u32) -> &str {
        self.texts.get(self.entries[number as usize].name)
    }

    /// The slug at a place of the list.
    pub(crate) fn slug_at(&self, place: usize) -> &str {
        self.slug(self.order[place])
    }

    /// The entry at a place of the list, and its place in the published list where the export no longer lists it.
    pub(crate) fn entry_at(&self, place: usize) -> (u32, Option<Place>) {
        let number = self.order[place];
        match self.entries[number as usize].standing {
            Standing::Listed => (number, None),
            Standing::Unlisted(published) => (number, Some(published)),
        }
    }

    /// Writes the document and the row of a place; of a recipient `funders` are those it has awards of.
    pub(crate) fn write_row(
        &self,
        segment: &mut SegmentWriter,
        worker: &mut Worker,
        place: usize,
        funders: &BTreeSet<&str>,
    ) -> Result<(), Error> {
        let mut row = std::mem::take(&mut worker.buffer);
        self.rows.read(self.entries[self.order[place] as usize].row, &mut row)?;
        let named: IndexedNamed<'_> =
            serde_json::from_slice(&row).map_err(|error| Error::damaged(self.rows.path(), error.to_string()))?;
        let texts = [Some(&*named.name), named.summary.as_deref()];
        segment.push(worker.fields.named(texts, named.state, funders), &row)?;
        worker.buffer = row;
        Ok(())
    }
}

/// What the index wants of a stored row.
#[derive(Deserialize)]
struct IndexedNamed<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    /// Recipients have none.
    #[serde(borrow, default)]
    summary: Option<Cow<'a, str>>,
    state: Option<UsState>,
}
