//! How text becomes words, the same for what is indexed and for what is asked.
//!
//! Words are runs of letters and digits, with case and accents folded and English endings stemmed. There are no stop words:
//! every word is searchable (decisions, sections 3 and 9).

use std::borrow::Cow;

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, Token, TokenStream,
};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The longest word kept, in bytes; a longer run of letters is cut so that it stays searchable.
const LONGEST_WORD: usize = 200;

/// How far apart the words of two texts of one document stand, so that no phrase reaches from one into the other.
const GAP: usize = 16;

/// Turns texts into words.
#[derive(Clone)]
pub(crate) struct Analyzer(TextAnalyzer);

impl Analyzer {
    pub(crate) fn new() -> Self {
        let chain = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(LowerCaser)
            .filter(AsciiFoldingFilter)
            .filter(Stemmer::new(Language::English));
        Self(chain.build())
    }

    /// Gives each word of `text` to `take`, in order.
    pub(crate) fn for_each_word(&mut self, text: &str, mut take: impl FnMut(&str)) {
        let text = composed(text);
        let mut stream = self.0.token_stream(&text);
        while stream.advance() {
            take(cut(&stream.token().text));
        }
    }

    /// Appends the words of `text` as tokens, a gap after those of the texts before it.
    pub(crate) fn append_tokens(&mut self, text: &str, tokens: &mut Vec<Token>) {
        let mut position = tokens.last().map_or(0, |token| token.position + GAP);
        self.for_each_word(text, |word| {
            tokens.push(Token { position, text: word.to_owned(), ..Token::default() });
            position += 1;
        });
    }
}

/// Letters and their accents as one character each, which is what the accent folding knows.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

fn cut(word: &str) -> &str {
    &word[..word.floor_char_boundary(LONGEST_WORD)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        Analyzer::new().for_each_word(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn case_accents_and_endings_are_folded() {
        assert_eq!(words("Grants for FARMING communities"), words("grant for farms community"));
        assert_eq!(words("Café Peña"), words("cafe pena"));
        assert_eq!(words("Cafe\u{301}"), words("CAFÉ"));
    }

    #[test]
    fn every_word_is_kept_and_punctuation_is_none() {
        assert_eq!(words("AND or Not the -a* b:c"), ["and", "or", "not", "the", "a", "b", "c"]);
        assert!(words("!?… — ☃ \"\"").is_empty());
        assert_eq!(words(&"x".repeat(100_000)), ["x".repeat(LONGEST_WORD)]);
        assert_eq!(words(&"é".repeat(1_000)).len(), 1);
    }
}
