//! Servers that share a ledger: each says that it is there, and notices who is not there any more.
//!
//! A server that was taken for gone has had its holds given back, so it stops: its next batch finds out, before it writes.

use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{Books, SettlementRule, sql};
use crate::store::{StoreError, Transaction};

const BEAT_EVERY: Duration = Duration::from_secs(1);
/// Who has not said for so long that it is there, is not.
const SILENCE: Duration = Duration::from_secs(15);
/// A pause of our own that is longer: nobody's silence before it counts.
const GAP_MAX: Duration = Duration::from_secs(3);

/// What keeps this start of the server alive in the eyes of the others.
#[derive(Debug, Clone)]
pub(super) struct Pulse {
    pub(super) books: Books,
    pub(super) epoch: i64,
}

impl Pulse {
    /// Beats until it is told to end. Others are taken for gone only after the ledger could be reached from here for as long as
    /// they have been silent: when nobody could reach it, all were silent.
    pub(super) async fn beat_for_ever(self, closing: CancellationToken) {
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut since, mut last) = (Instant::now(), Instant::now());
        while closing.run_until_cancelled(ticks.tick()).await.is_some() {
            if last.elapsed() > GAP_MAX {
                since = Instant::now();
            }
            match self.beat((since.elapsed() >= SILENCE).then_some(SILENCE)).await {
                Ok(()) => last = Instant::now(),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "other servers could not be told that this one is there");
                }
            }
        }
    }

    /// Says that this start is there. Gives back what those hold that were silent for longer than `silence`.
    pub(super) async fn beat(&self, silence: Option<Duration>) -> Result<(), StoreError> {
        let mut transaction = self.books.store.begin().await?;
        let is_up = sql::say_up(&mut transaction, self.epoch).await?;
        let silent = match silence.filter(|_| is_up) {
            Some(silence) => sql::bury_silent(&mut transaction, self.epoch, silence).await?,
            None => 0,
        };
        let holds = if silent > 0 { self.release_gone(&mut transaction).await? } else { 0 };
        transaction.commit().await.map_err(StoreError::commit("that this server is up"))?;
        if silent > 0 {
            tracing::warn!(
                servers = silent,
                holds,
                "servers that went silent were taken for gone, and their holds given back"
            );
        }
        Ok(())
    }

    /// Says that this start has ended, and gives back what is still held as its own.
    pub(super) async fn resign(self) {
        if let Err(error) = self.try_resign().await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the end of this server could not be written down: others will notice");
        }
    }

    async fn try_resign(&self) -> Result<(), StoreError> {
        let mut transaction = self.books.store.begin().await?;
        sql::bury(&mut transaction, vec![self.epoch]).await?;
        self.release_gone(&mut transaction).await?;
        transaction.commit().await.map_err(StoreError::commit("the end of this server"))
    }

    async fn release_gone(&self, transaction: &mut Transaction) -> Result<u64, StoreError> {
        sql::release_gone(transaction, SettlementRule::Crashed.as_str(), self.books.clock.now_ms()).await
    }
}
