//! Entries that nothing uses. Comes last: by then everything in use has been marked.

use std::collections::HashSet;

use super::context::Context;
use crate::{
    diagnostics::{Code, Diagnostic, codes::unused},
    model::{Operation, Section, Shape, Type, TypeExpr, Variant},
};

impl<'a> Context<'a> {
    pub(super) fn unused(&mut self) {
        let sections: [(Section, Code, &str); 8] = [
            (Section::Errors, unused::UNUSED_ERROR, "nothing raises"),
            (Section::Groups, unused::UNUSED_GROUP, "no operation lists"),
            (Section::Actors, unused::UNUSED_ACTOR, "no move is made by"),
            (Section::Auth, unused::UNUSED_SCHEME, "no operation admits by"),
            (Section::Proofs, unused::UNUSED_PROOF, "no operation asks for"),
            (Section::Kinds, unused::UNUSED_KIND, "no error code is of"),
            (Section::Envelopes, unused::UNUSED_ENVELOPE, "nothing wears"),
            (Section::Types, unused::UNUSED_TYPE, "no operation takes or gives"),
        ];
        self.reach_types();
        for (section, code, nobody) in sections {
            if section_key(section).is_some_and(|key| self.damage.misses(key)) {
                continue;
            }
            for (name, place) in self.spec.names(section) {
                if !self.is_used(section, name) {
                    let message = format!("{nobody} the {} `{name}`", section.entry());
                    self.complain(Diagnostic::error(code, place, message));
                }
            }
        }
    }

    /// Marks the types that operations take and give, directly or inside others.
    fn reach_types(&mut self) {
        let spec = self.spec;
        let mut open: Vec<&'a str> = Vec::new();
        for operation in spec.operations.values() {
            each_expression(operation, &mut |text| open.extend(self.named(text)));
        }
        // Marked so far is what a misspelt name was meant for; and a broken entry may use what it mentions.
        let names = self.names(Section::Types);
        open.extend(names.into_iter().filter(|name| self.is_used(Section::Types, name)));
        let mut reached: HashSet<&'a str> = open.iter().copied().collect();
        while let Some(name) = open.pop() {
            for inner in spec.types.get(name).into_iter().flat_map(|named| self.inner_types(named)) {
                if reached.insert(inner) {
                    open.push(inner);
                }
            }
        }
        reached.into_iter().for_each(|name| self.mark_used(Section::Types, name));
    }

    /// The name of a type of the spec in an expression, borrowed from the spec.
    fn named(&self, text: &str) -> Option<&'a str> {
        let expr = TypeExpr::parse(text).ok()?;
        self.spec.types.get_key_value(expr.named()?).map(|(name, _)| name.as_str())
    }

    fn inner_types(&self, named: &'a Type) -> Vec<&'a str> {
        let mut texts: Vec<&str> = Vec::new();
        match named.shape() {
            Some(Shape::Struct { fields, .. }) => texts.extend(fields.values().map(|field| field.ty.value.as_str())),
            Some(Shape::Newtype { is }) => texts.push(&is.value),
            Some(Shape::Union { of, .. }) => {
                for variant in of.values() {
                    match &variant.value {
                        Variant::Named(word) => texts.push(&word.value),
                        Variant::Inline(fields) => texts.extend(fields.values().map(|field| field.ty.value.as_str())),
                    }
                }
            }
            Some(Shape::Enum { .. }) | None => {}
        }
        texts.into_iter().filter_map(|text| self.named(text)).collect()
    }
}

/// The key that every user of a section must have: where one lacks it, nobody knows what it would have used.
const fn section_key(section: Section) -> Option<&'static str> {
    match section {
        Section::Auth => Some("auth"),
        Section::Kinds => Some("kind"),
        Section::Envelopes => Some("envelope"),
        Section::Actors => Some("by"),
        _ => None,
    }
}

/// Calls `see` with every type expression of an operation.
fn each_expression(operation: &Operation, see: &mut impl FnMut(&str)) {
    for fields in [&operation.path, &operation.query, &operation.headers] {
        fields.values().for_each(|field| see(&field.ty.value));
    }
    if let Some(body) = &operation.body {
        [&body.ty, &body.raw, &body.multipart].into_iter().flatten().for_each(|text| see(&text.value));
    }
    operation.stream.iter().for_each(|stream| see(&stream.event.value));
    operation.ok.iter().for_each(|ok| see(&ok.value));
    operation.select.iter().for_each(|branch| see(&branch.ok.value));
}
