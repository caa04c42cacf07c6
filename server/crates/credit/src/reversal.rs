//! A reversal of credit: its kinds, a request for one, and one that was made.

use tollgate_base::{AccountId, Actor, Usd};

/// The reason that credit is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalKind {
    /// By hand.
    Take,
    /// The operator gave the payer the money back.
    Refund,
    /// The payer or the payment provider took the money back.
    Chargeback,
}

impl ReversalKind {
    /// The kind as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Refund => "refund",
            Self::Chargeback => "chargeback",
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        [Self::Take, Self::Refund, Self::Chargeback].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A reversal that was made: credit that was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reversal {
    /// Its number.
    pub id: i64,
    /// The reason that it was taken.
    pub kind: ReversalKind,
    /// The account that it was taken from.
    pub account: AccountId,
    /// The number of the payment that is reversed, where it is one.
    pub payment: Option<i64>,
    /// The amount that was to be taken.
    pub amount: Usd,
    /// The part that was available, and is taken.
    pub taken: Usd,
    /// The part that the account owes for it, when it was made.
    pub debt: Usd,
    /// Unix time in milliseconds.
    pub at_ms: i64,
    /// True if an earlier call with the same key took it: nothing was taken by this one.
    pub repeated: bool,
}

impl Reversal {
    /// The part that is neither taken nor owed.
    #[must_use]
    pub fn left(&self) -> Usd {
        Usd::from_nanos(self.amount.nanos() - self.taken.nanos() - self.debt.nanos())
    }
}

/// A reversal that is to be made, of any kind.
#[derive(Debug, Clone, Copy)]
pub struct ReversalRequest<'a> {
    /// The reason that it is taken.
    pub kind: ReversalKind,
    /// The account that it is taken from.
    pub account: AccountId,
    /// The number of the payment that is reversed, where it is one.
    pub payment: Option<i64>,
    /// The code of the ledger account that the money goes to.
    pub counter: &'a str,
    /// The amount, more than zero.
    pub amount: Usd,
    /// True if the account owes what it does not have available.
    pub debt: bool,
    /// The idempotency key, with the start of its kind.
    pub idem: &'a str,
    /// The actor that takes it.
    pub actor: Actor<'a>,
    /// The reason, in words.
    pub note: &'a str,
    /// Unix time in milliseconds.
    pub at_ms: i64,
}
