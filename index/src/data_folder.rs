//! The data folder: where generations lie, which one is published, and who may change that.
//!
//! ```text
//! DATA/
//!   CURRENT          the number of the published generation: the pointer that one rename moves
//!   generations/     a folder for each generation
//!   changes/         the change log, shared by all generations
//!   staging/         what a reindex is building; nobody's after a crash
//!   LOCK             held by whoever changes any of this
//! ```

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::generation::Generation;
use crate::generation::files;
use crate::generation::manifest::Manifest;
use crate::retention::ByNumber;

/// The folder of a catalogue.
#[derive(Clone, Debug)]
pub struct DataFolder {
    path: PathBuf,
}

/// One state of the pointer: every publication makes a new file of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PointerSeen {
    file: u64,
    written_at: (i64, i64),
    length: u64,
}

/// Held while the catalogue is being changed; released when dropped, and by the operating system when the process dies.
#[derive(Debug)]
pub(crate) struct ChangeLock {
    data: DataFolder,
    file: File,
}

impl Drop for ChangeLock {
    /// Clears what was begun and not published while the lock is still held, so that a disk that filled up does not stay full.
    fn drop(&mut self) {
        // What cannot be cleared now is tried again by the next holder, who says why it cannot be.
        let _left_to_the_next = self.data.clear_litter();
        // Closing the file is not enough where this process has just forked: its child holds a copy until it runs its program.
        let _closing_unlocks = self.file.unlock();
    }
}

impl DataFolder {
    /// The data folder at `path`, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn generation(&self, number: u64) -> PathBuf {
        self.generations().join(format!("{number:08}"))
    }

    pub(crate) fn generations(&self) -> PathBuf {
        self.path.join("generations")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("changes")
    }

    pub(crate) fn staging(&self) -> PathBuf {
        self.path.join("staging")
    }

    fn pointer(&self) -> PathBuf {
        self.path.join("CURRENT")
    }

    /// The number of the published generation; `None` before the first publication.
    ///
    /// # Errors
    /// Where the pointer cannot be read or holds no number.
    pub fn current_number(&self) -> Result<Option<u64>, Error> {
        let path = self.pointer();
        match fs::read_to_string(&path) {
            Ok(text) => {
                let number = text.trim_end().parse().ok().filter(|&number| number > 0);
                let reason = "it does not hold the number of a generation";
                number.map(Some).ok_or_else(|| Error::damaged(&path, reason))
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(Error::damaged(&path, "it does not hold the number of a generation"))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file("read", &path)(error)),
        }
    }

    /// What tells one state of the pointer from the next without reading it; `None` before the first publication.
    pub(crate) fn look_at_pointer(&self) -> Result<Option<PointerSeen>, Error> {
        let path = self.pointer();
        match fs::metadata(&path) {
            Ok(found) => Ok(Some(PointerSeen {
                file: found.ino(),
                written_at: (found.mtime(), found.mtime_nsec()),
                length: found.len(),
            })),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file("read", &path)(error)),
        }
    }

    /// Opens the generation of that number.
    pub(crate) fn open_generation(&self, number: u64) -> Result<Generation, Error> {
        Generation::open(self, number)
    }

    /// Moves the pointer: from here on the generation of that number is the published one.
    pub(crate) fn publish(&self, number: u64) -> Result<(), Error> {
        files::replace(&self.pointer(), format!("{number}\n").as_bytes()).map_err(|error| match self.current_number() {
            Ok(Some(current)) if current == number => error.after_publication(number),
            _ => error,
        })
    }

    /// Takes a generation away. Readers find it whole or not at all, whenever this is cut short.
    pub(crate) fn remove_generation(&self, number: u64) -> Result<(), Error> {
        let (folder, staging) = (self.generation(number), self.staging());
        let aside = staging.join(format!("{number:08}"));
        files::make_folder(&staging)?;
        fs::rename(&folder, &aside).map_err(Error::file("move", &folder))?;
        files::remove_folder(&aside)
    }

    /// The manifests of the generations on disk up to the published one, oldest first.
    ///
    /// # Errors
    /// Where the pointer or the folder of generations cannot be read.
    pub fn manifests(&self) -> Result<ByNumber<Manifest>, Error> {
        let Some(current) = self.current_number()? else { return Ok(Vec::new()) };
        let numbers = self.numbers_on_disk()?.into_iter().filter(|&number| number <= current);
        let read = numbers.filter_map(|number| {
            let folder = self.generation(number);
            let manifest = Manifest::read(&folder);
            // Another process may prune a generation between the two looks.
            (manifest.is_ok() || folder.exists()).then_some((number, manifest))
        });
        Ok(read.collect())
    }

    /// The numbers of the folders in `generations/`, ascending.
    pub(crate) fn numbers_on_disk(&self) -> Result<Vec<u64>, Error> {
        let folder = self.generations();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::file("read", &folder)(error)),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::file("read", &folder))?;
            numbers.extend(entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Takes the right to change the catalogue and clears what a crashed change left behind.
    pub(crate) fn lock(&self) -> Result<ChangeLock, Error> {
        if !self.path.is_dir() {
            files::make_folder(&self.path)?;
            files::sync_folder_of(&self.path)?;
        }
        let path = self.path.join("LOCK");
        let file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::file("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(self.path.clone())),
            Err(TryLockError::Error(error)) => return Err(Error::file("lock", &path)(error)),
        }
        let lock = ChangeLock { data: self.clone(), file };
        self.clear_litter()?;
        Ok(lock)
    }

    /// Removes what a crash left: the staging folder, a pointer not yet moved, and the generation that was moved into place but
    /// never published.
    fn clear_litter(&self) -> Result<(), Error> {
        let current = self.current_number()?;
        let next = current.unwrap_or(0) + 1;
        let last = self.numbers_on_disk()?.last().copied().unwrap_or(0);
        if last > next {
            // A crash leaves the next one at the most. Others were published: it is the pointer that is wrong, and they must stay.
            let found = current.map_or("it is missing".to_owned(), |current| format!("it names generation {current}"));
            return Err(Error::damaged(&self.pointer(), format!("{found}, but generation {last} is there")));
        }
        if last == next {
            self.remove_generation(next)?;
        }
        files::remove_folder(&self.staging())?;
        files::remove_aside(&self.pointer())
    }
}
