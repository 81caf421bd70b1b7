//! `q`: a filter that no text can break (decisions, sections 3 and 9).

use crate::support::export::{Export, funder, grant};
use crate::support::service::Service;

fn service() -> Service {
    let mut export = Export::of([
        grant("a-farming").with("title", "Grants for farming communities"),
        grant("b-cafe").with("title", "Caf\u{e9} Pe\u{f1}a").with("summary", "Clean water and soil"),
        grant("c-decomposed").with("title", "Cafe\u{301} owners").with("summary", "Water, clean again"),
        grant("d-k12").with("title", "K-12 AND arts OR not"),
        grant("e-water").with("title", "Clean").with("summary", "water"),
        grant("f-other").with("title", "Other").with("funder", "o"),
        grant("g-the").with("title", "The who"),
    ]);
    export.funders.push(funder("o", "O\u{2019}Neill Water Fund"));
    Service::of(&export)
}

fn found(service: &Service, q: &str) -> Vec<String> {
    let answer = service.list("/api/v1/grants", &[("q", q)]);
    assert_eq!(answer.header("x-service-ignored-filters"), None, "{q}");
    answer.slugs()
}

#[test]
fn every_word_must_match_in_title_summary_or_the_funders_name() {
    let service = service();
    assert_eq!(found(&service, "clean water"), ["b-cafe", "c-decomposed", "e-water"]);
    assert_eq!(found(&service, "water fund"), ["f-other"]);
    assert_eq!(found(&service, "other water"), ["f-other"]);
    assert!(found(&service, "clean absent").is_empty());
}

#[test]
fn endings_case_and_accents_are_folded() {
    let service = service();
    for q in ["farm", "FARMS", "farmed", "Community", "grant farming"] {
        assert_eq!(found(&service, q), ["a-farming"], "{q}");
    }
    for q in ["cafe", "CAF\u{c9}", "cafe\u{301}", "Caf\u{e9}s"] {
        assert_eq!(found(&service, q), ["b-cafe", "c-decomposed"], "{q}");
    }
    assert_eq!(found(&service, "pena"), ["b-cafe"]);
    assert_eq!(found(&service, "Pen\u{303}a"), ["b-cafe"]);
}

#[test]
fn a_phrase_matches_in_sequence_within_one_text() {
    let service = service();
    assert_eq!(found(&service, "\"clean water\""), ["b-cafe"], "title and summary are not one text");
    assert_eq!(found(&service, "\"water clean\""), ["c-decomposed"]);
    assert_eq!(found(&service, "\"water and soil\" cafe"), ["b-cafe"]);
    assert_eq!(found(&service, "\"farms community\""), ["a-farming"], "phrases are stemmed too");
    assert!(found(&service, "\"soil water\"").is_empty());
    assert_eq!(found(&service, "\"clean\" \"water\""), found(&service, "clean water"));
}

#[test]
fn quotation_marks_that_do_not_pair_are_nothing() {
    let service = service();
    assert_eq!(found(&service, "\"clean water"), found(&service, "clean water"));
    assert_eq!(found(&service, "clean water\""), found(&service, "clean water"));
    assert_eq!(found(&service, "\"\"clean\"\"\" water"), found(&service, "clean water"));
}

#[test]
fn operators_are_plain_text() {
    let service = service();
    assert_eq!(found(&service, "AND"), ["b-cafe", "d-k12"]);
    assert_eq!(found(&service, "k-12"), ["d-k12"]);
    assert_eq!(found(&service, "NOT OR"), ["d-k12"]);
    assert!(found(&service, "clean NOT water").is_empty());
    assert!(found(&service, "clean OR water").is_empty());
    for q in [
        "-clean water",
        "clean -water",
        "cle*an",
        "+clean",
        "title:clean",
        "clean~2",
        "(clean)",
        "clean^3",
        "[clean TO water]",
    ] {
        let expected = match q {
            "cle*an" | "title:clean" | "clean~2" | "clean^3" | "[clean TO water]" => Vec::new(),
            "-clean water" | "clean -water" => found(&service, "clean water"),
            _ => found(&service, "clean"),
        };
        assert_eq!(found(&service, q), expected, "{q}");
    }
    assert!(found(&service, "wat*").is_empty(), "no word is `wat`");
}

#[test]
fn there_are_no_stop_words() {
    let service = service();
    assert_eq!(found(&service, "the"), ["g-the"]);
    assert_eq!(found(&service, "for"), ["a-farming"]);
    assert_eq!(found(&service, "who the"), ["g-the"]);
}

#[test]
fn a_query_without_a_word_is_dropped_whatever_its_length() {
    let service = service();
    let all = service.get("/api/v1/grants").slugs();
    for q in ["!?", "\"", "\"\"", " ", "\u{2014} \u{2026}", "***", "\u{2603}\u{1f600}", "\u{0}"] {
        let answer = service.list("/api/v1/grants", &[("q", q)]);
        assert!(answer.header("x-service-ignored-filters").is_some_and(|listed| listed.starts_with("q=%")), "{q:?}");
        assert_eq!(answer.slugs(), all, "{q:?}");
    }
    // 60 kB in the address: as long as an address can be.
    let long = "!".repeat(60_000);
    let answer = service.get(&format!("/api/v1/grants?q={long}"));
    assert_eq!(answer.slugs(), all);
    assert_eq!(answer.header("x-service-ignored-filters").map(str::len), Some(2 + 3 * 60_000));
}

#[test]
fn ten_thousand_bytes_of_text_are_no_error() {
    let service = service();
    let words = |word: &str, length: usize| word.repeat(length / word.len());
    for (q, slugs) in [
        (words("clean ", 10_000), found(&service, "clean")),
        (words("clean water ", 10_000), found(&service, "clean water")),
        ("x".repeat(10_000), Vec::new()),
        (words("\"clean water\" ", 10_000), found(&service, "\"clean water\"")),
        (format!("\"{}\"", words("clean water ", 10_000)), Vec::new()),
        ((0..1_500).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" "), Vec::new()),
        (words("\u{e9}\u{301}", 10_000), Vec::new()),
        (words("\"a b\" c\" ", 60_000 / 4), Vec::new()),
    ] {
        assert_eq!(service.list("/api/v1/grants", &[("q", &q)]).slugs(), slugs, "{}", &q[..20.min(q.len())]);
    }
}

#[test]
fn a_text_query_filters_and_does_not_rank() {
    let service = Service::of(&Export::of([
        grant("once").with("title", "Water").with("deadline", "2026-08-01T00:00:00Z"),
        grant("often")
            .with("title", "Water water")
            .with("summary", "water water")
            .with("deadline", "2026-09-01T00:00:00Z"),
    ]));
    assert_eq!(found(&service, "water"), ["once", "often"]);
}
