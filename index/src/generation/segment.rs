//! A segment: so many consecutive places of a list, in list order.
//!
//! A list is a chain of segments of [`LENGTH`] documents. Each is written by one thread in bounded memory, all of them in
//! parallel, and never merged; and because a skip through postings ends at the segment's end, the cost of a page does not grow
//! with the list.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Index, TantivyDocument};

use super::history::{self, Histories, History};
use super::rows::{Rows, RowsWriter};
use super::sums::{Summed, SummedFolder, Sums};
use super::{Shape, files};
use crate::error::Error;
use crate::fields::{DEADLINE, Fields};
use crate::text;

/// How many documents a full segment holds.
pub(crate) const LENGTH: u32 = 32_768;

/// The memory Tantivy plans its tables for; a segment's postings take about as much again.
const WRITER_MEMORY: usize = 15_000_000;

/// The memory a segment may take while it is written: ten times what one of a real catalogue does. Tantivy has a limit of its own, at
/// which it does not fail but panics.
const MOST_MEMORY: usize = 512 << 20;

/// The folder of the segment at `index` of the list in `folder`.
pub(crate) fn folder_of(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("{index:05}"))
}

/// Writes one segment, its documents in list order.
pub(crate) struct SegmentWriter {
    folder: PathBuf,
    index: SingleSegmentIndexWriter,
    index_files: SummedFolder,
    rows: RowsWriter,
    details: Option<RowsWriter>,
    histories: Option<BufWriter<Summed<File>>>,
}

impl SegmentWriter {
    /// Makes the segment's folder and its files.
    pub(crate) fn create(folder: PathBuf, fields: &Fields, shape: Shape) -> Result<Self, Error> {
        files::make_folder(&folder)?;
        let index_files = SummedFolder::new(MmapDirectory::open(&folder).map_err(Error::index(&folder))?);
        let index = Index::builder()
            .schema(fields.schema.clone())
            .tokenizers(text::tokenizers())
            .single_segment_index_writer(index_files.clone(), WRITER_MEMORY)
            .map_err(Error::index(&folder))?;
        let rows = RowsWriter::create(&folder, "list")?;
        let details = if shape.has_details { Some(RowsWriter::create(&folder, "details")?) } else { None };
        let histories = if shape.has_histories {
            let path = folder.join(history::NAME);
            Some(BufWriter::new(Summed::new(File::create_new(&path).map_err(Error::file("create", &path))?)))
        } else {
            None
        };
        Ok(Self { folder, index, index_files, rows, details, histories })
    }

    /// Appends a document with its row.
    pub(crate) fn push(&mut self, document: TantivyDocument, row: &[u8]) -> Result<(), Error> {
        self.index.add_document(document).map_err(Error::index(&self.folder))?;
        if self.index.mem_usage() > MOST_MEMORY {
            return Err(Error::TooMuchText { path: self.folder.clone(), most: MOST_MEMORY });
        }
        self.rows.push(row)
    }

    /// Appends the last document's longer row, in a list that has them.
    pub(crate) fn push_details(&mut self, row: &[u8]) -> Result<(), Error> {
        self.details.as_mut().map_or(Ok(()), |details| details.push(row))
    }

    /// Appends the last document's history, in a list that has them.
    pub(crate) fn push_history(&mut self, history: History) -> Result<(), Error> {
        let path = &self.folder;
        let write = |file: &mut BufWriter<Summed<File>>| {
            file.write_all(&history.to_bytes()).map_err(Error::file("write", path))
        };
        self.histories.as_mut().map_or(Ok(()), write)
    }

    /// Puts everything on disk; gives the files' sums.
    pub(crate) fn finish(self) -> Result<Sums, Error> {
        self.index.finalize().map_err(Error::index(&self.folder))?;
        let mut sums = self.index_files.sums();
        sums.extend(self.rows.finish()?);
        if let Some(details) = self.details {
            sums.extend(details.finish()?);
        }
        if let Some(histories) = self.histories {
            let path = self.folder.join(history::NAME);
            let file = histories.into_inner().map_err(|error| Error::file("write", &path)(error.into_error()))?;
            let (file, sum) = file.finish();
            file.sync_all().map_err(Error::file("sync", &path))?;
            sums.insert(history::NAME.to_owned(), sum);
        }
        files::sync_folder(&self.folder)?;
        Ok(sums)
    }
}

/// A segment opened for reading.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    pub(crate) rows: Rows,
    pub(crate) details: Option<Rows>,
    pub(crate) histories: Option<Histories>,
    /// The deadlines, ascending, undated at the end.
    pub(crate) deadlines: Column<i64>,
    /// The words' postings.
    pub(crate) text: Arc<InvertedIndexReader>,
    /// The postings of those who give.
    pub(crate) funder: Arc<InvertedIndexReader>,
    /// The publications' postings: numbers ascending.
    pub(crate) updated: Vec<(u64, TermInfo)>,
    pub(crate) updated_reader: Arc<InvertedIndexReader>,
    vocabularies: HashMap<Field, Vocabulary>,
}

