//! The matches of one segment.

use tantivy::DocId;

use crate::generation::segment::LENGTH;

const WORDS: usize = LENGTH as usize / 64;

/// Documents of a segment.
pub(super) enum Bits {
    /// All of so many.
    All(u32),
    /// Those whose bits are set.
    Some(Box<[u64; WORDS]>),
}

impl Bits {
    pub(super) fn none() -> Self {
        Self::Some(Box::new([0; WORDS]))
    }

    /// Adds a document of the segment.
    pub(super) fn insert(&mut self, document: DocId) {
        if let Self::Some(words) = self
            && let Some(word) = words.get_mut(document as usize / 64)
        {
            *word |= 1 << (document % 64);
        }
    }

    pub(super) fn contains(&self, document: DocId) -> bool {
        match self {
            Self::All(count) => document < *count,
            Self::Some(words) => words.get(document as usize / 64).is_some_and(|word| word >> (document % 64) & 1 == 1),
        }
    }

    pub(super) fn count(&self) -> u32 {
        match self {
            Self::All(count) => *count,
            Self::Some(words) => words.iter().map(|word| word.count_ones()).sum(),
        }
    }

    /// The documents, ascending.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = DocId> + '_> {
        match self {
            Self::All(count) => Box::new(0..*count),
            Self::Some(words) => Box::new((0..).step_by(64).zip(words.iter()).flat_map(|(first, &word)| {
                let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
                rest.take_while(|&rest| rest != 0).map(move |rest| first + rest.trailing_zeros())
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out_in_order() {
        let mut bits = Bits::none();
        let documents = [0, 1, 63, 64, 127, 1_000, LENGTH - 1];
        for document in documents.into_iter().rev().chain([64, LENGTH]) {
            bits.insert(document);
        }
        assert_eq!(bits.iter().collect::<Vec<_>>(), documents);
        assert_eq!(bits.count() as usize, documents.len());
        assert!(bits.contains(127) && !bits.contains(126) && !bits.contains(LENGTH));
        assert_eq!(Bits::All(3).iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert!(Bits::All(3).contains(2) && !Bits::All(3).contains(3));
    }
}
