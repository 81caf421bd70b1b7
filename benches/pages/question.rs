//! What is asked of a catalogue, and where in the list.

use catalogue_index::{Catalogue, Resource};
use catalogue_schema::{FilterField, Requested, Timestamp};

use crate::corpus::{Corpus, Place};

/// How many rows a page has.
pub(crate) const ROWS: usize = 20;

/// A word of every third text, and one of about one in a thousand.
const COMMON_WORD: &str = "education";
const RARE_WORD: &str = "computing";

/// Something to ask.
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) asked: Requested,
    pub(crate) at: At,
}

/// Where in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum At {
    /// At its beginning.
    First,
    /// Behind that part of what has not passed.
    Forwards(f64),
    /// Behind that part of what has passed, which stands at the end of the list.
    Passed(f64),
    /// At the very end: the last twenty rows.
    Last,
}

/// A request for one page.
pub(crate) struct Asking<'a> {
    pub(crate) asked: &'a Requested,
    pub(crate) now: Timestamp,
    pub(crate) cursor: Option<String>,
    /// The row before the page; `None` at the beginning.
    pub(crate) after: Option<Place>,
}

/// Everything that is asked of a corpus.
pub(crate) fn questions(corpus: &Corpus) -> Vec<Question> {
    let question = |name, values: &[(FilterField, &str)], at| {
        let values = values.iter().map(|&(field, value)| (field, value.to_owned())).collect();
        Question { name, asked: Requested { values, ..Requested::default() }, at }
    };
    let state = (FilterField::State, "CA");
    let since = |name, at| {
        let asked = Requested { updated_since: Some(at), ..Requested::default() };
        Question { name, asked, at: At::First }
    };
    let three = [state, (FilterField::Industry, "education"), (FilterField::Status, "open")];
    let six = ["CA", "NY", "TX", "WA", "IL", "OH"].map(|code| (FilterField::State, code));
    let common = (FilterField::Q, COMMON_WORD);
    vec![
        question("no filter", &[], At::First),
        question("`state`", &[state], At::First),
        question("six states", &six, At::First),
        question("`state`, `industry` and `status`", &three, At::First),
        question("`q`, common word", &[common], At::First),
        question("`q`, rare word", &[(FilterField::Q, RARE_WORD)], At::First),
        question("`q` and `state`", &[common, state], At::First),
        since("`updated_since`, 1 row in 200", corpus.published[1]),
        since("`updated_since`, 1 row in 3", corpus.published[0]),
        question("deep: halfway to the last deadline", &[], At::Forwards(0.5)),
        question("deep: `state`, halfway", &[state], At::Forwards(0.5)),
        question("deep: `state`, near the last deadline", &[state], At::Forwards(0.95)),
        question("passed", &[], At::Passed(0.5)),
        question("passed: `state`", &[state], At::Passed(0.5)),
        question("passed: `state`, `industry` and `status`", &three, At::Passed(0.5)),
        question("passed: `q`, common word", &[common], At::Passed(0.5)),
    ]
}

impl Question {
    /// The requests for this page at each of the instants; none where the list has no such page then.
    pub(crate) fn askings<'a>(&'a self, corpus: &Corpus, instants: &[Timestamp]) -> Vec<Asking<'a>> {
        let matches = if self.at == At::First { None } else { Some(Deadlines::of(corpus, &self.asked)) };
        let asking = |&now: &Timestamp| {
            let before = matches.as_ref().map_or(0, |matches| matches.before(self.at, now));
            let asked = &self.asked;
            match before.checked_sub(1) {
                None => (self.at == At::First).then_some(Asking { asked, now, cursor: None, after: None }),
                Some(before) => self.asking_after(&corpus.catalogue, before, now),
            }
        };
        instants.iter().filter_map(asking).collect()
    }

    /// The request for the page after the row at `index` of the list.
    fn asking_after(&self, catalogue: &Catalogue, index: usize, now: Timestamp) -> Option<Asking<'_>> {
        let mut cursor = None;
        if index > 0 {
            let step = catalogue.traverse(Resource::Grants, &self.asked, None, now).expect("nothing is refused");
            let page = step.page(index).expect("the index is sound");
            cursor = Some(catalogue.next_cursor(&page)?);
        }
        let asked = &self.asked;
        let step = catalogue.traverse(Resource::Grants, asked, cursor.as_deref(), now).expect("nothing is refused");
        let page = step.page(1).expect("the index is sound");
        let cursor = Some(catalogue.next_cursor(&page)?);
        let mut row = Vec::new();
        page.append_rows(&mut row);
        let after = serde_json::from_slice(&row).expect("a row is JSON");
        Some(Asking { asked, now, cursor, after: Some(after) })
    }
}

impl Asking<'_> {
    /// Finds the page and assembles its bytes, as a request does; gives how many bytes they are.
    pub(crate) fn assemble(&self, catalogue: &Catalogue, bytes: &mut Vec<u8>) -> usize {
        let step = catalogue.traverse(Resource::Grants, self.asked, self.cursor.as_deref(), self.now);
        let step = step.expect("nothing is refused");
        let page = step.page(ROWS).expect("the index is sound");
        bytes.clear();
        page.append_rows(bytes);
        if let Some(cursor) = catalogue.next_cursor(&page) {
            bytes.extend_from_slice(cursor.as_bytes());
        }
        bytes.len()
    }

    /// Finds the page and leaves it at that: what a search engine's answer is before the rows are read.
    pub(crate) fn find(&self, catalogue: &Catalogue) -> usize {
        let step = catalogue.traverse(Resource::Grants, self.asked, self.cursor.as_deref(), self.now);
        step.expect("nothing is refused").page(ROWS).expect("the index is sound").len()
    }

    /// The rows of the page.
    pub(crate) fn rows(&self, catalogue: &Catalogue) -> Vec<Place> {
        let step = catalogue.traverse(Resource::Grants, self.asked, self.cursor.as_deref(), self.now);
        let step = step.expect("nothing is refused");
        let mut bytes = vec![b'['];
        step.page(ROWS).expect("the index is sound").append_rows(&mut bytes);
        bytes.push(b']');
        serde_json::from_slice(&bytes).expect("rows are JSON")
    }
}

/// The deadlines of an answer's rows, in order, and how many rows have none.
pub(crate) struct Deadlines {
    dated: Vec<Timestamp>,
    undated: usize,
}

impl Deadlines {
    pub(crate) fn of(corpus: &Corpus, asked: &Requested) -> Self {
        let mut deadlines = Self { dated: Vec::new(), undated: 0 };
        corpus.for_each_row(asked, |row: Place| match row.deadline {
            Some(deadline) => deadlines.dated.push(deadline),
            None => deadlines.undated += 1,
        });
        deadlines
    }

    /// So many instants, with as many deadlines between each and the next.
    pub(crate) fn instants(&self, count: usize) -> Vec<Timestamp> {
        (0..count).map(|index| self.dated[self.dated.len() * (2 * index + 1) / (2 * count)]).collect()
    }

    /// How many rows stand before a page.
    fn before(&self, at: At, now: Timestamp) -> usize {
        let passed = self.dated.partition_point(|deadline| *deadline < now);
        let ahead = self.dated.len() - passed;
        let part_of = |rows: usize, part: f64| (rows as f64 * part).ceil() as usize;
        match at {
            At::First => 0,
            At::Forwards(part) => part_of(ahead, part),
            At::Passed(part) => ahead + self.undated + part_of(passed, part),
            At::Last => (self.dated.len() + self.undated).saturating_sub(ROWS),
        }
    }
}
