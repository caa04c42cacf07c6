//! Floor 1: the database. Opening it, its schema, who may write to it, and what its errors mean.
//!
//! One shape over two: an SQLite file, for one server, and PostgreSQL, for several. Statements are written once and run by
//! [`query`] on either.
//!
//! Imports `base` alone. Knows no account, hold or price: statements live in the `sql` of the room they serve.
//! Invariants: a commit is on the disk when it returns; foreign keys and triggers are on, on REPLACE as well; control
//! writes are one at a time, so that what such a transaction has read is still so when it writes; readers cannot write.
//! Start reading at [`Store::open`], then at the schema in `migrations/sqlite/`.

mod archive;
mod audit_log;
mod backup;
mod capacity;
mod config;
mod database_clock;
mod error;
mod error_class;
mod ledger_mode;
mod lock;
mod migrate;
mod mode;
mod postgres;
mod probe;
mod query;
mod responses;
mod sqlite;
mod standbys;
mod steps;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod time_limit;
mod write_queue;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[cfg(any(test, feature = "testing"))]
use sqlx::SqliteConnection;
use sqlx::{Connection, PgPool, SqlitePool};
use tokio::time::timeout;

use tollgate_base::{AccountId, Clock};

use mode::ModeClaim;

pub use archive::{ArchiveFile, WholeArchive};
pub use audit_log::{AuditEntry, ChangeFilter, LoggedChange, changes, record};
pub use backup::{BackupFailed, back_up, move_backup, remove_backup};
pub use capacity::{ConnectionCapacity, capacity};
pub use config::{AddressError, ServerAddress, StoreConfig};
pub use database_clock::check_clock;
pub use error::{DatabaseError, StoreError};
pub use error_class::ErrorClass;
pub use ledger_mode::LedgerMode;
pub use lock::ServeLock;
pub use migrate::{SchemaState, schema_state};
pub use mode::check_mode;
pub use postgres::{CONNECTIONS_MAX, WriterServer};
pub use query::{
    BoundStatement, BoundValue, DatabaseRow, ReadPool, SqlText, StatementTarget, StoreTransaction, query, storable,
};
pub use responses::ResponseDatabase;
pub use sqlite::WriterFile;
pub use standbys::{StandbyRisk, standby_risk};
pub use steps::{CommitSide, commit_step, reached};
pub use write_queue::{WriteGuard, WriteQueue};

/// The longest wait of a control write for its turn and for the lock, together.
const DESK_PATIENCE: Duration = Duration::from_secs(4);

/// The opened database: connections that only read, and the control writer. It is for the writes that are not on the path of a
/// request. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    place: StorePlace,
    readers: ReadPool,
}

#[derive(Debug, Clone)]
enum StorePlace {
    /// The control writer has one connection.
    File { path: Arc<Path>, desk: SqlitePool, turns: WriteQueue },
    Server {
        server: Arc<postgres::PostgresServer>,
        desk: PgPool,
        /// Connections for writes that must not wait for the control writer.
        apart: PgPool,
    },
}

/// The place where the ledger's writer works, which has a way of its own on each.
#[derive(Debug, Clone)]
pub enum WriterPlace {
    /// On a file, and when it is the writer's turn there.
    File(WriterFile, WriteQueue),
    /// On a server.
    Server(WriterServer),
}

impl Store {
    /// Opens the database, creating it where it is absent, and brings its schema up to date in one transaction.
    /// Several processes may do this at once; only a server takes the [`ServeLock`] first.
    ///
    /// # Errors
    /// When it cannot be created or opened, was written by a newer program, holds a schema step that differs from ours, or is
    /// to be upgraded and was altered by hand.
    pub async fn open(config: &StoreConfig, clock: &Clock) -> Result<Self, StoreError> {
        Self::open_claimed(config, None, clock).await
    }

    /// Opens the database for a configuration of that mode. A ledger that has none yet is of either.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`StoreError::OtherMode`] where the ledger is of the other mode: nothing is changed in it.
    pub async fn open_in(config: &StoreConfig, mode: LedgerMode, clock: &Clock) -> Result<Self, StoreError> {
        let claim = ModeClaim::new(mode, config);
        let store = Self::open_claimed(config, Some(&claim), clock).await?;
        claim.check((&store.readers).into()).await.map(|()| store)
    }

