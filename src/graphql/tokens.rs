//! A look at a query's text before it is parsed: how long it is, how many tokens it has, and how deep its brackets go. One pass without memory, so that
//! what would keep the parser busy never reaches it.

/// The longest text, in bytes.
const LONGEST: usize = 64 * 1024;

/// The most tokens of a document. GraphiQL's introspection has some three hundred.
const MOST_TOKENS: usize = 5_000;

/// How deep brackets may go.
const DEEPEST: usize = 64;

/// Why a text is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    Bytes,
    Tokens,
    Depth,
}

impl TooMuch {
    pub(super) fn reason(self) -> String {
        match self {
            Self::Bytes => format!("The query is too long: it has more than {LONGEST} bytes."),
            Self::Tokens => format!("The query is too long: it has more than {MOST_TOKENS} tokens."),
            Self::Depth => format!("The query is nested too deep: its brackets go deeper than {DEEPEST}."),
        }
    }
}

/// Looks at a text.
pub(super) fn look_at(text: &str) -> Result<(), TooMuch> {
    if text.len() > LONGEST {
        return Err(TooMuch::Bytes);
    }
    let bytes = text.as_bytes();
    let (mut tokens, mut depth, mut at) = (0, 0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | 0xef | 0xbb | 0xbf => {
                at += 1;
                continue;
            }
            b'#' => {
                at = end_of(bytes, at, |byte| byte != b'\n' && byte != b'\r');
                continue;
            }
            b'"' => at = end_of_text(bytes, at),
            b'{' | b'(' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            byte if is_of_name(byte) => at = end_of(bytes, at, is_of_name),
            _ => at += 1,
        }
        debug_assert!(at > start, "every token has a length");
        tokens += 1;
        if tokens > MOST_TOKENS {
            return Err(TooMuch::Tokens);
        }
        if depth > DEEPEST {
            return Err(TooMuch::Depth);
        }
    }
    Ok(())
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn end_of(bytes: &[u8], start: usize, is_inside: impl Fn(u8) -> bool) -> usize {
    bytes[start..].iter().position(|&byte| !is_inside(byte)).map_or(bytes.len(), |length| start + length)
}

/// Where the text ends whose quotation mark stands at `start`: a block of three marks, or one line.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let is_block = bytes[start..].starts_with(b"\"\"\"");
    let mut at = start + if is_block { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' if !is_block => return at + 1,
            b'"' if bytes[at..].starts_with(b"\"\"\"") => return at + 3,
            b'\n' if !is_block => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_counted_and_brackets_measured() {
        let fields = |count: usize| format!("{{{}}}", "a ".repeat(count));
        assert_eq!(look_at(&fields(MOST_TOKENS - 2)), Ok(()));
        assert_eq!(look_at(&fields(MOST_TOKENS - 1)), Err(TooMuch::Tokens));
        let nested = |depth: usize| format!("{}a{}", "{a".repeat(depth), "}".repeat(depth));
        assert_eq!(look_at(&nested(DEEPEST)), Ok(()));
        assert_eq!(look_at(&nested(DEEPEST + 1)), Err(TooMuch::Depth));
        assert_eq!(look_at(&"[".repeat(LONGEST)), Err(TooMuch::Depth));
        assert_eq!(look_at(&"a".repeat(LONGEST)), Ok(()));
        assert_eq!(look_at(&"a".repeat(LONGEST + 1)), Err(TooMuch::Bytes));
    }

    #[test]
    fn texts_and_comments_are_one_token_and_none() {
        let braces = "{".repeat(1_000);
        for text in [
            format!("{{ a(b: \"{braces}\") }}"),
            format!("{{ a(b: \"\\\"{braces}\") }}"),
            format!("{{ a(b: \"\"\"{braces}\n\\\"\"\"{braces}\"\"\") }}"),
            format!("# {braces}\n{{ a }}"),
        ] {
            assert_eq!(look_at(&text), Ok(()), "{text}");
        }
        for text in ["\"", "\"\"\"", "\"\\", "\"\"\"\\", "#", "\u{feff}{ a }"] {
            assert_eq!(look_at(text), Ok(()), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic_or_go_on_for_ever(text in ".{0,300}", marks in "[\"\\\\{}#\n ]{0,60}") {
            let _ = (look_at(&text), look_at(&marks));
        }
    }
}
