//! The scene of every accident: two published generations, a crawl to come, and what a good reindex makes of it.

use std::path::Path;

use catalogue_index::Resource;
use catalogue_schema::Timestamp;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::crawl::{Crawl, day, programme};
use crate::support::vault::{Vault, folder, list};

/// What a client can read of the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub(super) grants: Vec<Value>,
    pub(super) changes: Vec<Value>,
}

pub(super) struct Scene {
    before: Vault,
    export: TempDir,
    told_before: Told,
    told_after: Told,
}

/// When the crawl to come is published, where it is by a clock that stands still.
fn published_at() -> Timestamp {
    day(30)
}

impl Scene {
    /// Sets the scene, with what an earlier crash left lying about, so that clearing is among the steps.
    pub(super) fn new() -> Self {
        let before = Vault::new();
        let first = Crawl::of(1, (0..60).map(programme));
        before.publish(&first, day(1));
        let second = moved(Crawl { crawled_at: day(2), ..first }, 0).without(50);
        before.publish(&second, day(2));
        let third = moved(Crawl { crawled_at: day(3), ..second }, 20).without(51);
        let third = Crawl { grants: third.grants.into_iter().chain((60..63).map(programme)).collect(), ..third };
        let export = folder();
        third.write(export.path());
        let told_before = told(&before);
        let after = Vault::copy_of(&before);
        after.publish(&third, published_at());
        std::fs::create_dir_all(before.file("staging/generation")).expect("a folder");
        std::fs::write(before.file("staging/grants.spool"), "half a row").expect("a file");
        for log in ["changes/changes.rows", "changes/changes.ends"] {
            let rows = std::fs::read(before.file(log)).expect(log);
            std::fs::write(before.file(log), [rows, b"half a".to_vec()].concat()).expect(log);
        }
        Self { told_before, told_after: told(&after), before, export }
    }

    pub(super) fn export(&self) -> &Path {
        self.export.path()
    }

    /// The arguments that take in the crawl to come.
    pub(super) fn reindex(&self) -> [&str; 2] {
        ["reindex", self.export().to_str().expect("UTF-8")]
    }

    /// The same scene in a folder of its own.
    pub(super) fn copy(&self) -> Vault {
        Vault::copy_of(&self.before)
    }

    /// Panics where an accident hurt: without a publication the generation before is served; after it the new one. And the next
    /// reindex makes what it would have made.
    pub(super) fn assert_unhurt(&self, vault: &Vault, is_published: bool, accident: &str) {
        let (published, listed) = vault.listed();
        // The first generation has been kept for long enough: the reindex clears it away, once it has published.
        let expected: &[&[u64]] = if is_published { &[&[1, 2, 3], &[2, 3]] } else { &[&[1, 2]] };
        assert!(expected.contains(&&*listed), "after {accident} there are {listed:?}");
        assert_eq!(Some(&published), listed.last(), "after {accident}");
        let told_now = told(vault);
        if is_published {
            assert_eq!(told_now.without_instants(), self.told_after.without_instants(), "after {accident}");
        } else {
            assert_eq!(told_now, self.told_before, "after {accident}");
        }
        // A clock that went on since the accident, or none that did: the instants of the feed ascend.
        let again = vault.reindex(self.export(), published_at()).expect("the next reindex is good");
        assert!(again.published, "after {accident}: {:?}", again.faults);
        if is_published {
            assert_eq!(told(vault).without_instants(), self.told_after.without_instants(), "after {accident}");
        } else {
            assert_eq!(told(vault), self.told_after, "after {accident}");
        }
        vault.assert_no_litter();
    }
}

impl Told {
    /// What is told, without when it was published.
    fn without_instants(&self) -> Self {
        let strip = |rows: &[Value]| -> Vec<Value> {
            let strip_row = |row: &Value| {
                let mut row = row.clone();
                let fields = row.as_object_mut().expect("an object");
                fields.retain(|name, _| !matches!(&**name, "first_seen_at" | "updated_at" | "observed_at"));
                row
            };
            rows.iter().map(strip_row).collect()
        };
        Self { grants: strip(&self.grants), changes: strip(&self.changes) }
    }
}

/// What a client reads who comes now.
pub(super) fn told(vault: &Vault) -> Told {
    let catalogue = vault.open();
    Told { grants: list(&catalogue, Resource::Grants, day(31)), changes: list(&catalogue, Resource::Changes, day(31)) }
}

/// A crawl in which a few things moved.
fn moved(crawl: Crawl, first: usize) -> Crawl {
    crawl
        .with(first, |row| row.title.push_str(", second round"))
        .with(first + 1, |row| row.deadline = Some(day(40)))
        .with(first + 2, |row| row.deadline = None)
        .with(first + 3, |row| row.amount_max = None)
        .with(first + 4, |row| row.status = catalogue_schema::Status::Closed)
}
