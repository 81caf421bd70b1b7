//! House style that no lint keeps.

use super::paths::{Token, tokens};
use super::{Source, sources};

/// A file is read whole.
const LONGEST: usize = 400;

/// Names that say nothing of what is in a module.
const EMPTY_NAMES: [&str; 5] = ["util", "utils", "helper", "helpers", "common"];

fn everywhere() -> Vec<Source> {
    sources(&["src", "index", "schema", "tests", "benches"])
        .into_iter()
        .filter(|source| !source.path.contains("/target/"))
        .collect()
}

#[test]
fn no_file_is_longer_than_400_lines() {
    for source in everywhere() {
        let lines = source.text.lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines", source.path);
    }
}

#[test]
fn nothing_is_left_to_be_done_and_no_test_is_ignored() {
    let name = |name: &str| Token::Name(name.to_owned());
    let unfinished = [
        vec![name("todo"), Token::Sign('!')],
        vec![name("unimplemented"), Token::Sign('!')],
        vec![Token::Sign('#'), Token::Sign('['), name("ignore")],
    ];
    for source in everywhere() {
        let tokens = tokens(&source.text);
        for pattern in &unfinished {
            let found = tokens.windows(pattern.len()).any(|window| window == pattern);
            assert!(!found, "{} has {pattern:?}", source.path);
        }
    }
}

#[test]
fn no_module_has_a_name_that_says_nothing() {
    for source in everywhere() {
        let names = source.path.trim_end_matches(".rs").split('/');
        assert!(!names.into_iter().any(|name| EMPTY_NAMES.contains(&name)), "{}", source.path);
        let tokens = tokens(&source.text);
        let declared = tokens.windows(2).find_map(|window| match window {
            [Token::Name(keyword), Token::Name(name)] if keyword == "mod" => {
                EMPTY_NAMES.contains(&name.as_str()).then(|| name.clone())
            }
            _ => None,
        });
        assert_eq!(declared, None, "{}", source.path);
    }
}

#[test]
fn every_module_opens_with_what_it_is_for() {
    for source in sources(&["src", "index/src", "schema/src", "tests"]) {
        let opens = source.text.lines().next().unwrap_or_default();
        assert!(opens.starts_with("//!"), "{} opens with {opens:?}", source.path);
    }
}

#[test]
fn what_may_be_kept_is_written_in_one_place() {
    let headers = ["CACHE_CONTROL", "ETAG", "VARY"];
    let is_home = |path: &str| path == "src/caching.rs";
    for source in sources(&["src"]).into_iter().filter(|source| !is_home(&source.path)) {
        let named = tokens(&source.text).into_iter().find(|token| match token {
            Token::Name(name) => headers.contains(&name.as_str()),
            _ => false,
        });
        assert_eq!(named, None, "{} writes what src/caching.rs writes", source.path);
    }
}
