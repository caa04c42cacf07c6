//! For tests alone: statements of any text, as an attacker or a careless hand would send them.

use sqlx::{AssertSqlSafe, Connection, Row};

use super::SqliteLedger;
use super::terms::{hold_terms, receipt_terms};
use tollgate_base::AccountId;
use tollgate_store::{ReadPool, Store, WriterPlace};

/// The row of prices that holds have which no program took.
pub(crate) const PRICES: &str = "INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1)";
/// Ends the holds `h` that are named behind it, without a charge.
pub(crate) const RELEASES: &str = concat!(
    "INSERT INTO receipts (",
    receipt_terms!(),
    ", state, cost, shortfall, rule, resolved_at) SELECT ",
    hold_terms!(),
    ", 'released', 0, 0, 'x', 1 FROM holds h"
);

/// Runs `sql` on a connection that may write. The error is what the database said.
pub(crate) async fn run(store: &Store, sql: &str) -> Result<u64, String> {
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
pub(crate) struct RawSession(sqlx::PgConnection);

impl RawSession {
    pub(crate) async fn open(store: &Store) -> Self {
        let WriterPlace::Server(server) = store.writer() else { panic!("a server is asked for") };
        let mut session = Self(server.connect().await.unwrap());
        // It is somebody else's: the server does not end it when it keeps its locks for long.
        session.run("SET idle_in_transaction_session_timeout = 0").await.unwrap();
        session
    }

    /// Runs `sql`. The error is what the database said.
    pub(crate) async fn run(&mut self, sql: &str) -> Result<(), String> {
        let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.0).await;
        done.map(drop).map_err(|error| error.to_string())
    }
}

/// The one number that `sql` asks for.
pub(crate) async fn number(store: &Store, sql: &str) -> i64 {
    match store.readers() {
        ReadPool::Sqlite(pool) => sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0),
        ReadPool::Postgres(pool) => sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0),
    }
}

/// The one text that `sql` asks a server for.
pub(crate) async fn text(store: &Store, sql: &str) -> String {
    let ReadPool::Postgres(pool) = store.readers() else { panic!("a server is asked for") };
    sqlx::query(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap().get(0)
}

/// The one text of each row that `sql` asks for.
pub(crate) async fn texts(store: &Store, sql: &str) -> Vec<String> {
    match store.readers() {
        ReadPool::Sqlite(pool) => {
            let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        }
        ReadPool::Postgres(pool) => {
            let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        }
    }
}

/// True if the ledger is on a file.
pub(crate) fn is_file(store: &Store) -> bool {
    matches!(store.writer(), WriterPlace::File(..))
}

/// Puts all receipts away as those of the month between these two moments, past the rules: as it is done, but that so much more is
/// carried forward than they have cost.
pub(crate) async fn put_away(store: &Store, (starts_at, ends_at): (i64, i64), more: i64) {
    let (off, zeros, on) = if is_file(store) {
        let rule = "CREATE TRIGGER receipts_no_delete BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END";
        ("DROP TRIGGER receipts_no_delete", "zeroblob(32)", rule)
    } else {
        ("SET session_replication_role = replica", "decode(repeat('00', 32), 'hex')", "RESET session_replication_role")
    };
    let script = format!(
        "{off}; \
         INSERT INTO archived_months SELECT {starts_at}, {ends_at}, count(*), max(id), {zeros}, {ends_at} FROM receipts; \
         INSERT INTO carried SELECT {starts_at}, account_id, key_id, count(*), sum(CASE state WHEN 'settled' THEN 1 ELSE 0 END), \
            sum(cost) + {more}, sum(shortfall), sum(CASE WHEN life_at IS NULL THEN 0 ELSE cost END) \
            FROM receipts GROUP BY account_id, key_id; \
         DELETE FROM receipts; {on}"
    );
    run(store, &script).await.unwrap();
}

/// An account with an empty balance, as the room of accounts would make it.
pub(crate) async fn open_account(store: &Store, number: i64) -> AccountId {
    let id = 5_000_000_000 + number;
    let row = format!("({id}, 'account {number}', 'active', 1)");
    run(store, &format!("INSERT INTO accounts (id, name, state, created_at) VALUES {row}")).await.unwrap();
    AccountId(id)
}

/// Says `pragma` on the connection of a ledger.
pub(crate) fn tell(ledger: &mut SqliteLedger, pragma: &str) {
    ledger.connection().unwrap().execute_batch(pragma).unwrap();
}
