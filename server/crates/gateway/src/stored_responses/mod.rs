//! Stored responses with their input, and the key that encrypts compacted conversations.
//!
//! Each response belongs to its account alone: every statement has the account in its condition. A row holds the whole
//! conversation, so it does not depend on the rows of earlier turns. Items are found by their ids, each in the newest row that
//! has it. The rows of an account have a quota, above which the oldest are deleted: they are in the database of the ledger,
//! and all accounts share its disk. Nothing here goes through the ledger's writer; a row is on the disk when
//! [`ResponseStore::keep`] returns.

mod items;
mod keep;
mod row;
mod seal;
mod sql;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Clock};
use tollgate_store::{Store, StoreError};

pub use items::{ITEMS, is_findable};
pub use keep::{PendingStorage, StoredResponse};
pub use row::StoredResponseRow;
pub use seal::{CompactionSeal, ForeignSeal};
use sql::LongColumn;

/// The time for which a response is stored, in milliseconds: the one that clients of this interface expect.
const RETENTION_MS: i64 = limits::RESPONSE_RETENTION.as_secs().cast_signed() * 1000;
/// The quota of an account's responses, in bytes.
const QUOTA: usize = limits::STORED_RESPONSES;
/// The interval between deletions of expired rows, which are not found in between either.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// The most rows that one transaction of a sweep deletes. So the ledger is not kept from writing for long.
const SWEEP_ROWS: i64 = 500;
/// The most rows that one transaction deletes to make room for a new one.
const DROP_ROWS: i64 = 500;

/// The store of responses. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ResponseStore {
    store: Store,
    clock: Clock,
    seal: CompactionSeal,
    quota: usize,
}

impl ResponseStore {
    /// Opens the store; at the first start its key is made.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn open(store: Store, clock: Clock) -> Result<Self, StoreError> {
        let mut fresh = [0; 32];
        getrandom::fill(&mut fresh).expect("the operating system has randomness");
        let mut transaction = store.begin().await?;
        let secret = sql::key(&mut transaction, &fresh, clock.now_ms()).await?;
        transaction.commit().await.map_err(StoreError::commit("a server key"))?;
        Ok(Self { store, clock, seal: CompactionSeal::new(&secret), quota: QUOTA })
    }

    /// The seal of compacted conversations.
    #[must_use]
    pub fn seal(&self) -> &CompactionSeal {
        &self.seal
    }

    /// Stores a response, durable when it returns, and deletes the account's oldest ones above its quota. Returns false
    /// for one above the quota by itself, which is not stored and for which none is deleted.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn keep(&self, account: AccountId, row: &StoredResponseRow) -> Result<bool, StoreError> {
        if row.bytes() > self.quota {
            tracing::warn!(%account, bytes = row.bytes(), "a response is too large to be kept");
            return Ok(false);
        }
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin_of(account).await?;
        sql::insert(&mut transaction, account, row, now_ms, now_ms.saturating_add(RETENTION_MS)).await?;
        sql::index(&mut transaction, account, &row.id, &items::ids(row)).await?;
        let mut dropped = sql::drop_oldest(&mut transaction, account, &row.id, self.quota, DROP_ROWS).await?;
        transaction.commit().await.map_err(StoreError::commit("a response"))?;
        // A large response may replace many small ones: they are deleted in batches, so that the ledger can write in between.
        while dropped == DROP_ROWS.unsigned_abs() {
            dropped = match self.trim(account, &row.id).await {
                Ok(dropped) => dropped,
                Err(error) => {
                    // The response is stored, and the next one continues the deletion.
                    tracing::warn!(%account, error = &error as &dyn std::error::Error, "old responses were left for later");
                    break;
                }
            };
        }
        Ok(true)
    }

    async fn trim(&self, account: AccountId, newest: &str) -> Result<u64, StoreError> {
        let mut transaction = self.store.begin_of(account).await?;
        let dropped = sql::drop_oldest(&mut transaction, account, newest, self.quota, DROP_ROWS).await?;
        transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
        Ok(dropped)
    }

    /// A response of the account with its input.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn find(&self, account: AccountId, id: &str) -> Result<Option<StoredResponseRow>, StoreError> {
        sql::find(self.store.readers(), account, id, self.clock.now_ms()).await
    }

    /// The ids of the account's responses that have these items, for each item the newest one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn holders(&self, account: AccountId, items: &BTreeSet<String>) -> Result<Vec<String>, StoreError> {
        let items = serde_json::to_string(items).expect("texts are JSON");
        sql::holders(self.store.readers(), account, &items).await
    }

    /// A response of the account without its input.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn response(&self, account: AccountId, id: &str) -> Result<Option<String>, StoreError> {
        sql::find_half(self.store.readers(), LongColumn::Response, account, id, self.clock.now_ms()).await
    }

    /// The input of a response of the account.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn input(&self, account: AccountId, id: &str) -> Result<Option<String>, StoreError> {
        sql::find_half(self.store.readers(), LongColumn::Input, account, id, self.clock.now_ms()).await
    }

    /// True if the account has that response.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn holds(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        sql::holds(self.store.readers(), account, id, self.clock.now_ms()).await
    }

    /// Deletes a response of the account; returns true if there was one.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn delete(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.store.begin_of(account).await?;
        let forgotten = sql::delete(&mut transaction, account, id, self.clock.now_ms()).await?;
        transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
        Ok(forgotten)
    }

    /// Deletes expired responses; returns their number.
    ///
    /// # Errors
    /// When the store takes no write now. What was deleted before stays deleted.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let mut deleted = 0;
        loop {
            let mut transaction = self.store.begin().await?;
            let rows = sql::delete_expired(&mut transaction, self.clock.now_ms(), SWEEP_ROWS).await?;
            transaction.commit().await.map_err(StoreError::commit("a sweep of responses"))?;
            deleted += rows;
            if rows < SWEEP_ROWS.unsigned_abs() {
                return Ok(deleted);
            }
        }
    }

    /// Deletes expired responses periodically, until it is dropped.
    pub async fn sweep_for_ever(&self) {
        let mut ticks = interval(SWEEP_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.sweep().await {
                tracing::warn!(error = &error as &dyn std::error::Error, "expired responses could not be deleted");
            }
        }
    }
}
