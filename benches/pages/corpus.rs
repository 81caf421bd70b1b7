//! Catalogues to ask: synthetic ones, published three times, so that a little of them is new and a third is newer than the rest.

use std::path::{Path, PathBuf};

use catalogue_gateway::synthetic::{self, Churn, Size};
use catalogue_index::{Catalogue, DataFolder, Options, Resource, reindex};
use catalogue_schema::{Requested, Timestamp};
use serde::Deserialize;

/// How many rows are read at once where all are.
const CHUNK: usize = 10_000;

/// A catalogue of synthetic grants.
pub(crate) struct Corpus {
    pub(crate) catalogue: Catalogue,
    pub(crate) grants: usize,
    /// When it was published for the second time, with a third of the rows changed, and for the third time, with one in 200.
    pub(crate) published: [Timestamp; 2],
}

/// What the rows of an answer are told by.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Place {
    pub(crate) slug: String,
    pub(crate) deadline: Option<Timestamp>,
}

impl Corpus {
    /// The catalogue of so many grants in `folder`; made there where it is not.
    pub(crate) fn of(grants: u64, folder: &Path) -> Self {
        let data = DataFolder::new(folder.join(format!("{grants}-grants")));
        if data.current_number().expect("the data folder can be read").is_none() {
            publish(&data, grants);
        }
        let catalogue = Catalogue::open(data, &[7; 32], 1).expect("the catalogue opens");
        let generation = catalogue.current().expect("a generation is published");
        let published = |index: usize| generation.publications()[index].at;
        let grants = usize::try_from(grants).expect("as many fit in memory");
        Self { published: [published(1), published(2)], catalogue, grants }
    }

    /// Gives all rows of an answer to `take`, in list order: the earliest deadline first, the undated last.
    pub(crate) fn for_each_row<T: for<'a> Deserialize<'a>>(&self, asked: &Requested, mut take: impl FnMut(T)) {
        let mut cursor = None;
        let mut bytes = Vec::new();
        loop {
            let step = self.catalogue.traverse(Resource::Grants, asked, cursor.as_deref(), Timestamp::EPOCH);
            let step = step.expect("nothing is refused");
            let page = step.page(CHUNK).expect("the index is sound");
            bytes.clear();
            bytes.push(b'[');
            page.append_rows(&mut bytes);
            bytes.push(b']');
            let rows: Vec<T> = serde_json::from_slice(&bytes).expect("rows are JSON");
            rows.into_iter().for_each(&mut take);
            cursor = self.catalogue.next_cursor(&page);
            if cursor.is_none() {
                return;
            }
        }
    }
}

fn publish(data: &DataFolder, grants: u64) {
    let exports = data.path().with_extension("exports");
    let export = |number: u32| -> PathBuf { exports.join(number.to_string()) };
    let size = Size { grants, funders: grants / 50, recipients: 0, awards: 0 };
    synthetic::write(&export(0), size, synthetic::DEFAULT_SEED, synthetic::default_crawled_at()).expect("an export");
    take_in(data, &export(0));
    let still = Churn { added: 0, left_out: 0, reopened: 0, ..Churn::default() };
    let churns = [Churn { deadlines: 100_000, amounts: 150_000, titles: 100_000, ..still }, still];
    for (number, churn) in (1..).zip(churns) {
        let (next, previous) = (export(number), export(number - 1));
        synthetic::write_next(&next, &previous, synthetic::DEFAULT_SEED, None, churn).expect("an export");
        take_in(data, &next);
    }
    std::fs::remove_dir_all(exports).expect("exports can be removed");
}

fn take_in(data: &DataFolder, export: &Path) {
    let now = || catalogue_gateway::clock::Clock::System.now();
    let report = reindex(data, export, Options::default(), &now, &|_| {}).expect("the export is taken in");
    assert!(report.published, "the export was refused: {:?}", report.faults);
}
