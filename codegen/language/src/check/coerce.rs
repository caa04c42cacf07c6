//! Coercion of a value of the wrong kind to what was probably meant, so that no further complaint follows from the slip.

use std::borrow::Cow;

use super::shape::{SchemaShapes, ShapeId};
use crate::diagnostics::closest;
use crate::model::WrittenNumber;
use crate::parse::{YamlKind, YamlMapping, YamlNode};

/// A value that was probably meant.
pub(super) struct CoercedValue<'s> {
    /// Its correct text.
    pub(super) text: String,
    /// The value that is read from here on.
    pub(super) kind: YamlKind<'s>,
}

/// The value that was probably meant, where that can be told.
pub(super) fn coerce<'s>(shapes: &SchemaShapes, node: &YamlNode<'s>, id: ShapeId) -> Option<CoercedValue<'s>> {
    let wants = |kind: &YamlKind<'_>| shapes.accepts(id, kind);
    let word =
        |text: &str| CoercedValue { text: format!("\"{text}\""), kind: YamlKind::Word(Cow::Owned(text.to_owned())) };
    let wants_word = wants(&YamlKind::Word(Cow::Borrowed("")));
    match &node.kind {
        YamlKind::Number(text) if wants_word => Some(word(text)),
        YamlKind::Bool(value) if wants_word => Some(word(if *value { "true" } else { "false" })),
        YamlKind::Null if wants_word => Some(word("null")),
        // Where a mapping would do too, nobody knows which of them was meant.
        YamlKind::Word(text)
            if wants(&YamlKind::List(Vec::new())) && !wants(&YamlKind::Mapping(YamlMapping::default())) =>
        {
            Some(CoercedValue { text: format!("[{text}]"), kind: YamlKind::List(vec![node.clone()]) })
        }
        YamlKind::Word(text) if wants(&YamlKind::Bool(true)) => {
            let meant = closest(text, ["true", "false"])?;
            Some(CoercedValue { text: meant.to_owned(), kind: YamlKind::Bool(meant == "true") })
        }
        YamlKind::Word(text) if wants(&YamlKind::Number(Cow::Borrowed(""))) => {
            WrittenNumber::new(text.as_ref()).nanos()?;
            Some(CoercedValue { text: text.to_string(), kind: YamlKind::Number(text.clone()) })
        }
        _ => None,
    }
}
