//! The shared exports of real public data, where they are there.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of the shared data; without one, says which test did not run.
pub(crate) fn data(test: &str) -> Option<PathBuf> {
    let stated = std::env::var_os("CATALOGUE_SHARED_DATA").map(PathBuf::from);
    let folder = stated.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    if folder.join("exports").is_dir() {
        return Some(folder);
    }
    // Written to the stream itself, which the test harness does not hold back.
    let _best_effort = writeln!(std::io::stderr(), "shared data is absent: {test} not run");
    None
}
