//! Words that a document must hold all together: in sequence, or so many that lists of their own would be too much.
//!
//! A query can be far longer than any document, so its length must cost nothing. Each distinct word has one posting list however
//! often it is said, and a list is opened only once a document holds every rarer word: what is open at a time is bounded by the
//! words of a document.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;

use tantivy::index::InvertedIndexReader;
use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

use crate::fields::Fields;
use crate::generation::segment::Segment;

/// The documents of a segment that hold every word.
pub(crate) struct Conjunction<'a> {
    text: &'a InvertedIndexReader,
    /// The distinct words, the rarest first. Without any, every document matches.
    words: Vec<Word>,
    is_phrase: bool,
    /// About how many documents match.
    estimate: u32,
    /// Where the last look ended; `None` before the first.
    document: Option<DocId>,
    failure: Option<io::Error>,
    starts: Vec<u32>,
    positions: Vec<u32>,
}

/// A word, and where in the phrase it stands.
struct Word {
    info: TermInfo,
    offsets: Vec<u32>,
    postings: Option<SegmentPostings>,
}

impl<'a> Conjunction<'a> {
    /// The documents that hold the words in sequence; `None` where the segment lacks one of them.
    pub(crate) fn in_sequence<'w>(
        segment: &'a Segment,
        fields: &Fields,
        words: impl Iterator<Item = &'w str>,
    ) -> io::Result<Option<Self>> {
        Self::of(segment, fields, words, true)
    }

    /// The documents that hold the words anywhere; `None` where the segment lacks one of them.
    pub(crate) fn anywhere<'w>(
        segment: &'a Segment,
        fields: &Fields,
        words: impl Iterator<Item = &'w str>,
    ) -> io::Result<Option<Self>> {
        Self::of(segment, fields, words, false)
    }

    fn of<'w>(
        segment: &'a Segment,
        fields: &Fields,
        words: impl Iterator<Item = &'w str>,
        is_phrase: bool,
    ) -> io::Result<Option<Self>> {
        let mut distinct: BTreeMap<&str, Word> = BTreeMap::new();
        for (word, offset) in words.zip(0..) {
            match distinct.entry(word) {
                Entry::Occupied(known) => known.into_mut().offsets.push(offset),
                Entry::Vacant(new) => {
                    // The first word that is missing ends it, however many there are.
                    let Some(info) = segment.text.get_term_info(&fields.word(word))? else { return Ok(None) };
                    new.insert(Word { info, offsets: vec![offset], postings: None });
                }
            }
        }
        let mut words: Vec<Word> = distinct.into_values().collect();
        words.sort_by_key(|word| word.info.doc_freq);
        let all = u64::from(segment.count().max(1));
        let together = words.iter().fold(all, |matches, word| matches * u64::from(word.info.doc_freq) / all);
        // Of the documents that hold all its words, few hold a phrase.
        let estimate = if is_phrase { together / (10 * words.len().max(1) as u64) } else { together };
        Ok(Some(Self {
            text: &segment.text,
            words,
            is_phrase,
            estimate: u32::try_from(estimate).unwrap_or(u32::MAX),
            document: None,
            failure: None,
            starts: Vec::new(),
            positions: Vec::new(),
        }))
    }

    /// How costly it is to look for the next document, against the size of a posting list.
    pub(crate) fn cost(&self) -> u32 {
        // Checking positions costs more than looking at a document, so phrases confirm rather than propose.
        if self.is_phrase { self.estimate.saturating_mul(8) } else { self.estimate }
    }

    /// The first document at or after `target`, or where the last look ended where that is further. What fails ends it: see
    /// [`Self::failure`].
    pub(crate) fn seek(&mut self, target: DocId) -> DocId {
        if let Some(document) = self.document.filter(|&document| document >= target) {
            return document;
        }
        let found = self.find(target).unwrap_or_else(|error| {
            self.failure = Some(error);
            TERMINATED
        });
        self.document = Some(found);
        found
    }

    /// What went wrong, where something did.
    pub(crate) fn failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    fn find(&mut self, mut target: DocId) -> io::Result<DocId> {
        'candidates: loop {
            let mut candidate = target;
            for (index, word) in self.words.iter_mut().enumerate() {
                let found = word.seek(self.text, self.is_phrase, candidate)?;
                if index == 0 {
                    candidate = found;
                } else if found != candidate {
                    target = found;
                    continue 'candidates;
                }
                if candidate == TERMINATED {
                    return Ok(TERMINATED);
                }
            }
            if !self.is_phrase || self.stand_in_sequence() {
                return Ok(candidate);
            }
            target = candidate + 1;
        }
    }

    /// Whether the words stand in sequence in the document that all their lists are at.
    fn stand_in_sequence(&mut self) -> bool {
        // A text that says a word less often than the phrase needs no closer look, and so no phrase is longer than the text here.
        let is_said_enough = |word: &Word| {
            word.postings.as_ref().is_some_and(|postings| postings.term_freq() as usize >= word.offsets.len())
        };
        if !self.words.iter().all(is_said_enough) {
            return false;
        }
        for (index, word) in self.words.iter_mut().enumerate() {
            let Some(postings) = &mut word.postings else { return false };
            postings.positions(&mut self.positions);
            for (nth, offset) in word.offsets.iter().enumerate() {
                if (index, nth) == (0, 0) {
                    self.starts.clear();
                    self.starts.extend(self.positions.iter().filter_map(|position| position.checked_sub(*offset)));
                } else {
                    let positions = &self.positions;
                    self.starts.retain(|start| positions.binary_search(&(start + offset)).is_ok());
                }
                if self.starts.is_empty() {
                    return false;
                }
            }
        }
        true
    }
}

impl Word {
    fn seek(&mut self, text: &InvertedIndexReader, with_positions: bool, target: DocId) -> io::Result<DocId> {
        let postings = match &mut self.postings {
            Some(postings) => postings,
            none => {
                let option =
                    if with_positions { IndexRecordOption::WithFreqsAndPositions } else { IndexRecordOption::Basic };
                none.insert(text.read_postings_from_terminfo(&self.info, option)?)
            }
        };
        let document = postings.doc();
        Ok(if document < target { postings.seek(target) } else { document })
    }
}
