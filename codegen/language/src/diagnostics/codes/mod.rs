//! The table of codes: what each complaint means, once, for `codegen explain CODE`.
//!
//! Codes are stable: a number is never given to another meaning. Letters: S syntax, K shape of an entry, N names,
//! R references, U unused, T types, O operations, M machines, E errors and limits, F facts and origin, X examples.

use std::fmt;

pub mod errors;
pub mod examples;
pub mod facts;
pub mod machines;
pub mod names;
pub mod operations;
pub mod references;
pub mod structure;
pub mod syntax;
pub mod types;
pub mod unused;

/// The code of a complaint.
#[derive(Clone, Copy)]
pub struct DiagnosticCode(&'static DiagnosticInfo);

/// The documentation of a code.
#[derive(Debug)]
pub struct DiagnosticInfo {
    /// `K001`
    pub code: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// In a paragraph: the rule and its reason.
    pub explanation: &'static str,
    /// A line or few that it is said about.
    pub example: &'static str,
}

impl DiagnosticCode {
    /// Every code, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        let tables = [
            syntax::ALL,
            structure::ALL,
            names::ALL,
            references::ALL,
            unused::ALL,
            types::ALL,
            operations::ALL,
            machines::ALL,
            errors::ALL,
            facts::ALL,
            examples::ALL,
        ];
        tables.into_iter().flatten().copied()
    }

    /// The code as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0.code
    }

    /// The documentation of the code.
    #[must_use]
    pub const fn info(self) -> &'static DiagnosticInfo {
        self.0
    }
}

impl fmt::Debug for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.code)
    }
}

impl PartialEq for DiagnosticCode {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for DiagnosticCode {}

/// Declares codes: name, number, title, explanation, example.
macro_rules! codes {
    ($($name:ident $code:literal $title:literal $explanation:literal $example:literal)+) => {
        $(
            #[doc = $title]
            pub const $name: crate::diagnostics::DiagnosticCode =
                crate::diagnostics::codes::code(&crate::diagnostics::DiagnosticInfo {
                    code: $code,
                    title: $title,
                    explanation: $explanation,
                    example: $example,
                });
        )+
        /// The codes of this table.
        pub(super) const ALL: &[crate::diagnostics::DiagnosticCode] = &[$($name),+];
    };
}
pub(crate) use codes;

/// A code from its documentation; for the tables only.
const fn code(info: &'static DiagnosticInfo) -> DiagnosticCode {
    DiagnosticCode(info)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::DiagnosticCode;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut seen = BTreeSet::new();
        for code in DiagnosticCode::all() {
            assert!(seen.insert(code.as_str()), "{code:?} is there twice");
            assert!(
                !code.info().explanation.is_empty() && !code.info().example.is_empty(),
                "{code:?} is not explained"
            );
        }
    }
}
