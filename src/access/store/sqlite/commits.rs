//! Whether anything was committed to the file since it was last read.
//!
//! Every request asks how its key stands, and the answer must be of this moment, whichever process changed it. A read by SQLite takes and
//! gives back a lock on the file: with the search for the row that is a tenth of what a whole request costs. But every commit, by
//! whichever process, ends in a new header of the index that all connections share (the file's name with `-shm`; "WAL-Index Format" in
//! SQLite's documentation of its files). While those bytes are the same, nothing was committed, and what was read stands.
//!
//! SQLite itself reads that header in shared memory, and so is it read here: by a library made for memory that others write to.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use vm_memory::{FileOffset, MmapRegion, VolatileMemory};

/// How long a header is, in words. It stands twice at the beginning of the index.
const HEADER: usize = 6;

/// What tells one state of the file from every other: a counter of commits, random salts, and a checksum over the log.
pub(super) type State = [u64; HEADER];

/// The shared index of a file that is open in WAL mode.
#[derive(Debug)]
pub(super) struct Commits {
    headers: [[&'static AtomicU64; HEADER]; 2],
}

impl Commits {
    /// The commits of the database in `file`, whose index SQLite has made.
    pub(super) fn of(file: &Path) -> io::Result<Self> {
        let mut index = file.as_os_str().to_owned();
        index.push("-shm");
        let index = FileOffset::new(File::open(index)?, 0);
        let length = 2 * HEADER * size_of::<u64>();
        let index = MmapRegion::<()>::build(Some(index), length, libc::PROT_READ, libc::MAP_SHARED);
        // Never closed: that would give back every lock that this process holds on the index, those of SQLite's connections too
        // (POSIX's rule for `fcntl` locks).
        let index: &'static MmapRegion<()> = Box::leak(Box::new(index.map_err(io::Error::other)?));
        let word = |at: usize| index.get_atomic_ref(at * size_of::<u64>()).map_err(io::Error::other);
        let mut words = (0..2 * HEADER).map(word).collect::<io::Result<Vec<_>>>()?.into_iter();
        let mut header = || [(); HEADER].map(|()| words.next().expect("as many as were asked for"));
        Ok(Self { headers: [header(), header()] })
    }

    /// The state after the latest commit. `None` while a commit is being written down.
    pub(super) fn latest(&self) -> Option<State> {
        // The writer changes the second before the first, so the first is read before the second.
        let [first, second] = self.headers.map(|header| header.map(|word| word.load(Ordering::Acquire)));
        (first == second).then_some(first)
    }
}
