//! The log on the disk.

use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, SystemTime};

use crate::support::crawl::{Crawl, day, programme};
use crate::support::vault::Vault;

const FILES: [&str; 2] = ["changes/changes.rows", "changes/changes.ends"];

/// Which file it is, how long it is, and when it was last written to.
fn identity(vault: &Vault, file: &str) -> (u64, u64, SystemTime) {
    let metadata = std::fs::metadata(vault.file(file)).expect(file);
    (metadata.ino(), metadata.len(), metadata.modified().expect("a time"))
}

#[test]
fn a_reindex_without_changes_does_not_write_to_the_log_and_one_with_changes_only_at_its_end() {
    let vault = Vault::new();
    let first = Crawl::of(1, (0..10).map(programme));
    vault.publish(&first, day(1));
    let second = Crawl::of(2, (0..500).map(programme));
    vault.publish(&second, day(2));
    // An instant that no write of this test has, so that one made in the same moment could not hide.
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_hours(24);
    for file in FILES {
        let opened = std::fs::File::options().write(true).open(vault.file(file)).expect(file);
        opened.set_modified(long_ago).expect("the file is ours");
    }
    let before = FILES.map(|file| identity(&vault, file));
    let bytes = FILES.map(|file| std::fs::read(vault.file(file)).expect(file));
    assert!(bytes[0].len() > 50_000, "the log has the programmes that came");

    vault.publish(&Crawl { crawled_at: day(3), ..second.clone() }, day(3));
    assert_eq!(FILES.map(|file| identity(&vault, file)), before);

    vault.publish(&Crawl { crawled_at: day(4), ..second }.without(7), day(4));
    for ((file, before), bytes) in FILES.iter().zip(before).zip(bytes) {
        let after = identity(&vault, file);
        assert_eq!(after.0, before.0, "{file} is the same file");
        assert!(after.1 > before.1 && after.1 < before.1 + 1_000, "{file} has grown by the one change");
        assert!(std::fs::read(vault.file(file)).expect(file).starts_with(&bytes), "{file} begins as it did");
    }
}
