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
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::generation::Generation;
use crate::generation::files;
use crate::generation::manifest::Manifest;

/// The folder of a catalogue.
#[derive(Clone, Debug)]
pub struct DataFolder {
    path: PathBuf,
}

/// Held while the catalogue is being changed; released when dropped, and by the operating system when the process dies.
#[derive(Debug)]
pub(crate) struct ChangeLock {
    _file: File,
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
                let number = text.trim_end().parse();
                number.map(Some).map_err(|_| Error::damaged(&path, "it does not hold the number of a generation"))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::file("read", &path)(error)),
        }
    }

    /// Opens the generation of that number.
    pub(crate) fn open_generation(&self, number: u64) -> Result<Generation, Error> {
        Generation::open(self, &self.generation(number))
    }

    /// Moves the pointer: from here on the generation of that number is the published one.
    pub(crate) fn publish(&self, number: u64) -> Result<(), Error> {
        files::replace(&self.pointer(), format!("{number}\n").as_bytes())
    }

    /// The manifests of the generations on disk up to the published one, oldest first.
    ///
    /// # Errors
    /// Where a folder or a manifest cannot be read.
    pub fn manifests(&self) -> Result<Vec<Manifest>, Error> {
        let Some(current) = self.current_number()? else { return Ok(Vec::new()) };
        let numbers = self.numbers_on_disk()?;
        numbers
            .into_iter()
            .filter(|&number| number <= current)
            .map(|number| Manifest::read(&self.generation(number)))
            .collect()
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
        files::make_folder(&self.path)?;
        let path = self.path.join("LOCK");
        let file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::file("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy(self.path.clone())),
            Err(TryLockError::Error(error)) => return Err(Error::file("lock", &path)(error)),
        }
        self.clear_litter()?;
        Ok(ChangeLock { _file: file })
    }

    /// Removes what a crash left: the staging folder, and generations that were moved into place but never published.
    fn clear_litter(&self) -> Result<(), Error> {
        files::remove_folder(&self.staging())?;
        let current = self.current_number()?.unwrap_or(0);
        for number in self.numbers_on_disk()?.into_iter().filter(|&number| number > current) {
            files::remove_folder(&self.generation(number))?;
        }
        Ok(())
    }
}
