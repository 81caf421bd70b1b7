//! The naive model: rows as JSON, counted by looking at each.

use std::collections::BTreeMap;

use catalogue_schema::insight::{Bucket, Facet, IndustryMoney, Interval};
use catalogue_schema::{Money, Timestamp};
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

/// The stated amounts, ascending.
pub(super) fn amounts<'a>(rows: impl IntoIterator<Item = &'a Value>, field: &str) -> Vec<Money> {
    let stated = rows.into_iter().filter(|row| !row[field].is_null());
    let mut amounts: Vec<Money> = stated.map(|row| row[field].to_string().parse().expect("an amount")).collect();
    amounts.sort_unstable();
    amounts
}

pub(super) fn sum(amounts: &[Money]) -> Option<Money> {
    let cents = amounts.iter().copied().map(Money::cents).sum();
    (!amounts.is_empty()).then(|| Money::from_cents(cents).expect("an amount"))
}

/// The money of each industry, the largest sum first, then by code; behind them the rows that state no industry.
pub(super) fn money(rows: &[Value], field: &str) -> Vec<IndustryMoney> {
    let of = |industry: Option<String>, own: Vec<&Value>| {
        let stated = amounts(own.iter().copied(), field);
        IndustryMoney { industry, records: own.len() as u64, stated: stated.len() as u64, total: sum(&stated) }
    };
    let names = |row: &Value, code: &str| {
        row["industries"].as_array().is_some_and(|codes| codes.iter().any(|held| folded("industries", held) == code))
    };
    let codes = facet(rows, "industries").buckets.into_iter().map(|bucket| bucket.value);
    let stated = codes.map(|code| of(Some(code.clone()), rows.iter().filter(|row| names(row, &code)).collect()));
    let mut money: Vec<IndustryMoney> = stated.collect();
    money.sort_by(|one, other| other.total.cmp(&one.total).then_with(|| one.industry.cmp(&other.industry)));
    let silent: Vec<&Value> = rows.iter().filter(|row| row["industries"].is_null()).collect();
    money.extend((!silent.is_empty()).then(|| of(None, silent)));
    money
}
