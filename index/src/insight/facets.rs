//! How many matches have each value of a field.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use catalogue_schema::insight::{Bucket, Facet, FunderBucket, FunderFacet};
use serde::Deserialize;
use tantivy::{DocSet, TERMINATED};

use super::bits::Bits;
use super::{Matches, columns};
use crate::error::Error;
use crate::fields::NOT_STATED;
use crate::generation::Resource;
use crate::generation::segment::Vocabulary;
/// The fields with a vocabulary. Funders and recipients have a state and nothing else.
pub use crate::pages::filter::CodeField as FacetField;

impl Matches {
    /// How many matches have each value of a field.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn facet(&self, field: FacetField) -> Result<Facet, Error> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        self.for_each_term(field, |term, bits, vocabulary, of_all| {
            let count = match bits {
                Bits::All(_) => of_all,
                Bits::Some(_) => {
                    let mut count = 0;
                    each_document(vocabulary, term, |document| count += u32::from(bits.contains(document)))?;
                    count
                }
            };
            match counts.get_mut(term) {
                Some(sum) => *sum += u64::from(count),
                None => drop(counts.insert(term.to_owned(), u64::from(count))),
            }
            Ok(())
        })?;
        let mut not_stated = counts.remove(NOT_STATED).unwrap_or(0);
        if self.resource != Resource::Grants {
            // Where a funder or a recipient is, is one value or none, and none has no term.
            not_stated = self.total - counts.values().sum::<u64>();
        }
        let found = counts.into_iter().filter(|(_, count)| *count > 0);
        let mut buckets: Vec<Bucket> = found.map(|(value, count)| Bucket { value, count }).collect();
        // They are in order of value, which a stable sort keeps.
        buckets.sort_by_key(|bucket| Reverse(bucket.count));
        Ok(Facet { buckets, not_stated })
    }

    /// How many of the matching grants each funder gives; the `most` that give the most.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn funders(&self, most: usize) -> Result<FunderFacet, Error> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for (segment, bits, _) in self.segments() {
            let column = columns::funders(segment)?;
            let mut by_ordinal = vec![0_u64; column.num_terms()];
            for document in bits.iter() {
                if let Some(ordinal) = column.ords().first(document)
                    && let Some(count) = by_ordinal.get_mut(usize::try_from(ordinal).unwrap_or(usize::MAX))
                {
                    *count += 1;
                }
            }
            for (ordinal, count) in (0..).zip(by_ordinal).filter(|(_, count)| *count > 0) {
                let mut slug = String::new();
                column
                    .ord_to_str(ordinal, &mut slug)
                    .map_err(Error::file("read the funders of", Path::new("a segment")))?;
                *counts.entry(slug).or_default() += count;
            }
        }
        let funders = counts.len() as u64;
        let mut ranked: Vec<(String, u64)> = counts.into_iter().collect();
        ranked.sort_by_key(|(_, count)| Reverse(*count));
        let others = ranked.iter().skip(most).map(|(_, count)| count).sum();
        ranked.truncate(most);
        let named =
            ranked.into_iter().map(|(slug, count)| FunderBucket { name: self.name_of_funder(&slug), slug, count });
        Ok(FunderFacet { buckets: named.collect(), funders, others })
    }

    fn name_of_funder(&self, slug: &str) -> String {
        #[derive(Deserialize)]
        struct Named {
            name: String,
        }

        let row = self.generation.funders.find(slug).map(|place| self.generation.funders.row(place));
        let named = row.and_then(|row| serde_json::from_slice::<Named>(row).ok());
        named.map_or_else(|| slug.to_owned(), |named| named.name)
    }

    /// Gives every term of a field, segment by segment, with how many documents of the segment have it.
    pub(super) fn for_each_term(
        &self,
        field: FacetField,
        mut take: impl FnMut(&str, &Bits, &Vocabulary, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(list) = self.list() else { return Ok(()) };
        let field = list.fields.codes(field);
        for (segment, bits, _) in self.segments() {
            let Some(vocabulary) = segment.vocabulary(field) else { continue };
            for (term, count) in vocabulary.terms() {
                take(term, bits, vocabulary, count)?;
            }
        }
        Ok(())
    }
}

/// Gives every document of a term.
pub(super) fn each_document(vocabulary: &Vocabulary, term: &str, mut take: impl FnMut(u32)) -> Result<(), Error> {
    let postings = vocabulary.postings(term).map_err(Error::file("read the terms of", Path::new("a segment")))?;
    let Some(mut postings) = postings.map(Cow::into_owned) else { return Ok(()) };
    let mut document = postings.doc();
    while document != TERMINATED {
        take(document);
        document = postings.advance();
    }
    Ok(())
}
