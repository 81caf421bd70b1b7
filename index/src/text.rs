//! How text becomes words, the same for what is indexed and for what is asked.
//!
//! Words are runs of letters and digits, with case and accents folded and English endings stemmed. There are no stop words:
//! every word is searchable (decisions, sections 3 and 9).

use std::borrow::Cow;

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, Token, TokenFilter, TokenStream,
    Tokenizer, TokenizerManager,
};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The name by which the index knows how text becomes words.
pub(crate) const WORDS: &str = "words";

/// The longest word kept, in bytes; a longer run of letters is cut so that it stays searchable.
const LONGEST_WORD: usize = 200;

/// Turns texts into words.
#[derive(Clone)]
pub(crate) struct Analyzer(TextAnalyzer);

impl Analyzer {
    pub(crate) fn new() -> Self {
        Self(words())
    }

    /// Gives each word of `text` to `take`, in order.
    pub(crate) fn for_each_word(&mut self, text: &str, mut take: impl FnMut(&str)) {
        let text = composed(text);
        let mut stream = self.0.token_stream(&text);
        while stream.advance() {
            take(&stream.token().text);
        }
    }
}

/// What the index turns texts into words with, which must be [`composed`].
pub(crate) fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(WORDS, words());
    tokenizers
}

fn words() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .filter(Cut)
        .build()
}

/// Letters and their accents as one character each, which is what the accent folding knows.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Cuts long words.
#[derive(Clone)]
struct Cut;

impl TokenFilter for Cut {
    type Tokenizer<T: Tokenizer> = CutWords<T>;

    fn transform<T: Tokenizer>(self, words: T) -> CutWords<T> {
        CutWords(words)
    }
}

#[derive(Clone)]
struct CutWords<T>(T);

impl<T: Tokenizer> Tokenizer for CutWords<T> {
    type TokenStream<'a> = CutStream<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        CutStream(self.0.token_stream(text))
    }
}

struct CutStream<T>(T);

impl<T: TokenStream> TokenStream for CutStream<T> {
    fn advance(&mut self) -> bool {
        let is_word = self.0.advance();
        if is_word {
            let word = &mut self.0.token_mut().text;
            word.truncate(word.floor_char_boundary(LONGEST_WORD));
        }
        is_word
    }

    fn token(&self) -> &Token {
        self.0.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.0.token_mut()
    }
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
