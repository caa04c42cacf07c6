//! The handle of top-ups, and the rights with which orders and payments are moved.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tollgate_api::generated::machines::{payment, topup_order};
use tollgate_base::Clock;
use tollgate_store::Store;

use super::Config;
use super::reconcile::ReconcilerStats;

/// The room's handle. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Topups {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) config: Arc<Config>,
    pub(super) rights: Arc<SettlementRights>,
    /// The number of open payments and checkouts that the configuration does not cover, as last counted.
    pub(super) stranded: Arc<AtomicU64>,
    pub(super) compared: Arc<ReconcilerStats>,
}

/// The rights of this room to move orders and payments, as their state machines know its actors.
#[derive(Debug)]
pub(super) struct SettlementRights {
    pub(super) orders: topup_order::actor::Settlement,
    pub(super) payments: payment::actor::Settlement,
    pub(super) clock: topup_order::actor::Clock,
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

    pub(super) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }
}
