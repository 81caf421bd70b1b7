//! The naive model: rows as JSON, counted by looking at each.

use std::collections::BTreeMap;

use catalogue_schema::Timestamp;
use catalogue_schema::insight::{Bucket, Facet, Interval};
use serde_json::Value;

/// The facet of a field that holds a list of codes, one code or null. The most frequent come first, then by code.
pub(super) fn facet(rows: &[Value], field: &str) -> Facet {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut not_stated = 0;
    for row in rows {
        match &row[field] {
            Value::Null => not_stated += 1,
            Value::String(code) => *counts.entry(code.clone()).or_default() += 1,
            Value::Array(codes) => {
                for code in codes {
                    *counts.entry(folded(field, code)).or_default() += 1;
                }
            }
            other => panic!("{other} is no code"),
        }
    }
    Facet { buckets: ranked(counts).into_iter().map(|(value, count)| Bucket { value, count }).collect(), not_stated }
}

/// How many grants each funder has.
pub(super) fn funders(rows: &[Value]) -> Vec<(String, u64)> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row["funder"]["slug"].as_str().expect("a slug").to_owned()).or_default() += 1;
    }
    ranked(counts)
}

fn ranked(counts: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut ranked: Vec<(String, u64)> = counts.into_iter().collect();
    ranked.sort_by(|(one, many), (other, most)| most.cmp(many).then(one.cmp(other)));
    ranked
}

/// A code as filters compare it: states are capital letters already.
fn folded(field: &str, code: &Value) -> String {
    let code = code.as_str().expect("a code");
    if field == "elig_states" { code.to_owned() } else { code.to_lowercase() }
}

/// When deadlines fall: of each step from that of `now` on, then behind the last, passed, and not stated.
pub(super) fn deadlines(rows: &[Value], now: Timestamp, by: Interval, steps: usize) -> (Vec<u64>, [u64; 3]) {
    let mut starts = vec![by.start_of(now).expect("an instant")];
    while starts.len() <= steps {
        starts.push(by.end_of(starts[starts.len() - 1]).expect("an instant"));
    }
    let (mut counts, mut others) = (vec![0; steps], [0; 3]);
    for row in rows {
        match row["deadline"].as_str().map(|text| text.parse::<Timestamp>().expect("an instant")) {
            None => others[2] += 1,
            Some(deadline) if deadline < now => others[1] += 1,
            Some(deadline) => match starts.windows(2).position(|step| (step[0]..step[1]).contains(&deadline)) {
                Some(step) => counts[step] += 1,
                None => others[0] += 1,
            },
        }
    }
    (counts, others)
}

/// The stated amounts in whole dollars, ascending.
pub(super) fn amounts<'a>(rows: impl IntoIterator<Item = &'a Value>, field: &str) -> Vec<u64> {
    let mut amounts: Vec<u64> = rows.into_iter().filter_map(|row| row[field].as_u64()).collect();
    amounts.sort_unstable();
    amounts
}
