//! The names that written code uses for what stands elsewhere, and the imports for them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::naming::word;
use crate::resolve::{ResolvedOperation, ResolvedSpec};

/// The modules that code names things by, and where each is, in the order of `use` lines.
const MODULES: [(&str, &str); 6] = [
    (AUTH, "super::super::auth"),
    (CODE, "super::super::errors::code"),
    (ENVELOPES, "super::super::errors::envelopes"),
    (LIMITS, "super::super::limits"),
    (TYPES, "super::super::types"),
    (API, "crate::api"),
];
const API: &str = "api";
pub(super) const AUTH: &str = "auth";
/// The one that attributes name without saying so: `#[code(NAME)]`.
pub(super) const CODE: &str = "code";
pub(super) const ENVELOPES: &str = "envelopes";
pub(super) const LIMITS: &str = "limits";
pub(super) const TYPES: &str = "types";

/// The position of code.
pub(super) enum CodePosition<'l> {
    /// In a module of operations.
    Operations,
    /// In this module of types.
    Types(&'l str),
    /// In a macro that is used anywhere.
    Anywhere,
}

/// The names that code in some position uses. It remembers what it was asked for: exactly that has to be imported.
pub(super) struct ImportScope<'l> {
    stands: CodePosition<'l>,
    lowered: &'l ResolvedSpec<'l>,
    named: RefCell<BTreeSet<&'static str>>,
}

impl<'l> ImportScope<'l> {
    pub(super) fn new(stands: CodePosition<'l>, lowered: &'l ResolvedSpec<'l>) -> Self {
        let scope = Self { stands, lowered, named: RefCell::default() };
        if matches!(scope.stands, CodePosition::Operations) {
            // The template names it for every operation.
            scope.needs(API);
        }
        scope
    }

    /// The code is in need of a module.
    pub(super) fn needs(&self, module: &'static str) {
        self.named.borrow_mut().insert(module);
    }

    /// Something by its module.
    pub(super) fn of(&self, module: &'static str, name: impl std::fmt::Display) -> String {
        self.needs(module);
        format!("{module}::{name}")
    }

    /// Something of the runtime.
    pub(super) fn api(&self, name: &str) -> String {
        match self.stands {
            CodePosition::Anywhere => format!("$crate::api::{name}"),
            CodePosition::Operations | CodePosition::Types(_) => self.of(API, name),
        }
    }

    /// A type of the spec, by its name there.
    pub(super) fn spec_type(&self, name: &str) -> String {
        let def = self.lowered.types.get(name);
        let rust = word(def.map_or(name, |def| &def.rust));
        match self.stands {
            CodePosition::Operations => self.of(TYPES, rust),
            CodePosition::Types(module) if def.is_some_and(|def| def.module != module) => format!("super::{rust}"),
            CodePosition::Types(_) => rust.into_owned(),
            CodePosition::Anywhere => format!("$crate::generated::types::{rust}"),
        }
    }

    /// The name of what stands beside the trait of an operation: that of the operation with this suffix.
    pub(super) fn beside(&self, operation: &ResolvedOperation<'_>, suffix: &str) -> String {
        let name = format!("{}{suffix}", operation.rust);
        match self.stands {
            CodePosition::Anywhere => format!("$crate::generated::ops::{}::{name}", word(&operation.module)),
            CodePosition::Operations | CodePosition::Types(_) => name,
        }
    }

    /// The `use` lines that this makes necessary.
    pub(super) fn imports(self) -> Vec<String> {
        let named = self.named.into_inner();
        let modules = MODULES.iter().filter(|(module, _)| named.contains(module));
        modules.map(|(_, path)| format!("use {path};")).collect()
    }
}
