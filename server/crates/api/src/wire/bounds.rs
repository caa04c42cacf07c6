//! Bounds of fields: `min`/`max` for numbers, `min_len`/`max_len` for texts, `min_items`/`max_items` for lists.
//!
//! Which types a bound can stand on is a trait, so that a bound on the wrong type is a compile error in our words.

use std::cmp::Ordering;
use std::fmt;

use super::refusal::mismatch;
use super::{Map, Number};
use tollgate_base::Usd;

const NANOS_PER_USD: i128 = 1_000_000_000;

/// A value that `min` and `max` can be set for.
#[diagnostic::on_unimplemented(
    message = "`min` and `max` need a number, `{Self}` is none",
    label = "has no size to compare",
    note = "`min_len`/`max_len` bound a text, `min_items`/`max_items` a list or map"
)]
pub trait HasRange {
    /// The order of the value and `bound`; `None` when there is no value to compare.
    fn against(&self, bound: i64) -> Option<Ordering>;
    /// The value for the message.
    fn show(&self) -> String;
}

/// A value that `min_len` and `max_len` can be set for.
#[diagnostic::on_unimplemented(
    message = "`min_len` and `max_len` need a text, `{Self}` is none",
    label = "has no length",
    note = "`min`/`max` bound a number, `min_items`/`max_items` a list or map"
)]
pub trait HasLength {
    /// The length in characters; `None` when there is no value.
    fn characters(&self) -> Option<usize>;
}

/// A value that `min_items` and `max_items` can be set for.
#[diagnostic::on_unimplemented(
    message = "`min_items` and `max_items` need a list or map, `{Self}` is none",
    label = "has no items",
    note = "`min`/`max` bound a number, `min_len`/`max_len` a text"
)]
pub trait HasItems {
    /// The number of items; `None` when there is no value.
    fn items(&self) -> Option<usize>;
}

/// Checks `min` and `max`.
///
/// # Errors
/// The text of the complaint.
pub fn in_range<T: HasRange>(value: &T, min: Option<i64>, max: Option<i64>) -> Result<(), String> {
    let low = min.is_some_and(|min| value.against(min) == Some(Ordering::Less));
    let high = max.is_some_and(|max| value.against(max) == Some(Ordering::Greater));
    if low || high { Err(mismatch(span("a value", min, max, ""), value.show())) } else { Ok(()) }
}

/// Checks `min_len` and `max_len`, in characters.
///
/// # Errors
/// The text of the complaint.
pub fn in_length<T: HasLength>(value: &T, min: Option<usize>, max: Option<usize>) -> Result<(), String> {
    counted("a text", value.characters(), min, max, " characters")
}

/// Checks `min_items` and `max_items`.
///
/// # Errors
/// The text of the complaint.
pub fn in_items<T: HasItems>(value: &T, min: Option<usize>, max: Option<usize>) -> Result<(), String> {
    counted("a list", value.items(), min, max, " items")
}

fn counted(what: &str, count: Option<usize>, min: Option<usize>, max: Option<usize>, unit: &str) -> Result<(), String> {
    match count {
        Some(count) if min.is_some_and(|min| count < min) || max.is_some_and(|max| count > max) => {
            Err(mismatch(span(&format!("{what} of"), min, max, unit), format_args!("one of {count}")))
        }
        _ => Ok(()),
    }
}

fn span(what: &str, min: Option<impl fmt::Display>, max: Option<impl fmt::Display>, unit: &str) -> String {
    let from = if unit.is_empty() { " of" } else { "" };
    match (min, max) {
        (Some(min), Some(max)) => format!("{what}{from} {min} to {max}{unit}"),
        (Some(min), None) => format!("{what}{from} at least {min}{unit}"),
        (None, Some(max)) => format!("{what}{from} at most {max}{unit}"),
        (None, None) => what.to_owned(),
    }
}

macro_rules! int_range {
    ($($int:ty)*) => {$(
        impl HasRange for $int {
            fn against(&self, bound: i64) -> Option<Ordering> {
                Some(i128::from(*self).cmp(&i128::from(bound)))
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
int_range!(i8 i16 i32 i64 u8 u16 u32 u64);

impl HasRange for Number {
    /// Compares by the nearest float, which is exact for every bound anyone writes.
    fn against(&self, bound: i64) -> Option<Ordering> {
        let bound: f64 = bound.to_string().parse().expect("an integer is a float literal");
        self.as_f64().partial_cmp(&bound)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl HasRange for Usd {
    /// Compares in whole dollars.
    fn against(&self, bound: i64) -> Option<Ordering> {
        Some(i128::from(self.nanos()).cmp(&(i128::from(bound) * NANOS_PER_USD)))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl HasLength for String {
    fn characters(&self) -> Option<usize> {
        Some(self.chars().count())
    }
}

impl<T> HasItems for Vec<T> {
    fn items(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<T> HasItems for Map<T> {
    fn items(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<T: HasRange> HasRange for Option<T> {
    fn against(&self, bound: i64) -> Option<Ordering> {
        self.as_ref()?.against(bound)
    }

    fn show(&self) -> String {
        self.as_ref().map(T::show).unwrap_or_default()
    }
}

impl<T: HasLength> HasLength for Option<T> {
    fn characters(&self) -> Option<usize> {
        self.as_ref()?.characters()
    }
}

impl<T: HasItems> HasItems for Option<T> {
    fn items(&self) -> Option<usize> {
        self.as_ref()?.items()
    }
}
