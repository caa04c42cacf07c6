//! Entries that nothing uses. What asks for marks comes last: by then everything in use has been marked.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, DiagnosticCode, codes::unused},
    map::HashSet,
    model::{DeclaredOperation, DeclaredShape, DeclaredType, DeclaredVariant, OperationStage, SpecSection, TypeExpr},
};

impl<'a> CheckContext<'a> {
    /// Entries that nobody named.
    pub(super) fn unused(&mut self) {
        let sections: [(SpecSection, DiagnosticCode, &str); 14] = [
            (SpecSection::Errors, unused::UNUSED_ERROR, "nothing raises"),
            (SpecSection::Groups, unused::UNUSED_GROUP, "no operation lists"),
            (SpecSection::Limits, unused::UNUSED_LIMIT, "nothing keeps"),
            (SpecSection::Actors, unused::UNUSED_ACTOR, "nothing is done by"),
            (SpecSection::Auth, unused::UNUSED_SCHEME, "no operation admits by"),
            (SpecSection::Roles, unused::UNUSED_ROLE, "no operation can be called by"),
            (SpecSection::MemberRoles, unused::UNUSED_MEMBER_ROLE, "no operation can be called by"),
            (SpecSection::Proofs, unused::UNUSED_PROOF, "no operation asks for"),
            (SpecSection::Kinds, unused::UNUSED_KIND, "no error code is of"),
            (SpecSection::Envelopes, unused::UNUSED_ENVELOPE, "nothing wears"),
            (SpecSection::Fixtures, unused::UNUSED_FIXTURE, "no example has"),
            (SpecSection::WireNames, unused::UNUSED_WIRE_NAME, "nothing goes by"),
            (SpecSection::Parameters, unused::UNUSED_PARAMETER, "no route takes from here"),
            (SpecSection::RequestObjects, unused::UNUSED_REQUEST_OBJECT, "no request holds"),
        ];
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

    /// Complains about the types that operations neither take nor give, directly or inside others; of types that only
    /// each other use, about the outermost.
    pub(super) fn unused_types(&mut self) {
        let spec = self.spec;
        if spec.types.values().any(|named| named.shape().is_none()) {
            // Nobody knows what a type of no shape would have used.
            return;
        }
        let reached = self.reached_types();
        let idle: Vec<&'a str> = spec.types.keys().map(String::as_str).filter(|name| !reached.contains(name)).collect();
        let inside = |name: &&'a str| {
            let inner = spec.types.get(*name).map(|named| self.inner_types(named)).unwrap_or_default();
            inner.into_iter().filter(|inner| inner != name).collect::<Vec<_>>()
        };
        let within: HashSet<&str> = idle.iter().flat_map(inside).collect();
        let (outer, inner): (Vec<_>, Vec<_>) = idle.iter().copied().partition(|name| !within.contains(name));
        let mut told: HashSet<&str> = HashSet::default();
        let mut complaints = Vec::new();
        for name in outer.into_iter().chain(inner) {
            if told.contains(name) {
                continue;
            }
            let mut open = vec![name];
            while let Some(next) = open.pop() {
                if told.insert(next) {
                    open.extend(inside(&next));
                }
            }
            let place = spec.types[name].place;
            let message = format!("no operation takes or gives the type `{name}`");
            complaints.push(Diagnostic::error(unused::UNUSED_TYPE, place, message));
        }
        complaints.into_iter().for_each(|complaint| self.complain(complaint));
    }

    /// The types that operations take and give, directly or inside others.
    fn reached_types(&self) -> HashSet<&'a str> {
        let spec = self.spec;
        let mut open: Vec<&'a str> = Vec::new();
        for operation in spec.operations.values() {
            each_expression(operation, &mut |text| open.extend(self.named(text)));
        }
        // Marked so far is what a misspelt name was meant for; and a broken entry may use what it mentions.
        let names = self.names(SpecSection::Types);
        open.extend(names.into_iter().filter(|name| self.is_used(SpecSection::Types, name)));
        self.reached_from(open)
    }

    /// The types that routed operations take and give, directly or inside others.
    pub(super) fn types_of_routed(&self) -> HashSet<&'a str> {
        let mut open: Vec<&'a str> = Vec::new();
        for operation in self.spec.operations.values().filter(|operation| operation.stage == OperationStage::Routed) {
            each_expression(operation, &mut |text| open.extend(self.named(text)));
        }
        self.reached_from(open)
    }

    /// Some types, and all that are inside them.
    pub(super) fn reached_from(&self, mut open: Vec<&'a str>) -> HashSet<&'a str> {
        let spec = self.spec;
        let mut reached: HashSet<&'a str> = open.iter().copied().collect();
        while let Some(name) = open.pop() {
            for inner in spec.types.get(name).into_iter().flat_map(|named| self.inner_types(named)) {
                if reached.insert(inner) {
                    open.push(inner);
                }
            }
        }
        reached
    }

    /// The name of a type of the spec in an expression, borrowed from the spec.
    pub(super) fn named(&self, text: &str) -> Option<&'a str> {
        let expr = TypeExpr::parse(text).ok()?;
        self.spec.types.get_key_value(expr.named()?).map(|(name, _)| name.as_str())
    }

    fn inner_types(&self, named: &'a DeclaredType) -> Vec<&'a str> {
        let mut names = Vec::new();
        each_inner_expression(named, &mut |text| names.extend(self.named(text)));
        names
    }
}

/// Calls `see` with every type expression of a type.
pub(super) fn each_inner_expression<'t>(named: &'t DeclaredType, see: &mut impl FnMut(&'t str)) {
    match named.shape() {
        Some(DeclaredShape::Struct { fields, .. }) => fields.values().for_each(|field| see(&field.ty.value)),
        Some(DeclaredShape::Newtype { is }) => see(&is.value),
        Some(DeclaredShape::Union { of, .. }) => {
            for variant in of.values() {
                match &variant.value {
                    DeclaredVariant::Named(word) => see(&word.value),
                    DeclaredVariant::Inline(fields) => fields.values().for_each(|field| see(&field.ty.value)),
                }
            }
        }
        Some(DeclaredShape::Enum { .. }) | None => {}
    }
}

/// The key that every user of a section must have: where one lacks it, nobody knows what it would have used.
const fn section_key(section: SpecSection) -> Option<&'static str> {
    match section {
        SpecSection::Auth => Some("auth"),
        SpecSection::Kinds => Some("kind"),
        SpecSection::Envelopes => Some("envelope"),
        SpecSection::Actors => Some("by"),
        _ => None,
    }
}

/// Calls `see` with every type expression of an operation.
pub(super) fn each_expression(operation: &DeclaredOperation, see: &mut impl FnMut(&str)) {
    for fields in [&operation.path, &operation.query, &operation.headers] {
        fields.values().for_each(|field| see(&field.ty.value));
    }
    if let Some(body) = &operation.body {
        [&body.ty, &body.raw, &body.multipart].into_iter().flatten().for_each(|text| see(&text.value));
    }
    operation.stream.iter().for_each(|stream| see(&stream.event.value));
    operation.ok.iter().for_each(|ok| see(&ok.value));
    operation.data.iter().for_each(|data| see(&data.ty.value));
    operation.select.iter().for_each(|branch| see(&branch.ok.value));
}
