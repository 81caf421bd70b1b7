//! Instants and counts as people read them.

use std::fmt;

use catalogue_schema::Timestamp;
use chrono::DateTime;

/// An instant, as a page shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(pub(super) Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp_millis(self.0.unix_millis()) {
            Some(instant) => instant.format("%-d %b %Y, %H:%M UTC").fmt(f),
            None => self.0.fmt(f),
        }
    }
}

/// A count, with its thousands apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) u32);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

/// How long somebody has to wait, rounded up.
pub(super) fn wait_in_words(millis: i64) -> String {
    let seconds = millis.max(1).cast_unsigned().div_ceil(1000);
    match (seconds, seconds.div_ceil(60)) {
        (1, _) => "1 second".to_owned(),
        (..=90, _) => format!("{seconds} seconds"),
        (_, minutes) => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_counts_and_waits_are_written_for_people() {
        let instant: Timestamp = "2026-11-01T06:07:59.999Z".parse().expect("an instant");
        assert_eq!(Moment(instant).to_string(), "1 Nov 2026, 06:07 UTC");
        let counts = [0, 999, 5_000, 1_234_567].map(|count| Count(count).to_string());
        assert_eq!(counts, ["0", "999", "5,000", "1,234,567"]);
        let waits = [-5, 1_000, 29_001, 90_000, 90_001, 900_000].map(wait_in_words);
        assert_eq!(waits, ["1 second", "1 second", "30 seconds", "90 seconds", "2 minutes", "15 minutes"]);
    }
}
