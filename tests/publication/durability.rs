//! The order of what reaches the disk: everything that a publication names is there before the pointer names it.

use super::scene::Scene;
use crate::support::strace::{Call, calls};

const SYNCS: [&str; 2] = ["fsync", "fdatasync"];
const WRITES: [&str; 3] = ["write", "pwrite64", "ftruncate"];
const MAKES: [&str; 6] = ["mkdir", "link", "linkat", "rename", "renameat", "renameat2"];

fn folder_of(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_synced(calls: &[Call], file: &str) -> bool {
    calls.iter().any(|call| call.is_one_of(&SYNCS) && call.files.first().is_some_and(|synced| synced == file))
}

/// Whether a file outlives the publication: what lies in staging does not, but for the generation that is moved out of it.
fn stays(file: &str) -> bool {
    file.starts_with("/staging/generation/") || !(file.starts_with("/staging") || file == "/LOCK")
}

fn assert_ordered(calls: &[Call]) {
    let pointer =
        calls.iter().position(|call| call.is_one_of(&["rename"]) && call.files == ["/CURRENT.new", "/CURRENT"]);
    let pointer = pointer.expect("the pointer is moved by a rename");
    let (mut written, mut made) = (0, 0);
    for (at, call) in calls[..pointer].iter().enumerate() {
        let before_pointer = &calls[at + 1..pointer];
        if call.is_one_of(&WRITES)
            && let Some(file) = call.files.first().filter(|file| stays(file))
        {
            assert!(is_synced(before_pointer, file), "{} is published before it is on disk", call.text);
            written += 1;
        }
        let makes = call.is_one_of(&MAKES) || call.is_one_of(&["openat"]) && call.text.contains("O_CREAT");
        // The pointer's own file is put in place behind the rename.
        if makes
            && let Some(file) = call.files.get(usize::from(call.files.len() > 1 && !call.is_one_of(&["openat"])))
            && stays(file)
            && file != "/CURRENT.new"
        {
            let folder = folder_of(file);
            assert!(is_synced(before_pointer, folder), "{}: the name is not on disk", call.text);
            made += 1;
        }
    }
    assert!(written > 40 && made > 30, "{written} writes, {made} names");
    assert!(is_synced(&calls[pointer..], ""), "the pointer's own name is put on disk");
}

#[test]
fn a_reindex_is_on_disk_before_its_pointer_moves() {
    let scene = Scene::new();
    assert_ordered(&calls(&scene.copy(), &scene.reindex()));
}

#[test]
fn a_rollback_is_on_disk_before_its_pointer_moves() {
    assert_ordered(&calls(&Scene::new().copy(), &["generation", "rollback"]));
}

#[test]
fn a_data_folder_that_is_made_is_on_disk_before_anything_is_published_in_it() {
    let scene = Scene::new();
    let vault = crate::support::vault::Vault::new();
    std::fs::remove_dir(vault.path()).expect("an empty folder");
    let calls = calls(&vault, &scene.reindex());
    assert_ordered(&calls);
    let above = format!("<{}>)", vault.path().parent().expect("a folder above").display());
    let made = calls.iter().position(|call| call.is_one_of(&["mkdir"]) && call.files == [""]).expect("it is made");
    let is_above = |call: &Call| call.is_one_of(&SYNCS) && call.text.contains(&above);
    assert!(calls[made..].iter().any(is_above), "{above}");
}
