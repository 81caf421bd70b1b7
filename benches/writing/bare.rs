//! The bare writer: Tantivy's own, given documents that are ready made.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use catalogue_index::export::GrantRow;
use catalogue_schema::Funder;
use tantivy::directory::MmapDirectory;
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, SimpleTokenizer, Stemmer, TextAnalyzer, TokenizerManager,
};
use tantivy::{Index, TantivyDocument};

/// The writer's budget: enough for the tables of a large segment.
const MEMORY: usize = 200_000_000;

/// How many documents are made before they are handed over.
const BATCH: usize = 10_000;

/// The fields the catalogue has in its own index.
struct Fields {
    text: Field,
    state: Field,
    entity: Field,
    industry: Field,
    status: Field,
    funder: Field,
    updated: Field,
    deadline: Field,
    amounts: [Field; 3],
}

/// Writes the grants of an export into an index in `folder`; gives how long Tantivy took, the making of documents left out.
pub(crate) fn write(export: &Path, folder: &Path) -> Duration {
    fs::create_dir_all(folder).expect("a folder");
    let (schema, fields) = fields();
    let tokenizers = TokenizerManager::default();
    tokenizers.register("words", words());
    let names = names_of_funders(export);
    let mut took = Duration::ZERO;
    let mut timed = Instant::now();
    let directory = MmapDirectory::open(folder).expect("a folder");
    let builder = Index::builder().schema(schema).tokenizers(tokenizers);
    let mut writer = builder.single_segment_index_writer(directory, MEMORY).expect("a writer");
    took += timed.elapsed();
    let mut lines = lines(&export.join("grants.ndjson")).peekable();
    while lines.peek().is_some() {
        let documents: Vec<_> = lines.by_ref().take(BATCH).map(|line| fields.document(&line, &names)).collect();
        timed = Instant::now();
        for document in documents {
            writer.add_document(document).expect("a document");
        }
        took += timed.elapsed();
    }
    timed = Instant::now();
    drop(writer.finalize().expect("an index"));
    took += timed.elapsed();
    fs::remove_dir_all(folder).expect("a folder can be removed");
    took
}

fn fields() -> (Schema, Fields) {
    let indexed = |tokenizer, option| {
        let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_fieldnorms(false);
        TextOptions::default().set_indexing_options(indexing.set_index_option(option))
    };
    let codes = indexed("raw", IndexRecordOption::Basic);
    let mut schema = Schema::builder();
    let fields = Fields {
        text: schema.add_text_field("text", indexed("words", IndexRecordOption::WithFreqsAndPositions)),
        state: schema.add_text_field("state", codes.clone()),
        entity: schema.add_text_field("entity", codes.clone()),
        industry: schema.add_text_field("industry", codes.clone()),
        funder: schema.add_text_field("funder", codes.clone().set_fast("raw")),
        status: schema.add_text_field("status", codes),
        updated: schema.add_u64_field("updated", NumericOptions::default().set_indexed()),
        deadline: schema.add_i64_field("deadline", NumericOptions::default().set_fast()),
        amounts: ["amount_min", "amount_max", "amount_total_pool"]
            .map(|name| schema.add_u64_field(name, NumericOptions::default().set_fast())),
    };
    (schema.build(), fields)
}

impl Fields {
    fn document(&self, line: &str, names: &HashMap<String, String>) -> TantivyDocument {
        let grant: GrantRow = serde_json::from_str(line).expect("a row of an export");
        let mut document = TantivyDocument::default();
        let funder = names.get(grant.funder.as_str());
        for text in [Some(&grant.title), grant.summary.as_ref(), funder].into_iter().flatten() {
            document.add_text(self.text, text);
        }
        let folded = |code: &catalogue_schema::Code| code.folded();
        let states = grant.elig_states.map(|codes| codes.iter().map(ToString::to_string).collect());
        let entities = grant.elig_entities.map(|codes| codes.iter().map(folded).collect());
        let industries = grant.industries.map(|codes| codes.iter().map(folded).collect());
        for (field, codes) in [(self.state, states), (self.entity, entities), (self.industry, industries)] {
            let codes: Vec<String> = codes.unwrap_or_else(|| vec!["\u{1}".to_owned()]);
            for code in codes {
                document.add_text(field, code);
            }
        }
        document.add_text(self.status, grant.status.as_str());
        document.add_text(self.funder, grant.funder.as_str());
        document.add_u64(self.updated, 1);
        if let Some(deadline) = grant.deadline {
            document.add_i64(self.deadline, deadline.unix_millis());
        }
        for (field, amount) in self.amounts.iter().zip([grant.amount_min, grant.amount_max, grant.amount_total_pool]) {
            if let Some(amount) = amount {
                document.add_u64(*field, amount.cents());
            }
        }
        document
    }
}

fn names_of_funders(export: &Path) -> HashMap<String, String> {
    let funder = |line: String| -> Funder { serde_json::from_str(&line).expect("a row of an export") };
    lines(&export.join("funders.ndjson")).map(funder).map(|funder| (funder.slug.to_string(), funder.name)).collect()
}

fn lines(file: &Path) -> impl Iterator<Item = String> + use<> {
    BufReader::new(File::open(file).expect("a file")).lines().map(|line| line.expect("a line"))
}

/// The words of a text, as the catalogue has them.
fn words() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .build()
}
