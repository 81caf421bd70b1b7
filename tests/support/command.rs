//! The real binary, run as an operator runs it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

/// What a command said and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The command `catalogue` on a data folder, with the test's environment kept out.
pub(crate) fn catalogue(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_catalogue"));
    for name in ["CATALOGUE_DATABASE_URL", "CATALOGUE_LOG_FORMAT", "CATALOGUE_LOG"] {
        command.env_remove(name);
    }
    command.env("CATALOGUE_DATA_DIR", data).stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Said {
    said(command.output().expect("the binary runs"))
}

/// Runs the command with these arguments and this standard input, and with no settings but those.
pub(crate) fn run_with_input(arguments: &[&str], input: &str) -> Said {
    let mut running = Command::new(env!("CARGO_BIN_EXE_catalogue"))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A command that refuses its arguments reads no input: that pipe may be closed already.
    let _closed = running.stdin.take().expect("a pipe").write_all(input.as_bytes());
    said(running.wait_with_output().expect("the binary ends"))
}

fn said(Output { status, stdout, stderr }: Output) -> Said {
    Said {
        status: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).expect("standard output is UTF-8"),
        err: String::from_utf8(stderr).expect("standard error is UTF-8"),
    }
}

/// Runs a command to its end and watches the peak of its resident memory, in bytes.
pub(crate) fn with_peak(command: &mut Command) -> (Said, u64) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let status = format!("/proc/{}/status", child.id());
    let running = std::thread::spawn(move || child.wait_with_output().expect("the binary ends"));
    let mut peak = 0;
    while !running.is_finished() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let high = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = peak.max(high.and_then(|high| high.parse::<u64>().ok()).unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(peak > 0, "the memory of a process can be watched here");
    (said(running.join().expect("the binary was waited for")), peak)
}

/// `catalogue reindex` of an export.
pub(crate) fn reindex(data: &Path, export: &Path, options: &[&str]) -> Said {
    run(catalogue(data).arg("reindex").arg(export).args(options))
}
