//! Roles of operators: what they include, which operations name them, and the enum that has them as words.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::operations, codes::references, codes::types},
    map::HashSet,
    model::{
        DeclaredOperation, DeclaredShape, DeclaredType, EnumWords, SourceSpan, SpannedText, Spec, SpecEntry,
        SpecSection,
    },
};

/// Gives every type that says `roles` alone its words: the roles, each with its meaning.
pub(super) fn take_roles(spec: &mut Spec) {
    let Spec { types, roles, .. } = spec;
    for named in types.values_mut().map(|named| &mut named.value).filter(|named| named.roles.value) {
        let others = named.fields.is_some() || named.union.is_some() || named.of.is_some() || named.is.is_some();
        if named.words.is_none() && !others {
            let words = roles.iter().map(|(role, entry)| {
                let word = SpecEntry { place: entry.place, value: entry.value.doc.clone() };
                (role.clone(), word)
            });
            named.words = Some(EnumWords::Documented(words.collect()));
        }
    }
}

impl<'a> CheckContext<'a> {
    /// Checks that each role includes others that are there, and in the end not itself.
    pub(super) fn roles(&mut self) {
        let spec = self.spec;
        let mut told: HashSet<&str> = HashSet::default();
        for (name, role) in &spec.roles {
            self.no_repeats(types::WORD_TWICE, &role.includes);
            for included in &role.includes {
                // To be included is no use of it: a role is for what can be called by it.
                if !self.exists(SpecSection::Roles, &included.value) {
                    self.resolve(SpecSection::Roles, included, references::UNKNOWN_ROLE);
                }
            }
            let leads_back = |word: &&SpannedText| spec.with_included(&word.value).contains(name.as_str());
            if let Some(word) = role.includes.iter().find(leads_back).filter(|_| !told.contains(name.as_str())) {
                told.extend(spec.with_included(name));
                let message = format!("`{name}` includes itself by `{}`", word.value);
                self.complain(Diagnostic::error(errors::ROLE_CIRCLE, word.place, message));
            }
        }
    }

    /// Checks that an operation names roles where it admits operators, and only there.
    pub(super) fn operator_roles(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        self.no_repeats(types::WORD_TWICE, &operation.roles);
        for role in &operation.roles {
            self.resolve(SpecSection::Roles, role, references::UNKNOWN_ROLE);
        }
        spec.roles_of(operation).into_iter().for_each(|role| self.mark_used(SpecSection::Roles, role));
        let schemes = operation.auth.schemes();
        let is_operators = |word: &SpannedText| spec.auth.get(&word.value).map(|scheme| scheme.is_of_operators());
        let known: Vec<bool> = schemes.iter().filter_map(is_operators).collect();
        let lacks = |key| self.damage.lacks(SpecSection::Operations, name, &[key]);
        let complaint = |place: SourceSpan, message: String| Diagnostic::error(operations::ROLES, place, message);
        if let Some(odd) = known.iter().position(|of_operators| *of_operators != known[0]) {
            let message = format!("`{name}` admits operators and others: their operations are not the same");
            self.complain(complaint(schemes[odd].place, message).and(schemes[0].place, "the first scheme"));
        } else if known.contains(&true) && operation.roles.is_empty() && !lacks("roles") {
            let message = format!("`{name}` admits operators, and names no `roles` that may call it");
            self.complain(complaint(operation.place, message));
            // Any of them may be missing here.
            self.names(SpecSection::Roles).into_iter().for_each(|role| self.mark_used(SpecSection::Roles, role));
        } else if let Some(role) = operation.roles.first()
            && known.len() == schemes.len()
            && !known.contains(&true)
            && !lacks("auth")
        {
            self.complain(complaint(role.place, format!("`{name}` admits no operators, who alone have roles")));
        }
    }

    /// Checks that a session that is begun by name is one of a scheme with a cookie.
    pub(super) fn begun_session(&mut self, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        let Some(begun) = operation.session.as_ref().and_then(|session| session.scheme()) else { return };
        let has_cookie = |name: &str| spec.auth.get(name).is_some_and(|scheme| scheme.cookie.is_some());
        if !has_cookie(&begun.value) && !self.damage.lacks(SpecSection::Auth, &begun.value, &["cookie"]) {
            let what = "auth scheme with a cookie";
            self.resolve_among(SpecSection::Auth, begun, references::UNKNOWN_SCHEME, what, has_cookie);
        }
    }

    /// Checks that a type which has the roles as words says no others.
    pub(super) fn roles_enum(&mut self, name: &str, entry: &'a SpecEntry<DeclaredType>) {
        if !entry.roles.value || entry.shape().is_none() {
            return;
        }
        let taken = |(word, place, _): (&str, SourceSpan, Option<&str>)| {
            self.spec.roles.get(word).is_some_and(|role| role.place == place)
        };
        let complaint = match entry.shape() {
            Some(DeclaredShape::Enum { words, .. }) if !words.all().all(taken) => {
                let message = format!("type `{name}` has two kinds of words: the roles, and what it says");
                Diagnostic::error(types::TYPE_SHAPE, entry.roles.place, message)
            }
            Some(DeclaredShape::Enum { words, .. }) if words.all().next().is_none() => {
                let place = entry.roles.place;
                Diagnostic::error(types::EMPTY_ENUM, place, "an enum of the roles, and there are no `roles`")
            }
            Some(DeclaredShape::Enum { .. }) => return,
            _ => {
                let message = format!("type `{name}` is several things at once: the roles, and what it says");
                Diagnostic::error(types::TYPE_SHAPE, entry.roles.place, message)
            }
        };
        if !self.damage.is_any() {
            self.complain(complaint);
        }
    }
}
