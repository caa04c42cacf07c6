//! Request objects: every name in one class, everything that is held known, kinds told by a member.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::references, codes::types},
    map::HashMap,
    model::{DeclaredMemberClasses, DeclaredRequestObject, SourceSpan, SpecEntry, SpecSection},
};

impl<'a> CheckContext<'a> {
    pub(super) fn request_objects(&mut self) {
        let spec = self.spec;
        for (name, object) in &spec.request_objects {
            if object.body_of.is_some() {
                self.mark_used(SpecSection::RequestObjects, name);
            }
            for held in object.members.holds.values() {
                self.resolve(SpecSection::RequestObjects, &held.value, references::UNKNOWN_REQUEST_OBJECT);
            }
            self.one_class(&object.members.value);
            self.one_class(&object.kinds.value);
            self.kinds_told(name, object);
            self.stars(object);
        }
    }

    /// A name asks for one thing.
    fn one_class(&mut self, classes: &DeclaredMemberClasses) {
        let mut seen: HashMap<&str, SourceSpan> = HashMap::default();
        for (name, place, _) in classes.all() {
            match seen.get(name) {
                Some(first) => {
                    let message = format!("`{name}` is there twice");
                    self.complain(Diagnostic::error(types::WORD_TWICE, place, message).and(*first, "the first one"));
                }
                None => {
                    seen.insert(name, place);
                }
            }
        }
    }

    /// Kinds are told by a member, which is a plain one.
    fn kinds_told(&mut self, name: &str, object: &SpecEntry<DeclaredRequestObject>) {
        if self.damage.lacks(SpecSection::RequestObjects, name, &["kind_in", "kinds", "members"]) {
            return;
        }
        let are_kinds = object.kinds.all().next().is_some();
        let wrong = match &object.kind_in {
            None if are_kinds => Some((object.kinds.place, "kinds, and no member that tells them")),
            Some(member) if !are_kinds => Some((member.place, "a member that tells the kind, and no kinds")),
            Some(member) if !object.members.free.iter().any(|free| free.value == member.value) => {
                Some((member.place, "the member that tells the kind is none of its `free` members"))
            }
            _ if !object.kinds.holds.is_empty() => Some((object.kinds.place, "a kind holds nothing: its members do")),
            _ => None,
        };
        if let Some((place, what)) = wrong {
            let message = format!("the request object `{name}`: {what}");
            self.complain(Diagnostic::error(errors::REQUEST_OBJECT_SHAPE, place, message));
        }
    }

    /// Only kinds stand for others, and only by how they begin.
    fn stars(&mut self, object: &DeclaredRequestObject) {
        let star = |name: &str, kind: bool| match name.find('*') {
            Some(at) => !kind || at == 0 || at + 1 != name.len(),
            None => false,
        };
        let members = object.members.all().filter(|(name, ..)| star(name, false));
        let kinds = object.kinds.all().filter(|(name, ..)| star(name, true));
        for (name, place, _) in members.chain(kinds) {
            let message = format!("`{name}`: a `*` stands at the end of the name of a kind, and nowhere else");
            self.complain(Diagnostic::error(errors::REQUEST_OBJECT_SHAPE, place, message));
        }
    }
}
