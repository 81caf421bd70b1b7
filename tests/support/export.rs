//! Exports, written from rows of JSON so that a test can state any row, sound or not.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

/// When the crawl of an export was made, where the test does not say.
pub(crate) const CRAWLED_AT: &str = "2026-07-01T06:00:00.000Z";

/// A row of an export.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row(Map<String, Value>);

impl Row {
    fn of(value: Value) -> Self {
        match value {
            Value::Object(fields) => Self(fields),
            other => panic!("a row is an object, not {other}"),
        }
    }

    /// The same row with another value in a field.
    pub(crate) fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.0.insert(field.to_owned(), value.into());
        self
    }

    /// The same row without a field.
    pub(crate) fn without(mut self, field: &str) -> Self {
        self.0.remove(field);
        self
    }

    pub(crate) fn line(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

/// An open grant of the funder `f` about which the source says nothing more than it must.
pub(crate) fn grant(slug: &str) -> Row {
    Row::of(json!({
        "slug": slug, "title": "Programme", "funder": "f", "status": "open",
        "source_url": format!("https://source.example/grants/{slug}"), "last_verified_at": "2026-06-30T00:00:00Z",
    }))
}

/// A funder about which the source says nothing more than it must.
pub(crate) fn funder(slug: &str, name: &str) -> Row {
    Row::of(json!({
        "slug": slug, "name": name,
        "source_url": format!("https://source.example/funders/{slug}"), "last_verified_at": "2026-06-30T00:00:00Z",
    }))
}

/// A recipient about which the source says nothing more than it must.
pub(crate) fn recipient(slug: &str, name: &str) -> Row {
    Row::of(json!({
        "slug": slug, "name": name,
        "source_url": format!("https://source.example/recipients/{slug}"), "last_verified_at": "2026-06-30T00:00:00Z",
    }))
}

/// An award about which the source says nothing more than it must.
pub(crate) fn award(recipient: &str, funder: &str, year: u16) -> Row {
    Row::of(json!({
        "recipient": recipient, "funder": funder, "year": year,
        "source_url": "https://source.example/awards", "last_verified_at": "2026-06-30T00:00:00Z",
    }))
}

/// The files of an export, in the order in which a manifest counts them.
pub(crate) const FILES: [&str; 4] = ["grants", "funders", "recipients", "awards"];

/// An export: the lines of each file.
#[derive(Clone, Debug)]
pub(crate) struct Export {
    pub(crate) crawled_at: String,
    pub(crate) grants: Vec<Row>,
    pub(crate) funders: Vec<Row>,
    pub(crate) recipients: Vec<Row>,
    pub(crate) awards: Vec<Row>,
}

impl Export {
    /// These grants and the funder `f` that [`grant`] names.
    pub(crate) fn of(grants: impl IntoIterator<Item = Row>) -> Self {
        Self {
            crawled_at: CRAWLED_AT.to_owned(),
            grants: grants.into_iter().collect(),
            funders: vec![funder("f", "Foundation")],
            recipients: Vec::new(),
            awards: Vec::new(),
        }
    }

    /// So many grants, `g-000` and on.
    pub(crate) fn of_count(count: usize) -> Self {
        Self::of((0..count).map(|number| grant(&format!("g-{number:03}"))))
    }

    fn rows(&self, file: &str) -> &[Row] {
        match file {
            "grants" => &self.grants,
            "funders" => &self.funders,
            "recipients" => &self.recipients,
            "awards" => &self.awards,
            other => panic!("no file {other}"),
        }
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: &str) -> String {
        self.rows(file).iter().flat_map(|row| [row.line(), "\n".to_owned()]).collect()
    }

    /// Writes the export into `folder`, which is made where it is not there.
    pub(crate) fn write(&self, folder: &Path) {
        fs::create_dir_all(folder).expect("a folder for the export");
        for file in FILES {
            fs::write(folder.join(format!("{file}.ndjson")), self.text(file)).expect("a file of the export");
        }
        let counts = FILES.map(|file| self.rows(file).len());
        write_manifest(folder, &self.crawled_at, counts);
    }
}

/// Writes a manifest that counts the files in the order of [`FILES`].
pub(crate) fn write_manifest(folder: &Path, crawled_at: &str, [grants, funders, recipients, awards]: [usize; 4]) {
    let manifest = json!({
        "format": "catalogue-export/1", "crawled_at": crawled_at,
        "counts": {"grants": grants, "funders": funders, "recipients": recipients, "awards": awards},
    });
    fs::write(folder.join("manifest.json"), manifest.to_string()).expect("the export's manifest");
}
