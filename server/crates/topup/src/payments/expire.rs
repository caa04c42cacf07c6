//! Expiry of orders that nobody paid in time.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::commit::{Step, commit};
use crate::orders::sql as orders;
use crate::{CreditOrder, Topups};
use tollgate_api::generated::machines::topup_order::AnyRow;
use tollgate_store::{StoreError, StoreTransaction};

use super::sql::moves;

/// The pause between two passes over expired orders.
const EVERY: Duration = Duration::from_secs(1);
/// Orders that one transaction expires.
const AT_ONCE: i64 = 100;

impl Topups {
    /// Expires orders whose time is over, for ever. Orders of the e-wallet rail end when their provider has been asked.
    pub async fn expire_for_ever(&self) {
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            if let Err(error) = self.expire_lapsed().await {
                tracing::error!(error = &error as &dyn std::error::Error, "orders past their time could not be ended");
            }
        }
    }

    /// Expires orders whose time is over. Returns how many.
    ///
    /// # Errors
    /// When the store fails; those are ended by the next call.
    pub async fn expire_lapsed(&self) -> Result<u64, StoreError> {
        let mut ended = 0;
        loop {
            let now_ms = self.clock.now_ms();
            // The write queue of the store is left to those who have something to write.
            if !orders::any_lapsed(self.store.readers(), now_ms).await? {
                return Ok(ended);
            }
            let mut transaction = self.store.begin().await?;
            let mut here = 0;
            for order in orders::lapsed(&mut transaction, now_ms, AT_ONCE).await? {
                here += u64::from(self.expire(&mut transaction, order, now_ms).await?);
            }
            commit(transaction, Step::Expire, "orders past their time").await?;
            ended += here;
            if here == 0 {
                return Ok(ended);
            }
        }
    }

    /// Expires an order that was read in this transaction. True if it was pending.
    pub(crate) async fn expire(
        &self,
        transaction: &mut StoreTransaction,
        order: CreditOrder,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let AnyRow::Pending(row) = AnyRow::read(order.state, order) else { return Ok(false) };
        moves::expire(transaction, &self.rights, row, now_ms).await.map(|_| true)
    }
}
