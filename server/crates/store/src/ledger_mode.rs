//! The two modes of a ledger.

use std::fmt;

/// The kind of payments that may be in a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LedgerMode {
    /// Payments that are for trying out may be in it.
    Sandbox,
    /// All of its payments moved money.
    Production,
}

impl LedgerMode {
    /// The mode as the ledger and the configuration write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Production => "production",
        }
    }
}

impl fmt::Display for LedgerMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
