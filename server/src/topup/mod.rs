//! Floor 4: money that comes in. Orders for credit, the payments for them, and the rails on which they are made.
//!
//! May import `accounts`, `chains` and `credit`; each rail talks to its own chains or provider. Cannot: write a
//! balance. An order that succeeds posts its own credit, which the database does, once, and only where a payment of that
//! order is paid (`migrations/sqlite/0003_top_ups.sql`).
//!
//! Invariants: money is named, by the name that the chain or provider has for it, before or with all that it brings, and a name is
//! of one order for ever; a timeout is never taken for a refusal; money that came is credited however late, or set aside for an
//! operator with an alarm, never kept in silence; a move of an order is one transaction with all that it owes.
//!
//! Start reading at [`Topups::open`], then [`ConfirmedPayment`]; payments on chains are in [`x402`], those on a provider's page in
//! [`checkout`]. [`reconcile`] compares what came with what was credited.

mod amount;
mod cap;
mod caps;
pub mod checkout;
mod claim;
mod close;
mod commit;
mod config;
mod credit;
pub mod ewallet;
mod expire;
mod find;
mod handlers;
mod open;
mod order;
mod orphaned;
mod payment;
mod quarantine;
mod rail;
pub mod reconcile;
mod resolve;
mod reverse;
mod sql;
#[cfg(test)]
mod tests;
mod topups;
pub mod x402;

pub use cap::{CapExceeded, CapSpan, TopupCaps};
pub use claim::{ClaimRefused, GiveUpOutcome, PaymentClaim};
#[cfg(feature = "crash-points")]
pub use commit::Step;
pub use config::{Config, RailConfig};
pub use credit::{CreditError, CreditOutcome};
pub use open::{NewOrder, OpenRefused};
pub use order::{CreditOrder, OrderFailure, ResolvedCredit};
pub use orphaned::{OrphanOrigin, OrphanedPayments, find_orphaned};
pub use payment::{ConfirmedPayment, NewPayment, OrderPayment, QuarantinedPayment, Resolution};
pub use quarantine::PaymentAnomaly;
pub use rail::PaymentRail;
pub use resolve::{CreditAmount, PaymentResolveRefused, ResolveRequest, ResolvedPayment};
pub use reverse::{PaymentReversal, PaymentReversalRefused, PaymentReversalRequest, ReversalParty};
pub use topups::Topups;
