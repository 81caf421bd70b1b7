//! Why a synthetic export could not be written.

use std::io;
use std::path::PathBuf;

use catalogue_schema::Timestamp;
use thiserror::Error;

/// Why a synthetic export could not be written.
#[derive(Debug, Error)]
pub enum Error {
    /// Grants or awards are asked for without anyone to name in them.
    #[error("{0}")]
    Size(&'static str),
    /// The folder to write into holds something.
    #[error("{} is not an empty folder; name one that is empty or does not exist", .0.display())]
    Occupied(PathBuf),
    /// The folder to write into is the earlier export.
    #[error("{} is the earlier export itself; name another folder for the next one", .0.display())]
    SameFolder(PathBuf),
    /// A grant would come, but the earlier export has nobody to name in it.
    #[error("{} lists no funders, so no grant can come to it", .0.display())]
    NoFunders(PathBuf),
    /// The next crawl would not be later than the earlier one.
    #[error("the next crawl must be later than the earlier export's, {earlier}, but is said to be at {crawled_at}")]
    NotLater {
        /// When the earlier export was crawled.
        earlier: Timestamp,
        /// When the next one is said to be.
        crawled_at: Timestamp,
    },
    /// A file or folder could not be read or written.
    #[error("{}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The earlier export has no file of rows of this name, compressed or not, or more than one.
    #[error("{}: {reason}", path.display())]
    NotFound {
        /// The file, not compressed.
        path: PathBuf,
        /// Why it cannot be used.
        reason: String,
    },
    /// The earlier export's manifest is not one.
    #[error("{} is not a manifest", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The earlier export is of another format.
    #[error("{} names the format {format:?}, which is not read here", path.display())]
    Format {
        /// The manifest.
        path: PathBuf,
        /// The format it names.
        format: String,
    },
    /// A row of the earlier export is broken.
    #[error("{} line {line}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// Why.
        source: serde_json::Error,
    },
    /// A file of the earlier export is shorter or longer than its manifest says.
    #[error("{} has {found} rows where the manifest says {stated}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Rows it has.
        found: u64,
        /// Rows the manifest says.
        stated: u64,
    },
}
