//! The database of stored responses, apart from the ledger: its writes never wait for the ledger's, nor the ledger's for them.
//!
//! On a file it is a file of its own, beside the ledger's. On a server it is tables beside the ledger's, written over a
//! connection of its own. Its commits are visible when they return and outlast the process; a power cut may take the last of
//! them, because no money is in them and a sync for each would slow the ledger, whose disk it shares.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};
use sqlx::{AssertSqlSafe, PgPool, SqliteConnection, SqlitePool};

use super::query::{ReadPool, StoreTransaction, run_script};
use super::{StoreError, postgres, sqlite};

/// The schema of the file, a text for each version. Text of a version that was released must never change.
const VERSIONS: [&str; 1] = [include_str!("../migrations/responses/0001_responses.sql")];
const STEP: &str = "the file of stored responses";
const HAS_OLD: &str = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'stored_bytes')";
/// The rows that earlier versions wrote into the ledger, each with its whole conversation.
const ADOPT: &str = include_str!("../migrations/responses/adopt.sql");

/// The database of stored responses. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ResponseDatabase {
    readers: ReadPool,
    writer: ResponseWriterPool,
}

/// The one connection that writes.
#[derive(Debug, Clone)]
enum ResponseWriterPool {
    File(SqlitePool),
    Server(PgPool),
}

impl ResponseDatabase {
    /// Opens the file beside that ledger, creating it where it is absent.
    pub(super) async fn on_file(ledger: &Path) -> Result<Self, StoreError> {
        let path = path(ledger);
        sqlite::create_file(&path)?;
        let writer = sqlite::response_pool(&path);
        prepare(&writer).await?;
        let readers = ReadPool::Sqlite(sqlite::readers(&path));
        Ok(Self { readers, writer: ResponseWriterPool::File(writer) })
    }

    /// The tables on a server, read by the connections that read the ledger.
    pub(super) fn on_server(readers: ReadPool, writer: PgPool) -> Self {
        Self { readers, writer: ResponseWriterPool::Server(writer) }
    }

    /// Connections that can read and nothing else.
    #[must_use]
    pub fn readers(&self) -> &ReadPool {
        &self.readers
    }

    /// Begins a transaction, one at a time in this process. On a server it waits for other servers where both change one row.
    ///
    /// # Errors
    /// [`StoreError::Begin`] where the database cannot be written.
    pub async fn begin(&self) -> Result<StoreTransaction, StoreError> {
        let begun = match &self.writer {
            ResponseWriterPool::File(pool) => {
                let begun = pool.begin_with("BEGIN IMMEDIATE").await;
                begun.map(|transaction| StoreTransaction::Sqlite(transaction, None))
            }
            ResponseWriterPool::Server(pool) => Box::pin(postgres::begin_unordered(pool)).await,
        };
        begun.map_err(|source| StoreError::Begin { source: source.into() })
    }

    /// Closes all connections that were not handed out.
    pub async fn close(&self) {
        self.readers.close().await;
        match &self.writer {
            ResponseWriterPool::File(pool) => pool.close().await,
            ResponseWriterPool::Server(pool) => pool.close().await,
        }
    }
}

/// The file beside a ledger's: `tollgate.responses.db` beside `tollgate.db`, and `old.copy.responses.db` beside `old.copy`.
pub(super) fn path(ledger: &Path) -> PathBuf {
    if ledger.extension().is_some_and(|extension| extension == "db") {
        return ledger.with_extension("responses.db");
    }
    let mut name = ledger.as_os_str().to_owned();
    name.push(".responses.db");
    name.into()
}

async fn prepare(writer: &SqlitePool) -> Result<(), StoreError> {
    let failed = |source: sqlx::Error| StoreError::Migrate { step: STEP, source: source.into() };
    let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *transaction).await.map_err(failed)?;
    let known = usize::try_from(found).ok().and_then(|found| VERSIONS.get(found..));
    let Some(missing) = known else { return Err(StoreError::Newer { step: format!("{STEP}, version {found}") }) };
    for text in missing {
        run_script((&mut *transaction).into(), *text).await.map_err(failed)?;
    }
    let version = format!("PRAGMA user_version = {}", VERSIONS.len());
    run_script((&mut *transaction).into(), AssertSqlSafe(version)).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Copies the responses that an earlier version stored in the ledger's file into their own, on the disk when it returns. The
/// ledger's next step of the schema drops them there. Done again after a crash in between, it begins anew.
pub(super) async fn adopt(connection: &mut SqliteConnection, ledger: &Path) -> Result<(), StoreError> {
    let reading = StoreError::read("the schema");
    if !sqlx::query_scalar::<_, bool>(HAS_OLD).fetch_one(connection).await.map_err(reading)? {
        return Ok(());
    }
    ResponseDatabase::on_file(ledger).await?.close().await;
    let (from, to) = (ledger.to_owned(), path(ledger));
    tracing::info!(path = %to.display(), "stored responses are moved to a file of their own");
    let copying = tokio::task::spawn_blocking(move || copy(&from, &to));
    copying
        .await
        .expect("it does not panic")
        .map_err(|source| StoreError::Migrate { step: STEP, source: source.into() })
}

fn copy(ledger: &Path, responses: &Path) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(responses)?;
    connection.busy_timeout(sqlite::BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let name = ledger.to_str().ok_or_else(|| rusqlite::Error::InvalidPath(ledger.to_owned()))?;
    connection.execute("ATTACH DATABASE ?1 AS ledger", [name])?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have dropped them meanwhile, after copying them.
    if transaction.query_row(&HAS_OLD.replace("main.", "ledger."), [], |row| row.get(0))? {
        transaction.execute_batch(ADOPT)?;
    }
    transaction.commit()
}
