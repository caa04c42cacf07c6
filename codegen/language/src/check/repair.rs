//! Coercion of a value of the wrong kind to what was probably meant, so that no further complaint follows from the slip.

use std::borrow::Cow;

use super::{
    shape::{Shape, ShapeId},
    structure::Walk,
};
use crate::{
    diagnostics::closest,
    model::Number,
    parse::{Kind, Mapping, Node, switch, switched_on},
};

/// A value that was probably meant.
pub(super) struct Repair<'s> {
    /// Its correct text.
    pub(super) text: String,
    /// The value that is read from here on.
    pub(super) kind: Kind<'s>,
}

impl Walk<'_> {
    /// The value that was probably meant, where that can be told.
    pub(super) fn repair<'s>(&self, node: &Node<'s>, id: ShapeId) -> Option<Repair<'s>> {
        let wants = |kind: &Kind<'_>| self.accepts(id, kind);
        let word = |text: &str| Repair { text: format!("\"{text}\""), kind: Kind::Word(Cow::Owned(text.to_owned())) };
        let wants_word = wants(&Kind::Word(Cow::Borrowed("")));
        match &node.kind {
            Kind::Number(text) if wants_word => Some(word(text)),
            Kind::Bool(value) if wants_word => Some(word(if *value { "true" } else { "false" })),
            Kind::Null if wants_word => Some(word("null")),
            // Where a mapping would do too, nobody knows which of them was meant.
            Kind::Word(text) if wants(&Kind::List(Vec::new())) && !wants(&Kind::Mapping(Mapping::default())) => {
                Some(Repair { text: format!("[{text}]"), kind: Kind::List(vec![node.clone()]) })
            }
            Kind::Word(text) if wants(&Kind::Bool(true)) => {
                let meant = closest(text, ["true", "false"])?;
                Some(Repair { text: meant.to_owned(), kind: Kind::Bool(meant == "true") })
            }
            Kind::Word(text) if wants(&Kind::Number(Cow::Borrowed(""))) => {
                Number::new(text.as_ref()).nanos()?;
                Some(Repair { text: text.to_string(), kind: Kind::Number(text.clone()) })
            }
            _ => None,
        }
    }

    /// A boolean of YAML 1.1 becomes what is wanted in its place, with a complaint.
    pub(super) fn settle(&mut self, node: &mut Node<'_>, id: ShapeId) {
        let Kind::Switch(word) = &mut node.kind else { return };
        let wants_bool = self.accepts(id, &Kind::Bool(true)) && !matches!(self.shapes.get(id), Shape::Any);
        self.diagnostics.push(switch(word, node.place, wants_bool));
        let word = std::mem::take(word);
        node.kind = if wants_bool { Kind::Bool(switched_on(&word)) } else { Kind::Word(word) };
    }
}