    /// Opens the database to serve it: the mode is written into a ledger that has none yet. A command does not write it, as its
    /// environment may not be the server's.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in).
    pub async fn open_to_serve(config: &StoreConfig, mode: LedgerMode, clock: &Clock) -> Result<Self, StoreError> {
        let store = Self::open_in(config, mode, clock).await?;
        store.claim(&ModeClaim::new(mode, config), clock.now_ms()).await.map(|()| store)
    }

    async fn claim(&self, claim: &ModeClaim, now_ms: i64) -> Result<(), StoreError> {
        if claim.is_written((&self.readers).into()).await? {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        claim.write(&mut transaction, now_ms).await?;
        transaction.commit().await.map_err(StoreError::commit("the mode of the ledger"))
    }

    async fn open_claimed(config: &StoreConfig, claim: Option<&ModeClaim>, clock: &Clock) -> Result<Self, StoreError> {
        match config {
            StoreConfig::Sqlite { path } => {
                sqlite::create_file(path)?;
                let path = sqlite::real_path(path)?;
                let desk = sqlite::control_pool(&path);
                migrate::run(&path, &desk, claim, clock.now_ms()).await?;
                let readers = ReadPool::Sqlite(sqlite::readers(&path));
                Ok(Self { place: StorePlace::File { path: path.into(), desk, turns: WriteQueue::default() }, readers })
            }
            StoreConfig::Postgres { address, schema, .. } => {
                let server = postgres::PostgresServer::prepare((**address).clone(), schema).await?;
                let desk = server.control_pool();
                migrate::run_on_server(&desk, claim, clock.now_ms()).await?;
                let readers = ReadPool::Postgres(server.readers());
                let apart = server.reserved_pool();
                Ok(Self { place: StorePlace::Server { server: Arc::new(server), desk, apart }, readers })
            }
        }
    }

    /// Opens a database for reading alone, where there is one whose schema is this program's. Nothing is made and nothing upgraded.
    ///
    /// # Errors
    /// When it cannot be opened, or was written by a newer program.
    pub async fn peek(config: &StoreConfig) -> Result<Option<ReadPool>, StoreError> {
        let readers = match config {
            StoreConfig::Sqlite { path } if !path.exists() => return Ok(None),
            StoreConfig::Sqlite { path } => ReadPool::Sqlite(sqlite::readers(&sqlite::real_path(path)?)),
            StoreConfig::Postgres { address, schema, .. } => {
                let server = postgres::PostgresServer::unprepared((**address).clone(), schema);
                // A pool says of a connection that it could not be made, and not why.
                drop(server.connect_in_time().await?.close().await);
                ReadPool::Postgres(server.readers())
            }
        };
        if migrate::is_current((&readers).into()).await? {
            return Ok(Some(readers));
        }
        readers.close().await;
        Ok(None)
    }

    /// True if there is a database whose schema is this program's. Nothing is made and nothing upgraded.
    ///
    /// # Errors
    /// As [`peek`](Self::peek).
    pub async fn is_current(config: &StoreConfig) -> Result<bool, StoreError> {
        let Some(readers) = Self::peek(config).await? else { return Ok(false) };
        readers.close().await;
        Ok(true)
    }

    /// True if that lock lets this process serve this database. It is the lock of the very file, or of a folder of its own.
    #[must_use]
    pub fn is_locked_by(&self, lock: &ServeLock) -> bool {
        match &self.place {
            StorePlace::File { path, .. } => lock.path() == &**path,
            StorePlace::Server { .. } => lock.is_of_a_node(),
        }
    }

    /// Connections that can read and nothing else.
    #[must_use]
    pub fn readers(&self) -> &ReadPool {
        &self.readers
    }

    /// Begins a short transaction of the control writer. On a file it holds the one write lock: no waiting on anything else
    /// inside.
    ///
    /// # Errors
    /// When the lock was not free in time, or the database cannot be written.
    pub async fn begin(&self) -> Result<StoreTransaction, StoreError> {
        // Boxed: it is large, and would be a part of all that may come to write.
        let begin = async {
            match &self.place {
                StorePlace::File { desk, turns, .. } => {
                    let turn = turns.for_control_write().await;
                    let begun = desk.begin_with("BEGIN IMMEDIATE").await;
                    begun.map(|transaction| StoreTransaction::Sqlite(transaction, Some(turn)))
                }
                StorePlace::Server { desk, .. } => postgres::begin(desk).await,
            }
        };
        let begun = timeout(DESK_PATIENCE, Box::pin(begin)).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        begun.map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Checks that nobody has applied steps that this program does not know since the store was opened.
    ///
    /// # Errors
    /// When somebody has, or the steps cannot be read.
    pub async fn check_steps(&self, transaction: &mut StoreTransaction) -> Result<(), StoreError> {
        migrate::is_current(transaction.into()).await.map(drop)
    }

    /// Begins a short transaction of the control writer whose checks are about one account. On a server such transactions of
    /// different accounts go side by side, but for rows that both change, and wait for those that [`begin`](Self::begin) began.
    /// On a file it is as any other.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub async fn begin_of(&self, account: AccountId) -> Result<StoreTransaction, StoreError> {
        let StorePlace::Server { desk, .. } = &self.place else { return self.begin().await };
        let begun = timeout(DESK_PATIENCE, Box::pin(postgres::begin_of(desk, account))).await;
        begun.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Begins a transaction that needs no order among control writes, and has to be done in time. On a server it waits for
    /// nobody but for the rows that it changes. On a file it is as any other.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub async fn begin_reserved(&self) -> Result<StoreTransaction, StoreError> {
        let StorePlace::Server { apart, .. } = &self.place else { return self.begin().await };
        let begun = Box::pin(postgres::begin_unordered(apart)).await;
        begun.map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Begins a transaction that needs no order among control writes. On a server it waits for nobody but for the rows that it
    /// changes, and the control writer does not wait for it. On a file it is as any other.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub async fn begin_unordered(&self) -> Result<StoreTransaction, StoreError> {
        let StorePlace::Server { desk, .. } = &self.place else { return self.begin().await };
        let begun = Box::pin(postgres::begin_unordered(desk)).await;
        begun.map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Writes and waits until it is on the disk; what is written changes nothing.
    ///
    /// # Errors
    /// When the lock was not free in time, or the disk does not take it.
    pub async fn prove_writable(&self) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let written = probe::write(&mut transaction).await;
        written.map_err(|source| StoreError::Write { what: "a probe", source: source.into() })?;
        transaction.commit().await.map_err(StoreError::commit("a probe"))
    }

    /// The database of stored responses, which is made where it is absent.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be opened, or was written by a newer program.
    pub async fn responses(&self) -> Result<ResponseDatabase, StoreError> {
        match &self.place {
            StorePlace::File { path, .. } => ResponseDatabase::on_file(path).await,
            StorePlace::Server { server, .. } => {
                Ok(ResponseDatabase::on_server(self.readers.clone(), server.response_pool()))
            }
        }
    }

    /// The place where the ledger's writer makes connections of its own.
    #[must_use]
    pub fn writer(&self) -> WriterPlace {
        match &self.place {
            StorePlace::File { path, turns, .. } => WriterPlace::File(WriterFile(path.clone()), turns.clone()),
            StorePlace::Server { server, .. } => WriterPlace::Server(WriterServer(server.clone())),
        }
    }

    /// For tests alone: the file.
    #[cfg(any(test, feature = "testing"))]
    pub fn path(&self) -> &Path {
        let StorePlace::File { path, .. } = &self.place else { panic!("a file is asked for") };
        path
    }

    /// For tests alone: what reads the file.
    #[cfg(any(test, feature = "testing"))]
    pub fn file_readers(&self) -> &SqlitePool {
        let ReadPool::Sqlite(pool) = &self.readers else { panic!("a file is asked for") };
        pool
    }

    /// For tests alone: a connection that may write whatever it is told.
    #[cfg(any(test, feature = "testing"))]
    pub async fn connect_attacker(&self) -> SqliteConnection {
        sqlite::attacker(self.path()).await
    }

    /// Closes all connections that were not handed out.
    pub async fn close(&self) {
        self.readers.close().await;
        match &self.place {
            StorePlace::File { desk, .. } => desk.close().await,
            StorePlace::Server { desk, apart, .. } => {
                desk.close().await;
                apart.close().await;
            }
        }
    }
}

impl fmt::Display for Store {
    /// The place of the database; never a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            StorePlace::File { path, .. } => write!(f, "{}", path.display()),
            StorePlace::Server { server, .. } => write!(f, "{}, schema {}", server.address, server.schema),
        }
    }
}
