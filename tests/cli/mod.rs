//! The command line, as an operator runs it: the real binary in a process of its own.

mod completions;
mod damage;
mod demo;
mod ending;
mod generations;
mod guards;
mod hostile;
mod leftovers;
mod logging;
mod output;
mod report;
mod serving;
mod skip_invalid;

use std::path::Path;

use tempfile::TempDir;

use crate::support::command::{Said, reindex};
use crate::support::data::Data;
use crate::support::export::Export;

/// A data folder and a folder for exports.
struct Place {
    data: Data,
    exports: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { data: Data::new(), exports: tempfile::tempdir().expect("a temporary folder") }
    }

    fn export(&self) -> &Path {
        self.exports.path()
    }

    /// Reindexes what lies in the folder of exports.
    fn reindex(&self, options: &[&str]) -> Said {
        reindex(self.data.path(), self.export(), options)
    }

    /// Writes an export and reindexes it.
    fn reindex_of(&self, export: &Export, options: &[&str]) -> Said {
        export.write(self.export());
        self.reindex(options)
    }

    /// The number of the published generation.
    fn published(&self) -> Option<u64> {
        self.data.folder().current_number().expect("the pointer can be read")
    }

    /// Checks that the export was refused, with exit status 3, as one says and the other; gives the report.
    #[track_caller]
    fn assert_refused(&self, options: &[&str]) -> serde_json::Value {
        let before = self.published();
        let words = self.reindex(options);
        assert_eq!(words.status, 3, "{words:?}");
        assert!(words.err.contains("refused and nothing was published"), "{words:?}");
        let said = self.reindex(&[options, &["--report", "json"]].concat());
        assert_eq!(said.status, 3, "{said:?}");
        assert_eq!(self.published(), before);
        let report = said.json();
        assert_eq!((&report["published"], &report["generation"]), (&false.into(), &serde_json::Value::Null));
        report
    }
}
