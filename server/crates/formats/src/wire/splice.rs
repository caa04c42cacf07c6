//! Edits of a JSON text by byte range. What is not named in an edit is copied as it stands.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A list of edits of one text, to be applied together.
#[derive(Debug, Default)]
pub struct JsonSplice(Vec<(Range<usize>, String)>);

impl JsonSplice {
    /// Puts `text` in the place of `range`; an empty range inserts.
    pub fn replace(&mut self, range: Range<usize>, text: String) {
        self.0.push((range, text));
    }

    /// The edited text. Without edits it is the same bytes, not a copy of them.
    ///
    /// Edits may come in any order; one that begins within another goes with it.
    #[must_use]
    pub fn apply(mut self, source: &Bytes) -> Bytes {
        if self.0.is_empty() {
            return source.clone();
        }
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let grown: usize = self.0.iter().map(|(_, text)| text.len()).sum();
        let mut out = BytesMut::with_capacity(source.len() + grown);
        let mut done = 0;
        for (range, text) in &self.0 {
            // Within what has gone: it goes too.
            if range.start < done {
                done = done.max(range.end);
                continue;
            }
            out.extend_from_slice(&source[done..range.start]);
            out.extend_from_slice(text.as_bytes());
            done = range.end;
        }
        out.extend_from_slice(&source[done..]);
        out.freeze()
    }
}

/// The range of `part` in `source`, if it was borrowed from it.
#[must_use]
pub fn range_within(source: &[u8], part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(source.as_ptr().addr())?;
    let end = start.checked_add(part.len())?;
    (end <= source.len()).then_some(start..end)
}

/// `source` with a member in the JSON `object` that stands in it: in the place of `told`, the value that it has there, or
/// else before the others. `None` where it is no object, or stands elsewhere.
#[must_use]
pub fn with_member(
    source: &Bytes,
    object: &RawValue,
    told: Option<&RawValue>,
    name: &str,
    value: String,
) -> Option<Bytes> {
    let inside = object.get().strip_prefix('{')?;
    let mut splice = JsonSplice::default();
    match told {
        Some(told) => splice.replace(range_within(source, told.get())?, value),
        None => {
            let at = range_within(source, object.get())?.start + 1;
            let comma = if inside.trim_start().starts_with('}') { "" } else { "," };
            splice.replace(at..at, format!("\"{name}\":{value}{comma}"));
        }
    }
    Some(splice.apply(source))
}

/// Reads a member whose place is needed even where it is null: `Option` alone would take null for absent.
pub fn raw<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_within_a_removal_goes_with_it() {
        let source = Bytes::from_static(b"0123456789");
        let mut splice = JsonSplice::default();
        for (range, text) in [(2..8, ""), (3..5, "x"), (2..4, ""), (2..2, "+"), (8..8, "-")] {
            splice.replace(range, text.to_owned());
        }
        assert_eq!(splice.apply(&source), &b"01+-89"[..]);
    }

    #[test]
    fn edits_in_any_order_touch_nothing_else() {
        let source = Bytes::from_static(br#"{"model":"a", "n":1}"#);
        let mut splice = JsonSplice::default();
        splice.replace(19..19, r#","x":true"#.to_owned());
        splice.replace(9..12, r#""long name""#.to_owned());
        assert_eq!(splice.apply(&source), &br#"{"model":"long name", "n":1,"x":true}"#[..]);
    }

    #[test]
    fn no_edit_is_no_copy() {
        let source = Bytes::from_static(b"{}");
        assert_eq!(JsonSplice::default().apply(&source).as_ptr(), source.as_ptr());
    }
}
