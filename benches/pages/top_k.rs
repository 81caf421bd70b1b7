//! The same answers from Tantivy's own top-k: one standard index of one segment, the matches with a deadline in the range
//! collected, the first twenty by deadline kept.
//!
//! It gets the best case: the documents lie in list order, so that its collector's first twenty are the best; the index is in memory;
//! its queries are built before the clock runs; and it reads no rows.

use std::ops::Bound;

use catalogue_schema::{FilterField, Grant, Requested, Timestamp};
use tantivy::collector::TopDocs;
use tantivy::directory::RamDirectory;
use tantivy::query::{BooleanQuery, Query, RangeQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, STRING, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, TokenizerManager,
};
use tantivy::{Index, Order, Searcher, TantivyDocument, Term};

use crate::corpus::{Corpus, Place};
use crate::question::{Asking, At, ROWS};

const MEMORY: usize = 200_000_000;

/// The term of a list that was not stated, which matches every value.
const NOT_STATED: &str = "\u{1}";

/// A standard index of a corpus.
pub(crate) struct TopK {
    searcher: Searcher,
    fields: Fields,
    /// The documents' slugs and deadlines, for comparison.
    places: Vec<Place>,
}

struct Fields {
    text: Field,
    state: Field,
    industry: Field,
    status: Field,
    updated: Field,
    deadline: Field,
}

/// A query with its direction, ready to run.
pub(crate) struct Search {
    query: BooleanQuery,
    order: Order,
}

impl TopK {
    pub(crate) fn of(corpus: &Corpus) -> Self {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("words")
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let column = NumericOptions::default().set_fast();
        let fields = Fields {
            text: schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing)),
            state: schema.add_text_field("state", STRING),
            industry: schema.add_text_field("industry", STRING),
            status: schema.add_text_field("status", STRING),
            updated: schema.add_i64_field("updated", column.clone()),
            deadline: schema.add_i64_field("deadline", column),
        };
        let tokenizers = TokenizerManager::default();
        tokenizers.register("words", words());
        let builder = Index::builder().schema(schema.build()).tokenizers(tokenizers);
        let mut writer = builder.single_segment_index_writer(RamDirectory::create(), MEMORY).expect("a writer");
        let mut places = Vec::new();
        corpus.for_each_row(&Requested::default(), |grant: Grant| {
            writer.add_document(fields.document(&grant)).expect("a document");
            places.push(Place { slug: grant.slug.to_string(), deadline: grant.deadline });
        });
        let index = writer.finalize().expect("an index");
        let searcher = index.reader().expect("a reader").searcher();
        Self { searcher, fields, places }
    }

    /// The search for the same page: the same conditions, and the range of deadlines in which the page lies.
    pub(crate) fn search(&self, asking: &Asking<'_>, at: At) -> Search {
        let mut conditions: Vec<Box<dyn Query>> = Vec::new();
        for (kind, field) in [(FilterField::State, self.fields.state), (FilterField::Industry, self.fields.industry)] {
            let codes = asking.asked.values.iter().filter(|(of, _)| *of == kind).map(|(_, code)| code.as_str());
            let terms: Vec<_> = codes.map(|code| term(field, code)).collect();
            if !terms.is_empty() {
                conditions
                    .push(Box::new(BooleanQuery::union(terms.into_iter().chain([term(field, NOT_STATED)]).collect())));
            }
        }
        for (kind, value) in &asking.asked.values {
            match kind {
                FilterField::Status => conditions.push(term(self.fields.status, value)),
                FilterField::Q => {
                    let mut analyzer = words();
                    let mut stream = analyzer.token_stream(value);
                    while let Some(token) = stream.next() {
                        conditions.push(term(self.fields.text, &token.text));
                    }
                }
                _ => {}
            }
        }
        let instant = |field, at: Timestamp| Term::from_field_i64(field, at.unix_millis());
        if let Some(since) = asking.asked.updated_since {
            let since = Bound::Included(instant(self.fields.updated, since));
            conditions.push(Box::new(RangeQuery::new(since, Bound::Unbounded)));
        }
        let edge = asking.after.as_ref().and_then(|after| after.deadline).unwrap_or(asking.now);
        let edge = Bound::Included(instant(self.fields.deadline, edge));
        let (range, order) = match at {
            At::Passed(_) | At::Last => (RangeQuery::new(Bound::Unbounded, edge), Order::Desc),
            At::First | At::Forwards(_) => (RangeQuery::new(edge, Bound::Unbounded), Order::Asc),
        };
        conditions.push(Box::new(range));
        Search { query: BooleanQuery::intersection(conditions), order }
    }

    /// Runs a search for a page; gives how many rows it found.
    pub(crate) fn run(&self, search: &Search) -> usize {
        self.top(search, ROWS).len()
    }

    /// Whether `rows` are what a search finds: the same slugs in the same order, up to where the range of deadlines ends.
    pub(crate) fn agrees(&self, search: &Search, after: Option<&Place>, rows: &[Place]) -> bool {
        // Many grants share a deadline, and top-k puts them into no order that a page could: all of them are asked for and put into the
        // list's order here.
        let mut found: Vec<&Place> =
            self.top(search, self.places.len()).into_iter().map(|at| &self.places[at]).collect();
        found.sort_by_key(|place| (place.deadline, &place.slug));
        if search.order == Order::Desc {
            found.reverse();
        }
        let seen = after.map_or(0, |after| found.iter().position(|place| *place == after).map_or(0, |at| at + 1));
        let found = &found[seen..];
        let both = found.len().min(rows.len());
        (found.len() >= ROWS || both == found.len()) && rows[..both].iter().eq(found[..both].iter().copied())
    }

    fn top(&self, search: &Search, limit: usize) -> Vec<usize> {
        let collector = TopDocs::with_limit(limit).order_by_fast_field::<i64>("deadline", search.order);
        let found = self.searcher.search(&search.query, &collector).expect("the index is sound");
        found.into_iter().map(|(_, address)| address.doc_id as usize).collect()
    }
}

impl Fields {
    fn document(&self, grant: &Grant) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        for text in [Some(&grant.title), grant.summary.as_ref(), Some(&grant.funder.name)].into_iter().flatten() {
            document.add_text(self.text, text);
        }
        let states = grant.elig_states.as_ref().map(|codes| codes.iter().map(ToString::to_string).collect());
        let industries = grant.industries.as_ref().map(|codes| codes.iter().map(|code| code.folded()).collect());
        for (field, codes) in [(self.state, states), (self.industry, industries)] {
            let codes: Vec<String> = codes.unwrap_or_else(|| vec![NOT_STATED.to_owned()]);
            codes.iter().for_each(|code| document.add_text(field, code));
        }
        document.add_text(self.status, grant.status.as_str());
        document.add_i64(self.updated, grant.updated_at.unix_millis());
        if let Some(deadline) = grant.deadline {
            document.add_i64(self.deadline, deadline.unix_millis());
        }
        document
    }
}

fn term(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}

/// The words of a text, as the catalogue has them.
fn words() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .build()
}
