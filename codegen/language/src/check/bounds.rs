//! The check of bounds: they fit the type, and each other.

use std::cmp::Ordering;

use super::{context::CheckContext, expressions::UnderlyingType};
use crate::{
    diagnostics::{Diagnostic, codes::types},
    model::{BaseType, DeclaredField, DeclaredType, Primitive, SourceSpan, SpannedValue, WrittenNumber},
};

/// The greatest whole number that every reader of JSON keeps exactly.
const EXACT_MAX: u64 = (1 << 53) - 1;

/// The bounds of a field, or of a type that `is` another.
#[derive(Clone, Copy)]
pub(super) struct DeclaredBounds<'a> {
    pub(super) min: Option<&'a SpannedValue<WrittenNumber>>,
    pub(super) max: Option<&'a SpannedValue<WrittenNumber>>,
    pub(super) min_len: Option<&'a SpannedValue<u64>>,
    pub(super) max_len: Option<&'a SpannedValue<u64>>,
    pub(super) min_items: Option<&'a SpannedValue<u64>>,
    pub(super) max_items: Option<&'a SpannedValue<u64>>,
}

macro_rules! bounds_of {
    ($owner:expr) => {
        DeclaredBounds {
            min: $owner.min.as_ref(),
            max: $owner.max.as_ref(),
            min_len: $owner.min_len.as_ref(),
            max_len: $owner.max_len.as_ref(),
            min_items: $owner.min_items.as_ref(),
            max_items: $owner.max_items.as_ref(),
        }
    };
}

impl<'a> From<&'a DeclaredField> for DeclaredBounds<'a> {
    fn from(field: &'a DeclaredField) -> Self {
        bounds_of!(field)
    }
}

impl<'a> From<&'a DeclaredType> for DeclaredBounds<'a> {
    fn from(named: &'a DeclaredType) -> Self {
        bounds_of!(named)
    }
}

impl DeclaredBounds<'_> {
    /// Every bound that is there: its key, its place, and what it bounds.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, SourceSpan, BoundedQuantity)> {
        [
            self.min.map(|bound| ("min", bound.place, BoundedQuantity::Value)),
            self.max.map(|bound| ("max", bound.place, BoundedQuantity::Value)),
            self.min_len.map(|bound| ("min_len", bound.place, BoundedQuantity::Length)),
            self.max_len.map(|bound| ("max_len", bound.place, BoundedQuantity::Length)),
            self.min_items.map(|bound| ("min_items", bound.place, BoundedQuantity::Items)),
            self.max_items.map(|bound| ("max_items", bound.place, BoundedQuantity::Items)),
        ]
        .into_iter()
        .flatten()
    }
}

/// The quantity that a bound limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundedQuantity {
    Value,
    Length,
    Items,
}

impl BoundedQuantity {
    /// The quantity of a type that bounds can limit, `Some(None)` for none; `None` where the type is unknown.
    const fn bounded(underlying: UnderlyingType) -> Option<Option<Self>> {
        match underlying {
            UnderlyingType::Unknown => None,
            UnderlyingType::Const | UnderlyingType::Enum | UnderlyingType::Object | UnderlyingType::TextOrList => {
                Some(None)
            }
            UnderlyingType::List | UnderlyingType::Map => Some(Some(Self::Items)),
            UnderlyingType::Primitive(primitive) => match primitive {
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

impl<'a> CheckContext<'a> {
    /// Checks the bounds of something of a type.
    pub(super) fn bounds(&mut self, bounds: &DeclaredBounds<'_>, base: &BaseType, written: &str) {
        let underlying = self.underlying(base);
        for number in [bounds.min, bounds.max].into_iter().flatten() {
            self.kept(number, underlying);
        }
        let Some(bounded) = BoundedQuantity::bounded(underlying) else { return };
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
        if let Some((min, max)) = crossed(bounds, bounds) {
            let message = "the least value is above the greatest";
            self.complain(Diagnostic::error(types::BOUNDS_CROSSED, min, message).and(max, "the greatest"));
        } else if let BaseType::Named(name) = base {
            self.crossed_with_own(bounds, name);
        }
    }

    /// The bounds of something whose type has bounds of its own leave some value.
    fn crossed_with_own(&mut self, bounds: &DeclaredBounds<'_>, name: &str) {
        let owns: Vec<&DeclaredType> = self.aliases(name).map(|(named, _)| named).collect();
        let between = |own| {
            let above = crossed(bounds, &own).map(|(min, max)| (min, max, "greatest"));
            above.or_else(|| crossed(&own, bounds).map(|(min, max)| (max, min, "least")))
        };
        let found = owns.into_iter().map(DeclaredBounds::from).find_map(between);
        if let Some((place, own, which)) = found {
            let message = format!("no value fits this and the bounds of `{name}`");
            let complaint = Diagnostic::error(types::BOUNDS_CROSSED, place, message);
            self.complain(complaint.and(own, format!("its {which}")));
        }
    }

    /// Complains about a bound that is no value of what it bounds.
    fn kept(&mut self, number: &SpannedValue<WrittenNumber>, underlying: UnderlyingType) {
        if !self.exact(number) {
            return;
        }
        let why = match underlying {
            UnderlyingType::Primitive(Primitive::Int | Primitive::UnixSeconds) if number.integer().is_none() => {
                "is not a whole number of 64 bits"
            }
            UnderlyingType::Primitive(Primitive::Int | Primitive::UnixSeconds)
                if number.integer().is_some_and(|whole| whole.unsigned_abs() > EXACT_MAX) =>
            {
                "is more than every reader of JSON keeps exactly"
            }
            UnderlyingType::Primitive(Primitive::Usd) if number.nano_usd().is_none() => {
                "is more than 64 bits of nano-USD"
            }
            _ => return,
        };
        let message = format!("`{}` {why}", number.text());
        self.complain(Diagnostic::error(types::UNREADABLE_NUMBER, number.place, message));
    }

    /// Complains about a number that cannot be kept exactly.
    pub(super) fn exact(&mut self, number: &SpannedValue<WrittenNumber>) -> bool {
        let exact = number.nanos().is_some();
        if !exact {
            let message = format!("`{}` has more than nine decimals, or too many digits", number.text());
            self.complain(Diagnostic::error(types::UNREADABLE_NUMBER, number.place, message));
        }
        exact
    }
}

/// The first least value that is above its greatest: where the two stand.
pub(super) fn crossed(least: &DeclaredBounds<'_>, most: &DeclaredBounds<'_>) -> Option<(SourceSpan, SourceSpan)> {
    fn places<T>(
        min: Option<&SpannedValue<T>>,
        max: Option<&SpannedValue<T>>,
        above: impl Fn(&T, &T) -> bool,
    ) -> Option<(SourceSpan, SourceSpan)> {
        let (min, max) = min.zip(max)?;
        above(&min.value, &max.value).then_some((min.place, max.place))
    }
    places(least.min, most.max, |min, max| min.compare(max) == Some(Ordering::Greater))
        .or_else(|| places(least.min_len, most.max_len, |min, max| min > max))
        .or_else(|| places(least.min_items, most.max_items, |min, max| min > max))
}
