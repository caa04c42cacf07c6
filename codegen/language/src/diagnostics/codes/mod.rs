//! The table of codes: what each complaint means, once, for `codegen explain CODE`.
//!
//! Codes are stable: a number is never given to another meaning. Letters: S syntax, K shape of an entry, N names,
//! R references, U unused, T types, O operations, M machines, E errors and limits, F facts and origin, X examples.

mod diagnostic_code;
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

pub use self::diagnostic_code::{DiagnosticCode, DiagnosticInfo};

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
