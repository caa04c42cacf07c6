//! An open transaction, of either database.

#[cfg(any(test, feature = "testing"))]
use sqlx::SqliteConnection;
use sqlx::{PgPool, Postgres, SqlSafeStr, Sqlite};

use crate::WriteGuard;
use crate::time_limit::in_time;

/// An open transaction. Dropped without [`commit`](Self::commit), it is rolled back.
#[derive(Debug)]
pub enum StoreTransaction {
    /// On a file; with the turn that it is carried out in, where it writes.
    Sqlite(sqlx::Transaction<'static, Sqlite>, Option<WriteGuard>),
    /// On a server.
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl StoreTransaction {
    /// Makes what was written stay.
    ///
    /// # Errors
    /// When it was not committed, or it is not known whether it was.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction, _turn) => transaction.commit().await,
            Self::Postgres(transaction) => Box::pin(in_time(transaction.commit())).await,
        }
    }

    /// For tests alone: the connection to the file.
    #[cfg(any(test, feature = "testing"))]
    pub fn file(&mut self) -> &mut SqliteConnection {
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

/// Begins a transaction and then, in it, prepares it. Not in one text: the driver knows of a transaction when its BEGIN has
/// been answered, and rolls back no other when the rest fails or is not waited for.
pub(crate) async fn begin_and(
    pool: &PgPool,
    begin: &'static str,
    prepare: impl SqlSafeStr,
) -> Result<StoreTransaction, sqlx::Error> {
    let mut transaction = pool.begin_with(begin).await?;
    sqlx::raw_sql(prepare).execute(&mut *transaction).await?;
    Ok(StoreTransaction::Postgres(transaction))
}
