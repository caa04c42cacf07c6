//! The worker that brings every checkout to its end, also those that another process began.

use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::time::{MissedTickBehavior, interval};

use tollgate_store::StoreError;

use super::sql::{self, DueCheckout};
use super::{Checkouts, ProviderConnection};

/// The pause between two rounds.
const EVERY: Duration = Duration::from_secs(1);
/// Checkouts of one round.
const AT_ONCE: i64 = 100;
const QUESTIONS: usize = 8;
/// The age of a notice, in milliseconds, from which the request that kept it does not act on it any more.
const LEFT_MS: i64 = 2_000;

impl Checkouts {
    /// Acts on notices and asks about orders, for ever.
    pub async fn watch_for_ever(&self) {
        let Some(desk) = self.desk() else { return };
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            if let Err(error) = self.round(desk).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "open checkouts could not be worked on; again in a moment");
            }
        }
    }

    /// Acts on notices that were kept and left, and asks about the checkouts that are due.
    async fn round(&self, desk: &ProviderConnection) -> Result<(), StoreError> {
        let (readers, now_ms) = (self.topups().store.readers(), self.topups().now_ms());
        let mut after = 0;
        loop {
            let left = sql::not_acted_on(readers, desk.name(), now_ms - LEFT_MS, after).await?;
            let Some(last) = left.last() else { break };
            after = last.id;
            for kept in &left {
                if let Err(error) = self.act_on(desk, kept).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(notice = kept.id, error, "a notice could not be acted on; again in a moment");
                }
            }
        }
        let due = sql::due(readers, desk.name(), now_ms, AT_ONCE).await?;
        stream::iter(&due).for_each_concurrent(QUESTIONS, |due| self.ask_about(desk, due)).await;
        Ok(())
    }

    async fn ask_about(&self, desk: &ProviderConnection, due: &DueCheckout) {
        if let Err(error) = self.ask(desk, due).await {
            let (order, error) = (&due.request_id, &error as &dyn std::error::Error);
            tracing::warn!(order, error, "what a payment provider said of an order could not be done");
        }
    }
}
