//! A text, or a list.

use serde::Serialize;

/// A text, or a list: for members of which one text is enough for most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TextOrList<T> {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<T>),
}
