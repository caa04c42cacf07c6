//! JSON that is carried, not understood: [`Json`] is any value, [`Number`] any number, each kept as it was written.

use std::fmt;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::refusal::{Refusal, mismatch, read};

/// Any JSON value, as the text it was written in. Equal when the texts are equal.
#[derive(Clone)]
pub struct Json(Box<RawValue>);

impl Json {
    /// A value from its text.
    ///
    /// # Errors
    /// When the text is not one JSON value.
    pub fn from_text(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    /// A value from anything that can be written.
    ///
    /// # Errors
    /// When `value` cannot be written as JSON.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// The text of the value, without space around it.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads the value as a `T`.
    ///
    /// # Errors
    /// When the value is not a `T`; the path in the refusal starts at this value.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        read(self.get().as_bytes())
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", self.get())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

/// A JSON number as the text it was written in: `0.10` stays `0.10`, and `1e400` and 2^64 are numbers like any other.
#[derive(Clone, PartialEq, Eq)]
pub struct Number(Json);

impl Number {
    /// A number from its text.
    ///
    /// # Errors
    /// When the text is not a JSON number.
    pub fn from_text(text: String) -> Result<Self, Refusal> {
        let json = Json::from_text(text).map_err(|_| Refusal::value("a number", "something else"))?;
        Self::from_json(json).map_err(|found| Refusal::value("a number", found))
    }

    /// The text of the number.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The nearest binary float; infinite where the number is out of its range.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.get().parse().expect("every JSON number is a Rust float literal")
    }

    /// The number as an integer, when it is written as one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.get().parse().ok()
    }

    fn from_json(json: Json) -> Result<Self, &'static str> {
        match json.get().as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => Ok(Self(json)),
            Some(b'"') => Err("a string"),
            Some(b'{') => Err("an object"),
            Some(b'[') => Err("a list"),
            Some(b'n') => Err("null"),
            _ => Err("a boolean"),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Json::of(&value).expect("an integer is a JSON number"))
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({})", self.get())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Self::from_json(json).map_err(|found| D::Error::custom(mismatch("a number", found)))
    }
}
