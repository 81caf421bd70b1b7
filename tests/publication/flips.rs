//! Bits that flip on disk: whatever a new generation would be made from is compared with what was written.

use std::fs;
use std::path::{Path, PathBuf};

use catalogue_index::Error;

use crate::support::crawl::{Crawl, minute, programme};
use crate::support::vault::{Vault, folder};

fn two() -> Vault {
    let vault = Vault::new();
    for number in 1..3_usize {
        let crawl = Crawl::of(1, (0..30).map(programme)).with(3, |row| row.title = format!("Title {number}"));
        vault.publish(&crawl, minute(i64::try_from(number).expect("small")));
    }
    vault
}

/// The files below a folder, with the names of their folders.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[track_caller]
fn assert_named<T>(outcome: Result<T, Error>, path: &Path) {
    let Err(error) = outcome else { panic!("{} is damaged, and it is published all the same", path.display()) };
    let told = error.to_string();
    assert!(told.contains(path.to_str().expect("UTF-8")), "{}: {told}", path.display());
}

#[test]
fn a_bit_that_flipped_in_any_file_is_named_and_nothing_is_published() {
    let vault = two();
    let export = folder();
    Crawl::of(2, (0..31).map(programme)).write(export.path());
    let mut flipped = 0;
    for generation in ["generations/00000001", "generations/00000002"] {
        for path in files_below(&vault.file(generation)) {
            let sound = fs::read(&path).expect("a file");
            // A manifest has no sum: what is wrong in it shows when it is read.
            if sound.is_empty() || path.ends_with("manifest.json") {
                continue;
            }
            let mut damaged = sound.clone();
            damaged[sound.len() / 2] ^= 4;
            // A list that did not change may be one file with two names.
            fs::remove_file(&path).expect("a file");
            fs::write(&path, damaged).expect("a file");
            if generation.ends_with('2') {
                assert_named(vault.reindex(export.path(), minute(9)), &path);
            }
            assert_named(vault.rollback(Some(1), minute(9)), &path);
            assert_eq!(vault.data().current_number().expect("a pointer"), Some(2));
            fs::write(&path, sound).expect("a file");
            flipped += 1;
        }
    }
    assert!(flipped > 50, "{flipped}");
    assert_eq!(vault.rollback(Some(1), minute(9)).expect("all is sound again"), (1, 3));
}

#[test]
fn an_end_that_is_not_behind_the_one_before_is_named_before_anything_is_read() {
    let sound = two();
    let export = folder();
    Crawl::of(2, (0..31).map(programme)).write(export.path());
    let lists = ["grants/00000/list.ends", "grants/slugs.ends", "recipients/00000/details.ends"];
    for (file, row) in [(lists[0], 4_usize), (lists[0], 0), (lists[1], 29), (lists[2], 0)] {
        for end in [1_u64 << 60, 1 << 40, u64::MAX] {
            let vault = Vault::copy_of(&sound);
            let path = vault.file(&format!("generations/00000002/{file}"));
            let mut ends = fs::read(&path).expect("ends");
            ends[row * 8..(row + 1) * 8].copy_from_slice(&end.to_le_bytes());
            fs::write(&path, ends).expect("ends");
            let folder = path.parent().expect("a folder");
            assert_named(vault.try_open(), folder);
            assert_named(vault.reindex(export.path(), minute(9)), folder);
            assert_named(vault.rollback(None, minute(9)), folder);
        }
    }
    let vault = Vault::copy_of(&sound);
    let path = vault.file("changes/changes.ends");
    let mut ends = fs::read(&path).expect("ends");
    ends[..8].copy_from_slice(&(1_u64 << 60).to_le_bytes());
    fs::write(&path, ends).expect("ends");
    assert_named(vault.try_open(), &vault.file("changes"));
}
