//! Rows of a file, parsed on one thread while another uses them.
//!
//! Reading, decompressing and parsing take about as long as what the consumer does with a row, so the two halves run on two
//! cores, joined by a short queue of batches. Memory is that of the queue, whatever the size of the file.

use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use serde::de::DeserializeOwned;

use super::lines::{LONGEST, Line, Lines, Source};

/// A row that cannot be used: the field at fault, where it is known, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowFault {
    pub(crate) field: Option<String>,
    pub(crate) reason: String,
}

impl RowFault {
    pub(crate) fn of(field: &str, reason: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), reason: reason.into() }
    }
}

/// How much of what a row says is repeated in a fault, in characters: a hundred faults are held and reported.
const REPEATED: usize = 200;

/// A row with the line it stands on and its bytes.
pub(crate) struct Row<'a, T> {
    pub(crate) line: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) parsed: Result<T, RowFault>,
}

/// How many bytes of rows go into a batch, about.
const BATCH_BYTES: usize = 256 * 1024;
const QUEUED_BATCHES: usize = 3;

struct Batch<T> {
    bytes: Vec<u8>,
    rows: Vec<(u64, Range<usize>, Result<T, RowFault>)>,
}

/// Why a stream ended early.
pub(crate) enum StreamError<E> {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// The consumer failed.
    Consumer(E),
}

/// Parses every row of a file and gives it to `consume`, in order; returns how many lines there were.
pub(crate) fn for_each_row<T, E>(
    source: &Source,
    mut consume: impl FnMut(Row<'_, T>) -> Result<(), E>,
) -> Result<u64, StreamError<E>>
where
    T: DeserializeOwned + Send,
{
    let lines = source.lines().map_err(StreamError::Unreadable)?;
    std::thread::scope(|scope| {
        let (sender, receiver): (SyncSender<Batch<T>>, Receiver<_>) = sync_channel(QUEUED_BATCHES);
        let parser = scope.spawn(move || parse_all(lines, &sender));
        for batch in &receiver {
            for (line, range, parsed) in batch.rows {
                consume(Row { line, bytes: &batch.bytes[range], parsed }).map_err(StreamError::Consumer)?;
            }
        }
        match parser.join() {
            Ok(count) => count.map_err(StreamError::Unreadable),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn parse_all<T: DeserializeOwned>(mut lines: Lines, sender: &SyncSender<Batch<T>>) -> io::Result<u64> {
    let mut count = 0;
    loop {
        let mut batch = Batch { bytes: Vec::with_capacity(BATCH_BYTES + 16 * 1024), rows: Vec::new() };
        let mut ended = false;
        while batch.bytes.len() < BATCH_BYTES && batch.rows.len() < 4096 {
            let start = batch.bytes.len();
            let Some((number, line)) = lines.next_into(&mut batch.bytes)? else {
                ended = true;
                break;
            };
            count = number;
            let range = start..batch.bytes.len();
            let parsed = match line {
                Line::Read => parse(&batch.bytes[range.clone()]),
                Line::TooLong => {
                    Err(RowFault { field: None, reason: format!("the line is longer than {LONGEST} bytes") })
                }
            };
            batch.rows.push((number, range, parsed));
        }
        // A consumer that is gone has failed, and says so itself.
        if sender.send(batch).is_err() || ended {
            return Ok(count);
        }
    }
}

/// Parses one row. Only a faulty row pays for finding out which field is at fault.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RowFault> {
    // A struct could be read from an array of its fields too, which is no row.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(RowFault { field: None, reason: "the line is not a JSON object".to_owned() });
    }
    serde_json::from_slice(bytes).map_err(|error| {
        if std::str::from_utf8(bytes).is_err() {
            return RowFault { field: None, reason: "the line is not UTF-8".to_owned() };
        }
        let reason = without_position(&error);
        if !error.is_data() {
            return RowFault { field: None, reason: cut(format!("the line is not a JSON object: {reason}")) };
        }
        let traced = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_slice(bytes));
        let field = traced.err().map(|traced| traced.path().to_string()).filter(|path| path != ".");
        let field = field.or_else(|| named_field(&reason));
        RowFault { field: field.map(cut), reason: cut(reason) }
    })
}

/// The beginning of a text that may repeat what the row says.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(REPEATED) {
        text.truncate(end);
        text.push('\u{2026}');
    }
    text
}

/// The parser's message; its line and column would be of the row, not of the file.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => message,
    }
}

/// The field that a message about a missing, doubled or unknown field names between backticks.
fn named_field(reason: &str) -> Option<String> {
    reason.split('`').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::GrantRow;

    fn row(change: &str) -> String {
        let sound = r#"{"slug":"a","title":"A","funder":"f","status":"open","source_url":"https://a.example/","last_verified_at":"2026-01-01T00:00:00Z"}"#;
        let (from, to) = change.split_once('>').expect("a change has two sides");
        assert!(sound.contains(from), "{from}");
        sound.replacen(from, to, 1)
    }

    #[test]
    fn a_faulty_row_is_told_with_its_field_and_reason() {
        for (change, field, reason) in [
            (r#""slug":"a">"slug":"A b""#, Some("slug"), "a slug must be"),
            (r#""title":"A",>"#, Some("title"), "missing field"),
            (r#""title":"A">"title":" ""#, Some("title"), "must not be empty"),
            (r#""title":"A">"title":"A","title":"B""#, Some("title"), "duplicate field"),
            (r#""title":"A">"title":"A","colour":1"#, Some("colour"), "unknown field"),
            (r#""title":"A">"title":"A","amount_min":-5"#, Some("amount_min"), "must not be negative"),
            (r#""title":"A">"title":"A","amount_max":"5""#, Some("amount_max"), "must be a JSON number"),
            (r#""title":"A">"title":"A","amount_max":0.125"#, Some("amount_max"), "two decimals"),
            (r#""title":"A">"title":"A","elig_states":["CA","ZZ"]"#, Some("elig_states[1]"), "56 state"),
            (r#""title":"A">"title":"A","deadline":"2026-01-01""#, Some("deadline"), "RFC 3339"),
            (r#""open">"Open""#, Some("status"), "unknown variant"),
            ("https://a.example/>ftp://a.example/", Some("source_url"), "address of a page"),
            ("}>", None, "not a JSON object"),
            ("{>[{", None, "not a JSON object"),
        ] {
            let fault = parse::<GrantRow>(row(change).as_bytes()).expect_err(change);
            assert_eq!(fault.field.as_deref(), field, "{change}: {}", fault.reason);
            assert!(fault.reason.contains(reason), "{change}: {}", fault.reason);
        }
        let long = "\u{e9}".repeat(20_000);
        for change in [format!(r#""title":"A">"title":"A","{long}":1"#), format!(r#""open">"{long}""#)] {
            let fault = parse::<GrantRow>(row(&change).as_bytes()).expect_err("a fault");
            assert!(fault.reason.chars().count() <= REPEATED + 1, "{}", fault.reason);
            assert!(fault.field.is_some_and(|field| field.chars().count() <= REPEATED + 1));
        }
        assert!(parse::<GrantRow>(b"{\"slug\":\"\xff\"}").expect_err("not UTF-8").reason.contains("UTF-8"));
        assert!(parse::<GrantRow>(row("A>Caf\u{e9}").as_bytes()).is_ok());
    }
}
