//! Alarms: what rang, kept in the database until an operator has looked at it.
//!
//! The log is where alarms come from and stays the first to tell them. Invariants: an alarm that was taken out of the feed is written
//! down or put back; one that is acknowledged never changes again.
//! Start reading at [`AlarmRecorder`].

mod guide;
mod handlers;
mod sql;

use std::time::Duration;

use tokio::time::sleep;

use tollgate_base::with_causes;
use tollgate_store::{Store, StoreError};
use tollgate_telemetry::{AlarmFeed, AlarmIdentity, AlarmRings};

pub(crate) use sql::open_count;

/// The pause between two writings, so that an alarm which rings for each request is written once in a second.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes down the alarms of this server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AlarmRecorder {
    store: Store,
    feed: AlarmFeed,
    /// The name of this server.
    node: String,
}

impl AlarmRecorder {
    /// A recorder of what comes by this feed, for the server of this name.
    #[must_use]
    pub const fn new(store: Store, feed: AlarmFeed, node: String) -> Self {
        Self { store, feed, node }
    }

    /// The feed that alarms come by.
    #[must_use]
    pub const fn feed(&self) -> &AlarmFeed {
        &self.feed
    }

    /// Writes down what rings, again and again, until the future is dropped.
    pub async fn record_for_ever(&self) {
        loop {
            self.feed.rang().await;
            while let Err(error) = self.record().await {
                let error = with_causes(&error);
                tracing::warn!(error, "alarms could not be written down; they are in the log and are tried again");
                sleep(PAUSE).await;
            }
            sleep(PAUSE).await;
        }
    }

    /// Writes down what has rung.
    ///
    /// # Errors
    /// When the store fails; nothing is lost then.
    pub async fn record(&self) -> Result<(), StoreError> {
        let mut rung = TakenAlarms { feed: &self.feed, alarms: self.feed.take() };
        if rung.alarms.is_empty() {
            return Ok(());
        }
        let mut transaction = self.store.begin().await?;
        for (identity, rings) in &rung.alarms {
            sql::put(&mut transaction, identity, rings, &self.node).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("alarms"))?;
        rung.alarms.clear();
        Ok(())
    }
}

/// Alarms that were taken out of a feed. Those that are left when it is dropped, as when a writing fails or is cut, are put back.
struct TakenAlarms<'a> {
    feed: &'a AlarmFeed,
    alarms: Vec<(AlarmIdentity, AlarmRings)>,
}

impl Drop for TakenAlarms<'_> {
    fn drop(&mut self) {
        self.feed.put_back(std::mem::take(&mut self.alarms));
    }
}
