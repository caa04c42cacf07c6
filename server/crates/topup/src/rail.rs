//! The ways to pay.

use std::fmt;

/// A way to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentRail {
    /// A person signs in a wallet.
    Crypto,
    /// An agent signs by program.
    X402,
    /// Hosted checkout of an e-wallet.
    Ewallet,
}

impl PaymentRail {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Crypto, Self::X402, Self::Ewallet];

    /// The name in rows and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crypto => "crypto",
            Self::X402 => "x402",
            Self::Ewallet => "ewallet",
        }
    }

    /// True if orders of the rail are paid on a chain.
    #[must_use]
    pub const fn is_on_chain(self) -> bool {
        match self {
            Self::Crypto | Self::X402 => true,
            Self::Ewallet => false,
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rail| rail.as_str() == text)
    }
}

impl fmt::Display for PaymentRail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
