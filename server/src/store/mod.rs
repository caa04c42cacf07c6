//! Floor 1: the SQLite file. Opening it, its schema, who may write to it, and what its errors mean.
//!
//! Imports `base` alone. Knows no account, hold or price: statements live in the `sql` of the room they serve.
//! Invariants: every connection syncs each commit to disk, checks foreign keys and fires triggers on REPLACE; every
//! write transaction is `BEGIN IMMEDIATE`, because one that starts as a reader and upgrades is refused at once,
//! whatever the time to wait; readers cannot write.
//! Start reading at [`Store::open`], then at the schema in `migrations/sqlite/0001_ledger.sql`.

mod connect;
mod error;
mod fault;
mod journal;
mod lock;
mod migrate;
mod probe;
#[cfg(test)]
pub(crate) mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(test)]
use sqlx::SqliteConnection;
use sqlx::SqlitePool;

use crate::base::Clock;

pub use error::{DatabaseError, StoreError};
pub use fault::Fault;
pub use journal::{Entry, record};
pub use lock::ServeLock;
pub use migrate::{SchemaState, schema_state};

/// Where the store is.
#[derive(Debug, Clone)]
pub struct StoreConfig {
    /// The database file. It is created with its folder, readable by its owner alone, where it is absent.
    pub path: PathBuf,
}

/// An open transaction that may write. Dropped without [`commit`](sqlx::Transaction::commit), it is rolled back.
pub type WriteTransaction = sqlx::Transaction<'static, sqlx::Sqlite>;

/// The opened database: a pool that only reads, and a desk of one connection for the writes that are not on the path
/// of a request. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    path: Arc<Path>,
    readers: SqlitePool,
    desk: SqlitePool,
}

impl Store {
    /// Opens the file, creating it where it is absent, and brings its schema up to date in one transaction.
    /// Several processes may do this at once; only a server takes the [`ServeLock`] first.
    ///
    /// # Errors
    /// When the file cannot be created or opened, was written by a newer program, holds a schema step that differs from
    /// ours, or is to be upgraded and was altered by hand.
    pub async fn open(config: &StoreConfig, clock: &Clock) -> Result<Self, StoreError> {
        connect::create_file(&config.path)?;
        let path = connect::real_path(&config.path)?;
        let desk = connect::desk(&path);
        migrate::run(&desk, clock.now_ms()).await?;
        Ok(Self { readers: connect::readers(&path), path: path.into(), desk })
    }

    /// The database file, by its one real name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Connections that can read and nothing else.
    #[must_use]
    pub fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Begins a short transaction on the desk. It holds the file's one write lock: no waiting on anything else inside.
    ///
    /// # Errors
    /// When the lock was not free for five seconds, or the file cannot be written.
    pub async fn begin(&self) -> Result<WriteTransaction, StoreError> {
        // Boxed: it is large, and would be a part of all that may come to write.
        let begun = Box::pin(self.desk.begin_with("BEGIN IMMEDIATE"));
        begun.await.map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Writes to the file and waits until it is on the disk; what is written changes nothing.
    ///
    /// # Errors
    /// When the lock was not free in time, or the disk does not take it.
    pub async fn prove_writable(&self) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        probe::write(&mut transaction)
            .await
            .map_err(|source| StoreError::Write { what: "a probe", source: source.into() })?;
        transaction.commit().await.map_err(StoreError::commit("a probe"))
    }

    /// A connection of its own for the ledger's writer, whose transactions follow each other without a pause. It
    /// blocks the thread that uses it.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn connect_writer(&self) -> Result<rusqlite::Connection, StoreError> {
        connect::writer(&self.path)
    }

    /// For tests alone: a connection that may write whatever it is told.
    #[cfg(test)]
    pub(crate) async fn connect_attacker(&self) -> SqliteConnection {
        connect::attacker(&self.path).await
    }

    /// Closes all connections that were not handed out.
    pub async fn close(&self) {
        self.readers.close().await;
        self.desk.close().await;
    }
}
