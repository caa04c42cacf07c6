//! The values that travel with an error code.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use super::Usd;

/// A value that travels with a code: the types that `with:` knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WithValue {
    /// Text.
    Text(Cow<'static, str>),
    /// A whole number.
    Int(i64),
    /// An amount of money.
    Usd(Usd),
    /// A switch.
    Bool(bool),
}

impl fmt::Display for WithValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Int(number) => number.fmt(f),
            Self::Usd(amount) => amount.fmt(f),
            Self::Bool(switch) => switch.fmt(f),
        }
    }
}

impl Serialize for WithValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Int(number) => number.serialize(serializer),
            Self::Usd(amount) => amount.serialize(serializer),
            Self::Bool(switch) => switch.serialize(serializer),
        }
    }
}

impl From<Cow<'static, str>> for WithValue {
    fn from(text: Cow<'static, str>) -> Self {
        Self::Text(text)
    }
}

impl From<&'static str> for WithValue {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for WithValue {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<i64> for WithValue {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<Usd> for WithValue {
    fn from(amount: Usd) -> Self {
        Self::Usd(amount)
    }
}

impl From<bool> for WithValue {
    fn from(switch: bool) -> Self {
        Self::Bool(switch)
    }
}
