//! The naive model: decisions, sections 3 and 4, as plainly as they can be written down.

use std::cmp::Reverse;

use catalogue_schema::{FilterField, Requested};

/// What the model knows of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) slug: String,
    /// Title, summary and the funder's name, each a text of its own.
    pub(crate) texts: Vec<String>,
    pub(crate) states: Option<Vec<String>>,
    pub(crate) entities: Option<Vec<String>>,
    pub(crate) industries: Option<Vec<String>>,
    pub(crate) status: String,
    /// Unix milliseconds.
    pub(crate) deadline: Option<i64>,
    /// Unix milliseconds.
    pub(crate) updated: i64,
}

/// The records that match, in list order at the instant `now`.
pub(crate) fn list<'a>(records: &'a [Record], asked: &Requested, now: i64) -> Vec<&'a str> {
    let mut found: Vec<&Record> = records.iter().filter(|record| matches(records, record, asked)).collect();
    found.sort_by_key(|record| {
        let place = match record.deadline {
            Some(deadline) if deadline >= now => (0, deadline, Reverse(0)),
            None => (1, 0, Reverse(0)),
            Some(passed) => (2, 0, Reverse(passed)),
        };
        (place, &record.slug)
    });
    found.into_iter().map(|record| record.slug.as_str()).collect()
}

fn matches(all: &[Record], record: &Record, asked: &Requested) -> bool {
    let values = |field: FilterField| -> Vec<String> {
        let of_field = asked.values.iter().filter(|(asked, _)| *asked == field);
        of_field.map(|(_, value)| value.to_lowercase()).collect()
    };
    let occurs = |code: &String, of: fn(&Record) -> &Option<Vec<String>>| {
        all.iter().any(|record| of(record).iter().flatten().any(|held| held.to_lowercase() == *code))
    };
    // A list that is not stated matches whatever is asked.
    let any = |wanted: &[String], held: &Option<Vec<String>>| {
        let holds = |held: &Vec<String>| held.iter().any(|code| wanted.contains(&code.to_lowercase()));
        wanted.is_empty() || held.as_ref().is_none_or(holds)
    };
    let mut states = values(FilterField::State);
    states.retain(|code| STATES.contains(&code.as_str()));
    let mut entities = values(FilterField::Entity);
    entities.retain(|code| occurs(code, |record| &record.entities));
    let mut industries = values(FilterField::Industry);
    industries.retain(|code| occurs(code, |record| &record.industries));
    let mut statuses = values(FilterField::Status);
    statuses.retain(|status| ["forecasted", "open", "closed"].contains(&status.as_str()));
    any(&states, &record.states)
        && any(&entities, &record.entities)
        && any(&industries, &record.industries)
        && (statuses.is_empty() || statuses.contains(&record.status))
        && asked.updated_since.is_none_or(|since| record.updated >= since.unix_millis())
        && values(FilterField::Q).iter().all(|query| text_matches(&record.texts, query))
}

/// The states that the model's queries use, in small letters.
const STATES: [&str; 5] = ["ca", "ny", "pr", "tx", "wy"];

/// Words everywhere, phrases in sequence. The model knows nothing of endings, so its texts use words that have none.
fn text_matches(texts: &[String], query: &str) -> bool {
    let texts: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let pieces: Vec<&str> = query.split('"').collect();
    pieces.iter().enumerate().all(|(index, piece)| {
        let wanted = words(piece);
        let is_phrase = index % 2 == 1 && index + 1 < pieces.len();
        if is_phrase && wanted.len() > 1 {
            texts.iter().any(|text| text.windows(wanted.len()).any(|window| window == wanted))
        } else {
            wanted.iter().all(|word| texts.iter().any(|text| text.contains(word)))
        }
    })
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
