//! Whether anything was committed to the file since it was last read.
//!
//! Every request asks how its key stands, and the answer must be of this moment, whichever process changed it. A read by SQLite takes and
//! gives back a lock on the file: with the search for the row that is a tenth of what a whole request costs. But every commit, by
//! whichever process, ends in a new header of the index that all connections share (the file's name with `-shm`; "WAL-Index Format" in
//! SQLite's documentation of its files). While those bytes are the same, nothing was committed, and what was read stands.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// How long a header is. It stands twice at the beginning of the index.
const HEADER: usize = 48;

/// What tells one state of the file from every other: a counter of commits, random salts, and a checksum over the log.
pub(super) type State = [u8; HEADER];

/// The shared index of a file that is open in WAL mode.
#[derive(Debug)]
pub(super) struct Commits {
    // Never closed: that would give back every lock that this process holds on the index, those of SQLite's connections too
    // (POSIX's rule for `fcntl` locks).
    index: &'static File,
}

impl Commits {
    /// The commits of the database in `file`, whose index SQLite has made.
    pub(super) fn of(file: &Path) -> std::io::Result<Self> {
        let mut index = file.as_os_str().to_owned();
        index.push("-shm");
        Ok(Self { index: Box::leak(Box::new(File::open(index)?)) })
    }

    /// The state after the latest commit. `None` while a commit is being written down, or where the index cannot be read.
    pub(super) fn latest(&self) -> Option<State> {
        let mut headers = [[0; HEADER]; 2];
        self.index.read_exact_at(headers.as_flattened_mut(), 0).ok()?;
        // The writer changes the second before the first.
        (headers[0] == headers[1]).then_some(headers[0])
    }
}
