//! The reasons why a text was not read: what was expected, what was found, and the path of the field.
//!
//! Between the levels of a shape a complaint travels as serde's error, which is a text. Every text of ours reads
//! "`path`: expected …, found …" or "`path`: missing"; each level on the way out puts its own name before the path.
//! That costs nothing while reading goes well and works under every caller of serde_json.

use std::fmt;

use serde::de::{DeserializeOwned, Error, IgnoredAny};

use super::suggest::shown;

const MISSING: &str = "missing";
/// A longer list of what was expected is cut.
const EXPECTED_BYTES_MAX: usize = 1_000;
/// A longer path or finding is cut: a client's own text may stand in it.
const FOUND_BYTES_MAX: usize = 200;

/// The fault for which a body or a value was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The sort of fault.
    pub kind: ValueDecodeErrorKind,
    /// The field at fault as `messages[3].role`; `None` when it is the value as a whole.
    pub path: Option<String>,
    /// The words for what should have stood there.
    pub expected: String,
    /// The words for what stood there.
    pub found: String,
}

/// The sorts of fault that a caller tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueDecodeErrorKind {
    /// The text is not JSON.
    Syntax,
    /// A required field is absent.
    Missing,
    /// A field has a wrong value, is unknown, or stands twice.
    Value,
}

/// Reads a whole text as a `T`.
///
/// # Errors
/// A [`Refusal`] that tells a text that is no JSON from a field at fault, and names the field.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Refusal> {
    let text = std::str::from_utf8(text).map_err(|_| Refusal::syntax("bytes that are not UTF-8"))?;
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<IgnoredAny>(text) {
        // The path was glued onto the text of the error, which hides its class; a second look tells it.
        Err(syntax) => Refusal::syntax(&syntax.to_string()),
        Ok(_) => Refusal::from_text(&without_place(&error)),
    })
}

impl Refusal {
    /// A value that is not what was expected, without a path.
    #[must_use]
    pub fn value(expected: &str, found: &str) -> Self {
        Self {
            kind: ValueDecodeErrorKind::Value,
            path: None,
            expected: cut(expected, EXPECTED_BYTES_MAX),
            found: cut(found, FOUND_BYTES_MAX),
        }
    }

    /// The complaint as seen from an outer value in which the inner one stands at `segment`.
    #[must_use]
    pub fn under(mut self, segment: &str) -> Self {
        self.path = Some(joined(segment, self.path.as_deref().unwrap_or_default()));
        self
    }

    fn syntax(found: &str) -> Self {
        Self { kind: ValueDecodeErrorKind::Syntax, ..Self::value("JSON", found) }
    }

    fn from_text(text: &str) -> Self {
        let (path, rest) =
            split_path(text).map_or((None, text), |(path, rest)| (Some(cut(path, FOUND_BYTES_MAX)), rest));
        let refusal = if rest == MISSING {
            Self { kind: ValueDecodeErrorKind::Missing, ..Self::value("a value", "nothing") }
        } else if let Some((expected, found)) =
            rest.strip_prefix("expected ").and_then(|rest| rest.rsplit_once(", found "))
        {
            Self::value(expected, found)
        } else if let Some((found, expected)) = serde_mismatch(rest) {
            Self::value(expected, found)
        } else {
            Self::value("a value that can be read", rest)
        };
        Self { path, ..refusal }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "`{path}`: ")?;
        }
        match self.kind {
            ValueDecodeErrorKind::Syntax => write!(f, "not JSON: {}", self.found),
            ValueDecodeErrorKind::Missing => f.write_str(MISSING),
            ValueDecodeErrorKind::Value => write!(f, "expected {}, found {}", self.expected, self.found),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    /// Reads the text of a complaint.
    fn from(complaint: String) -> Self {
        Self::from_text(&complaint)
    }
}

/// The text of a complaint about a value.
#[must_use]
pub fn mismatch(expected: impl fmt::Display, found: impl fmt::Display) -> String {
    format!("expected {expected}, found {found}")
}

/// The complaint that a required field is absent.
#[cold]
pub(super) fn missing<E: Error>(name: &str) -> E {
    E::custom(format_args!("`{name}`: {MISSING}"))
}

/// Puts `segment` (a field's name, or `[3]`) before the path of a complaint on its way out.
#[cold]
pub(super) fn at<E: Error>(segment: &str, error: &E) -> E {
    let text = error.to_string();
    let (path, rest) = split_path(&text).unwrap_or(("", &text));
    E::custom(format_args!("`{}`: {rest}", joined(&shown(segment), path)))
}

/// The text of an error without serde_json's " at line 1 column 2", which is wrong where a part was read by itself.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).map_or_else(|| text.clone(), str::to_owned)
}

fn split_path(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('`')?.split_once("`: ")
}

fn joined(segment: &str, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{segment}{dot}{path}")
}

/// Takes serde's own "invalid type: string "…", expected a boolean" apart, in the words of JSON and without the content.
fn serde_mismatch(text: &str) -> Option<(&str, &str)> {
    let (found, expected) = text
        .strip_prefix("invalid type: ")
        .or_else(|| text.strip_prefix("invalid value: "))?
        .rsplit_once(", expected ")?;
    let found = match found.split([' ', ',']).next()? {
        "string" | "character" => "a string",
        "integer" | "floating" => "a number",
        "boolean" => "a boolean",
        "null" | "unit" => "null",
        "map" => "an object",
        "sequence" => "a list",
        _ => found,
    };
    Some((found, expected))
}

fn cut(text: &str, bytes_max: usize) -> String {
    let end = text.floor_char_boundary(bytes_max);
    if end < text.len() { format!("{}…", &text[..end]) } else { text.to_owned() }
}
