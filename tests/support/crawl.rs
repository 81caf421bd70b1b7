//! Crawls, stated by what matters to publication: which programmes they list, and what they say of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catalogue_index::export::GrantRow;
use catalogue_schema::{Status, Timestamp};
use serde_json::json;

const DAY: i64 = 86_400_000;

/// 2026-07-01T00:00:00Z, on which the first crawl is made.
const FIRST_DAY: i64 = 1_782_864_000_000;

/// One crawl.
#[derive(Clone, Debug)]
pub(crate) struct Crawl {
    pub(crate) crawled_at: Timestamp,
    pub(crate) grants: Vec<GrantRow>,
}

/// The beginning of the day so many days after that of the first crawl.
pub(crate) fn day(number: i64) -> Timestamp {
    Timestamp::from_unix_millis(FIRST_DAY + number * DAY).expect("a day of these years")
}

/// So many minutes after the first crawl's day began: publications so close to one another are all kept.
pub(crate) fn minute(number: i64) -> Timestamp {
    day(0).plus_millis(number * 60_000).expect("a day of these years")
}

/// A programme of which nothing moves.
pub(crate) fn programme(number: usize) -> GrantRow {
    let slug = format!("programme-{number:03}");
    GrantRow {
        title: format!("Programme {number}"),
        summary: Some("Shared gardens and their wells".to_owned()),
        funder: "foundation".parse().expect("a slug"),
        status: Status::Open,
        elig_entities: serde_json::from_str(r#"["nonprofit"]"#).expect("codes"),
        elig_states: Some(BTreeSet::new()).filter(|_| number.is_multiple_of(7)),
        industries: None,
        amount_min: None,
        amount_max: Some("15000".parse().expect("an amount")),
        amount_total_pool: None,
        match_required: None,
        opens_at: None,
        // Every fifth is undated, and some have passed already.
        deadline: (!number.is_multiple_of(5)).then(|| day(i64::try_from(number).expect("a small number") - 10)),
        source_url: format!("https://source.example/{slug}"),
        last_verified_at: day(0),
        slug: slug.parse().expect("a slug"),
    }
}

impl Crawl {
    /// The crawl of that day.
    pub(crate) fn of(on: i64, grants: impl IntoIterator<Item = GrantRow>) -> Self {
        Self { crawled_at: day(on), grants: grants.into_iter().collect() }
    }

    /// The same crawl with one programme changed.
    pub(crate) fn with(mut self, number: usize, change: impl FnOnce(&mut GrantRow)) -> Self {
        let slug = programme(number).slug;
        change(self.grants.iter_mut().find(|row| row.slug == slug).expect("a listed programme"));
        self
    }

    /// The same crawl without one programme.
    pub(crate) fn without(mut self, number: usize) -> Self {
        let slug = programme(number).slug;
        self.grants.retain(|row| row.slug != slug);
        self
    }

    /// Writes the export into `folder`.
    pub(crate) fn write(&self, folder: &Path) {
        fs::create_dir_all(folder).expect("a folder for the export");
        let rows: String =
            self.grants.iter().flat_map(|row| [serde_json::to_string(row).expect("a row"), "\n".to_owned()]).collect();
        let (source, read) = ("https://source.example/", day(0));
        let funder =
            json!({"slug": "foundation", "name": "Foundation", "source_url": source, "last_verified_at": read});
        let recipient = json!({"slug": "pantry", "name": "Pantry", "source_url": source, "last_verified_at": read});
        let award = json!({
            "recipient": "pantry", "funder": "foundation", "year": 2025, "source_url": source, "last_verified_at": read,
        });
        let manifest = json!({
            "format": "catalogue-export/1", "crawled_at": self.crawled_at,
            "counts": {"grants": self.grants.len(), "funders": 1, "recipients": 1, "awards": 1},
        });
        let files = [
            ("grants.ndjson", rows),
            ("funders.ndjson", format!("{funder}\n")),
            ("recipients.ndjson", format!("{recipient}\n")),
            ("awards.ndjson", format!("{award}\n")),
            ("manifest.json", manifest.to_string()),
        ];
        for (name, text) in files {
            fs::write(folder.join(name), text).expect(name);
        }
    }
}
