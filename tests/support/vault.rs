//! A data folder of a test's own: crawls are published into it, and what it holds is looked at from outside.

use std::fs;
use std::path::{Path, PathBuf};

use catalogue_index::{Catalogue, DataFolder, Error, Options, Report, Resource};
use catalogue_schema::{Requested, Timestamp};
use serde_json::Value;
use tempfile::TempDir;

use super::command::{self, Said};
use super::crawl::Crawl;
use super::folder::copy;

/// The secret that seals cursors.
const SECRET: [u8; 32] = [3; 32];

/// How many changes one traversal serves.
const CHANGES_WINDOW: u64 = 100_000;

/// Memory that has the form of a folder: a publication waits for the disk a hundred times, and these tests make a thousand.
const IN_MEMORY: &str = "/dev/shm";

/// A data folder that goes with the test.
pub(crate) struct Vault {
    folder: TempDir,
}

impl Vault {
    pub(crate) fn new() -> Self {
        Self { folder: folder() }
    }

    /// A data folder that holds what `other` holds.
    pub(crate) fn copy_of(other: &Self) -> Self {
        let vault = Self::new();
        copy(other.path(), vault.path());
        vault
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn data(&self) -> DataFolder {
        DataFolder::new(self.path())
    }

    /// The file or folder of that name.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Publishes a crawl at an instant, which must go well.
    pub(crate) fn publish(&self, crawl: &Crawl, at: Timestamp) -> Report {
        let export = folder();
        crawl.write(export.path());
        let report = self.reindex(export.path(), at).expect("the reindex does its work");
        assert!(report.published, "{:?}", report.faults);
        report
    }

    /// Takes an export in at an instant, whatever it closes.
    pub(crate) fn reindex(&self, export: &Path, at: Timestamp) -> Result<Report, Error> {
        let options = Options { allow_mass_close: true, ..Options::default() };
        catalogue_index::reindex(&self.data(), export, options, &|| at, &|_| {})
    }

    /// Goes back at an instant; gives the generation gone back to and the new one.
    pub(crate) fn rollback(&self, target: Option<u64>, at: Timestamp) -> Result<(u64, u64), Error> {
        catalogue_index::rollback(&self.data(), target, &|| at, &|_| {})
    }

    /// The catalogue as a gateway opens it.
    pub(crate) fn open(&self) -> Catalogue {
        self.try_open().expect("the published generation is sound")
    }

    pub(crate) fn try_open(&self) -> Result<Catalogue, Error> {
        Catalogue::open(self.data(), &SECRET, CHANGES_WINDOW)
    }

    /// Runs the program on this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        command::run(command::catalogue(self.path()).args(arguments))
    }

    /// The generation that `generation list` shows as published, and all that it shows.
    pub(crate) fn listed(&self) -> (u64, Vec<u64>) {
        let Said { status, out, err } = self.run(&["generation", "list"]);
        assert_eq!((status, &*err), (0, ""));
        let number = |line: &str| line.split('\t').next().and_then(|number| number.parse().ok()).expect("a number");
        let published: Vec<u64> = out.lines().filter(|line| line.ends_with("\tpublished")).map(number).collect();
        let [published] = published[..] else { panic!("one generation is published: {out}") };
        (published, out.lines().skip(1).map(number).collect())
    }

    /// Panics where the folder holds anything that no published generation needs.
    pub(crate) fn assert_no_litter(&self) {
        let names = |folder: &Path| -> Vec<String> {
            let mut names: Vec<String> = fs::read_dir(folder)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
                .filter(|name| !name.starts_with("accounts.sqlite"))
                .collect();
            names.sort();
            names
        };
        assert_eq!(names(self.path()), ["CURRENT", "LOCK", "changes", "generations"]);
        let (published, listed) = self.listed();
        let folders: Vec<String> = listed.iter().map(|number| format!("{number:08}")).collect();
        assert_eq!(names(&self.file("generations")), folders);
        assert_eq!(listed.last(), Some(&published));
        let publication = self.manifest(published)["publications"].as_array().expect("a list").last().cloned();
        let publication = publication.expect("a publication");
        let length = |name: &str| fs::metadata(self.file(name)).expect(name).len();
        assert_eq!(publication["log_bytes"], length("changes/changes.rows"));
        assert_eq!(
            publication["log_entries"].as_u64().map(|entries| entries * 8),
            Some(length("changes/changes.ends"))
        );
    }

    /// The manifest of a generation.
    pub(crate) fn manifest(&self, number: u64) -> Value {
        let text = fs::read(self.file(&format!("generations/{number:08}/manifest.json"))).expect("a manifest");
        serde_json::from_slice(&text).expect("JSON")
    }
}

/// A folder that goes with the test, in memory where that can be had.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir()).expect("a temporary folder")
}

/// The whole list of a resource as a client that begins at `now` reads it.
pub(crate) fn list(catalogue: &Catalogue, resource: Resource, now: Timestamp) -> Vec<Value> {
    list_asked(catalogue, resource, &Requested::default(), now)
}

/// The whole list of what is asked for.
pub(crate) fn list_asked(catalogue: &Catalogue, resource: Resource, asked: &Requested, now: Timestamp) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), None);
    loop {
        let (page, next) = page(catalogue, resource, asked, cursor.as_deref(), now, 100);
        rows.extend(page);
        cursor = next;
        if cursor.is_none() {
            return rows;
        }
    }
}

/// One page, and where the list goes on.
pub(crate) fn page(
    catalogue: &Catalogue,
    resource: Resource,
    asked: &Requested,
    cursor: Option<&str>,
    now: Timestamp,
    limit: usize,
) -> (Vec<Value>, Option<String>) {
    let traversal = catalogue.traverse(resource, asked, cursor, now).expect("a traversal");
    let page = traversal.page(limit).expect("a page");
    let mut text = b"[".to_vec();
    page.append_rows(&mut text);
    text.push(b']');
    let rows = serde_json::from_slice(&text).expect("rows are JSON");
    (rows, catalogue.next_cursor(&page))
}
