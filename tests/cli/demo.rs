//! `catalogue demo`: what it makes anew, and what it leaves alone.

use std::fs;
use std::path::Path;

use crate::support::command::{Said, catalogue, run, run_with_input};

/// A demo that ends before it serves.
fn refused(data: &Path, options: &[&str]) -> Said {
    let listen = ["demo", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"];
    run(catalogue(data).args(listen).args(options))
}

#[test]
fn it_makes_no_account_in_a_store_that_is_not_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let store = format!("sqlite://{}", folder.path().join("accounts.sqlite").display());
    let by_option = refused(&data, &["--database-url", &store]);
    let by_variable = run(catalogue(&data).arg("demo").env("CATALOGUE_DATABASE_URL", &store));
    for said in [by_option, by_variable] {
        assert_eq!((said.status, said.out.as_str()), (2, ""));
        assert!(said.err.contains("it takes no --database-url"), "{}", said.err);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing was made");
}

#[test]
fn a_folder_in_which_somebody_has_an_account_is_not_cleared() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("DEMO"), "").expect("ours");
    let data = folder.path().to_str().expect("UTF-8");
    let add = ["--data-dir", data, "account", "add", "ada@example.org", "--plan", "api", "--password-stdin"];
    assert_eq!(run_with_input(&add, "correct horse").status, 0);
    let said = refused(folder.path(), &[]);
    assert_eq!((said.status, said.out.as_str()), (1, ""));
    assert!(said.err.contains("has an account of ada@example.org now"), "{}", said.err);
    let list = run(catalogue(folder.path()).args(["account", "list"]));
    assert!(list.out.contains("ada@example.org"), "{list:?}");
}

#[test]
fn a_folder_that_no_demo_made_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("letter"), "dear").expect("ours");
    let said = refused(folder.path(), &[]);
    assert_eq!((said.status, said.out.as_str()), (1, ""));
    assert!(said.err.contains("holds something that no demo made"), "{}", said.err);
}
