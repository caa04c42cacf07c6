//! Servers that share a ledger: each writes a heartbeat, and notices whose heartbeats have stopped.
//!
//! What a server held that was taken for gone is given back (`orphaned_holds`), so it stops: its next batch finds out, before
//! it writes. A server whose heartbeat finds no connection, and whose batches are written, is there: then a batch says so.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::commit::{Step, commit};
use super::orphaned_holds::OrphanedHolds;
use super::{LedgerStore, sql};
use tollgate_store::StoreError;

const BEAT_EVERY: Duration = Duration::from_secs(1);
/// The silence in milliseconds after which a server is taken for gone.
const SILENCE_MS: i64 = 15_000;
/// A pause of our own that is longer, in milliseconds: nobody's silence before it counts.
const GAP_MAX_MS: i64 = 3_000;

/// A heartbeat may be missing for so long before a batch says in its place that this server is there.
const LATE: Duration = Duration::from_secs(3);

/// The time at which this start last wrote that it is there. All clones are the same.
#[derive(Debug, Clone)]
pub(super) struct LastHeartbeat(Arc<Mutex<Instant>>);

impl LastHeartbeat {
    pub(super) fn now() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    pub(super) fn is_late(&self) -> bool {
        self.lock().elapsed() > LATE
    }

    pub(super) fn record(&self) {
        *self.lock() = Instant::now();
    }

    /// A time is whole whoever panicked.
    fn lock(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The heartbeat of this start, which also takes silent servers for gone.
#[derive(Debug, Clone)]
pub(super) struct ServerHeartbeat {
    pub(super) books: LedgerStore,
    pub(super) epoch: i64,
    pub(super) last_beat: LastHeartbeat,
    /// Notified when a server was taken for gone.
    pub(super) found: Arc<Notify>,
}

impl ServerHeartbeat {
    /// Writes heartbeats until it is told to end, or this start was taken for gone.
    pub(super) async fn send_heartbeats(self, closing: CancellationToken) {
        let mut ticks = interval(BEAT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut reached_ms = 0;
        while closing.run_until_cancelled(ticks.tick()).await.is_some() {
            match self.send_heartbeat(&mut reached_ms).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "other servers could not be told that this one is there");
                }
            }
        }
    }

    /// Says that this start is there, and takes others for gone where `reached_ms` allows it: for so long the ledger has
    /// been reached from here without a pause. Whether this start is there still.
    async fn send_heartbeat(&self, reached_ms: &mut i64) -> Result<bool, StoreError> {
        // Whatever keeps the control writer busy, the others hear of this one.
        let mut transaction = self.books.store.begin_reserved().await?;
        let Some(gap_ms) = sql::say_up(&mut transaction, self.epoch).await? else { return Ok(false) };
        commit(transaction, Step::Beat, "that this server is up").await?;
        self.last_beat.record();
        *reached_ms = reached(*reached_ms, gap_ms);
        if *reached_ms >= SILENCE_MS {
            // On its own: that we are there holds whatever becomes of this.
            self.mark_silent_gone(SILENCE_MS).await?;
        }
        Ok(true)
    }

    /// Takes those for gone that were silent for longer than `silence_ms`. In a commit of its own, which is over at once however
    /// much they hold: that is given back by [`OrphanedHolds`](super::orphaned_holds::OrphanedHolds).
    pub(super) async fn mark_silent_gone(&self, silence_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.books.store.begin().await?;
        let silent = sql::mark_silent_gone(&mut transaction, self.epoch, silence_ms).await?;
        commit(transaction, Step::Bury, "that servers are gone").await?;
        if silent > 0 {
            tracing::warn!(
                servers = silent,
                "servers that went silent were taken for gone: their holds are given back"
            );
            self.found.notify_one();
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
        sql::mark_gone(&mut transaction, vec![self.epoch]).await?;
        commit(transaction, Step::Resign, "the end of this server").await?;
        // Whoever ends in order holds little, and others or the next start see to the rest.
        let mut orphaned = OrphanedHolds::new(self.books.clone(), self.found.clone());
        orphaned.release(1, &CancellationToken::new()).await.map(drop)
    }
}

/// The milliseconds for which the ledger has been reached from here without a pause, `gap_ms` after it was `before_ms`. All by
/// the database's clock: where nobody could reach it, where it stood still, and where it was set, all were silent together.
fn reached(before_ms: i64, gap_ms: i64) -> i64 {
    if (0..=GAP_MAX_MS).contains(&gap_ms) { before_ms.saturating_add(gap_ms) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_of_our_own_says_nothing_of_others() {
        let beats = |gaps: &[i64]| gaps.iter().fold(0, |before, gap| reached(before, *gap));
        assert!(beats(&[1_000; 14]) < SILENCE_MS && beats(&[1_000; 15]) >= SILENCE_MS);
        for pause in [GAP_MAX_MS + 1, 20_000, -1, i64::MIN, i64::MAX] {
            assert!(beats(&[&[1_000; 100][..], &[pause], &[1_000; 14]].concat()) < SILENCE_MS, "{pause}");
        }
        assert!(beats(&[GAP_MAX_MS; 5]) >= SILENCE_MS, "slow, and never away");
    }
}
