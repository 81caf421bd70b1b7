//! Exact amounts of US dollars.
//!
//! An amount is held in cents and written as a JSON number without passing through binary floating point, so what a source
//! stated to the cent is what a client reads (decisions, section 1).

use std::fmt;
use std::str::FromStr;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// An amount of US dollars, exact to the cent: a number with at most two decimals, never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = f64, minimum = 0, example = 15000)]
pub struct Money(u64);

impl Money {
    /// The largest amount held: what fits a signed 64-bit number of cents.
    pub const MAX: Self = Self(i64::MAX.cast_unsigned());

    /// An amount of whole and hundredth dollars, or `None` above [`Money::MAX`].
    #[must_use]
    pub const fn from_cents(cents: u64) -> Option<Self> {
        if cents > Self::MAX.0 { None } else { Some(Self(cents)) }
    }

    /// The amount in cents.
    #[must_use]
    pub const fn cents(self) -> u64 {
        self.0
    }

    /// The sum, or [`Money::MAX`] where it would not fit.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(Self::MAX.0))
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (dollars, 0) => write!(f, "{dollars}"),
            (dollars, cents) => write!(f, "{dollars}.{cents:02}"),
        }
    }
}

/// Why a number is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyError {
    /// The text is not a JSON number.
    NotANumber,
    /// The amount is below zero.
    Negative,
    /// The amount has more than two decimals.
    TooFine,
    /// The amount is above [`Money::MAX`].
    TooLarge,
}

impl fmt::Display for MoneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "an amount must be a JSON number",
            Self::Negative => "an amount must not be negative",
            Self::TooFine => "an amount must have at most two decimals",
            Self::TooLarge => "an amount must not exceed 92233720368547758.07",
        })
    }
}

impl std::error::Error for MoneyError {}

impl FromStr for Money {
    type Err = MoneyError;

    /// Reads a JSON number exactly, an exponent included: `1.5e3` is 1500 dollars.
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let (magnitude, negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
        let (mantissa, exponent) = match magnitude.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().map_err(|_| MoneyError::NotANumber)?),
            None => (magnitude, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) || mantissa.ends_with('.') {
            return Err(MoneyError::NotANumber);
        }
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self(0));
        }
        if negative {
            return Err(MoneyError::Negative);
        }
        // The value is `significant` times ten to this power, in cents.
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        let offset =
            i64::try_from(trailing).unwrap_or(i64::MAX) - i64::try_from(fraction.len()).unwrap_or(i64::MAX) + 2;
        let power = exponent.saturating_add(offset);
        if power < 0 {
            return Err(MoneyError::TooFine);
        }
        let scale = u32::try_from(power).ok().and_then(|power| 10_u64.checked_pow(power));
        let cents = significant.parse::<u64>().ok().zip(scale).and_then(|(number, scale)| number.checked_mul(scale));
        cents.and_then(Self::from_cents).ok_or(MoneyError::TooLarge)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            return serializer.serialize_u64(self.0 / 100);
        }
        // A raw JSON token is the only exact way through serde: its data model has no decimals.
        RawValue::from_string(self.to_string()).map_err(ser::Error::custom)?.serialize(serializer)
    }
}

/// An amount of US dollars with at most two decimals, as a number; never negative.
#[Scalar]
impl ScalarType for Money {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::Number(number) => number.to_string().parse().map_err(InputValueError::custom),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    /// The amount as JSON, in the one kind of value that is written as it is: a number would be binary floating point.
    fn to_value(&self) -> Value {
        Value::Binary(self.to_string().into_bytes().into())
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer)?.get().parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_exactly_in_every_notation_of_json() {
        for (text, cents) in [
            ("0", 0),
            ("-0.00", 0),
            ("0e99", 0),
            ("15000", 1_500_000),
            ("0.1", 10),
            ("1.10", 110),
            ("1.500", 150),
            ("1.5e3", 150_000),
            ("12345e-2", 12_345),
            ("100e-2", 100),
            ("92233720368547758.07", i64::MAX.cast_unsigned()),
        ] {
            assert_eq!(text.parse::<Money>().map(Money::cents), Ok(cents), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_refused_with_its_reason() {
        for (text, error) in [
            ("-1", MoneyError::Negative),
            ("0.001", MoneyError::TooFine),
            ("1e-3", MoneyError::TooFine),
            ("92233720368547758.08", MoneyError::TooLarge),
            ("1e400", MoneyError::TooLarge),
            ("1e99999999999999999999", MoneyError::NotANumber),
            ("\"5\"", MoneyError::NotANumber),
            ("true", MoneyError::NotANumber),
            ("", MoneyError::NotANumber),
        ] {
            assert_eq!(text.parse::<Money>(), Err(error), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn writing_and_reading_an_amount_gives_it_back(cents in 0..=Money::MAX.cents()) {
            let money = Money::from_cents(cents).expect("the range is that of Money");
            let json = serde_json::to_string(&money).expect("an amount has a JSON form");
            proptest::prop_assert_eq!(serde_json::from_str::<Money>(&json).expect("its own form is read"), money);
        }
    }
}
