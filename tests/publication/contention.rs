//! Two changes at once: one works, the other fails and says why.

use std::time::Duration;

use crate::support::crawl::{Crawl, minute, programme};
use crate::support::strace::{Fate, Step, run_to};
use crate::support::vault::{Vault, folder};

/// For how long the reindex of the test stands still: long enough for the others to begin and end.
const STILL: u32 = 2_000_000;

#[test]
fn beside_a_reindex_every_other_change_fails_and_says_why() {
    let vault = Vault::new();
    let first = Crawl::of(1, (0..10).map(programme));
    vault.publish(&first, minute(1));
    vault.publish(&Crawl { crawled_at: minute(2_000), ..first.clone() }, minute(2));
    let export = folder();
    Crawl { crawled_at: minute(3_000), ..first }.with(1, |row| row.title = "Moved".to_owned()).write(export.path());
    let export = export.path().to_str().expect("UTF-8");
    // It stands still before it moves its generation into place.
    let step = Step {
        call: "rename".to_owned(),
        file: Some("/staging/generation".to_owned()),
        time: 1,
        writes: true,
        after_staging: true,
        after_publication: false,
    };
    let sentence = format!("catalogue: another reindex, rollback or prune is at work on {}\n", vault.path().display());
    std::thread::scope(|scope| {
        let working = scope.spawn(|| run_to(&vault, &["reindex", export], &step, Fate::Waits(STILL)));
        while !vault.file("staging/generation/manifest.json").exists() {
            assert!(!working.is_finished(), "the reindex gets as far as its manifest");
            std::thread::sleep(Duration::from_millis(5));
        }
        let others: [&[&str]; 4] = [
            &["reindex", export],
            &["reindex", "--dry-run", export],
            &["generation", "rollback"],
            &["generation", "prune"],
        ];
        for other in others {
            let refused = vault.run(other);
            assert_eq!((refused.status, &*refused.out, &*refused.err), (1, "", &*sentence), "{other:?}");
        }
        assert_eq!(vault.listed().0, 2, "what only reads is not held up");
        assert!(!working.is_finished(), "all that was beside the reindex");
        let worked = working.join().expect("a run");
        assert_eq!((worked.status, &*worked.stderr), (Some(0), ""), "the one that works is not disturbed");
    });
    assert_eq!(vault.listed().0, 3);
    assert_eq!(vault.manifest(3)["changes"]["title_changed"], 1);
    vault.assert_no_litter();
}

#[test]
fn of_reindexes_that_begin_together_each_publishes_or_says_why_not() {
    let vault = Vault::new();
    let first = Crawl::of(1, (0..10).map(programme));
    vault.publish(&first, minute(1));
    let export = folder();
    Crawl { crawled_at: minute(2_000), ..first }.with(1, |row| row.title = "Moved".to_owned()).write(export.path());
    let export = export.path().to_str().expect("UTF-8");
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| vault.run(&["reindex", export]))).collect();
        runs.into_iter().map(|run| run.join().expect("a run")).collect()
    });
    let good = outcomes.iter().filter(|outcome| outcome.status == 0).count();
    assert!(good >= 1, "{outcomes:?}");
    for outcome in outcomes.iter().filter(|outcome| outcome.status != 0) {
        assert_eq!(outcome.status, 1);
        assert!(outcome.err.contains("is at work on"), "{outcome:?}");
    }
    let (published, _) = vault.listed();
    assert_eq!(published, 1 + good as u64, "each that ended well has published, one after the other");
    assert_eq!(vault.manifest(published)["publications"][1]["log_entries"], 1, "the title moved once");
    assert_eq!(
        vault.manifest(published)["publications"]
            .as_array()
            .and_then(|all| all.last())
            .map(|last| &last["log_entries"]),
        Some(&1.into())
    );
    vault.assert_no_litter();
}
