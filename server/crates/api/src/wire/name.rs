//! Closed and open sets of names: what the output of `WireEnum` reads with.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

use super::refusal::{Refusal, mismatch};
use super::suggest::{one_of, shown};

/// A set of names, each standing for a value. The derive implements it.
pub trait Named: Sized + 'static {
    /// The names on the wire, in the declared order.
    const NAMES: &'static [&'static str];

    /// The value of a name; `None` when the set is closed and has no such name.
    fn from_name(name: &str) -> Option<Self>;
}

/// `FromStr` of a [`Named`] set.
///
/// # Errors
/// When the set is closed and has no such name.
pub fn parse_name<T: Named>(name: &str) -> Result<T, Refusal> {
    T::from_name(name).ok_or_else(|| Refusal::value(&one_of(T::NAMES, name), &format!("`{}`", shown(name))))
}

/// `Deserialize` of a [`Named`] set.
///
/// # Errors
/// When there is no string, or the set is closed and has no such name.
pub fn read_name<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(NameVisitor(std::marker::PhantomData))
}

struct NameVisitor<T>(std::marker::PhantomData<T>);

impl<T: Named> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        T::from_name(name).ok_or_else(|| E::custom(mismatch(one_of(T::NAMES, name), format_args!("`{}`", shown(name)))))
    }
}
