//! Conditions on a parameter or a member of a head, as code and as words.

use super::Raw;
use super::wire::{Number, in_length, in_range};
use tollgate_base::Usd;

/// A condition on a `T` beyond its type. A bare text sets none and says what the type is.
pub trait ValueConstraint<T>: Copy {
    /// True if the value is as expected.
    fn holds(&self, value: &T) -> bool;
    /// The words for the error: "a whole number of 1 to 128".
    fn words(&self) -> String;
}

impl<T> ValueConstraint<T> for &'static str {
    fn holds(&self, _: &T) -> bool {
        true
    }

    fn words(&self) -> String {
        (*self).to_owned()
    }
}

/// A JSON list. The number of its items beyond none is not known: it is not read.
#[derive(Debug, Clone, Copy)]
pub struct AList {
    filled: bool,
}

impl AList {
    /// A list of any length.
    pub const ANY: Self = Self { filled: false };
    /// A list with at least one item.
    pub const FILLED: Self = Self { filled: true };
}

impl ValueConstraint<Raw> for AList {
    fn holds(&self, value: &Raw) -> bool {
        value.is_list() && !(self.filled && value.is_empty())
    }

    fn words(&self) -> String {
        if self.filled { "a list with at least one item".to_owned() } else { "a list".to_owned() }
    }
}

/// A JSON object.
#[derive(Debug, Clone, Copy)]
pub struct AnObject;

impl ValueConstraint<Raw> for AnObject {
    fn holds(&self, value: &Raw) -> bool {
        value.is_object()
    }

    fn words(&self) -> String {
        "an object".to_owned()
    }
}

macro_rules! bounded {
    ($(#[doc = $doc:literal] $name:ident of $bound:ty, $value:ty: $check:path, $what:literal $unit:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            min: Option<$bound>,
            max: Option<$bound>,
        }

        impl $name {
            /// The bounds from `min` to `max`, both allowed.
            #[must_use]
            pub const fn of(min: $bound, max: $bound) -> Self {
                Self { min: Some(min), max: Some(max) }
            }

            /// The bound of at least `min`.
            #[must_use]
            pub const fn least(min: $bound) -> Self {
                Self { min: Some(min), max: None }
            }

            /// The bound of at most `max`.
            #[must_use]
            pub const fn most(max: $bound) -> Self {
                Self { min: None, max: Some(max) }
            }
        }

        impl ValueConstraint<$value> for $name {
            fn holds(&self, value: &$value) -> bool {
                $check(value, self.min, self.max).is_ok()
            }

            fn words(&self) -> String {
                match (self.min, self.max) {
                    (Some(min), Some(max)) => format!("{} of {min} to {max}{}", $what, $unit),
                    (Some(min), None) => format!("{} of at least {min}{}", $what, $unit),
                    (None, Some(max)) => format!("{} of at most {max}{}", $what, $unit),
                    (None, None) => $what.to_owned(),
                }
            }
        }
    )*};
}

bounded! {
    /// A whole number within bounds.
    Whole of i64, i64: in_range, "a whole number" "";
    /// A number within whole bounds.
    ANumber of i64, Number: in_range, "a number" "";
    /// An amount within whole bounds.
    Dollars of i64, Usd: in_range, "an amount in US dollars" "";
    /// A text whose length in characters is within bounds.
    Text of usize, String: in_length, "a text" " characters";
}
