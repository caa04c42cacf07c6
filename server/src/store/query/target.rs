//! Targets of a statement: a pool, a transaction or a connection, of either database.

use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool};

use crate::store::{Turn, postgres};

/// Something that runs statements, borrowed for a while.
#[derive(Debug)]
pub enum Target<'t> {
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
pub enum Readers {
    /// Of a file.
    Sqlite(SqlitePool),
    /// Of a server.
    Postgres(PgPool),
}

/// An open transaction. Dropped without [`commit`](Self::commit), it is rolled back.
#[derive(Debug)]
pub enum Transaction {
    /// On a file; with the turn that it is carried out in, where it writes.
    Sqlite(sqlx::Transaction<'static, Sqlite>, Option<Turn>),
    /// On a server.
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    /// Makes what was written stay.
    ///
    /// # Errors
    /// When it was not committed, or it is not known whether it was.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction, _turn) => transaction.commit().await,
            Self::Postgres(transaction) => Box::pin(postgres::in_time(transaction.commit())).await,
        }
    }

    /// For tests alone: the connection to the file.
    #[cfg(test)]
    pub(crate) fn file(&mut self) -> &mut SqliteConnection {
        let Self::Sqlite(transaction, _) = self else { panic!("a file is asked for") };
        transaction
    }

    /// Undoes what was written.
    ///
    /// # Errors
    /// When the connection is gone; the database undoes it by itself then.
    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction, _turn) => transaction.rollback().await,
            Self::Postgres(transaction) => Box::pin(transaction.rollback()).await,
        }
    }
}

impl Readers {
    /// Begins a transaction in which every read sees the same moment.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        match self {
            Self::Sqlite(pool) => pool.begin().await.map(|transaction| Transaction::Sqlite(transaction, None)),
            Self::Postgres(pool) => {
                // It takes as long as there are rows, and keeps nobody from writing.
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                let begun = postgres::begin_and(pool, begin, "SET LOCAL statement_timeout = 0");
                Box::pin(postgres::in_time(begun)).await
            }
        }
    }

    pub(in crate::store) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl<'t> Target<'t> {
    /// A reborrow for a shorter while.
    pub fn again(&mut self) -> Target<'_> {
        match self {
            Self::Sqlite(connection) => Target::Sqlite(connection),
            Self::SqlitePool(pool) => Target::SqlitePool(pool),
            Self::Postgres(connection) => Target::Postgres(connection),
            Self::PostgresPool(pool) => Target::PostgresPool(pool),
        }
    }
}

impl<'t> From<&'t mut Transaction> for Target<'t> {
    fn from(transaction: &'t mut Transaction) -> Self {
        match transaction {
            Transaction::Sqlite(transaction, _) => Self::Sqlite(transaction),
            Transaction::Postgres(transaction) => Self::Postgres(transaction),
        }
    }
}

impl<'t> From<&'t Readers> for Target<'t> {
    fn from(readers: &'t Readers) -> Self {
        match readers {
            Readers::Sqlite(pool) => Self::SqlitePool(pool),
            Readers::Postgres(pool) => Self::PostgresPool(pool),
        }
    }
}

impl<'t> From<&'t mut SqliteConnection> for Target<'t> {
    fn from(connection: &'t mut SqliteConnection) -> Self {
        Self::Sqlite(connection)
    }
}

impl<'t> From<&'t mut PgConnection> for Target<'t> {
    fn from(connection: &'t mut PgConnection) -> Self {
        Self::Postgres(connection)
    }
}
