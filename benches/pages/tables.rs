//! The tables of ratios.

use std::cell::RefCell;

use catalogue_schema::Timestamp;

use crate::corpus::Corpus;
use crate::question::{Asking, At, Question, questions};
use crate::rounds::{Contender, at, compare, median};
use crate::top_k::TopK;

/// How often a page is asked for in a row; top-k, a thousand times slower, is asked once.
const REPEAT: u32 = 20;

/// At how many of the instants an answer is compared with top-k's before it is timed.
const COMPARED: usize = 10;

/// Prints what each page costs beside the same answer through top-k.
pub(crate) fn beside_top_k(corpus: &Corpus, instants: &[Timestamp]) {
    let top_k = TopK::of(corpus);
    println!(
        "\n| page of 20, {} grants | found | found and assembled | top-k | ratio, found | ratio, assembled |",
        corpus.grants
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for question in questions(corpus) {
        let askings = question.askings(corpus, instants);
        let searches: Vec<_> = askings.iter().map(|asking| top_k.search(asking, question.at)).collect();
        for (asking, search) in askings.iter().zip(&searches).step_by(askings.len().div_ceil(COMPARED)) {
            let rows = asking.rows(&corpus.catalogue);
            assert!(top_k.agrees(search, asking.after.as_ref(), &rows), "{} at {}", question.name, asking.now);
        }
        let times = compare(&[
            pages(corpus, &askings, false),
            pages(corpus, &askings, true),
            Contender { askings: searches.len(), repeat: 1, ask: Box::new(|asking| top_k.run(&searches[asking])) },
        ]);
        let [found, assembled, theirs] = [0, 1, 2].map(|contender| &times[contender]);
        let ratios = |ours: &[f64]| theirs.iter().zip(ours).map(|(theirs, ours)| theirs / ours).collect::<Vec<_>>();
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            question.name,
            micros(found),
            micros(assembled),
            micros(theirs),
            spread(&ratios(found)),
            spread(&ratios(assembled)),
        );
    }
}

/// Prints what each page costs in a large catalogue beside a small one.
pub(crate) fn by_size(small: &Corpus, large: &Corpus, instants: &[Timestamp]) {
    println!("\n| page of 20, assembled | {} grants | {} grants | ratio of the medians |", small.grants, large.grants);
    println!("|---|--:|--:|--:|");
    for (in_small, in_large) in questions(small).iter().zip(questions(large)) {
        let askings = [in_small.askings(small, instants), in_large.askings(large, instants)];
        let times = compare(&[pages(small, &askings[0], true), pages(large, &askings[1], true)]);
        let ratio = median(&times[1]) / median(&times[0]);
        println!("| {} | {} | {} | {ratio:.2} |", in_small.name, micros(&times[0]), micros(&times[1]));
    }
}

/// Prints what the last page of each list costs beside its first.
pub(crate) fn last_beside_first(corpus: &Corpus, instants: &[Timestamp]) {
    println!("\n| page of 20, assembled, {} grants | first | last | ratio of the medians |", corpus.grants);
    println!("|---|--:|--:|--:|");
    for first in questions(corpus).into_iter().filter(|question| question.at == At::First) {
        let last = Question { asked: first.asked.clone(), at: At::Last, ..first };
        // Each way to the last page goes through the whole list once.
        let instants: Vec<_> = instants.iter().copied().step_by(5).collect();
        let askings = [&first, &last].map(|question| question.askings(corpus, &instants));
        let times = compare(&askings.each_ref().map(|askings| pages(corpus, askings, true)));
        let ratio = median(&times[1]) / median(&times[0]);
        println!("| {} | {} | {} | {ratio:.2} |", first.name, micros(&times[0]), micros(&times[1]));
    }
}

fn pages<'a>(corpus: &'a Corpus, askings: &'a [Asking<'a>], assembled: bool) -> Contender<'a> {
    let bytes = RefCell::new(Vec::new());
    let ask = move |asking: usize| {
        if assembled {
            askings[asking].assemble(&corpus.catalogue, &mut bytes.borrow_mut())
        } else {
            askings[asking].find(&corpus.catalogue)
        }
    };
    Contender { askings: askings.len(), repeat: REPEAT, ask: Box::new(ask) }
}

/// The median in microseconds, and between what nine tenths of the values lie.
fn micros(nanos: &[f64]) -> String {
    let [low, middle, high] = [5, 50, 95].map(|hundredths| at(nanos, hundredths) / 1_000.0);
    format!("{middle:.1} µs ({low:.1} to {high:.1})")
}

/// The median of some ratios, and the least of nineteen in twenty.
fn spread(ratios: &[f64]) -> String {
    format!("**{:.0}** ({:.0})", median(ratios), at(ratios, 5))
}
