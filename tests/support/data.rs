//! A data folder of its own for each test, and publications into it at instants the test chooses.

use std::path::Path;

use catalogue_index::{Catalogue, DataFolder, Error, Options, Report, reindex};
use tempfile::TempDir;

use super::at;
use super::export::Export;

/// The secret with which catalogues opened here seal their cursors.
const SECRET: [u8; 32] = [7; 32];

/// How many changes one traversal serves, where the test does not say.
pub(crate) const CHANGES_WINDOW: u64 = 10_000;

/// A data folder that goes with the test.
pub(crate) struct Data {
    folder: TempDir,
}

/// Memory that has the form of a folder, on machines that have it.
const IN_MEMORY: &str = "/dev/shm";

impl Data {
    /// A folder for a small catalogue: in memory where that can be had, since a publication waits for the disk dozens of times and
    /// the tests make hundreds.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir());
        Self { folder: folder.expect("a temporary folder") }
    }

    /// A folder for a catalogue of any size, on the disk.
    pub(crate) fn large() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn folder(&self) -> DataFolder {
        DataFolder::new(self.path())
    }

    /// Publishes an export at an instant, which must go well.
    pub(crate) fn publish(&self, export: &Export, instant: &str) -> Report {
        let files = tempfile::tempdir().expect("a temporary folder");
        export.write(files.path());
        self.publish_folder(files.path(), instant)
    }

    /// Publishes the export in a folder at an instant, which must go well.
    pub(crate) fn publish_folder(&self, export: &Path, instant: &str) -> Report {
        let report = self.reindex(export, Options::default(), instant).expect("the reindex does its work");
        assert!(report.published, "the export was refused: {:?}", report.faults);
        report
    }

    /// Takes the export in a folder in, with options.
    pub(crate) fn reindex(&self, export: &Path, options: Options, instant: &str) -> Result<Report, Error> {
        let now = at(instant);
        reindex(&self.folder(), export, options, &|| now, &|_| {})
    }

    /// The catalogue as a gateway opens it.
    pub(crate) fn open(&self) -> Catalogue {
        Catalogue::open(self.folder(), &SECRET, CHANGES_WINDOW).expect("the published generation is sound")
    }
}
