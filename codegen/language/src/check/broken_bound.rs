//! The bound of a field that a value breaks.

use std::cmp::Ordering;

use super::bounds::{DeclaredBounds, crossed};
use crate::model::SpannedJson;

/// The bound that a value breaks, in words.
pub(super) fn outside(value: &SpannedJson, bounds: &DeclaredBounds<'_>) -> Option<String> {
    if crossed(bounds, bounds).is_some() {
        // No value fits, which is said of the bounds.
        return None;
    }
    let (count, min, max, what) = match value {
        SpannedJson::Number(number) => {
            let below = bounds.min.is_some_and(|min| number.compare(min) == Some(Ordering::Less));
            let above = bounds.max.is_some_and(|max| number.compare(max) == Some(Ordering::Greater));
            return (below || above).then(|| format!("{} is outside of the field's own bounds", number.text()));
        }
        SpannedJson::Word(word) => (word.value.chars().count(), bounds.min_len, bounds.max_len, "characters"),
        SpannedJson::List(items) => (items.len(), bounds.min_items, bounds.max_items, "items"),
        SpannedJson::Mapping(pairs) => (pairs.len(), bounds.min_items, bounds.max_items, "items"),
        SpannedJson::Null | SpannedJson::Bool(_) => return None,
    };
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let outside = min.is_some_and(|min| count < min.value) || max.is_some_and(|max| count > max.value);
    outside.then(|| format!("{count} {what} are outside of the field's own bounds"))
}
