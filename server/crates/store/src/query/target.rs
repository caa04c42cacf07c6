//! Targets of a statement: a pool, a transaction or a connection, of either database.

use sqlx::{PgConnection, PgPool, SqliteConnection, SqlitePool};

use super::transaction::{StoreTransaction, begin_and};
use crate::time_limit::in_time;

/// Something that runs statements, borrowed for a while.
#[derive(Debug)]
pub enum StatementTarget<'t> {
    /// A connection to a file, or a transaction on one.
    Sqlite(&'t mut SqliteConnection),
    /// Any connection to a file.
    SqlitePool(&'t SqlitePool),
    /// A connection to a server, or a transaction on one.
    Postgres(&'t mut PgConnection),
    /// Any connection to a server.
    PostgresPool(&'t PgPool),
}

/// Connections that can read and nothing else.
#[derive(Debug, Clone)]
pub enum ReadPool {
    /// Of a file.
    Sqlite(SqlitePool),
    /// Of a server.
    Postgres(PgPool),
}

impl ReadPool {
    /// Begins a transaction in which every read sees the same moment.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin(&self) -> Result<StoreTransaction, sqlx::Error> {
        match self {
            Self::Sqlite(pool) => pool.begin().await.map(|transaction| StoreTransaction::Sqlite(transaction, None)),
            Self::Postgres(pool) => {
                // It takes as long as there are rows, and keeps nobody from writing.
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                let begun = begin_and(pool, begin, "SET LOCAL statement_timeout = 0");
                Box::pin(in_time(begun)).await
            }
        }
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl<'t> StatementTarget<'t> {
    /// A reborrow for a shorter while.
    pub fn again(&mut self) -> StatementTarget<'_> {
        match self {
            Self::Sqlite(connection) => StatementTarget::Sqlite(connection),
            Self::SqlitePool(pool) => StatementTarget::SqlitePool(pool),
            Self::Postgres(connection) => StatementTarget::Postgres(connection),
            Self::PostgresPool(pool) => StatementTarget::PostgresPool(pool),
        }
    }
}

impl<'t> From<&'t mut StoreTransaction> for StatementTarget<'t> {
    fn from(transaction: &'t mut StoreTransaction) -> Self {
        match transaction {
            StoreTransaction::Sqlite(transaction, _) => Self::Sqlite(transaction),
            StoreTransaction::Postgres(transaction) => Self::Postgres(transaction),
        }
    }
}

impl<'t> From<&'t ReadPool> for StatementTarget<'t> {
    fn from(readers: &'t ReadPool) -> Self {
        match readers {
            ReadPool::Sqlite(pool) => Self::SqlitePool(pool),
            ReadPool::Postgres(pool) => Self::PostgresPool(pool),
        }
    }
}

impl<'t> From<&'t mut SqliteConnection> for StatementTarget<'t> {
    fn from(connection: &'t mut SqliteConnection) -> Self {
        Self::Sqlite(connection)
    }
}

impl<'t> From<&'t mut PgConnection> for StatementTarget<'t> {
    fn from(connection: &'t mut PgConnection) -> Self {
        Self::Postgres(connection)
    }
}
