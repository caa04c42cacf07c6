//! Numbers that stay as they were written, and sizes in bytes.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

/// A number as it was written: never a binary float, so `0.10` stays `0.10`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WrittenNumber {
    text: String,
}

impl WrittenNumber {
    /// Decimal places that are kept: those of a nano-USD.
    pub const SCALE: u32 = 9;

    /// A number from its text; meaning is only looked at by [`Self::nanos`].
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number times 10^9, exactly; `None` when it has an exponent, more than nine decimals or too many digits.
    #[must_use]
    pub fn nanos(&self) -> Option<i128> {
        let (negative, digits) = match self.text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, self.text.strip_prefix('+').unwrap_or(&self.text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !plain(whole) || !plain(fraction) || fraction.len() > Self::SCALE as usize {
            return None;
        }
        let missing = Self::SCALE - u32::try_from(fraction.len()).ok()?;
        let scaled: i128 = format!("{whole}{fraction}").parse().ok()?;
        let nanos = scaled.checked_mul(10_i128.pow(missing))?;
        Some(if negative { -nanos } else { nanos })
    }

    /// The whole number it is, where it is one.
    #[must_use]
    pub fn whole(&self) -> Option<i128> {
        let nanos = self.nanos()?;
        let one = 10_i128.pow(Self::SCALE);
        (nanos % one == 0).then_some(nanos / one)
    }

    /// The number of 64 bits that it is, where it is one.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        i64::try_from(self.whole()?).ok()
    }

    /// The amount in nano-USD, where it is one of 64 bits.
    #[must_use]
    pub fn nano_usd(&self) -> Option<i64> {
        i64::try_from(self.nanos()?).ok()
    }

    /// The order of two numbers; `None` when either is out of range.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        Some(self.nanos()?.cmp(&other.nanos()?))
    }

    /// The number in JSON: an integer where it fits, else what JSON makes of its text.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let text = self.text.strip_prefix('+').unwrap_or(&self.text);
        serde_json::from_str(text).unwrap_or(serde_json::Value::Null)
    }
}

impl<'de> Deserialize<'de> for WrittenNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

impl JsonSchema for WrittenNumber {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "number"})
    }
}

/// A size in bytes: `65536`, `64 KiB`, `4 MiB`, `1 GiB`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByteCount {
    text: String,
}

impl ByteCount {
    /// The size; `None` where the text is not one (there is a diagnostic then).
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let (count, unit) = self.text.split_once(' ').unwrap_or((&self.text, "B"));
        let shift = match unit {
            "B" => 0,
            "KiB" => 10,
            "MiB" => 20,
            "GiB" => 30,
            _ => return None,
        };
        count.parse::<u64>().ok()?.checked_mul(1 << shift)
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl<'de> Deserialize<'de> for ByteCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self { text })
    }
}

impl JsonSchema for ByteCount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ByteCount".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        let nanos = |text: &str| WrittenNumber::new(text).nanos();
        assert_eq!(nanos("0.10"), Some(100_000_000));
        assert_eq!(nanos("-2"), Some(-2_000_000_000));
        assert_eq!(nanos("0.0000000001"), None);
        assert_eq!(nanos("1e3"), None);
        assert_eq!(nanos("."), None);
        assert_eq!(WrittenNumber::new("1.50").whole(), None);
        assert_eq!(WrittenNumber::new("1.0").whole(), Some(1));
    }

    #[test]
    fn sizes_have_units() {
        let bytes = |text: &str| ByteCount { text: text.to_owned() }.bytes();
        assert_eq!(bytes("65536"), Some(65536));
        assert_eq!(bytes("4 MiB"), Some(4 << 20));
        assert_eq!(bytes("4 MB"), None);
        assert_eq!(bytes("99999999999 GiB"), None);
    }
}
