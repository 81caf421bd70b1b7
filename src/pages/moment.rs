//! Instants and counts as people read them.

use std::fmt;

use catalogue_schema::{Money, Timestamp};
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
pub(super) struct Count(pub(super) u64);

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

/// A sum of money, to three figures or so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dollars(pub(super) Money);

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollars = self.0.cents() / 100;
        for (unit, name) in [(1_000_000_000, "billion"), (1_000_000, "million")] {
            if dollars >= unit {
                let hundredths = dollars / (unit / 100);
                return match hundredths {
                    ..1_000 => write!(f, "${}.{:02} {name}", hundredths / 100, hundredths % 100),
                    1_000..10_000 => write!(f, "${}.{} {name}", hundredths / 100, hundredths % 100 / 10),
                    _ => write!(f, "${} {name}", Count(hundredths / 100)),
                };
            }
        }
        write!(f, "${}", Count(dollars))
    }
}

/// A size in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes(pub(super) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, name) in [(1_000_000_000, "GB"), (1_000_000, "MB")] {
            if self.0 >= unit {
                return write!(f, "{}.{} {name}", Count(self.0 / unit), self.0 % unit * 10 / unit);
            }
        }
        write!(f, "{} kB", self.0.div_ceil(1_000))
    }
}

/// How long ago something was, rounded down.
pub(super) fn age_in_words(since: Timestamp, now: Timestamp) -> String {
    let minutes = (now.unix_millis() - since.unix_millis()).max(0).cast_unsigned() / 60_000;
    let (count, unit) = match minutes {
        ..120 => (minutes, "minute"),
        120..2_880 => (minutes / 60, "hour"),
        _ => (minutes / 1_440, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", Count(count))
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
        let dollars =
            ["0", "999.99", "1000000", "12345678", "987654321", "1234000000", "23456000000", "92233720368547758.07"]
                .map(|amount| Dollars(amount.parse().expect("an amount")).to_string());
        let expected = [
            "$0",
            "$999",
            "$1.00 million",
            "$12.3 million",
            "$987 million",
            "$1.23 billion",
            "$23.4 billion",
            "$92,233,720 billion",
        ];
        assert_eq!(dollars, expected);
        let bytes = [0, 1, 999_999, 1_000_000, 52_340_000, 1_999_999_999].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(bytes, ["0 kB", "1 kB", "1000 kB", "1.0 MB", "52.3 MB", "1.9 GB"]);
        let ages = [-1, 0, 1, 119, 120, 2_879, 2_880].map(|minutes| {
            age_in_words(Timestamp::EPOCH, Timestamp::from_unix_millis(minutes * 60_000).expect("an instant"))
        });
        assert_eq!(ages, ["0 minutes", "0 minutes", "1 minute", "119 minutes", "2 hours", "47 hours", "2 days"]);
        let waits = [-5, 1_000, 29_001, 90_000, 90_001, 900_000].map(wait_in_words);
        assert_eq!(waits, ["1 second", "1 second", "30 seconds", "90 seconds", "2 minutes", "15 minutes"]);
    }
}
