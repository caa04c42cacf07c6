//! Values that JSON has no type of its own for.

use std::fmt;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// An amount of US dollars, in whole nano-dollars. As a JSON number it is exact up to fifteen digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd {
    /// Billionths of a dollar.
    pub nanos: i64,
}

/// A text, or a list: the short form of one text is enough for most.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TextOrList<T> {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<T>),
}

impl<T> Default for TextOrList<T> {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl<T> From<&str> for TextOrList<T> {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T> From<Vec<T>> for TextOrList<T> {
    fn from(list: Vec<T>) -> Self {
        Self::List(list)
    }
}

const NANOS: i64 = 1_000_000_000;

impl fmt::Display for Usd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanos < 0 { "-" } else { "" };
        let whole = self.nanos.unsigned_abs() / NANOS.unsigned_abs();
        let part = format!("{:09}", self.nanos.unsigned_abs() % NANOS.unsigned_abs());
        match part.trim_end_matches('0') {
            "" => write!(formatter, "{sign}{whole}"),
            part => write!(formatter, "{sign}{whole}.{part}"),
        }
    }
}

impl std::str::FromStr for Usd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "an amount of at most nine places";
        let (negative, plain) = text.strip_prefix('-').map_or((false, text), |plain| (true, plain));
        let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
        if whole.is_empty() || part.len() > 9 || !whole.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(WRONG);
        }
        let nanos: i64 = format!("{whole}{part:0<9}").parse().map_err(|_| WRONG)?;
        Ok(Self { nanos: if negative { -nanos } else { nanos } })
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.nanos % NANOS == 0 {
            return serializer.serialize_i64(self.nanos / NANOS);
        }
        self.to_string().parse::<f64>().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Amount;
        impl Visitor<'_> for Amount {
            type Value = Usd;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an amount of at most nine places")
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Usd, E> {
                value.to_string().parse().map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Usd, E> {
                value.to_string().parse().map_err(E::custom)
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Usd, E> {
                // The shortest text of a number is the one that it was read from, up to fifteen digits.
                let text = value.to_string();
                text.parse().or_else(|_| format!("{value:.9}").parse()).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Amount)
    }
}

/// A member that is there, be it null.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
