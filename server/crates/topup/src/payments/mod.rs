//! Payments for orders: claimed before anything is sent, credited once or set aside, decided on and taken back by operators; and
//! the moves of orders that they bring.

mod claim;
mod close;
mod credit;
mod expire;
mod history;
mod payment;
pub(super) mod quarantine;
pub(super) mod resolve;
mod reverse;
mod sql;

pub use claim::{ClaimRefused, GiveUpOutcome, PaymentClaim};
pub use credit::{CreditError, CreditOutcome};
pub(crate) use payment::PaymentRecord;
pub use payment::{ConfirmedPayment, NewPayment, OrderPayment, QuarantinedPayment, Resolution};
pub use quarantine::PaymentAnomaly;
pub use resolve::{CreditAmount, PaymentResolveRefused, ResolveRequest, ResolvedPayment};
pub use reverse::{PaymentReversal, PaymentReversalRefused, PaymentReversalRequest, ReversalParty};
