//! Stored responses with their input, and the key that encrypts compacted conversations.
//!
//! Each response belongs to its account alone: every statement has the account in its condition. A row holds what a response
//! adds to the one that it goes on from. A row that others go on from stays until they are gone, found by nobody where it was
//! deleted or has expired. Items are found by their ids, each in the newest row that has it. The rows of an account have a
//! quota, above which the oldest are deleted: all accounts share the disk.
//!
//! Nothing here goes through the ledger or its file. One writer stores what comes together in one transaction; a response is
//! found when [`ResponseStore::keep`] returns, and outlasts the process. A power cut may take the last ones.

mod items;
mod keep;
mod row;
mod seal;
mod sql;
#[cfg(test)]
mod tests;
mod writer;

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Clock};
use tollgate_store::{ReadPool, ResponseDatabase, Store, StoreError};

pub use items::{ITEMS, is_findable};
pub use keep::{PendingStorage, StoredResponse};
pub use row::{NewResponse, ParentResponse, StoredConversation, StoredResponseRow, UnreadableResponse};
use row::{PreparedResponse, counted};
pub use seal::{CompactionSeal, ForeignSeal};
use writer::{ResponseWriter, StoredWrite, WriteResult};

/// The quota of an account's responses, in bytes.
const QUOTA: usize = limits::STORED_RESPONSES;
/// The interval between deletions of expired rows, which are not found in between either.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// The most rows that one transaction of a sweep deletes, so that new ones do not wait for long.
const SWEEP_ROWS: i64 = 100;

/// The store of responses. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ResponseStore {
    database: ResponseDatabase,
    writer: ResponseWriter,
    clock: Clock,
    seal: CompactionSeal,
    quota: usize,
}

impl ResponseStore {
    /// Opens the store and starts its writer; at the first start its key is made.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn open(store: Store, clock: Clock) -> Result<Self, StoreError> {
        let mut fresh = [0; 32];
        getrandom::fill(&mut fresh).expect("the operating system has randomness");
        let mut transaction = store.begin().await?;
        let secret = sql::key(&mut transaction, &fresh, clock.now_ms()).await?;
        transaction.commit().await.map_err(StoreError::commit("a server key"))?;
        let database = store.responses().await?;
        let writer = ResponseWriter::start(database.clone(), clock.clone());
        Ok(Self { database, writer, clock, seal: CompactionSeal::new(&secret), quota: QUOTA })
    }

    /// The seal of compacted conversations.
    #[must_use]
    pub fn seal(&self) -> &CompactionSeal {
        &self.seal
    }

    /// Stores a response, which is found when this returns. The account's oldest ones above its quota are deleted after it.
    /// Returns false for one that is above the quota with what it goes on from, which is not stored and for which none is deleted.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn keep(&self, account: AccountId, response: NewResponse) -> WriteResult<bool> {
        let (response, quota) = (PreparedResponse::new(response), counted(self.quota));
        if response.conversation_bytes() > quota {
            tracing::warn!(%account, bytes = response.conversation_bytes(), "a response is too large to be kept");
            return Ok(false);
        }
        self.writer.store(StoredWrite { account, response, quota }).await.map(|()| true)
    }

    fn readers(&self) -> &ReadPool {
        self.database.readers()
    }

    /// A response of the account with those that it goes on from.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn find(&self, account: AccountId, id: &str) -> Result<Option<StoredConversation>, StoreError> {
        sql::conversation(self.readers(), account, id, self.clock.now_ms()).await
    }

    /// The numbers of the account's rows that have these items, for each item the newest one.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn holders(&self, account: AccountId, items: &BTreeSet<String>) -> Result<Vec<i64>, StoreError> {
        sql::holders(self.readers(), account, items).await
    }

    /// A row of the account.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn row(&self, account: AccountId, seq: i64) -> Result<Option<StoredResponseRow>, StoreError> {
        sql::row(self.readers(), account, seq, self.clock.now_ms()).await
    }

    /// A response of the account without its input.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn response(&self, account: AccountId, id: &str) -> Result<Option<String>, StoreError> {
        sql::response(self.readers(), account, id, self.clock.now_ms()).await
    }

    /// True if the account has that response.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn holds(&self, account: AccountId, id: &str) -> Result<bool, StoreError> {
        sql::holds(self.readers(), account, id, self.clock.now_ms()).await
    }

    /// Deletes a response of the account; returns true if there was one.
    ///
    /// # Errors
    /// When the store takes no write now.
    pub async fn delete(&self, account: AccountId, id: &str) -> WriteResult<bool> {
        self.writer.forget(account, id.to_owned()).await
    }

    /// Deletes expired responses; returns the number of rows that are gone. It ends at rows that have not expired; one behind
    /// them, which a server with another clock wrote, goes with a later sweep.
    ///
    /// # Errors
    /// When the store takes no write now. What was deleted before stays deleted.
    pub async fn sweep(&self) -> WriteResult<usize> {
        let (mut deleted, mut last) = (0, 0);
        loop {
            let rows = sql::after(self.readers(), last, SWEEP_ROWS).await?;
            let Some(row) = rows.last() else { return Ok(deleted) };
            let now_ms = self.clock.now_ms();
            let goes_on = row.expires_at_ms <= now_ms;
            last = row.seq;
            let expired: Vec<_> = rows.into_iter().filter(|row| row.expires_at_ms <= now_ms).collect();
            if !expired.is_empty() {
                deleted += self.writer.expire(expired).await?;
            }
            if !goes_on {
                return Ok(deleted);
            }
        }
    }

    /// Closes the connections, when nothing is to be stored or found any more.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// Deletes expired responses periodically, until it is dropped.
    pub async fn sweep_for_ever(&self) {
        let mut ticks = interval(SWEEP_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.sweep().await {
                tracing::warn!(error = &*error as &dyn std::error::Error, "expired responses could not be deleted");
            }
        }
    }
}
