//! Check sums of files: taken of the bytes on their way out, and compared with the bytes that are read back.
//!
//! A generation is compared with its sums before it is published, and again whenever another is made from it: a bit that flipped
//! since must not become a change in the feed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

use crate::error::Error;

/// What a file must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckSum {
    pub(crate) bytes: u64,
    pub(crate) crc32: u32,
}

/// The check sums of files, by their names below a folder.
pub(crate) type Sums = BTreeMap<String, CheckSum>;

impl CheckSum {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }

    /// The sum of what stands in a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let mut file = File::open(path).map_err(Error::file("open", path))?;
        let mut sum = Summed::new(io::sink());
        let mut buffer = vec![0; 1 << 17];
        loop {
            let length = file.read(&mut buffer).map_err(Error::file("read", path))?;
            if length == 0 {
                return Ok(sum.finish().1);
            }
            sum.note(&buffer[..length]);
        }
    }
}

/// Compares the files below `folder` with their sums.
///
/// # Errors
/// [`Error::Damaged`] with the first file that does not hold what was written.
pub(crate) fn verify(folder: &Path, sums: &Sums) -> Result<(), Error> {
    for (name, written) in sums {
        let path = folder.join(name);
        if CheckSum::read(&path)? != *written {
            return Err(Error::damaged(&path, "it does not hold what was written: its check sum is another"));
        }
    }
    Ok(())
}

/// Adds sums whose names are below `prefix`.
pub(crate) fn add_below(sums: &mut Sums, prefix: &str, below: Sums) {
    sums.extend(below.into_iter().map(|(name, sum)| (format!("{prefix}/{name}"), sum)));
}

/// Writes, and sums up what it writes.
#[derive(Debug)]
pub(crate) struct Summed<W> {
    inner: W,
    hasher: crc32fast::Hasher,
    bytes: u64,
}

impl<W> Summed<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hasher: crc32fast::Hasher::new(), bytes: 0 }
    }

    /// What was written to, and the sum of what was.
    pub(crate) fn finish(self) -> (W, CheckSum) {
        (self.inner, CheckSum { bytes: self.bytes, crc32: self.hasher.finalize() })
    }

    fn note(&mut self, written: &[u8]) {
        self.hasher.update(written);
        self.bytes += written.len() as u64;
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.note(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A folder for Tantivy to write to that sums up each file.
#[derive(Clone, Debug)]
pub(crate) struct SummedFolder {
    inner: MmapDirectory,
    sums: Arc<Mutex<Sums>>,
}

impl SummedFolder {
    pub(crate) fn new(inner: MmapDirectory) -> Self {
        Self { inner, sums: Arc::default() }
    }

    /// The sums of the files written so far.
    pub(crate) fn sums(&self) -> Sums {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Directory for SummedFolder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        note(&self.sums, path, None);
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let inner = Some(Summed::new(self.inner.open_write(path)?));
        let file = SummedFile { inner, path: path.to_owned(), sums: Arc::clone(&self.sums) };
        Ok(WritePtr::new(Box::new(file)))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        note(&self.sums, path, Some(CheckSum::of(data)));
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(watch_callback)
    }
}

/// A file that Tantivy writes; its sum is known once it ends.
struct SummedFile {
    /// `None` once it has ended.
    inner: Option<Summed<WritePtr>>,
    path: PathBuf,
    sums: Arc<Mutex<Sums>>,
}

impl SummedFile {
    fn inner(&mut self) -> io::Result<&mut Summed<WritePtr>> {
        self.inner.as_mut().ok_or_else(|| io::Error::other("the file has been ended"))
    }
}

impl Write for SummedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner()?.flush()
    }
}

impl TerminatingWrite for SummedFile {
    fn terminate_ref(&mut self, token: AntiCallToken) -> io::Result<()> {
        let Some(summed) = self.inner.take() else { return Ok(()) };
        let (mut file, sum) = summed.finish();
        note(&self.sums, &self.path, Some(sum));
        file.terminate_ref(token)
    }
}

fn note(sums: &Mutex<Sums>, path: &Path, sum: Option<CheckSum>) {
    let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
    let name = path.to_string_lossy().into_owned();
    match sum {
        Some(sum) => sums.insert(name, sum),
        None => sums.remove(&name),
    };
}
