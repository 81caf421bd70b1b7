//! The fields of the Tantivy indexes: the only file that names them.
//!
//! A document holds what filters ask for and nothing else; the row that is answered lies beside the index, ready to send.

use std::collections::BTreeSet;
use std::fmt::Display;

use catalogue_schema::{Code, Money, Status, Timestamp, UsState};
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::{TantivyDocument, Term};

use crate::pages::filter::CodeField;
use crate::text;

/// The term of a list the source did not state. No code is equal to it: codes have no control characters.
pub(crate) const NOT_STATED: &str = "\u{1}";

/// The name of the deadline's column.
pub(crate) const DEADLINE: &str = "deadline";

/// The name of the column of the funders' slugs, which is a field too.
pub(crate) const FUNDER: &str = "funder";

/// The names of the columns of amounts, in cents: the least and the most for one applicant, and the whole programme's.
pub(crate) const AMOUNTS: [&str; 3] = ["amount_min", "amount_max", "amount_total_pool"];

/// The fields of a list. Funders use the first two, recipients the first three.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    /// Words, with their positions for phrases.
    pub(crate) text: Field,
    /// Codes of states, or [`NOT_STATED`].
    pub(crate) state: Field,
    /// The slugs of those who give: a grant's funder, and the funders that a recipient has awards of.
    pub(crate) funder: Field,
    /// Folded codes of eligible entities, or [`NOT_STATED`].
    pub(crate) entity: Field,
    /// Folded codes of industries, or [`NOT_STATED`].
    pub(crate) industry: Field,
    /// The status.
    pub(crate) status: Field,
    /// The number of the publication that last changed the record.
    pub(crate) updated: Field,
    /// The deadline as a column of Unix milliseconds, ascending; without a value at the end.
    pub(crate) deadline: Field,
    /// Amounts as columns of cents, in the order of [`AMOUNTS`]; only insight reads them.
    pub(crate) amounts: [Field; 3],
}

impl Fields {
    pub(crate) fn new() -> Self {
        let words = TextFieldIndexing::default()
            .set_tokenizer(text::WORDS)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions)
            .set_fieldnorms(false);
        let codes = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        let words = TextOptions::default().set_indexing_options(words);
        let codes = TextOptions::default().set_indexing_options(codes);
        let mut schema = Schema::builder();
        let text = schema.add_text_field("text", words);
        let state = schema.add_text_field("state", codes.clone());
        let funder = schema.add_text_field(FUNDER, codes.clone().set_fast("raw"));
        let entity = schema.add_text_field("entity", codes.clone());
        let industry = schema.add_text_field("industry", codes.clone());
        let status = schema.add_text_field("status", codes);
        let updated = schema.add_u64_field("updated", NumericOptions::default().set_indexed());
        let column = NumericOptions::default().set_fast();
        let deadline = schema.add_i64_field(DEADLINE, column.clone());
        let amounts = AMOUNTS.map(|name| schema.add_u64_field(name, column.clone()));
        Self { schema: schema.build(), text, state, funder, entity, industry, status, updated, deadline, amounts }
    }

    /// The vocabulary fields, whose terms stay in memory.
    pub(crate) fn vocabularies(&self) -> [Field; 4] {
        [self.state, self.entity, self.industry, self.status]
    }

    /// The document of a grant.
    pub(crate) fn grant(&self, grant: &GrantDocument<'_>) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        self.add_texts(&mut document, grant.texts);
        add_codes(&mut document, self.state, grant.states, UsState::to_string);
        add_codes(&mut document, self.entity, grant.entities, Code::folded);
        add_codes(&mut document, self.industry, grant.industries, Code::folded);
        document.add_text(self.status, grant.status.as_str());
        document.add_text(self.funder, grant.funder);
        document.add_u64(self.updated, grant.updated);
        if let Some(deadline) = grant.deadline {
            document.add_i64(self.deadline, deadline.unix_millis());
        }
        for (field, amount) in self.amounts.into_iter().zip(grant.amounts) {
            if let Some(amount) = amount {
                document.add_u64(field, amount.cents());
            }
        }
        document
    }

    /// The document of a funder or a recipient, whose state is where it is: not stated matches none. Of a recipient `funders` are
    /// those it has awards of.
    pub(crate) fn named(
        &self,
        texts: [Option<&str>; 2],
        state: Option<UsState>,
        funders: &BTreeSet<&str>,
    ) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        self.add_texts(&mut document, texts);
        if let Some(state) = state {
            document.add_text(self.state, state.code());
        }
        for funder in funders {
            document.add_text(self.funder, funder);
        }
        document
    }

    /// The field of a kind of codes.
    pub(crate) fn codes(&self, field: CodeField) -> Field {
        match field {
            CodeField::State => self.state,
            CodeField::Entity => self.entity,
            CodeField::Industry => self.industry,
            CodeField::Status => self.status,
        }
    }

    /// The slug of one who gives.
    pub(crate) fn giver(&self, slug: &str) -> Term {
        Term::from_field_text(self.funder, slug)
    }

    /// A word of the text.
    pub(crate) fn word(&self, word: &str) -> Term {
        Term::from_field_text(self.text, word)
    }

    /// Adds texts, which Tantivy turns into words. It leaves a gap between them, so that no phrase reaches from one into the other.
    fn add_texts<const N: usize>(&self, document: &mut TantivyDocument, texts: [Option<&str>; N]) {
        for text in texts.into_iter().flatten() {
            document.add_text(self.text, text::composed(text));
        }
    }
}

/// What the index holds of a grant.
pub(crate) struct GrantDocument<'a> {
    pub(crate) texts: [Option<&'a str>; 3],
    pub(crate) states: Option<&'a BTreeSet<UsState>>,
    pub(crate) entities: Option<&'a BTreeSet<Code>>,
    pub(crate) industries: Option<&'a BTreeSet<Code>>,
    pub(crate) status: Status,
    pub(crate) funder: &'a str,
    pub(crate) amounts: [Option<Money>; 3],
    pub(crate) updated: u64,
    pub(crate) deadline: Option<Timestamp>,
}

fn add_codes<T: Display>(
    document: &mut TantivyDocument,
    field: Field,
    codes: Option<&BTreeSet<T>>,
    term: impl Fn(&T) -> String,
) {
    match codes {
        None => document.add_text(field, NOT_STATED),
        Some(codes) => {
            for code in codes {
                document.add_text(field, term(code));
            }
        }
    }
}
