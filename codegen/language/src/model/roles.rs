//! The roles by which operators, and members of organisations, may call operations.

use super::{DeclaredOperation, DeclaredRole, DeclaredType, EntryMap, SpannedText, SpannedValue, Spec, SpecSection};
use crate::map::HashSet;

/// Those who have roles. Neither has one of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleHolder {
    /// A person or a program that runs the service.
    Operator,
    /// A person who acts for an organisation.
    Member,
}

impl RoleHolder {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Operator, Self::Member];

    /// The section of their roles.
    #[must_use]
    pub const fn section(self) -> SpecSection {
        match self {
            Self::Operator => SpecSection::Roles,
            Self::Member => SpecSection::MemberRoles,
        }
    }

    /// The key of an operation that names the least of their roles.
    #[must_use]
    pub const fn operation_key(self) -> &'static str {
        match self {
            Self::Operator => "roles",
            Self::Member => "members",
        }
    }

    /// The roles that an operation names, as it is written.
    #[must_use]
    pub fn named(self, operation: &DeclaredOperation) -> &[SpannedText] {
        match self {
            Self::Operator => &operation.roles,
            Self::Member => &operation.members,
        }
    }

    /// The switch by which a type has their roles as words.
    #[must_use]
    pub const fn words(self, named: &DeclaredType) -> &SpannedValue<bool> {
        match self {
            Self::Operator => &named.roles,
            Self::Member => &named.member_roles,
        }
    }
}

impl DeclaredType {
    /// True if its words are roles.
    #[must_use]
    pub fn has_roles(&self) -> bool {
        RoleHolder::ALL.into_iter().any(|holder| holder.words(self).value)
    }
}

impl Spec {
    /// True if a scheme of the operation admits operators.
    #[must_use]
    pub fn is_of_operators(&self, operation: &DeclaredOperation) -> bool {
        let mut schemes = operation.auth.schemes().iter().filter_map(|name| self.auth.get(&name.value));
        schemes.any(|scheme| scheme.is_of_operators())
    }

    /// The roles that such callers can have.
    #[must_use]
    pub const fn roles_for(&self, holder: RoleHolder) -> &EntryMap<DeclaredRole> {
        match holder {
            RoleHolder::Operator => &self.roles,
            RoleHolder::Member => &self.member_roles,
        }
    }

    /// The roles that may call an operation, in the order of the section: those that it names, and those that include one of them.
    #[must_use]
    pub fn roles_of(&self, holder: RoleHolder, operation: &DeclaredOperation) -> Vec<&str> {
        let named: HashSet<&str> = holder.named(operation).iter().map(|role| role.value.as_str()).collect();
        let may = |role: &&str| self.with_included(holder, role).iter().any(|included| named.contains(included));
        self.roles_for(holder).keys().map(String::as_str).filter(may).collect()
    }

    /// A role, and all that it includes. The check refuses circles; a spec that did not pass it may have one.
    #[must_use]
    pub fn with_included<'s>(&'s self, holder: RoleHolder, role: &'s str) -> HashSet<&'s str> {
        let roles = self.roles_for(holder);
        let (mut open, mut all) = (vec![role], HashSet::default());
        while let Some(role) = open.pop() {
            if all.insert(role) {
                let included = roles.get(role).into_iter().flat_map(|role| &role.value.includes);
                open.extend(included.map(|name| name.value.as_str()));
            }
        }
        all
    }
}
