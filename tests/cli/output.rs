//! What happens where standard output cannot be written to.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::Place;
use crate::support::command::{Said, catalogue, run};
use crate::support::export::Export;

/// Every write to it fails, as on a disk without room.
const FULL: &str = "/dev/full";

fn to_a_full_disk(command: &mut Command) -> (i32, String) {
    let full = File::options().write(true).open(FULL).expect("Linux has it");
    ended(command.stdout(full))
}

/// Standard output is a pipe whose reader has gone.
fn to_nobody(command: &mut Command) -> (i32, String) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    ended(command.stdout(writer))
}

fn ended(command: &mut Command) -> (i32, String) {
    let ended = command.stderr(Stdio::piped()).spawn().and_then(std::process::Child::wait_with_output);
    let ended = ended.expect("the binary runs");
    (ended.status.code().unwrap_or(-1), String::from_utf8(ended.stderr).expect("UTF-8"))
}

#[test]
fn what_was_published_is_not_lost_with_its_report() {
    let place = Place::new();
    Export::of_count(3).write(place.export());
    let reindex = || {
        let mut command = catalogue(place.data.path());
        command.arg("reindex").arg(place.export());
        command
    };
    for (form, generation) in [("text", 1), ("json", 2)] {
        let (status, err) = to_a_full_disk(reindex().args(["--report", form]));
        let said = "was published, but standard output cannot be written to: No space left on device";
        assert_eq!((status, place.published()), (1, Some(generation)), "{err}");
        assert!(err.starts_with(&format!("catalogue: generation {generation} {said}")), "{err}");
    }
    assert_eq!(to_nobody(&mut reindex()), (0, String::new()));
    assert_eq!(place.published(), Some(3));
    let (status, err) = to_a_full_disk(catalogue(place.data.path()).args(["generation", "rollback", "1"]));
    assert_eq!((status, place.published()), (1, Some(4)));
    assert!(err.contains("published again as generation 4, but standard output"), "{err}");
    File::create(place.export().join("grants.ndjson")).expect("ours").write_all(b"[]\n").expect("ours");
    assert_eq!(to_a_full_disk(&mut reindex()).0, 3, "that nothing was published weighs more");
}

#[test]
fn whoever_stops_reading_a_list_has_read_enough() {
    let place = Place::new();
    place.reindex_of(&Export::of_count(3), &[]);
    run(catalogue(place.data.path()).args(["plan", "set", "trial", "--api"]));
    for command in
        [&["generation", "list"][..], &["plan", "list"], &["account", "list"], &["completions", "bash"], &["man"]]
    {
        let mut list = catalogue(place.data.path());
        assert_eq!(to_nobody(list.args(command)), (0, String::new()), "{command:?}");
        let (status, err) = to_a_full_disk(list.stdin(Stdio::null()));
        assert_eq!(status, 1, "{command:?}");
        assert!(err.starts_with("catalogue: standard output cannot be written to"), "{command:?}: {err}");
    }
}

#[test]
fn a_key_that_nobody_has_seen_is_named_so_that_it_can_be_revoked() {
    let place = Place::new();
    let mut add = catalogue(place.data.path());
    add.args(["account", "add", "ada@example.org", "--plan", "api", "--password-stdin"]);
    let mut adding = add.stdin(Stdio::piped()).spawn().expect("the binary runs");
    adding.stdin.take().expect("a pipe").write_all(b"correct horse").expect("it reads");
    assert!(adding.wait().expect("it ends").success());
    let create = |name: &str| {
        let mut command = catalogue(place.data.path());
        command.args(["key", "create", "ada@example.org", name]);
        command
    };
    for (status, err) in [to_a_full_disk(&mut create("full")), to_nobody(&mut create("gone"))] {
        assert_eq!(status, 1, "{err}");
        let id = err.strip_prefix("catalogue: the key ").and_then(|rest| rest.split(' ').next()).expect("it is named");
        let Said { status, err, .. } = run(catalogue(place.data.path()).args(["key", "revoke", "ada@example.org", id]));
        assert_eq!((status, err.as_str()), (0, ""));
    }
}
