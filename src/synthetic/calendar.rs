//! Dates as sources state them: days in the Eastern time of the United States, a deadline being the end of one.

use std::fmt;

use catalogue_schema::Timestamp;
use chrono::{DateTime, Datelike, FixedOffset, SecondsFormat};
use serde::{Serialize, Serializer};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The day, counted from 1970-01-01, on which an instant falls.
pub(super) fn day_of(instant: Timestamp) -> i64 {
    (instant.unix_millis() - offset_hours(instant.unix_millis()) * HOUR).div_euclid(DAY)
}

/// The first instant of a day, or `None` outside the years 0 to 9999.
pub(super) fn start_of(day: i64) -> Option<Timestamp> {
    at(day, 0)
}

/// The last second of a day, or `None` outside the years 0 to 9999.
pub(super) fn end_of(day: i64) -> Option<Timestamp> {
    at(day, DAY - 1_000)
}

/// Five o'clock in the afternoon of a day, or `None` outside the years 0 to 9999.
pub(super) fn close_of_business(day: i64) -> Option<Timestamp> {
    at(day, 17 * HOUR)
}

/// The year of an instant.
pub(super) fn year_of(instant: Timestamp) -> i32 {
    DateTime::from_timestamp_millis(instant.unix_millis()).unwrap_or_default().year()
}

/// The day of the month of a day.
pub(super) fn day_of_month(day: i64) -> i64 {
    DateTime::from_timestamp_millis(day.saturating_mul(DAY)).map_or(1, |date| i64::from(date.day()))
}

/// An instant written with the offset of Eastern time, `2026-07-26T23:59:59-04:00`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eastern(pub(super) Timestamp);

impl fmt::Display for Eastern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unix_millis = self.0.unix_millis();
        let offset = if offset_hours(unix_millis) == 4 {
            FixedOffset::west_opt(4 * 3_600)
        } else {
            FixedOffset::west_opt(5 * 3_600)
        };
        let local = DateTime::from_timestamp_millis(unix_millis)
            .zip(offset)
            .map(|(instant, offset)| instant.with_timezone(&offset))
            // The first hours of the year 0 lie in the year before it there, which RFC 3339 cannot write.
            .filter(|local| local.year() >= 0);
        match local {
            Some(local) => f.write_str(&local.to_rfc3339_opts(SecondsFormat::AutoSi, false)),
            None => self.0.fmt(f),
        }
    }
}

impl Serialize for Eastern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn at(day: i64, time: i64) -> Option<Timestamp> {
    let local = day.checked_mul(DAY)?.checked_add(time)?;
    let standard = local.checked_add(5 * HOUR)?;
    Timestamp::from_unix_millis(standard - (5 - offset_hours(standard)) * HOUR)
}

/// How many hours Eastern time is behind UTC: four from the second Sunday of March to the first of November, else five. Where an
/// instant is beyond the calendar, five.
fn offset_hours(unix_millis: i64) -> i64 {
    // Clocks are put forward at 07:00 UTC. They are put back at 06:00, but no date made here is between the two.
    let Some(date) = unix_millis.checked_sub(7 * HOUR).and_then(DateTime::from_timestamp_millis) else { return 5 };
    let last_sunday = i64::from(date.day()) - i64::from(date.weekday().num_days_from_sunday());
    let summer = match date.month() {
        3 => last_sunday >= 8,
        4..=10 => true,
        11 => last_sunday < 1,
        _ => false,
    };
    if summer { 4 } else { 5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(date: &str) -> i64 {
        format!("{date}T00:00:00Z").parse::<Timestamp>().expect(date).unix_millis() / DAY
    }

    #[test]
    fn a_deadline_is_the_end_of_a_day_in_summer_and_in_winter_time() {
        for (date, offset) in [
            ("2026-01-15", "-05:00"),
            ("2026-03-07", "-05:00"),
            ("2026-03-08", "-04:00"),
            ("2026-07-26", "-04:00"),
            ("2026-10-31", "-04:00"),
            ("2026-11-01", "-05:00"),
            ("2026-12-31", "-05:00"),
        ] {
            let deadline = end_of(day(date)).expect(date);
            let written = format!("{date}T23:59:59{offset}");
            assert_eq!(Eastern(deadline).to_string(), written);
            assert_eq!(written.parse(), Ok(deadline));
            assert_eq!(day_of(deadline), day(date));
            let start = start_of(day(date)).expect(date);
            assert!(Eastern(start).to_string().starts_with(&format!("{date}T00:00:00-")));
        }
    }

    #[test]
    fn what_is_written_reads_back_at_the_ends_of_time() {
        for text in ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-07-26T12:34:56.789Z"] {
            let instant: Timestamp = text.parse().expect(text);
            assert_eq!(Eastern(instant).to_string().parse(), Ok(instant), "{text}");
        }
        assert_eq!(end_of(day("9999-12-31")), None);
        assert_eq!(end_of(i64::MAX), None);
    }
}
