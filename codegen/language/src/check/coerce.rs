//! Coercion of a value of the wrong kind to what was probably meant, so that no further complaint follows from the slip.

use std::borrow::Cow;

use super::{
    shape::{SchemaShape, ShapeId},
    structure::StructureWalk,
};
use crate::{
    diagnostics::closest,
    model::WrittenNumber,
    parse::{YamlKind, YamlMapping, YamlNode, switch, switched_on},
};

/// A value that was probably meant.
pub(super) struct CoercedValue<'s> {
    /// Its correct text.
    pub(super) text: String,
    /// The value that is read from here on.
    pub(super) kind: YamlKind<'s>,
}

impl StructureWalk<'_> {
    /// The value that was probably meant, where that can be told.
    pub(super) fn coerce<'s>(&self, node: &YamlNode<'s>, id: ShapeId) -> Option<CoercedValue<'s>> {
        let wants = |kind: &YamlKind<'_>| self.accepts(id, kind);
        let word = |text: &str| CoercedValue {
            text: format!("\"{text}\""),
            kind: YamlKind::Word(Cow::Owned(text.to_owned())),
        };
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

    /// A boolean of YAML 1.1 becomes what is wanted in its place, with a complaint.
    pub(super) fn settle(&mut self, node: &mut YamlNode<'_>, id: ShapeId) {
        let YamlKind::Switch(word) = &mut node.kind else { return };
        let wants_bool = self.accepts(id, &YamlKind::Bool(true)) && !matches!(self.shapes.get(id), SchemaShape::Any);
        self.diagnostics.push(switch(word, node.place, wants_bool));
        let word = std::mem::take(word);
        node.kind = if wants_bool { YamlKind::Bool(switched_on(&word)) } else { YamlKind::Word(word) };
    }
}
