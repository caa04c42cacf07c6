//! The check of bounds: they fit the type, and each other.

use std::cmp::Ordering;

use super::{context::Context, expressions::Underlying};
use crate::{
    diagnostics::{Diagnostic, codes::types},
    model::{Base, Field, Located, Number, Place, Primitive, Type},
};

/// The bounds of a field, or of a type that `is` another.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    pub(super) min: Option<&'a Located<Number>>,
    pub(super) max: Option<&'a Located<Number>>,
    pub(super) min_len: Option<&'a Located<u64>>,
    pub(super) max_len: Option<&'a Located<u64>>,
    pub(super) min_items: Option<&'a Located<u64>>,
    pub(super) max_items: Option<&'a Located<u64>>,
}

macro_rules! bounds_of {
    ($owner:expr) => {
        Bounds {
            min: $owner.min.as_ref(),
            max: $owner.max.as_ref(),
            min_len: $owner.min_len.as_ref(),
            max_len: $owner.max_len.as_ref(),
            min_items: $owner.min_items.as_ref(),
            max_items: $owner.max_items.as_ref(),
        }
    };
}

impl<'a> From<&'a Field> for Bounds<'a> {
    fn from(field: &'a Field) -> Self {
        bounds_of!(field)
    }
}

impl<'a> From<&'a Type> for Bounds<'a> {
    fn from(named: &'a Type) -> Self {
        bounds_of!(named)
    }
}

impl Bounds<'_> {
    /// Every bound that is there: its key, its place, and what it bounds.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, Place, Of)> {
        [
            self.min.map(|bound| ("min", bound.place, Of::Value)),
            self.max.map(|bound| ("max", bound.place, Of::Value)),
            self.min_len.map(|bound| ("min_len", bound.place, Of::Length)),
            self.max_len.map(|bound| ("max_len", bound.place, Of::Length)),
            self.min_items.map(|bound| ("min_items", bound.place, Of::Items)),
            self.max_items.map(|bound| ("max_items", bound.place, Of::Items)),
        ]
        .into_iter()
        .flatten()
    }
}

/// The quantity that a bound limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Value,
    Length,
    Items,
}

impl Of {
    /// The quantity of a type that bounds can limit, `Some(None)` for none; `None` where the type is unknown.
    const fn bounded(underlying: Underlying<'_>) -> Option<Option<Self>> {
        match underlying {
            Underlying::Unknown => None,
            Underlying::Const | Underlying::Enum(_) | Underlying::Object => Some(None),
            Underlying::List | Underlying::Map => Some(Some(Self::Items)),
            Underlying::Primitive(primitive) => match primitive {
                Primitive::Int | Primitive::Number | Primitive::Usd | Primitive::UnixSeconds => Some(Some(Self::Value)),
                Primitive::WrittenUsd => Some(None),
                Primitive::String | Primitive::Url | Primitive::Bytes => Some(Some(Self::Length)),
                Primitive::Bool | Primitive::Json | Primitive::Date | Primitive::DateTime => Some(None),
            },
        }
    }

    const fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Value => ["min", "max"],
            Self::Length => ["min_len", "max_len"],
            Self::Items => ["min_items", "max_items"],
        }
    }
}

impl<'a> Context<'a> {
    /// Checks the bounds of something of a type.
    pub(super) fn bounds(&mut self, bounds: &Bounds<'_>, base: &Base, written: &str) {
        for number in [bounds.min, bounds.max].into_iter().flatten() {
            self.exact(number);
        }
        let Some(bounded) = Of::bounded(self.underlying(base)) else { return };
        for (key, place, of) in bounds.all() {
            if Some(of) != bounded {
                let message = format!("`{key}` does not fit `{written}`");
                let mut complaint = Diagnostic::error(types::BOUND_DOES_NOT_FIT, place, message);
                if let Some(bounded) = bounded {
                    let [least, most] = bounded.keys();
                    complaint = complaint.note(format!("this type is bounded by `{least}` and `{most}`"));
                }
                self.complain(complaint);
            }
        }
        self.crossed(bounds.min, bounds.max, |min, max| min.compare(max) == Some(Ordering::Greater));
        self.crossed(bounds.min_len, bounds.max_len, |min, max| min > max);
        self.crossed(bounds.min_items, bounds.max_items, |min, max| min > max);
    }

    fn crossed<T>(&mut self, min: Option<&Located<T>>, max: Option<&Located<T>>, above: impl Fn(&T, &T) -> bool) {
        if let (Some(min), Some(max)) = (min, max)
            && above(&min.value, &max.value)
        {
            self.complain(
                Diagnostic::error(types::BOUNDS_CROSSED, min.place, "the least value is above the greatest")
                    .and(max.place, "the greatest"),
            );
        }
    }

    /// Complains about a number that cannot be kept exactly.
    pub(super) fn exact(&mut self, number: &Located<Number>) -> bool {
        let exact = number.nanos().is_some();
        if !exact {
            let message = format!("`{}` has more than nine decimals, or too many digits", number.text());
            self.complain(Diagnostic::error(types::UNREADABLE_NUMBER, number.place, message));
        }
        exact
    }
}
