//! For tests alone: statements of any text, as an attacker or a careless hand would send them.

use sqlx::{AssertSqlSafe, Connection, Row};

use super::SqliteLedger;
use crate::base::AccountId;
use crate::store::Store;

/// Runs `sql` on a connection that may write. The error is what the database said.
pub(in crate::credit) async fn run(store: &Store, sql: &str) -> Result<u64, String> {
    let mut connection = store.connect_attacker().await;
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await;
    let told = done.map(|done| done.rows_affected()).map_err(|error| error.to_string());
    connection.close().await.unwrap();
    told
}

/// The one number that `sql` asks for.
pub(in crate::credit) async fn number(store: &Store, sql: &str) -> i64 {
    sqlx::query(AssertSqlSafe(sql)).fetch_one(store.readers()).await.unwrap().get(0)
}

/// An account with an empty balance, as the room of accounts would make it.
pub(in crate::credit) async fn open_account(store: &Store, number: i64) -> AccountId {
    let id = 5_000_000_000 + number;
    run(store, &format!("INSERT INTO accounts VALUES ({id}, 'account {number}', 'active', 1)")).await.unwrap();
    AccountId(id)
}

/// Says `pragma` on the connection of a ledger.
pub(in crate::credit) fn tell(ledger: &mut SqliteLedger, pragma: &str) {
    ledger.connection().unwrap().execute_batch(pragma).unwrap();
}
