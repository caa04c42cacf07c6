//! The code of a complaint and its documentation, and the declaration of a table of them.

use std::fmt;

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
            pub const $name: super::diagnostic_code::DiagnosticCode =
                super::diagnostic_code::code(&super::diagnostic_code::DiagnosticInfo {
                    code: $code,
                    title: $title,
                    explanation: $explanation,
                    example: $example,
                });
        )+
        /// The codes of this table.
        pub(super) const ALL: &[super::diagnostic_code::DiagnosticCode] = &[$($name),+];
    };
}
pub(super) use codes;

/// A code from its documentation; for the tables only.
pub(super) const fn code(info: &'static DiagnosticInfo) -> DiagnosticCode {
    DiagnosticCode(info)
}
