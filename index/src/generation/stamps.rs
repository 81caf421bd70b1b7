//! Instants of publications, which rows refer to by number.
//!
//! When a row is written, the instant of its publication is not known yet: it is taken at the very end. So a stored row ends
//! before the fields that name publications, and they are appended when it is read. As a welcome consequence a row that does not
//! change has the same bytes in every generation.

use catalogue_schema::timestamp::WRITTEN_LENGTH;

/// The fields at the end of a row that hold instants of publications.
///
/// Held as what stands before each instant, because they are written for every row of a page.
pub(crate) struct Stamps<const N: usize>([&'static [u8]; N]);

/// Of a grant.
pub(crate) const GRANT: Stamps<2> = Stamps([b",\"first_seen_at\":\"", b"\",\"updated_at\":\""]);
/// Of an entry of the change feed.
pub(crate) const CHANGE: Stamps<1> = Stamps([b",\"observed_at\":\""]);

/// What stands behind the last instant: the brace closes the row.
const END: &[u8] = b"\"}";

/// An instant as it is written in JSON, without its quotes.
pub(crate) type Written = [u8; WRITTEN_LENGTH];

impl<const N: usize> Stamps<N> {
    /// How long the fields are together, with the brace that closes the row.
    pub(crate) const fn length(&self) -> usize {
        let mut length = END.len();
        let mut at = 0;
        while at < N {
            length += self.0[at].len() + WRITTEN_LENGTH;
            at += 1;
        }
        length
    }

    /// Takes the fields off a whole row.
    pub(crate) fn cut(&self, row: &mut Vec<u8>) {
        debug_assert!(row.ends_with(b"\"}"), "a row ends with its stamps");
        row.truncate(row.len().saturating_sub(self.length()));
    }

    /// Appends the fields to a stored row.
    pub(crate) fn append(&self, row: &mut Vec<u8>, instants: [&Written; N]) {
        for (before, instant) in self.0.iter().zip(instants) {
            row.extend_from_slice(before);
            row.extend_from_slice(instant);
        }
        row.extend_from_slice(END);
    }
}

#[cfg(test)]
mod tests {
    use catalogue_schema::{Change, ChangeKind, Grant, Timestamp};

    use super::*;

    #[test]
    fn the_stamps_stand_at_the_end_of_every_stamped_resource() {
        let first: Timestamp = "2026-01-01T00:00:00Z".parse().expect("an instant");
        let second: Timestamp = "2026-02-03T04:05:06.789Z".parse().expect("an instant");
        let grant = r#"{"slug":"a","title":"A","summary":null,"funder":{"slug":"f","name":"F"},"status":"open","elig_entities":null,"elig_states":null,"industries":null,"amount_min":null,"amount_max":null,"amount_total_pool":null,"match_required":null,"opens_at":null,"deadline":null,"source_url":"https://a.example/","last_verified_at":"2026-01-01T00:00:00.000Z","first_seen_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-02-03T04:05:06.789Z"}"#;
        let parsed: Grant = serde_json::from_str(grant).expect("a grant");
        assert_eq!(serde_json::to_string(&parsed).expect("json"), grant);
        let mut row = grant.as_bytes().to_vec();
        GRANT.cut(&mut row);
        assert!(row.ends_with(br#""last_verified_at":"2026-01-01T00:00:00.000Z""#));
        GRANT.append(&mut row, [&first.written(), &second.written()]);
        assert_eq!(row, grant.as_bytes());

        let change = Change {
            kind: ChangeKind::RecordAdded,
            slug: "a".parse().expect("a slug"),
            title: "A".to_owned(),
            field: None,
            before: None,
            after: None,
            source_url: "https://a.example/".to_owned(),
            observed_at: first,
        };
        let whole = serde_json::to_vec(&change).expect("json");
        let mut row = whole.clone();
        CHANGE.cut(&mut row);
        CHANGE.append(&mut row, [&first.written()]);
        assert_eq!(row, whole);
    }
}
