//! The paths that a source file names, `use` lines and others alike, without a whole parser.

use std::collections::BTreeSet;

/// A piece of Rust: a name, or one of the signs that paths and modules are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    /// `::`
    Path,
    Sign(char),
}

/// The tokens of a text, without comments, characters and strings.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    while let Some(&character) = characters.get(at) {
        let next = characters.get(at + 1).copied();
        if character == '/' && next == Some('/') {
            while characters.get(at).is_some_and(|&character| character != '\n') {
                at += 1;
            }
        } else if let Some(end) = raw_string(&characters[at..]) {
            at += end;
        } else if character == '"' {
            at += 1;
            while characters.get(at).is_some_and(|&character| character != '"') {
                at += if characters[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if character == '\'' {
            // A character, or else a lifetime.
            let length = match (next, characters.get(at + 2)) {
                (Some('\\'), _) => {
                    characters[at + 3..].iter().position(|&character| character == '\'').map(|end| end + 4)
                }
                (_, Some('\'')) => Some(3),
                _ => None,
            };
            at += length.unwrap_or(1);
        } else if is_name(character) {
            let start = at;
            while characters.get(at).is_some_and(|&character| is_name(character)) {
                at += 1;
            }
            tokens.push(Token::Name(characters[start..at].iter().collect()));
        } else if character == ':' && next == Some(':') {
            tokens.push(Token::Path);
            at += 2;
        } else {
            if !character.is_whitespace() {
                tokens.push(Token::Sign(character));
            }
            at += 1;
        }
    }
    tokens
}

/// How long the raw string is that begins here.
fn raw_string(characters: &[char]) -> Option<usize> {
    let prefix = characters.iter().take_while(|&&character| character == 'b').count();
    let rest = characters.get(prefix..)?.strip_prefix(&['r'])?;
    let marks = rest.iter().take_while(|&&character| character == '#').count();
    (rest.get(marks) == Some(&'"') && prefix < 2).then_some(())?;
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', marks)).collect();
    let body = &rest[marks + 1..];
    let length = body.windows(end.len()).position(|window| window == end)?;
    Some(prefix + 1 + marks + 1 + length + end.len())
}

/// The paths that a file of the crate names: those inside the crate begin with `crate`.
pub(super) fn paths(file: &str, text: &str) -> BTreeSet<Vec<String>> {
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    // The module that the tokens stand in, and at which depth of braces each of its inner ones began.
    let mut module = module_of(file);
    let mut inner: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Sign('{') => {
                if let [.., Token::Name(keyword), Token::Name(name)] = &tokens[..at]
                    && keyword == "mod"
                {
                    module.push(name.clone());
                    inner.push(depth);
                }
                depth += 1;
            }
            Token::Sign('}') => {
                depth -= 1;
                if inner.last() == Some(&depth) {
                    inner.pop();
                    module.pop();
                }
            }
            Token::Name(_) if at == 0 || tokens[at - 1] != Token::Path => {
                let mut paths = Vec::new();
                let end = path(&tokens, at, &mut Vec::new(), &mut paths);
                found.extend(paths.into_iter().filter(|path| path.len() > 1).map(|path| resolved(&module, path)));
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads a path from `at` on, its groups included; gives where it ends.
fn path(tokens: &[Token], mut at: usize, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let outer = prefix.len();
    loop {
        match tokens.get(at) {
            Some(Token::Name(name)) => prefix.push(name.clone()),
            Some(Token::Sign('*')) => prefix.push("*".to_owned()),
            Some(Token::Sign('{')) => {
                at += 1;
                while !matches!(tokens.get(at), Some(Token::Sign('}')) | None) {
                    let end = path(tokens, at, prefix, found);
                    at = end.max(at + 1);
                    // The new name that follows an `as` is no path.
                    while !matches!(tokens.get(at), Some(Token::Sign(',' | '}')) | None) {
                        at += 1;
                    }
                    if tokens.get(at) == Some(&Token::Sign(',')) {
                        at += 1;
                    }
                }
                prefix.truncate(outer);
                return at + 1;
            }
            _ => {
                found.push(prefix.clone());
                prefix.truncate(outer);
                return at;
            }
        }
        at += 1;
        if tokens.get(at) == Some(&Token::Path) {
            at += 1;
        } else {
            found.push(prefix.clone());
            prefix.truncate(outer);
            return at;
        }
    }
}

/// The module of a file below `src/`.
fn module_of(file: &str) -> Vec<String> {
    let below = file.split_once("src/").map_or(file, |(_, below)| below).trim_end_matches(".rs");
    below.split('/').filter(|name| !["mod", "lib", "main"].contains(name)).map(str::to_owned).collect()
}

/// A path with `self` and `super` taken away.
fn resolved(module: &[String], path: Vec<String>) -> Vec<String> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let is_own = path[0] == "self";
    if ups == 0 && !is_own {
        return path;
    }
    let kept = module.len().saturating_sub(ups);
    let rest = &path[ups + usize::from(is_own)..];
    std::iter::once("crate".to_owned()).chain(module[..kept].iter().cloned()).chain(rest.iter().cloned()).collect()
}

#[test]
fn paths_are_found_in_use_lines_and_in_the_midst_of_code() {
    let text = r##"
        // use crate::comment;
        use crate::{a::{b, self}, c as d};
        use super::sibling::Thing;
        fn f<'a>(x: &'a str) -> outer::Type { let y = '"'; crate::g::h::<u8>("crate::string", r#"crate::raw"#) }
        mod tests { use super::super::near::N; use super::*; }
        use super::far;
    "##;
    let found: Vec<String> = paths("src/rest/params.rs", text).into_iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::a::b",
        "crate::a::self",
        "crate::c",
        "crate::g::h",
        "crate::rest::far",
        "crate::rest::near::N",
        "crate::rest::params::*",
        "crate::rest::sibling::Thing",
        "outer::Type",
    ];
    assert_eq!(found, expected);
}
