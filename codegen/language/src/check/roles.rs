//! Roles of operators and of members: what they include, which operations name them, and the enums that have them as words.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, DiagnosticCode, codes::errors, codes::operations, codes::references, codes::types},
    map::HashSet,
    model::{
        CallerKind, DeclaredOperation, DeclaredShape, DeclaredType, EnumWords, RoleHolder, SourceSpan, SpannedText,
        Spec, SpecEntry, SpecSection,
    },
};

/// Gives every type that says `roles` or `member_roles` alone its words: the roles, each with its meaning.
pub(super) fn take_roles(spec: &mut Spec) {
    let Spec { types, roles, member_roles, .. } = spec;
    for named in types.values_mut().map(|named| &mut named.value) {
        let Some(holder) = RoleHolder::ALL.into_iter().find(|holder| holder.words(named).value) else { continue };
        let roles = match holder {
            RoleHolder::Operator => &*roles,
            RoleHolder::Member => &*member_roles,
        };
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

/// The complaint about a role that is not there.
const fn unknown(holder: RoleHolder) -> DiagnosticCode {
    match holder {
        RoleHolder::Operator => references::UNKNOWN_ROLE,
        RoleHolder::Member => references::UNKNOWN_MEMBER_ROLE,
    }
}

/// The complaint about a role that includes itself.
const fn circle(holder: RoleHolder) -> DiagnosticCode {
    match holder {
        RoleHolder::Operator => errors::ROLE_CIRCLE,
        RoleHolder::Member => errors::MEMBER_ROLE_CIRCLE,
    }
}

impl<'a> CheckContext<'a> {
    /// Checks that each role includes others that are there, and in the end not itself.
    pub(super) fn roles(&mut self) {
        RoleHolder::ALL.into_iter().for_each(|holder| self.roles_for(holder));
    }

    fn roles_for(&mut self, holder: RoleHolder) {
        let spec = self.spec;
        let mut told: HashSet<&str> = HashSet::default();
        for (name, role) in spec.roles_for(holder) {
            self.no_repeats(types::WORD_TWICE, &role.includes);
            for included in &role.includes {
                // To be included is no use of it: a role is for what can be called by it.
                if !self.exists(holder.section(), &included.value) {
                    self.resolve(holder.section(), included, unknown(holder));
                }
            }
            let leads_back = |word: &&SpannedText| spec.with_included(holder, &word.value).contains(name.as_str());
            if let Some(word) = role.includes.iter().find(leads_back).filter(|_| !told.contains(name.as_str())) {
                told.extend(spec.with_included(holder, name));
                let message = format!("`{name}` includes itself by `{}`", word.value);
                self.complain(Diagnostic::error(circle(holder), word.place, message));
            }
        }
    }

    /// Checks the roles that an operation names, which are in use with those that include them.
    fn named_roles(&mut self, holder: RoleHolder, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        self.no_repeats(types::WORD_TWICE, holder.named(operation));
        for role in holder.named(operation) {
            self.resolve(holder.section(), role, unknown(holder));
        }
        spec.roles_of(holder, operation).into_iter().for_each(|role| self.mark_used(holder.section(), role));
    }

    /// Checks that an operation names roles where it admits operators, and only there.
    pub(super) fn operator_roles(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        self.named_roles(RoleHolder::Operator, operation);
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

    /// Checks that an operation names roles of members where it admits a person who is signed in to an account, and only there.
    pub(super) fn member_roles(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        self.named_roles(RoleHolder::Member, operation);
        let schemes = operation.auth.schemes();
        let is_members = |word: &SpannedText| {
            let scheme = spec.auth.get(&word.value)?;
            // A person comes by a cookie: where there is none, it is the scheme that is wrong.
            let is_person = scheme.gives.iter().any(|caller| caller.value == CallerKind::User);
            let lost =
                scheme.cookie.is_none() && is_person || self.damage.lacks(SpecSection::Auth, &word.value, &["cookie"]);
            (!lost).then(|| scheme.is_of_members())
        };
        let known: Vec<bool> = schemes.iter().filter_map(is_members).collect();
        let lacks = |key| self.damage.lacks(SpecSection::Operations, name, &[key]);
        let complaint = |place: SourceSpan, message: String| Diagnostic::error(operations::MEMBERS, place, message);
        if known.contains(&true) {
            if operation.members.is_empty() && !spec.member_roles.is_empty() && !lacks("members") {
                let message = format!("`{name}` admits who is signed in, and names no `members` that may call it");
                self.complain(complaint(operation.place, message));
                // Any of them may be missing here.
                let roles = self.names(SpecSection::MemberRoles);
                roles.into_iter().for_each(|role| self.mark_used(SpecSection::MemberRoles, role));
            }
        } else if let Some(role) = operation.members.first()
            && known.len() == schemes.len()
            && !lacks("auth")
        {
            let message = format!("`{name}` admits nobody who is signed in to an account, as members are");
            self.complain(complaint(role.place, message));
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
        RoleHolder::ALL.into_iter().for_each(|holder| self.role_words(holder, name, entry));
    }

    fn role_words(&mut self, holder: RoleHolder, name: &str, entry: &'a SpecEntry<DeclaredType>) {
        let switch = holder.words(entry);
        if !switch.value || entry.shape().is_none() {
            return;
        }
        let taken = |(word, place, _): (&str, SourceSpan, Option<&str>)| {
            self.spec.roles_for(holder).get(word).is_some_and(|role| role.place == place)
        };
        let complaint = match entry.shape() {
            Some(DeclaredShape::Enum { words, .. }) if !words.all().all(taken) => {
                let message = format!("type `{name}` has two kinds of words: the roles, and what it says");
                Diagnostic::error(types::TYPE_SHAPE, switch.place, message)
            }
            Some(DeclaredShape::Enum { words, .. }) if words.all().next().is_none() => {
                let place = switch.place;
                Diagnostic::error(
                    types::EMPTY_ENUM,
                    place,
                    format!("an enum of the roles, and there are no `{}`", holder.section().key()),
                )
            }
            Some(DeclaredShape::Enum { .. }) => return,
            _ => {
                let message = format!("type `{name}` is several things at once: the roles, and what it says");
                Diagnostic::error(types::TYPE_SHAPE, switch.place, message)
            }
        };
        if !self.damage.is_any() {
            self.complain(complaint);
        }
    }
}
