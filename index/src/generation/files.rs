//! Writing files so that they are there after a crash.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Writes a new file and puts it on disk.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = File::create(path).map_err(Error::file("create", path))?;
    file.write_all(bytes).map_err(Error::file("write", path))?;
    file.sync_all().map_err(Error::file("sync", path))
}

/// Replaces a file in one step: a reader sees the old bytes or the new ones, and so does the next start after a crash.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let aside = aside_of(path);
    write_synced(&aside, bytes)?;
    fs::rename(&aside, path).map_err(Error::file("publish", path))?;
    sync_folder_of(path)
}

/// Removes what a [`replace`] that was cut short left beside `path`.
pub(crate) fn remove_aside(path: &Path) -> Result<(), Error> {
    let aside = aside_of(path);
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file("remove", &aside)(error)),
        _ => Ok(()),
    }
}

fn aside_of(path: &Path) -> PathBuf {
    path.with_extension("new")
}

/// Puts the names in the folder that holds `path` on disk.
pub(crate) fn sync_folder_of(path: &Path) -> Result<(), Error> {
    match path.parent() {
        // A name alone lies in the working folder.
        Some(folder) if folder.as_os_str().is_empty() => sync_folder(Path::new(".")),
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

/// Puts the names in `folder` on disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file("sync", folder))
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))
}

/// Removes a folder with all it holds; one that is not there is fine.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::file("remove", folder)(error)),
        _ => Ok(()),
    }
}
