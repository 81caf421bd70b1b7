//! What can go wrong between the files and a page.

use std::io;
use std::path::{Path, PathBuf};

/// A failure of the index. What a client did wrong is a [`catalogue_schema::Refusal`] instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused to do something with a file.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A published file does not hold what its generation's manifest says.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process is changing the catalogue.
    #[error("another reindex, rollback or prune is at work on {}", .0.display())]
    Busy(PathBuf),
    /// The catalogue has no generation to answer from or to go back to.
    #[error("{0}")]
    NoGeneration(String),
    /// A generation was published, and then something failed: clients see the new generation, and nothing need be done again.
    #[error("generation {generation} is published, but what comes after publication failed")]
    AfterPublication {
        /// The new generation.
        generation: u64,
        /// What failed.
        source: Box<Error>,
    },
    /// The texts of consecutive rows are so long that writing their index would take all memory.
    #[error("the rows of {} have too much text: their index would take more than {} MB of memory", path.display(), most >> 20)]
    TooMuchText {
        /// The folder of the index.
        path: PathBuf,
        /// How much memory it may take, in bytes.
        most: usize,
    },
    /// Tantivy failed.
    #[error("the index at {} failed", path.display())]
    Index {
        /// The folder of the index.
        path: PathBuf,
        /// What Tantivy said.
        source: Box<tantivy::TantivyError>,
    },
}

impl Error {
    /// For `map_err`: says which file a failing operation was about.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }

    /// For `map_err`: says which index a failing operation was about.
    pub(crate) fn index<E: Into<tantivy::TantivyError>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |source| Self::Index { path: path.to_owned(), source: Box::new(source.into()) }
    }

    /// The failure as one that came after the publication of `generation`.
    pub(crate) fn after_publication(self, generation: u64) -> Self {
        Self::AfterPublication { generation, source: Box::new(self) }
    }

    /// A published file that does not hold what it must.
    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}
