//! How much changed from day to day.

use catalogue_schema::insight::{ChangeDay, Interval, KindCount};
use catalogue_schema::{ChangeKind, Timestamp};

use crate::generation::Generation;

/// The changes that a generation knows, by the day on which they were observed, oldest first: those since `since` and before `until`,
/// where these are given. Days without changes are left out.
///
/// The window may be of any size, since what is counted is not sent.
#[must_use]
pub fn changes_by_day(generation: &Generation, since: Option<Timestamp>, until: Option<Timestamp>) -> Vec<ChangeDay> {
    let mut days: Vec<ChangeDay> = Vec::new();
    let mut first = 0;
    for publication in generation.publications() {
        let entries = first..publication.log_entries;
        first = publication.log_entries;
        let is_asked =
            since.is_none_or(|since| since <= publication.at) && until.is_none_or(|until| publication.at < until);
        if !is_asked || entries.is_empty() {
            continue;
        }
        let Some(day) = Interval::Day.start_of(publication.at) else { continue };
        if days.last().is_none_or(|last| last.day != day) {
            let kinds = ChangeKind::ALL.map(|kind| KindCount { kind, count: 0 }).to_vec();
            days.push(ChangeDay { day, kinds, count: 0 });
        }
        let Some(today) = days.last_mut() else { continue };
        today.count += entries.end - entries.start;
        for entry in entries {
            let kind = kind_of(generation.log.get(entry));
            if let Some(counted) = today.kinds.iter_mut().find(|counted| Some(counted.kind) == kind) {
                counted.count += 1;
            }
        }
    }
    days
}

/// The kind of a stored entry, which is its first field.
fn kind_of(row: &[u8]) -> Option<ChangeKind> {
    let rest = row.strip_prefix(br#"{"kind":""#)?;
    ChangeKind::ALL.into_iter().find(|kind| {
        let rest = rest.strip_prefix(kind.as_str().as_bytes());
        rest.is_some_and(|rest| rest.first() == Some(&b'"'))
    })
}

#[cfg(test)]
mod tests {
    use catalogue_schema::Change;

    use super::*;

    #[test]
    fn the_kind_stands_first_in_every_entry() {
        for kind in ChangeKind::ALL {
            let change = Change {
                kind,
                slug: "a".parse().expect("a slug"),
                title: String::new(),
                field: None,
                before: None,
                after: None,
                source_url: String::new(),
                observed_at: Timestamp::EPOCH,
            };
            assert_eq!(kind_of(&serde_json::to_vec(&change).expect("JSON")), Some(kind));
        }
        assert_eq!(kind_of(b"{}"), None);
    }
}
