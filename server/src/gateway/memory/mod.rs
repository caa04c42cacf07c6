//! What the service remembers of conversations: responses with their input, and the key that seals compacted ones.
//!
//! Each response is its account's alone: the account stands in every statement's condition. A row holds the whole
//! conversation, so that it outlives the rows it went on from. Its items are found by their own ids, each in the newest row
//! that it stands in. An account's rows have a bound together, above which the
//! oldest are dropped: they lie in the ledger's file, and the disk is everybody's. Nothing here goes through the ledger's writer; a row is on
//! the disk when [`Memory::keep`] returns.

mod items;
mod keep;
mod seal;
mod sql;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::base::{AccountId, Clock};
use crate::generated::limits;
use crate::store::{Store, StoreError};

pub use items::{ITEMS, is_findable};
pub use keep::{Keep, Kept};
pub use seal::{NotOurs, Seal};
use sql::Half;

/// How long a response is kept: what clients of this interface are used to.
const RETENTION_MS: i64 = limits::RESPONSE_RETENTION.as_secs().cast_signed() * 1000;
/// What an account's responses may take together.
const QUOTA: usize = limits::STORED_RESPONSES;
/// How often expired rows are deleted. They are not found in between either.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// Rows that one sweep's transaction deletes, so that it does not keep the ledger from its file for long.
const SWEEP_ROWS: i64 = 500;
/// The same, of rows that make room for a new one.
const DROP_ROWS: i64 = 500;

/// The handle. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Memory {
    store: Store,
    clock: Clock,
    seal: Seal,
    quota: usize,
}

/// A response as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The id that the client knows.
    pub id: String,
    /// The model as the client named it.
    pub model: String,
    /// Its whole input: a JSON list of items, each with an id.
    pub input: String,
    /// The response as the client was told it: a JSON object.
    pub response: String,
    /// What was hidden of the response, as [`HiddenThinking`](super::closed_thinking::HiddenThinking) has it.
    pub hidden: String,
}

impl Row {
    /// What it takes of its account's quota.
    fn bytes(&self) -> usize {
        [&self.id, &self.model, &self.input, &self.response, &self.hidden].map(String::len).iter().sum()
    }
}

impl Memory {
    /// Opens the memory; at the first start its key is made.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn open(store: Store, clock: Clock) -> Result<Self, StoreError> {
        let mut fresh = [0; 32];
        getrandom::fill(&mut fresh).expect("the operating system has randomness");
        let mut transaction = store.begin().await?;
        let secret = sql::key(&mut transaction, &fresh, clock.now_ms()).await?;
        transaction.commit().await.map_err(StoreError::commit("a server key"))?;
        Ok(Self { store, clock, seal: Seal::new(&secret), quota: QUOTA })
    }

    /// Seals and opens compacted conversations.
    #[must_use]
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Writes a response down, durable when it returns, and drops the account's oldest ones where it has too much then.
    /// One that is too large even alone is not kept, and nothing is dropped for it. Whether it is kept.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn keep(&self, account: AccountId, row: &Row) -> Result<bool, StoreError> {
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
        // Many small ones may have to go for a large one: a few at a time, so that the ledger is let to its file.
        while dropped == DROP_ROWS.unsigned_abs() {
            dropped = match self.trim(account, &row.id).await {
                Ok(dropped) => dropped,
                Err(error) => {
                    // The response is kept, and the next one that is trims on.
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
    pub async fn find(&self, account: AccountId, id: &str) -> Result<Option<Row>, StoreError> {
        sql::find(self.store.readers(), account, id, self.clock.now_ms()).await
    }

    /// The responses of the account that these items stand in, each in the newest that it is known of.
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
        sql::find_half(self.store.readers(), Half::Response, account, id, self.clock.now_ms()).await
    }

    /// The input of a response of the account.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn input(&self, account: AccountId, id: &str) -> Result<Option<String>, StoreError> {
        sql::find_half(self.store.readers(), Half::Input, account, id, self.clock.now_ms()).await
    }

    /// Whether the account has that response.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn holds(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        sql::holds(self.store.readers(), account, id, self.clock.now_ms()).await
    }

    /// Forgets a response of the account; whether there was one.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn forget(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.store.begin_of(account).await?;
        let forgotten = sql::delete(&mut transaction, account, id, self.clock.now_ms()).await?;
        transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
        Ok(forgotten)
    }

    /// Deletes what has expired; how many rows that were.
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

    /// Sweeps again and again, until it is dropped.
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
