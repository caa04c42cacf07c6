//! For tests alone: statements of any text, as an attacker or a careless hand would send them.

use sqlx::{AssertSqlSafe, Connection, Row};

use super::SqliteLedger;
use crate::base::AccountId;
use crate::store::{Readers, Store, WriterPlace};

/// Runs `sql` on a connection that may write. The error is what the database said.
pub(in crate::credit) async fn run(store: &Store, sql: &str) -> Result<u64, String> {
    let script = sqlx::raw_sql(AssertSqlSafe(sql));
    let done = match store.writer() {
        WriterPlace::File(..) => {
            let mut connection = store.connect_attacker().await;
            let done = script.execute(&mut connection).await.map(|done| done.rows_affected());
            connection.close().await.unwrap();
            done
        }
        WriterPlace::Server(server) => {
            let mut connection = server.connect().await.unwrap();
            script.execute(&mut connection).await.map(|done| done.rows_affected())
        }
    };
    done.map_err(|error| error.to_string())
}

/// Somebody else's connection to a server, which keeps what it has locked.
pub(in crate::credit) struct Session(sqlx::PgConnection);

impl Session {
    pub(in crate::credit) async fn open(store: &Store) -> Self {
        let WriterPlace::Server(server) = store.writer() else { panic!("a server is asked for") };
        let mut session = Self(server.connect().await.unwrap());
        // It is somebody else's: the server does not end it when it keeps its locks for long.
        session.run("SET idle_in_transaction_session_timeout = 0").await.unwrap();
        session
    }

    /// Runs `sql`. The error is what the database said.
    pub(in crate::credit) async fn run(&mut self, sql: &str) -> Result<(), String> {
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.0).await;
        done.map(drop).map_err(|error| error.to_string())
    }
}

/// The one number that `sql` asks for.
pub(in crate::credit) async fn number(store: &Store, sql: &str) -> i64 {
    match store.readers() {
        Readers::Sqlite(pool) => sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0),
        Readers::Postgres(pool) => sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0),
    }
}

/// The one text that `sql` asks a server for.
pub(in crate::credit) async fn text(store: &Store, sql: &str) -> String {
    let Readers::Postgres(pool) = store.readers() else { panic!("a server is asked for") };
    sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0)
}

/// The one text of each row that `sql` asks for.
pub(in crate::credit) async fn texts(store: &Store, sql: &str) -> Vec<String> {
    match store.readers() {
        Readers::Sqlite(pool) => {
            let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        }
        Readers::Postgres(pool) => {
            let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        }
    }
}

/// Whether the ledger is on a file.
pub(in crate::credit) fn is_file(store: &Store) -> bool {
    matches!(store.writer(), WriterPlace::File(..))
}

/// What takes the rules away that keep holds as they are.
pub(in crate::credit) fn opens_holds(store: &Store) -> &'static str {
    if is_file(store) {
        "DROP TRIGGER IF EXISTS holds_once; DROP TRIGGER IF EXISTS holds_fixed; DROP TRIGGER IF EXISTS holds_prices_fixed;"
    } else {
        "DROP TRIGGER IF EXISTS holds_end_once ON holds; DROP TRIGGER IF EXISTS holds_terms_fixed ON holds;"
    }
}

/// An account with an empty balance, as the room of accounts would make it.
pub(in crate::credit) async fn open_account(store: &Store, number: i64) -> AccountId {
    let id = 5_000_000_000 + number;
    let row = format!("({id}, 'account {number}', 'active', 1)");
    run(store, &format!("INSERT INTO accounts (id, name, state, created_at) VALUES {row}")).await.unwrap();
    AccountId(id)
}

/// Says `pragma` on the connection of a ledger.
pub(in crate::credit) fn tell(ledger: &mut SqliteLedger, pragma: &str) {
    ledger.connection().unwrap().execute_batch(pragma).unwrap();
}
