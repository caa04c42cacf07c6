//! Floor 4: money that comes in. Orders for credit, the payments for them, and the rails on which they are made.
//!
//! May import `accounts`, `chains` and `credit`; each rail talks to its own chains or provider. Cannot: write a
//! balance. An order that succeeds posts its own credit, which the database does, once, and only where a payment of that
//! order is paid (`server/crates/store/migrations/*/0003_top_ups.sql`).
//!
//! Invariants: money is named, by the name that the chain or provider has for it, before or with all that it brings, and a name is
//! of one order for ever; a timeout is never taken for a refusal; money that came is credited however late, or set aside for an
//! operator with an alarm, never kept in silence; a move of an order is one transaction with all that it owes.
//!
//! Start reading at [`Topups::open`], then [`ConfirmedPayment`]; payments on chains are in [`x402`], those on a provider's page in
//! [`ewallet`]. [`reconcile`] compares what came with what was credited.

mod commit;
mod config;
pub mod ewallet;
mod handlers;
mod orders;
mod orphaned;
mod payments;
mod rail;
pub mod reconcile;
#[cfg(test)]
mod tests;
mod topups;
pub mod x402;

#[cfg(feature = "crash-points")]
pub use commit::Step;
pub use config::{Config, RailConfig};
pub use orders::{CapExceeded, CapSpan, CreditOrder, NewOrder, OpenRefused, OrderFailure, ResolvedCredit, TopupCaps};
pub use orphaned::{OrphanOrigin, OrphanedPayments, find_orphaned};
pub use payments::{
    ClaimRefused, ConfirmedPayment, CreditAmount, CreditError, CreditOutcome, GiveUpOutcome, NewPayment, OrderPayment,
    PaymentAnomaly, PaymentClaim, PaymentResolveRefused, PaymentReversal, PaymentReversalRefused,
    PaymentReversalRequest, QuarantinedPayment, Resolution, ResolveRequest, ResolvedPayment, ReversalParty,
};
pub use rail::PaymentRail;
pub use topups::Topups;
