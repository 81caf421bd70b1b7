//! Instants in UTC to the millisecond.

use std::fmt;
use std::str::FromStr;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// An instant in UTC with milliseconds, between the years 0 and 9999; written `2026-07-26T20:05:28.582Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-07-26T20:05:28.582Z")]
pub struct Timestamp(i64);

/// How long the written form of every [`Timestamp`] is, in bytes.
pub const WRITTEN_LENGTH: usize = 24;

/// Why a text is not an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnInstant;

impl fmt::Display for NotAnInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a timestamp must be RFC 3339 with an offset, such as 2026-07-26T20:05:28.582Z, in the years 0 to 9999",
        )
    }
}

impl std::error::Error for NotAnInstant {}

impl Timestamp {
    /// 1970-01-01T00:00:00.000Z.
    pub const EPOCH: Self = Self(0);

    /// 0000-01-01T00:00:00.000Z, the first instant there is.
    pub const FIRST: Self = Self(-62_167_219_200_000);

    /// 9999-12-31T23:59:59.999Z, the last.
    pub const LAST: Self = Self(253_402_300_799_999);

    /// The instant so many milliseconds after 1970-01-01T00:00:00Z, or `None` outside the years 0 to 9999.
    #[must_use]
    pub const fn from_unix_millis(unix_millis: i64) -> Option<Self> {
        if Self::FIRST.0 <= unix_millis && unix_millis <= Self::LAST.0 { Some(Self(unix_millis)) } else { None }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn unix_millis(self) -> i64 {
        self.0
    }

    /// The written form, in ASCII.
    #[must_use]
    pub fn written(self) -> [u8; WRITTEN_LENGTH] {
        let instant = DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut put = |at: usize, digits: usize, mut number: u32| {
            for place in text[at..at + digits].iter_mut().rev() {
                *place += u8::try_from(number % 10).unwrap_or(0);
                number /= 10;
            }
        };
        put(0, 4, instant.year().unsigned_abs());
        put(5, 2, instant.month());
        put(8, 2, instant.day());
        put(11, 2, instant.hour());
        put(14, 2, instant.minute());
        put(17, 2, instant.second());
        put(20, 3, instant.timestamp_subsec_millis());
        text
    }

    /// The first whole millisecond at or after `instant`, or `None` outside the years 0 to 9999.
    #[must_use]
    pub fn at_or_after(instant: DateTime<Utc>) -> Option<Self> {
        let finer = !instant.timestamp_subsec_nanos().is_multiple_of(1_000_000);
        Self::from_unix_millis(instant.timestamp_millis() + i64::from(finer))
    }

    /// The instant `millis` later (earlier where negative), or `None` outside the years 0 to 9999.
    #[must_use]
    pub fn plus_millis(self, millis: i64) -> Option<Self> {
        Self::from_unix_millis(self.0.checked_add(millis)?)
    }

    /// Reads the start of a window: `YYYY-MM-DD` is the start of that UTC day, anything else RFC 3339 (decisions,
    /// section 3). A finer instant is rounded up, so that nothing before it is let in.
    #[must_use]
    pub fn parse_window_start(text: &str) -> Option<Self> {
        let is_date = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if is_date {
            let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
            return Self::at_or_after(day.and_hms_opt(0, 0, 0)?.and_utc());
        }
        Self::at_or_after(DateTime::parse_from_rfc3339(text).ok()?.to_utc())
    }
}

impl FromStr for Timestamp {
    type Err = NotAnInstant;

    /// Reads RFC 3339 with any offset; what is finer than a millisecond is cut off.
    fn from_str(text: &str) -> Result<Self, NotAnInstant> {
        let instant = DateTime::parse_from_rfc3339(text).map_err(|_| NotAnInstant)?;
        Self::from_unix_millis(instant.timestamp_millis()).ok_or(NotAnInstant)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.written()).unwrap_or_default())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An instant in RFC 3339. The service writes it in UTC with milliseconds, such as `2026-07-26T20:05:28.582Z`, and reads it with any
/// offset.
#[Scalar(specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for Timestamp {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(text) => text.parse().map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn is_valid(value: &Value) -> bool {
        Self::parse(value.clone()).is_ok()
    }

    fn to_value(&self) -> Value {
        Value::String(self.to_string())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer, |text| text.parse().map_err(de::Error::custom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instant_is_written_in_utc_with_milliseconds() {
        for (text, written) in [
            ("2026-07-26T23:59:59.000-04:00", "2026-07-27T03:59:59.000Z"),
            ("2026-07-26T20:05:28Z", "2026-07-26T20:05:28.000Z"),
            ("2026-07-26T20:05:28.5829Z", "2026-07-26T20:05:28.582Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            let instant: Timestamp = text.parse().expect(text);
            assert_eq!(instant.to_string(), written);
            assert_eq!(written.len(), WRITTEN_LENGTH);
        }
        assert_eq!("0000-01-01T00:00:00Z".parse(), Ok(Timestamp::FIRST));
        assert_eq!("9999-12-31T23:59:59.999Z".parse(), Ok(Timestamp::LAST));
        assert_eq!((Timestamp::FIRST.plus_millis(-1), Timestamp::LAST.plus_millis(1)), (None, None));
    }

    #[test]
    fn what_is_no_instant_is_refused() {
        for text in
            ["", "2026-07-26", "2026-07-26T20:05:28", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59-01:00", "now"]
        {
            assert_eq!(text.parse::<Timestamp>(), Err(NotAnInstant), "{text}");
        }
    }

    #[test]
    fn a_window_starts_on_a_day_or_at_an_instant_and_lets_nothing_earlier_in() {
        let written = |text| Timestamp::parse_window_start(text).map(|instant| instant.to_string());
        assert_eq!(written("2026-07-26").as_deref(), Some("2026-07-26T00:00:00.000Z"));
        assert_eq!(written("2026-07-26T02:00:00+02:00").as_deref(), Some("2026-07-26T00:00:00.000Z"));
        assert_eq!(written("2026-07-26T00:00:00.0001Z").as_deref(), Some("2026-07-26T00:00:00.001Z"));
        for text in ["2026-7-26", "2026-07-32", "26-07-2026", "2026-07-26T00:00:00 02:00", "yesterday", "2026-07-2６"]
        {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
