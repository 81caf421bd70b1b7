//! Tools of other makers, which `test.sh` installs below `target/contract`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A path below the repository.
pub(super) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A tool from the npm registry.
pub(super) fn node(tool: &str) -> Command {
    installed(&format!("target/contract/node_modules/.bin/{tool}"))
}

/// A tool from the Python package index.
pub(super) fn python(tool: &str) -> Command {
    installed(&format!("target/contract/venv/bin/{tool}"))
}

fn installed(path: &str) -> Command {
    let path = repository(path);
    assert!(path.exists(), "{} is missing: `./test.sh` installs it", path.display());
    let mut command = Command::new(path);
    // Nothing of what the tools do leaves this machine.
    command
        .env("REDOCLY_TELEMETRY", "off")
        .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Runs a command to its good end, and gives what it wrote on standard output.
#[track_caller]
pub(super) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    out
}

/// An empty folder of that name below `target/contract`, where Node finds what is installed.
pub(super) fn workshop(name: &str) -> PathBuf {
    let folder = repository("target/contract").join(name);
    let _not_there_yet = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Copies files of `tests/contract/clients` into a folder.
pub(super) fn bring(folder: &Path, files: &[&str]) {
    for file in files {
        let from = repository("tests/contract/clients").join(file);
        std::fs::copy(from, folder.join(file)).expect(file);
    }
}
