//! UTC days.

use catalogue_schema::Timestamp;

const MILLIS: i64 = 86_400_000;
const SECONDS: i64 = 86_400;

/// A UTC day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The day in which `instant` falls.
    #[must_use]
    pub const fn of(instant: Timestamp) -> Self {
        Self(instant.unix_millis().div_euclid(MILLIS))
    }

    /// The day before.
    #[must_use]
    pub const fn before(self) -> Self {
        Self(self.0 - 1)
    }

    /// The day that ends so many Unix seconds after 1970 began.
    #[must_use]
    pub const fn that_ends_at(seconds: i64) -> Self {
        Self(seconds / SECONDS - 1)
    }

    /// When the day ends, in Unix seconds.
    #[must_use]
    pub const fn ends_at(self) -> i64 {
        (self.0 + 1) * SECONDS
    }

    /// Days since 1970-01-01: the number the store counts under.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_where_the_next_begins() {
        for (text, ends) in [
            ("1970-01-01T00:00:00Z", 86_400),
            ("1970-01-01T23:59:59.999Z", 86_400),
            ("1970-01-02T00:00:00Z", 172_800),
            ("1969-12-31T23:59:59.999Z", 0),
        ] {
            assert_eq!(Day::of(text.parse().expect(text)).ends_at(), ends, "{text}");
        }
    }
}
