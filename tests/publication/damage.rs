//! Damage on disk: what is broken is named, what is not broken is served, and nothing panics.

use std::fs;

use catalogue_index::Resource;
use catalogue_schema::Requested;

use super::scene::{Scene, told};
use crate::support::crawl::{Crawl, day, minute, programme};
use crate::support::vault::{Vault, folder, list, page};

/// Three generations, so that there is an older one and one older still.
fn three() -> Vault {
    let vault = Vault::new();
    let first = Crawl::of(1, (0..30).map(programme));
    for (number, title) in [(1, "Programme 3"), (2, "Second"), (3, "Third")] {
        let crawl = Crawl { crawled_at: minute(1_440 + number), ..first.clone() };
        vault.publish(&crawl.with(3, |row| title.clone_into(&mut row.title)), minute(number));
    }
    vault
}

fn next_export() -> tempfile::TempDir {
    let export = folder();
    Crawl::of(2, (0..30).map(programme)).with(3, |row| "Fourth".clone_into(&mut row.title)).write(export.path());
    export
}

/// The ways in which a generation is damaged: what is done to its folder, and what a sentence about it names.
const DAMAGES: [(&str, Damage); 12] = [
    ("manifest.json", Damage::Cut),
    ("manifest.json", Damage::Gone),
    ("manifest.json", Damage::Replaced("catalogue-generation/3", "catalogue-generation/4")),
    ("manifest.json", Damage::Replaced("\"grants\": 30", "\"grants\": 31")),
    ("manifest.json", Damage::Replaced("\"log_entries\": ", "\"log_entries\": 922337203685477580")),
    ("manifest.json", Damage::Replaced("\"generation\": ", "\"generation\": 1")),
    ("grants/00000/list.rows", Damage::Cut),
    ("grants/00000/list.ends", Damage::Gone),
    ("grants/00000/history", Damage::Cut),
    ("grants/slugs.table", Damage::Gone),
    ("recipients/00000/meta.json", Damage::Cut),
    ("funders/00000", Damage::Gone),
];

#[derive(Clone, Copy, Debug)]
enum Damage {
    /// Half of it is left.
    Cut,
    /// It is not there.
    Gone,
    /// A text in it is another.
    Replaced(&'static str, &'static str),
}

impl Damage {
    fn befall(self, vault: &Vault, file: &str) {
        let path = vault.file(file);
        match self {
            Self::Cut => {
                let bytes = fs::read(&path).expect(file);
                fs::write(&path, &bytes[..bytes.len() / 2]).expect(file);
            }
            Self::Gone if path.is_dir() => fs::remove_dir_all(&path).expect(file),
            Self::Gone => fs::remove_file(&path).expect(file),
            Self::Replaced(from, to) => {
                let text = fs::read_to_string(&path).expect(file);
                assert!(text.contains(from), "{file} holds {from}");
                fs::write(&path, text.replace(from, to)).expect(file);
            }
        }
    }
}

/// Panics where the program does not fail with one sentence that names a file below `named`.
fn assert_told(vault: &Vault, arguments: &[&str], named: &str) {
    let outcome = vault.run(arguments);
    assert_eq!((outcome.status, &*outcome.out), (1, ""), "{arguments:?}: {}", outcome.err);
    assert_eq!(outcome.err.lines().count(), 1, "{arguments:?}: {}", outcome.err);
    let named = vault.file(named);
    assert!(outcome.err.contains(named.to_str().expect("UTF-8")), "{}: {}", named.display(), outcome.err);
}

#[test]
fn a_damaged_current_generation_is_named_by_serve_reindex_and_rollback() {
    let (sound, export) = (three(), next_export());
    let export = export.path().to_str().expect("UTF-8");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"];
    for (file, damage) in DAMAGES {
        let vault = Vault::copy_of(&sound);
        let file = format!("generations/00000003/{file}");
        damage.befall(&vault, &file);
        let named = if file.ends_with("manifest.json") { "" } else { &file };
        for arguments in [&serve[..], &["reindex", export], &["generation", "rollback"]] {
            assert_told(&vault, arguments, named);
        }
        assert_eq!(vault.data().current_number().expect("a pointer"), Some(3), "{file}: nothing is published");
        assert!(vault.file("generations/00000003").exists(), "{file}: nothing is cleared away");
    }
}

#[test]
fn a_gateway_that_runs_goes_on_serving_while_the_published_generation_is_damaged() {
    let vault = three();
    let catalogue = vault.open();
    let served = list(&catalogue, Resource::Grants, day(9));
    for (file, damage) in DAMAGES {
        let sound = Vault::copy_of(&vault);
        let gateway = sound.open();
        let export = next_export();
        sound.reindex(export.path(), minute(9)).expect("a reindex");
        damage.befall(&sound, &format!("generations/00000004/{file}"));
        let error = gateway.refresh().expect_err("the damage is seen").to_string();
        assert!(error.contains("00000004") || error.contains("changes"), "{error}");
        assert_eq!(list(&gateway, Resource::Grants, day(9)), served, "after {damage:?} of {file}");
    }
}

