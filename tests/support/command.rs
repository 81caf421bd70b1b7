//! The real binary, run as an operator runs it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a command said and how it ended.
#[derive(Debug)]
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
    for name in ["CATALOGUE_DATABASE_URL", "CATALOGUE_LOG_FORMAT", "RUST_LOG"] {
        command.env_remove(name);
    }
    command.env("CATALOGUE_DATA_DIR", data).stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("the binary runs");
    Said {
        status: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).expect("standard output is UTF-8"),
        err: String::from_utf8(stderr).expect("standard error is UTF-8"),
    }
}

/// `catalogue reindex` of an export.
pub(crate) fn reindex(data: &Path, export: &Path, options: &[&str]) -> Said {
    run(catalogue(data).arg("reindex").arg(export).args(options))
}
