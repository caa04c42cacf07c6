//! A payment: as a chain or provider names it, claimed by an order, confirmed, in quarantine, and credited.

use crate::PaymentRail;
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_base::{AccountId, OrderId, Usd};

/// A payment as the chain or provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayment {
    /// A chain by its CAIP-2 id, or a payment provider by its name in the configuration.
    pub source: String,
    /// Its unique name there: what has this name can be paid once alone.
    pub reference: String,
    /// The token's address, or the currency.
    pub asset: String,
    /// The amount in the smallest units of the asset.
    pub amount: String,
    /// The payer, where that is known.
    pub payer: Option<String>,
    /// The name that people find it by, where that is known already: a transaction on chain, or the provider's number.
    pub receipt: Option<String>,
}

/// A payment that an order has claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderPayment {
    /// The number of the payment in the ledger.
    pub id: i64,
    /// The order that has claimed it.
    pub order: OrderId,
    /// The state of the payment.
    pub state: PaymentState,
    /// The payment as the chain or provider knows it.
    pub new: NewPayment,
    /// Unix time in milliseconds.
    pub claimed_at_ms: i64,
}

/// A payment that a rail has confirmed. The chain shows the exact transfer at the configured depth, or the provider says paid, with
/// the order's amount in its currency. **Made by the rails' checkers alone.**
#[derive(Debug)]
pub struct ConfirmedPayment {
    /// The order that it pays.
    pub(crate) order: OrderId,
    /// The payment.
    pub(crate) payment: NewPayment,
}

/// A payment that waits for an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuarantinedPayment {
    /// The number of the payment.
    pub id: i64,
    /// The payment as the chain or provider knows it.
    pub new: NewPayment,
    /// The order of the payment.
    pub order: OrderId,
    /// The account of that order.
    pub account: AccountId,
    /// The rail of the order.
    pub rail: PaymentRail,
    /// The amount of the order.
    pub amount: Usd,
    /// The time at which it was set aside, unix time in milliseconds.
    pub since_ms: i64,
}

/// A payment with all that became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaymentRecord {
    /// The number of the payment in the ledger.
    pub(crate) id: i64,
    /// The payment as the chain or provider knows it.
    pub(crate) new: NewPayment,
    /// The state of the payment.
    pub(crate) state: PaymentState,
    /// Unix time in milliseconds.
    pub(crate) claimed_at_ms: i64,
    /// An operator's decision on it.
    pub(crate) resolution: Option<Resolution>,
    /// The credit that it brought.
    pub(crate) credited: Option<Usd>,
    /// The part of the credit that has gone back.
    pub(crate) reversed: Usd,
}

/// The decision on a payment that was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// This much of it is credited.
    Credit(Usd),
    /// The payer has it back; nothing is booked.
    Returned,
}

/// A payment that was credited, and what of it has gone back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CreditedPayment {
    pub(super) payment: i64,
    pub(super) order: OrderId,
    pub(super) account: AccountId,
    pub(super) rail: PaymentRail,
    pub(super) credited: Usd,
    pub(super) reversed: Usd,
}

impl CreditedPayment {
    pub(super) fn left(&self) -> Usd {
        Usd::from_nanos(self.credited.nanos() - self.reversed.nanos())
    }
}
