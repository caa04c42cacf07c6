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
mod caps;
pub mod checkout;
mod claim;
mod close;
mod commit;
mod config;
mod credit;
pub mod ewallet;
mod expire;
mod handlers;
mod open;
mod order;
mod orphaned;
mod quarantine;
pub mod reconcile;
mod resolve;
mod reverse;
mod sql;
#[cfg(test)]
mod tests;
pub mod x402;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::base::{AccountId, Clock, OrderId, Usd};
use crate::credit::{debt_paid_by_order, debt_paid_by_resolution};
use crate::generated::machines::{payment, topup_order};
use crate::store::{Store, StoreError};

pub use caps::{CapExceeded, CapSpan, TopupCaps};
pub use claim::{ClaimRefused, GiveUpOutcome, NewPayment, OrderPayment, PaymentClaim};
#[cfg(feature = "crash-points")]
pub use commit::Step;
pub use config::{Config, RailConfig};
pub use credit::{ConfirmedPayment, CreditError, CreditOutcome};
pub use open::{NewOrder, OpenRefused};
pub use order::{CreditOrder, OrderFailure, PaymentRail, ResolvedCredit};
pub use orphaned::{OrphanOrigin, OrphanedPayments, find_orphaned};
pub use quarantine::PaymentAnomaly;
use quarantine::{SET_ASIDE, UNDECIDED};
use reconcile::ReconcilerStats;
pub use resolve::{
    CreditAmount, PaymentResolveRefused, QuarantinedPayment, Resolution, ResolveRequest, ResolvedPayment,
};
pub use reverse::{PaymentReversal, PaymentReversalRefused, PaymentReversalRequest, ReversalParty};

/// The room's handle. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Topups {
    store: Store,
    clock: Clock,
    config: Arc<Config>,
    rights: Arc<SettlementRights>,
    /// The number of open payments and checkouts that the configuration does not cover, as last counted.
    stranded: Arc<AtomicU64>,
    compared: Arc<ReconcilerStats>,
}

/// The rights of this room to move orders and payments, as their state machines know its actors.
#[derive(Debug)]
struct SettlementRights {
    orders: topup_order::actor::Settlement,
    payments: payment::actor::Settlement,
    clock: topup_order::actor::Clock,
}

impl Topups {
    /// The top-ups of a ledger.
    #[must_use]
    pub fn new(store: Store, clock: Clock, config: Config) -> Self {
        let rights = SettlementRights {
            orders: topup_order::actor::Settlement::grant(),
            payments: payment::actor::Settlement::grant(),
            clock: topup_order::actor::Clock::grant(),
        };
        Self {
            store,
            clock,
            config: Arc::new(config),
            rights: Arc::new(rights),
            stranded: Arc::default(),
            compared: Arc::default(),
        }
    }

    /// The rails that are on, and their bounds.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The last comparison with chains and provider that this server has made.
    #[must_use]
    pub fn compared(&self) -> &ReconcilerStats {
        &self.compared
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The account's order of that name or number. Another account's is not found.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn find(&self, account: AccountId, named: &str) -> Result<Option<CreditOrder>, StoreError> {
        // No name is a number: each begins with letters.
        match named.parse() {
            Ok(id) => self.own(account, OrderId(id)).await,
            Err(_) => sql::find_by_name(self.store.readers(), account, named).await,
        }
    }

    /// The account's order of that number. Another account's is not found.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn own(&self, account: AccountId, id: OrderId) -> Result<Option<CreditOrder>, StoreError> {
        sql::find_own(self.store.readers(), account, id).await
    }

    /// The part of the [credit](Order::credited) of an order that paid debts of its account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn debt_paid(&self, order: &CreditOrder) -> Result<Usd, StoreError> {
        if order.state != topup_order::State::Success && order.resolved.is_some() {
            return debt_paid_by_resolution(self.store.readers(), order.id).await;
        }
        debt_paid_by_order(self.store.readers(), order.id).await
    }

    /// The order of that number, of any account.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn order(&self, id: OrderId) -> Result<Option<CreditOrder>, StoreError> {
        sql::find(self.store.readers(), id).await
    }
}
