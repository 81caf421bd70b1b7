//! The walk through the documents of one segment that meet every clause, in list order.
//!
//! Posting lists leapfrog: the rarest proposes a document, the others confirm it or name the next they could. Alternatives are
//! merged by looking at each, which for a page of rows is far cheaper than a union made for collecting all matches.

use std::collections::BTreeSet;
use std::io;

use tantivy::postings::SegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use super::conjunction::Conjunction;
use super::filter::Clause;
use crate::error::Error;
use crate::fields::{Fields, NOT_STATED};
use crate::generation::history::Histories;
use crate::generation::segment::Segment;

/// Where a list of recently changed documents is longer than this part of the segment, looking at each document is cheaper than
/// merging the lists.
const DENSE: u32 = 64;

/// Where a filter has more clauses than this, its words share one part, which opens their posting lists only as it needs them.
const MOST_APART: usize = 64;

/// A walk through a segment; it only goes forwards.
pub(crate) struct Walk<'a> {
    /// The conditions with postings, the rarest first.
    parts: Vec<Part<'a>>,
    /// A condition that is looked up document by document.
    updated: Option<(&'a Histories, u64)>,
    end: DocId,
}

/// The documents that meet one condition.
enum Part<'a> {
    One(Box<SegmentPostings>),
    Any(Vec<SegmentPostings>),
    Together(Box<Conjunction<'a>>),
}

impl<'a> Walk<'a> {
    /// Begins a walk; `None` where no document of the segment can match.
    pub(crate) fn begin(
        segment: &'a Segment,
        fields: &Fields,
        clauses: &BTreeSet<Clause>,
    ) -> Result<Option<Self>, Error> {
        let mut walk = Self { parts: Vec::with_capacity(clauses.len()), updated: None, end: segment.count() };
        let words_stand_apart = clauses.len() <= MOST_APART;
        for clause in clauses {
            let part = match clause {
                Clause::UpdatedBy(publication) => match walk.begin_updated(segment, *publication) {
                    Ok(Updated::All) => continue,
                    Ok(Updated::Part(part)) => Ok(part),
                    Err(error) => Err(error),
                },
                Clause::Word(_) if !words_stand_apart => continue,
                other => part(segment, fields, other),
            };
            match part {
                Ok(Some(part)) => walk.parts.push(part),
                Ok(None) => return Ok(None),
                Err(error) => return Err(unreadable(error)),
            }
        }
        if !words_stand_apart {
            let words =
                clauses.iter().filter_map(|clause| if let Clause::Word(word) = clause { Some(&**word) } else { None });
            match Conjunction::anywhere(segment, fields, words).map_err(unreadable)? {
                Some(together) => walk.parts.push(Part::Together(Box::new(together))),
                None => return Ok(None),
            }
        }
        walk.parts.sort_by_key(Part::cost);
        Ok(Some(walk))
    }

    /// The first matching document at or after `target`, which never goes back; `None` at the end.
    pub(crate) fn next(&mut self, mut target: DocId) -> Option<DocId> {
        'candidates: loop {
            let candidate = self.parts.first_mut().map_or(target, |rarest| rarest.seek(target));
            if candidate >= self.end {
                return None;
            }
            for part in self.parts.iter_mut().skip(1) {
                let found = part.seek(candidate);
                if found != candidate {
                    target = found;
                    continue 'candidates;
                }
            }
            if let Some((histories, publication)) = self.updated
                && histories.get(candidate as usize).is_none_or(|history| u64::from(history.updated) < publication)
            {
                target = candidate + 1;
                continue;
            }
            return Some(candidate);
        }
    }

    /// Ends the walk: what could not be read on the way ended it early.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let failure = self.parts.iter_mut().find_map(|part| match part {
            Part::Together(together) => together.failure(),
            Part::One(_) | Part::Any(_) => None,
        });
        failure.map_or(Ok(()), |error| Err(unreadable(error)))
    }

    /// About how many documents of the segment match, as if the conditions had nothing to do with one another.
    pub(crate) fn probable_matches(&self) -> u32 {
        let all = u64::from(self.end.max(1));
        let with = |matches, part: &Part<'_>| matches * u64::from(part.cost().min(self.end)) / all;
        u32::try_from(self.parts.iter().fold(all, with)).unwrap_or(u32::MAX)
    }

    fn begin_updated(&mut self, segment: &'a Segment, publication: Option<u64>) -> tantivy::Result<Updated<'a>> {
        let Some(publication) = publication else { return Ok(Updated::Part(None)) };
        let terms = &segment.updated[segment.updated.partition_point(|(number, _)| *number < publication)..];
        let matches: u32 = terms.iter().map(|(_, info)| info.doc_freq).sum();
        if matches == self.end {
            return Ok(Updated::All);
        }
        if matches > self.end / DENSE
            && let Some(histories) = &segment.histories
        {
            self.updated = Some((histories, publication));
            return Ok(Updated::All);
        }
        let open =
            |(_, info): &(u64, _)| segment.updated_reader.read_postings_from_terminfo(info, IndexRecordOption::Basic);
        Ok(Updated::Part(Part::any(terms.iter().map(open).collect::<io::Result<_>>()?)))
    }
}

