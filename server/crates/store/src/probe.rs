//! A write that changes nothing, to learn whether writes reach the disk.

use sqlx::AssertSqlSafe;

use super::query::{StoreTransaction, query, run_script};

/// A message in the log that nobody reads. The commit waits for it as for any other write, and a server that may only read
/// refuses it.
const MESSAGE: &str = "SELECT pg_logical_emit_message(true, 'tollgate', '')";

/// Writes to a file the number of its program over itself, so that the page it stands on goes through the log. It is synced
/// with the commit, as any other. Writes to a server a message in its log.
pub(super) async fn write(transaction: &mut StoreTransaction) -> Result<(), sqlx::Error> {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            let number: i64 = query("PRAGMA application_id").fetch_one(&mut *transaction).await?.try_get(0)?;
            run_script(transaction.into(), AssertSqlSafe(format!("PRAGMA application_id = {number}"))).await
        }
        StoreTransaction::Postgres(_) => run_script(transaction.into(), MESSAGE).await,
    }
}
