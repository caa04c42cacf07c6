//! How a hold ends: the words for it.

use std::fmt;

use super::{Hold, Usage};
use crate::base::Usd;

/// How a request is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// What it cost; zero is allowed, less is not.
    pub cost: Usd,
    /// The rule that led to this cost.
    pub rule: SettlementRule,
    /// What it used.
    pub usage: Usage,
    /// Where and how fast it was answered.
    pub delivery: Delivery,
}

/// Where and how fast a request was answered, for its receipt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivery {
    /// The upstream that answered.
    pub upstream: Option<String>,
    /// What the model is called there.
    pub upstream_model: Option<String>,
    /// Milliseconds from the request to the first byte of the answer.
    pub first_byte_ms: Option<u64>,
    /// Milliseconds from the request to the settlement.
    pub duration_ms: Option<u64>,
}

/// What was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// What the account paid.
    pub charged: Usd,
    /// What the account did not have of the cost; the house's loss.
    pub shortfall: Usd,
}

/// Why a hold was not settled or released.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleFailed {
    /// It was resolved before, or expired: nothing was charged by this call.
    #[error("the hold is resolved already")]
    AlreadyResolved,
    /// The cost is negative or the usage contradicts itself. The hold comes back, untouched.
    #[error("the settlement contradicts itself")]
    Absurd(Hold),
    /// It could not be written. Nothing was charged, and nothing will be: the hold is given back when that is possible.
    #[error("the ledger is not available")]
    Unavailable,
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        /// Why a hold ended as it did: the written policy of `SettlementRule` in `spec/`, which says what each means for the
        /// one who pays. Each has a text, by which receipts keep it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum SettlementRule { $($(#[doc = $doc])* $name,)* }

        impl SettlementRule {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The rule as it is stored.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

rules! {
    /// The answer was complete, and the upstream's own figures are charged.
    Reported = "reported",
    /// The answer was complete, but the upstream gave no figures or impossible ones: our count is charged.
    Counted = "counted",
    /// The upstream broke off after output was delivered, and had given its figures.
    BrokeOffReported = "broke_off_reported",
    /// The upstream broke off after output was delivered: our count of it is charged.
    BrokeOffCounted = "broke_off_counted",
    /// The client left; the upstream's figures were read to the end.
    ClientGoneReported = "client_gone_reported",
    /// The client left and the upstream was cut off: our count is charged.
    ClientGoneCounted = "client_gone_counted",
    /// The call ended without output: nothing is charged.
    NothingDelivered = "nothing_delivered",
    /// Nothing was sent to an upstream: nothing is charged.
    NotSent = "not_sent",
    /// The charge was never written: the ledger could not, or whoever held it went away, or its time ran out.
    NotRecorded = "not_recorded",
    /// The server that held it died before it was resolved.
    Crashed = "crashed",
}

impl SettlementRule {
    /// Reads a stored rule.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.as_str() == text)
    }
}

impl fmt::Display for SettlementRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