fn unreadable(error: impl Into<tantivy::TantivyError>) -> Error {
    Error::index(std::path::Path::new("a segment"))(error)
}

/// What remains to be done for a condition on publications.
enum Updated<'a> {
    /// Nothing: every document meets it, or it is looked up document by document.
    All,
    /// To walk these postings; `None` where no document meets it.
    Part(Option<Part<'a>>),
}

/// The documents that meet a clause; `None` where there are none.
fn part<'a>(segment: &'a Segment, fields: &Fields, clause: &Clause) -> tantivy::Result<Option<Part<'a>>> {
    Ok(match clause {
        Clause::AnyOf { field, codes, or_not_stated } => {
            let Some(vocabulary) = segment.vocabulary(fields.codes(*field)) else { return Ok(None) };
            let not_stated = or_not_stated.then_some(NOT_STATED);
            let mut postings = Vec::with_capacity(codes.len() + 1);
            for term in codes.iter().map(String::as_str).chain(not_stated) {
                // Each is a kilobyte and more: it is copied straight to its place.
                if let Some(opened) = vocabulary.postings(term)? {
                    postings.push(opened.into_owned());
                }
            }
            Part::any(postings)
        }
        Clause::GivenBy(funder) => segment
            .funder
            .read_postings(&fields.giver(funder), IndexRecordOption::Basic)?
            .map(|postings| Part::One(Box::new(postings))),
        Clause::Word(word) => segment
            .text
            .read_postings(&fields.word(word), IndexRecordOption::Basic)?
            .map(|postings| Part::One(Box::new(postings))),
        Clause::Phrase(words) => {
            let together = Conjunction::in_sequence(segment, fields, words.iter().map(String::as_str))?;
            together.map(|together| Part::Together(Box::new(together)))
        }
        // Begun by the walk itself.
        Clause::UpdatedBy(_) => None,
    })
}

impl Part<'_> {
    fn any(mut postings: Vec<SegmentPostings>) -> Option<Self> {
        match postings.len() {
            0 => None,
            1 => postings.pop().map(|postings| Self::One(Box::new(postings))),
            _ => Some(Self::Any(postings)),
        }
    }

    fn cost(&self) -> u32 {
        match self {
            Self::One(postings) => postings.doc_freq(),
            Self::Any(postings) => postings.iter().map(SegmentPostings::doc_freq).fold(0, u32::saturating_add),
            Self::Together(together) => together.cost(),
        }
    }

    /// The first document at or after `target`.
    fn seek(&mut self, target: DocId) -> DocId {
        match self {
            Self::One(postings) => seek(postings, target),
            Self::Any(postings) => {
                postings.iter_mut().map(|postings| seek(postings, target)).min().unwrap_or(TERMINATED)
            }
            Self::Together(together) => together.seek(target),
        }
    }
}

/// The first document at or after `target`; a document set must not be asked to go back.
fn seek(documents: &mut SegmentPostings, target: DocId) -> DocId {
    let document = documents.doc();
    if document < target { documents.seek(target) } else { document }
}
