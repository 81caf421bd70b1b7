//! A disk that is full for real, a limit on the size of files, and a data folder that cannot be written to.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::scene::Scene;
use crate::support::vault::Vault;

/// An account without rights of its own, on every Debian.
const NOBODY: &str = "65534";

/// What a command of the shell came to that ran the program.
struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the program's reindex at the end of a command of the shell; `$0`, `$1` and `$2` are program, data folder and export.
fn shell(prefix: &[&str], script: &str, vault: &Vault, export: &Path) -> Ran {
    let mut command = Command::new(prefix.first().copied().unwrap_or("sh"));
    if let Some((_, rest)) = prefix.split_first() {
        command.args(rest).arg("sh");
    }
    let output = command
        .args(["-c", script, env!("CARGO_BIN_EXE_catalogue")])
        .args([vault.path(), export])
        .output()
        .expect("a shell");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn assert_told(ran: &Ran, vault: &Vault, reason: &str) {
    let sentence = &ran.stderr;
    assert_eq!(ran.status, Some(1), "{sentence}");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    assert!(sentence.starts_with("catalogue: "), "{sentence}");
    assert!(sentence.contains(vault.path().to_str().expect("UTF-8")), "{sentence}");
    assert!(sentence.contains(reason), "{sentence}");
}

#[test]
fn a_full_disk_hurts_nothing_and_is_not_left_full() {
    if !can_mount() {
        println!("a small disk cannot be mounted here: not run");
        return;
    }
    let scene = Scene::new();
    let vault = scene.copy();
    let kilobytes = folder_kilobytes(vault.path());
    // From no room at all to room for all but the last files.
    for room in [0, 16, 64, 128, 200] {
        // In a mount namespace of its own, the data folder is copied to a disk with that much room, and back.
        let script = format!(
            "set -e; cp -a \"$1\" \"$1.all\"; mount -t tmpfs -o size={}k none \"$1\"; cp -a \"$1.all/.\" \"$1\"; rm -r \"$1.all\"; \
             set +e; \"$0\" --data-dir \"$1\" reindex \"$2\"; status=$?; df --output=used \"$1\" >&1; \
             cp -a \"$1\" \"$1.after\"; exit $status",
            kilobytes + room
        );
        let ran = shell(&["unshare", "-m", "--propagation", "private"], &script, &vault, scene.export());
        println!("room for {room} kB: {}", ran.stderr.trim_end());
        assert_told(&ran, &vault, "No space left on device");
        let used: u64 = ran.stdout.lines().last().and_then(|line| line.trim().parse().ok()).expect("kilobytes");
        assert!(used <= kilobytes + 8, "{used} kB are used of {kilobytes} before");
        let left = format!("{}.after", vault.path().display());
        let after = Vault::new();
        assert!(Command::new("cp").arg("-aT").arg(&left).arg(after.path()).status().expect("cp").success());
        fs::remove_dir_all(&left).expect("the copy goes");
        scene.assert_unhurt(&after, false, &format!("a disk with room for {room} kB"));
    }
}

#[test]
fn a_limit_on_the_size_of_files_hurts_nothing() {
    let scene = Scene::new();
    for blocks in [1, 4, 16] {
        let vault = scene.copy();
        // The signal that goes with the limit would end the program; ignored, it is an error of the write.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --data-dir \"$1\" reindex \"$2\"");
        let ran = shell(&[], &script, &vault, scene.export());
        assert_told(&ran, &vault, "File too large");
        scene.assert_unhurt(&vault, false, &format!("a limit of {blocks} blocks"));
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_served_and_not_changed() {
    let scene = Scene::new();
    let vault = scene.copy();
    for folder in ["", "changes", "generations"] {
        let path = vault.file(folder);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o555)).expect("permissions");
    }
    fs::set_permissions(scene.export(), fs::Permissions::from_mode(0o755)).expect("permissions");
    if is_root() {
        let program = Vault::new();
        // The account must be able to reach the program too, wherever it was built.
        let copy = program.file("catalogue");
        fs::copy(env!("CARGO_BIN_EXE_catalogue"), &copy).expect("a copy of the program");
        fs::set_permissions(program.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        let script = REINDEX.replace("$0", copy.to_str().expect("UTF-8"));
        let prefix = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"];
        let ran = shell(&prefix, &script, &vault, scene.export());
        assert_told(&ran, &vault, "Permission denied");
        let list = shell(&prefix, &script.replace("reindex \"$2\"", "generation list"), &vault, scene.export());
        assert_eq!((list.status, &*list.stderr), (Some(0), ""), "what can be read is shown");
        assert!(list.stdout.lines().last().is_some_and(|last| last.starts_with("2\t") && last.ends_with("published")));
    } else {
        let ran = shell(&[], REINDEX, &vault, scene.export());
        assert_told(&ran, &vault, "Permission denied");
    }
    for folder in ["", "changes", "generations"] {
        fs::set_permissions(vault.file(folder), fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    scene.assert_unhurt(&vault, false, "a folder that could not be written to");
}

const REINDEX: &str = "exec \"$0\" --data-dir \"$1\" reindex \"$2\"";

fn can_mount() -> bool {
    let script = "mount -t tmpfs none /mnt";
    let tried = Command::new("unshare").args(["-m", "--propagation", "private", "sh", "-c", script]).output();
    tried.is_ok_and(|output| output.status.success())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id");
    output.stdout.trim_ascii() == b"0"
}

fn folder_kilobytes(folder: &Path) -> u64 {
    let output = Command::new("du").args(["-sk"]).arg(folder).output().expect("du");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.split_whitespace().next().and_then(|number| number.parse().ok()).expect("kilobytes")
}
