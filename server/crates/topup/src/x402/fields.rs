//! Members of a payment that are read by name, and the difference between what is found and what is asked for.

use serde_json::{Map, Value};

/// A difference between a payment and what is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) field: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
}

/// The most characters of a found value that an error shows.
const TOLD_CHARS: usize = 80;

/// A difference, with the beginning of the value that was found.
pub(super) fn mismatch(field: &'static str, expected: &str, found: &impl ToString) -> Mismatch {
    let found = found.to_string();
    let told = match found.char_indices().nth(TOLD_CHARS) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found,
    };
    Mismatch { field, expected: expected.to_owned(), found: told }
}

pub(super) fn object<'v>(
    map: &'v Map<String, Value>,
    name: &str,
    field: &'static str,
    expected: &str,
) -> Result<&'v Map<String, Value>, Mismatch> {
    let found = map.get(name).unwrap_or(&Value::Null);
    found.as_object().ok_or_else(|| mismatch(field, expected, found))
}

pub(super) fn text<'v>(map: &'v Map<String, Value>, name: &str, field: &'static str) -> Result<&'v str, Mismatch> {
    let found = map.get(name).unwrap_or(&Value::Null);
    found.as_str().ok_or_else(|| mismatch(field, "a text", found))
}