/// The postings of terms that so many documents of the segment have are kept open. So what is kept is bounded by the documents, and not by
/// how many codes a catalogue makes up.
const KEPT_OPEN: u32 = 256;

/// The terms of a field with a small vocabulary, which every filter looks up.
pub(crate) struct Vocabulary {
    reader: Arc<InvertedIndexReader>,
    terms: HashMap<Box<str>, VocabularyTerm>,
}

struct VocabularyTerm {
    info: TermInfo,
    /// The postings as they were first opened, at their first document, where they are kept: to copy them costs a quarter
    /// of opening them again.
    opened: OnceLock<SegmentPostings>,
}

impl Vocabulary {
    fn new(reader: Arc<InvertedIndexReader>) -> io::Result<Self> {
        let entry = |(term, info)| {
            let entry = VocabularyTerm { info, opened: OnceLock::new() };
            Some((String::from_utf8(term).ok()?.into_boxed_str(), entry))
        };
        let terms = terms_of(&reader)?.into_iter().filter_map(entry).collect();
        Ok(Self { reader, terms })
    }

    /// Every term, with how many documents have it.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&str, u32)> {
        self.terms.iter().map(|(term, entry)| (&**term, entry.info.doc_freq))
    }

    /// How many documents have a term.
    pub(crate) fn count(&self, term: &str) -> u32 {
        self.terms.get(term).map_or(0, |entry| entry.info.doc_freq)
    }

    /// The documents that have a term, to be walked; `None` where there are none.
    pub(crate) fn postings(&self, term: &str) -> io::Result<Option<Cow<'_, SegmentPostings>>> {
        let Some(VocabularyTerm { info, opened }) = self.terms.get(term) else { return Ok(None) };
        if let Some(postings) = opened.get() {
            return Ok(Some(Cow::Borrowed(postings)));
        }
        let postings = self.reader.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
        let is_kept = info.doc_freq >= KEPT_OPEN;
        Ok(Some(if is_kept { Cow::Borrowed(opened.get_or_init(|| postings)) } else { Cow::Owned(postings) }))
    }
}

impl Segment {
    /// Opens the segment in `folder`, which must hold `count` documents.
    pub(crate) fn open(folder: &Path, fields: &Fields, shape: Shape, count: usize) -> Result<Self, Error> {
        let index_error = |error| Error::index::<tantivy::TantivyError>(folder)(error);
        let index = Index::open_in_dir(folder).map_err(index_error)?;
        let segments = index.searchable_segments().map_err(index_error)?;
        let [segment] = segments.as_slice() else {
            return Err(Error::damaged(folder, format!("it holds {} segments instead of one", segments.len())));
        };
        let reader = SegmentReader::open(segment).map_err(index_error)?;
        if reader.max_doc() as usize != count {
            return Err(Error::damaged(folder, format!("it holds {} documents instead of {count}", reader.max_doc())));
        }
        let inverted = |field| reader.inverted_index(field).map_err(index_error);
        let mut vocabularies = HashMap::new();
        for field in fields.vocabularies() {
            let vocabulary = Vocabulary::new(inverted(field)?).map_err(Error::file("read the terms of", folder))?;
            vocabularies.insert(field, vocabulary);
        }
        let updated_reader = inverted(fields.updated)?;
        let updated = terms_of(&updated_reader).map_err(Error::file("read the terms of", folder))?;
        let updated =
            updated.into_iter().filter_map(|(term, info)| Some((u64::from_be_bytes(term.try_into().ok()?), info)));
        Ok(Self {
            rows: Rows::open(folder, "list", count)?,
            details: if shape.has_details { Some(Rows::open(folder, "details", count)?) } else { None },
            histories: if shape.has_histories { Some(Histories::open(folder, count)?) } else { None },
            deadlines: reader.fast_fields().i64(DEADLINE).map_err(index_error)?,
            text: inverted(fields.text)?,
            funder: inverted(fields.funder)?,
            updated: updated.collect(),
            updated_reader,
            vocabularies,
            reader,
        })
    }

    /// How many documents the segment holds.
    pub(crate) fn count(&self) -> u32 {
        self.reader.max_doc()
    }

    /// The vocabulary of one of [`Fields::vocabularies`].
    pub(crate) fn vocabulary(&self, field: Field) -> Option<&Vocabulary> {
        self.vocabularies.get(&field)
    }
}

fn terms_of(reader: &InvertedIndexReader) -> io::Result<Vec<(Vec<u8>, TermInfo)>> {
    let mut stream = reader.terms().stream()?;
    let mut terms = Vec::new();
    while stream.advance() {
        terms.push((stream.key().to_vec(), stream.value().clone()));
    }
    Ok(terms)
}
