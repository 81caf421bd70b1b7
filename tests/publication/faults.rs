//! The same steps refused by the operating system: a sentence that names the file, and the catalogue as it was.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::kills::each_of;
use super::scene::Scene;
use crate::support::strace::{Fate, run_to, steps};

const ERRORS: [&str; 3] = ["ENOSPC", "EIO", "EACCES"];

#[test]
fn a_step_that_fails_is_told_in_a_sentence_and_hurts_nothing() {
    let scene = Scene::new();
    let steps = steps(&scene.copy(), &scene.reindex());
    let numbered: Vec<_> = steps.iter().enumerate().collect();
    let withstood = AtomicUsize::new(0);
    each_of(&numbered, |(number, step)| {
        let error = ERRORS[number % ERRORS.len()];
        let accident = format!("{error} at {step:?}");
        let vault = scene.copy();
        let traced = run_to(&vault, &scene.reindex(), step, Fate::Fails(error));
        assert!(traced.trace.contains("(INJECTED)"), "{accident} happens\n{}", traced.trace);
        let (sentence, named) = (&traced.stderr, vault.path().to_str().expect("UTF-8"));
        let is_published = vault.data().current_number().expect("a pointer") == Some(3);
        if traced.status == Some(0) {
            // Only what need not succeed may fail without a word: clearing away what the next change clears anyway.
            assert!(is_published && step.after_publication, "after {accident} the program says that all is well");
            withstood.fetch_add(1, Ordering::Relaxed);
        } else if is_silenced(&traced.trace) {
            assert_eq!(traced.status, Some(1), "after {accident}");
        } else {
            assert_eq!(traced.status, Some(1), "after {accident}: {sentence}");
            assert_eq!(sentence.lines().count(), 1, "after {accident}: {sentence}");
            assert!(sentence.starts_with("catalogue: "), "after {accident}: {sentence}");
            assert!(sentence.contains(named), "after {accident} the sentence names the file: {sentence}");
            assert_eq!(is_published, sentence.contains("generation 3 is published"), "after {accident}: {sentence}");
            let is_cleared = !vault.file("staging").exists();
            assert!(is_cleared || !step.after_staging, "after {accident} nothing half made stays");
        }
        scene.assert_unhurt(&vault, is_published, &accident);
    });
    println!("{} steps failed, {} of them without harm", steps.len(), withstood.into_inner());
}

/// Whether the thread that would tell the failure was refused a call of its own: the program's output cannot be written to.
fn is_silenced(trace: &str) -> bool {
    let lines: Vec<&str> = trace.lines().collect();
    let thread = |line: &str| line.split_whitespace().next().map(str::to_owned);
    lines.iter().enumerate().filter(|(_, line)| line.contains("(INJECTED)")).any(|(at, line)| {
        // A call that another thread's came between is told on two lines, and only the first names the file.
        let earlier = || lines[..at].iter().rfind(|earlier| thread(earlier) == thread(line));
        let call = if line.contains(" resumed>") { earlier().copied().unwrap_or_default() } else { line };
        call.contains(" write(2<")
    })
}
