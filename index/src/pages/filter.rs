//! From what a client asks to clauses the index can walk (decisions, section 3).

use std::collections::{BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

use catalogue_schema::{Dropped, FilterField, Requested, Status, UsState, text};
use sha2::{Digest, Sha256};

use crate::generation::{Generation, Resource};
use crate::text::Analyzer;

/// A condition that every row of the answer meets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Clause {
    /// One of these codes in the field, or no statement where that matches too.
    AnyOf { field: CodeField, codes: BTreeSet<String>, or_not_stated: bool },
    /// Given by this funder, named by its slug.
    GivenBy(String),
    /// The word somewhere in the text.
    Word(String),
    /// The words in sequence.
    Phrase(Vec<String>),
    /// Changed by this publication or a later one; `None` where all were earlier.
    UpdatedBy(Option<u64>),
}

/// The fields a filter matches codes of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeField {
    /// Where applicants may be, or where a funder or a recipient is.
    State,
    /// Who may apply.
    Entity,
    /// Fields of activity.
    Industry,
    /// What the source says of the record's state.
    Status,
}

/// A filter after normalisation: two that ask the same are equal.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) clauses: BTreeSet<Clause>,
    /// Digest of what is asked, by which a cursor knows its own filter.
    pub(crate) fingerprint: [u8; 16],
}

/// Normalises what was asked against the vocabulary of a generation; gives the values it cannot answer for too, in the order
/// given and each once.
pub(crate) fn normalise(generation: &Generation, resource: Resource, asked: &Requested) -> (Filter, Vec<Dropped>) {
    let mut clauses = BTreeSet::new();
    let mut dropped: Vec<Dropped> = Vec::new();
    let mut met: HashSet<(FilterField, &str)> = HashSet::new();
    let mut codes: [(CodeField, BTreeSet<String>); 4] =
        [CodeField::State, CodeField::Entity, CodeField::Industry, CodeField::Status]
            .map(|field| (field, BTreeSet::new()));
    for (field, value) in &asked.values {
        let known = match field {
            FilterField::Q => {
                let found = words_and_phrases(value);
                let any = !found.is_empty();
                clauses.extend(found);
                any
            }
            FilterField::State => UsState::from_any_case(value)
                .is_some_and(|state| add(&mut codes, CodeField::State, state.code().to_owned())),
            FilterField::Entity => answerable(&generation.manifest().entities, value)
                .is_some_and(|code| add(&mut codes, CodeField::Entity, code)),
            FilterField::Industry => answerable(&generation.manifest().industries, value)
                .is_some_and(|code| add(&mut codes, CodeField::Industry, code)),
            FilterField::Status => {
                value.parse().is_ok_and(|status: Status| add(&mut codes, CodeField::Status, status.as_str().to_owned()))
            }
        };
        if !known && met.insert((*field, value)) {
            dropped.push(Dropped { field: *field, value: value.clone() });
        }
    }
    for (field, codes) in codes {
        if !codes.is_empty() {
            // A grant that states no restriction matches every value; where a funder or a recipient is must be stated.
            let or_not_stated = resource == Resource::Grants && field != CodeField::Status;
            clauses.insert(Clause::AnyOf { field, codes, or_not_stated });
        }
    }
    clauses.extend(asked.given_by.iter().map(|funder| Clause::GivenBy(funder.as_str().to_owned())));
    let fingerprint = fingerprint(&clauses, asked);
    if let Some(since) = asked.updated_since {
        let publication = generation.first_publication_since(since);
        clauses.insert(Clause::UpdatedBy(publication.map(|publication| publication.generation)));
    }
    (Filter { clauses, fingerprint }, dropped)
}

fn add(codes: &mut [(CodeField, BTreeSet<String>)], field: CodeField, code: String) -> bool {
    for (of, codes) in codes {
        if *of == field {
            codes.insert(code);
            return true;
        }
    }
    false
}

/// The folded code, where it occurs in the vocabulary (which is sorted).
fn answerable(vocabulary: &[String], value: &str) -> Option<String> {
    let folded = text::fold(value);
    vocabulary.binary_search(&folded).is_ok().then_some(folded)
}

/// The clauses of a text query: what stands between two quotation marks is a phrase, all else are words. No text is an error.
fn words_and_phrases(query: &str) -> Vec<Clause> {
    let mut analyzer = Analyzer::new();
    let mut clauses = Vec::new();
    let pieces: Vec<&str> = query.split('"').collect();
    for (index, piece) in pieces.iter().enumerate() {
        let mut words = Vec::new();
        analyzer.for_each_word(piece, |word| words.push(word.to_owned()));
        // Every second piece is between two marks; the last one never is.
        let is_quoted = index % 2 == 1 && index + 1 < pieces.len();
        if is_quoted && words.len() > 1 {
            clauses.push(Clause::Phrase(words));
        } else {
            clauses.extend(words.into_iter().map(Clause::Word));
        }
    }
    clauses
}

fn fingerprint(clauses: &BTreeSet<Clause>, asked: &Requested) -> [u8; 16] {
    let mut digest = Digested(Sha256::new());
    // A hash takes in how many parts there are, which kind each is, and where each text ends: no two filters are the same bytes.
    (clauses, asked.updated_since, asked.since).hash(&mut digest);
    let mut fingerprint = [0; 16];
    fingerprint.copy_from_slice(&digest.0.finalize()[..16]);
    fingerprint
}

/// Takes what is hashed into a digest.
struct Digested(Sha256);

impl Hasher for Digested {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        // The digest is what is asked for, never this.
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_make_phrases_and_everything_else_is_words() {
        let word = |text: &str| Clause::Word(text.to_owned());
        let phrase = |words: &[&str]| Clause::Phrase(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!(words_and_phrases("clean water"), [word("clean"), word("water")]);
        assert_eq!(words_and_phrases("a \"clean water\" b"), [word("a"), phrase(&["clean", "water"]), word("b")]);
        assert_eq!(words_and_phrases("\"clean\""), [word("clean")]);
        assert_eq!(words_and_phrases("\"clean water"), [word("clean"), word("water")]);
        assert_eq!(words_and_phrases("k-12 AND NOT"), [word("k"), word("12"), word("and"), word("not")]);
        assert_eq!(words_and_phrases("\"\" !?"), []);
    }
}