#[test]
fn a_damaged_older_generation_hurts_only_those_who_ask_for_it() {
    let (sound, export) = (three(), next_export());
    for (file, damage) in DAMAGES {
        let vault = Vault::copy_of(&sound);
        let before_swap = {
            // A client is in the middle of the second generation when it is damaged and the gateway begins anew.
            fs::write(vault.file("CURRENT"), "2\n").expect("the pointer");
            let gateway = vault.open();
            page(&gateway, Resource::Grants, &Requested::default(), None, day(9), 10).1.expect("a second page")
        };
        fs::write(vault.file("CURRENT"), "3\n").expect("the pointer");
        damage.befall(&vault, &format!("generations/00000002/{file}"));
        let gateway = vault.open();
        let refused = gateway.traverse(Resource::Grants, &Requested::default(), Some(&before_swap), day(9));
        let Err(refusal) = refused else { panic!("{damage:?} of {file} is not seen") };
        assert_eq!(refusal.slug(), "internal_error", "it is kept, and cannot be opened");
        // A manifest that counts more entries than the log holds is at odds with it: one of the two is named.
        let is_at_odds = matches!(damage, Damage::Replaced(from, _) if from.contains("log_entries"));
        let named = if is_at_odds { "changes" } else { "generations/00000002" };
        assert_told(&vault, &["generation", "rollback", "2"], named);
        let report = vault.reindex(export.path(), minute(4)).expect("the next reindex needs no older generation");
        assert_eq!(report.changes.title_changed, 1);
        assert_eq!(vault.rollback(Some(1), minute(5)).expect("another generation can be gone back to"), (1, 5));
    }
}

#[test]
fn a_damaged_pointer_is_named_and_no_generation_is_lost() {
    let (sound, export) = (three(), next_export());
    let export = export.path().to_str().expect("UTF-8");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"];
    for pointer in [&b""[..], b"three\n", b"-1\n", b"0\n", b"99999999999999999999\n", b"\xff\xfe", b"7\n", b"1\n"] {
        let vault = Vault::copy_of(&sound);
        fs::write(vault.file("CURRENT"), pointer).expect("the pointer");
        let shown = String::from_utf8_lossy(pointer);
        let is_a_number = ["7\n", "1\n"].contains(&&*shown);
        for arguments in [&["reindex", export][..], &["generation", "rollback"], &["generation", "prune"]] {
            assert_told(&vault, arguments, if shown == "7\n" { "" } else { "CURRENT" });
        }
        if !is_a_number {
            assert_told(&vault, &serve, "CURRENT");
            assert_told(&vault, &["generation", "list"], "CURRENT");
        }
        // Once the pointer is right again, all is as it was.
        fs::write(vault.file("CURRENT"), "3\n").expect("the pointer");
        assert_eq!(vault.listed(), (3, vec![1, 2, 3]), "after {shown:?}");
    }
    let vault = Vault::copy_of(&sound);
    fs::remove_file(vault.file("CURRENT")).expect("the pointer goes");
    assert_told(&vault, &["reindex", export], "CURRENT");
    fs::write(vault.file("CURRENT"), "3\n").expect("the pointer");
    assert_eq!(vault.listed(), (3, vec![1, 2, 3]));
}

#[test]
fn a_damaged_log_is_named() {
    let sound = three();
    let export = next_export();
    let export = export.path().to_str().expect("UTF-8");
    for file in ["changes/changes.rows", "changes/changes.ends"] {
        for damage in [Damage::Cut, Damage::Gone] {
            let vault = Vault::copy_of(&sound);
            damage.befall(&vault, file);
            assert_told(&vault, &["reindex", export], "changes");
            assert!(vault.try_open().is_err());
        }
    }
}

#[test]
fn no_bit_that_flips_in_a_manifest_makes_anything_panic() {
    let vault = three();
    let path = vault.file("generations/00000003/manifest.json");
    let sound = fs::read(&path).expect("a manifest");
    let told_before = told(&vault);
    let mut opened = 0;
    for at in (0..sound.len()).step_by(5) {
        let mut flipped = sound.clone();
        flipped[at] ^= 1 << (at % 7);
        fs::write(&path, &flipped).expect("a manifest");
        if let Ok(catalogue) = vault.try_open() {
            opened += 1;
            let grants = list(&catalogue, Resource::Grants, day(31));
            assert_eq!(grants.len(), told_before.grants.len());
        }
    }
    println!("{opened} of {} flipped manifests still open", sound.len().div_ceil(5));
    fs::write(&path, &sound).expect("a manifest");
    assert_eq!(told(&vault), told_before);
}

#[test]
fn a_name_that_no_change_of_the_catalogue_makes_is_nobodys_litter() {
    let scene = Scene::new();
    let vault = scene.copy();
    let note = vault.file("generations/backup/note");
    fs::create_dir_all(vault.file("generations/backup")).expect("a folder");
    fs::write(&note, "mine").expect("a file");
    let report = vault.reindex(scene.export(), day(30)).expect("a reindex");
    assert!(report.published);
    assert_eq!(fs::read_to_string(&note).expect("a file"), "mine");
}
