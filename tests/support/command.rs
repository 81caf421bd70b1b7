//! The program, as an operator runs it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// What a run of the program came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with these arguments and this standard input, and with no settings but those.
pub(crate) fn catalogue(arguments: &[&str], stdin: &str) -> Outcome {
    let mut running = Command::new(env!("CARGO_BIN_EXE_catalogue"))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that refuses its arguments reads no input: that pipe may be closed already.
    let _closed = running.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    let Output { status, stdout, stderr } = running.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Outcome { status: status.code().expect("no signal"), stdout: text(stdout), stderr: text(stderr) }
}
