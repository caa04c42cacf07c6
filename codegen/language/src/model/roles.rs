//! The roles by which operators may call operations.

use super::{DeclaredOperation, Spec};
use crate::map::HashSet;

impl Spec {
    /// True if a scheme of the operation admits operators.
    #[must_use]
    pub fn is_of_operators(&self, operation: &DeclaredOperation) -> bool {
        let mut schemes = operation.auth.schemes().iter().filter_map(|name| self.auth.get(&name.value));
        schemes.any(|scheme| scheme.is_of_operators())
    }

    /// The roles that may call an operation, in the order of the section: those that it names, and those that include one of them.
    #[must_use]
    pub fn roles_of(&self, operation: &DeclaredOperation) -> Vec<&str> {
        let named: HashSet<&str> = operation.roles.iter().map(|role| role.value.as_str()).collect();
        let may = |role: &&str| self.with_included(role).iter().any(|included| named.contains(included));
        self.roles.keys().map(String::as_str).filter(may).collect()
    }

    /// A role, and all that it includes. The check refuses circles; a spec that did not pass it may have one.
    #[must_use]
    pub fn with_included<'s>(&'s self, role: &'s str) -> HashSet<&'s str> {
        let (mut open, mut all) = (vec![role], HashSet::default());
        while let Some(role) = open.pop() {
            if all.insert(role) {
                let included = self.roles.get(role).into_iter().flat_map(|role| &role.value.includes);
                open.extend(included.map(|name| name.value.as_str()));
            }
        }
        all
    }
}
