//! The two databases, each with bare tables of the machines and the generated triggers over them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Executor, PgPool, Row as _, SqlitePool};
use tempfile::TempDir;
use tollgate_api::machine::Cas;
use tollgate_tests::postgres::Postgres;

use super::Machine;
use super::expected::{EXPECTED, Expected};

/// When the guards are asked.
const NOW: i64 = 1_000;

/// A database with the machines' triggers. Keys travel as text and are written in by each dialect.
#[derive(Clone)]
pub(super) enum Database {
    Sqlite {
        pool: SqlitePool,
        /// Goes with the last who holds it.
        _folder: Option<Arc<TempDir>>,
    },
    Postgres(PgPool),
}

/// Both, fresh.
pub(super) async fn both() -> [Database; 2] {
    // A shared cache in memory has locks of its own, so the file is a real one.
    let folder = TempDir::new().expect("a temporary folder");
    let options = SqliteConnectOptions::new()
        .filename(folder.path().join("machines.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .busy_timeout(std::time::Duration::from_secs(30));
    let sqlite = SqlitePoolOptions::new().max_connections(8).connect_with(options).await.expect("a file of ours");
    let url = tokio::task::spawn_blocking(|| Postgres::shared().empty_database()).await.expect("PostgreSQL starts");
    let postgres = PgPoolOptions::new().max_connections(8).connect(&url).await.expect("a database of ours");
    for expected in EXPECTED {
        let Expected { table, key, state, time_column, .. } = expected;
        let key_type = if *key == "id" { "BIGINT" } else { "TEXT" };
        let text = format!(
            "CREATE TABLE {table} ({key} {key_type} PRIMARY KEY, {state} TEXT NOT NULL, rev BIGINT NOT NULL DEFAULT 0, \
             {time_column} BIGINT NOT NULL DEFAULT 0)"
        );
        sqlite.execute(AssertSqlSafe(text.clone())).await.expect("a bare table");
        postgres.execute(AssertSqlSafe(text)).await.expect("a bare table");
    }
    sqlite
        .execute(include_str!("../../../../server/crates/store/migrations/sqlite/machines.sql"))
        .await
        .expect("the triggers");
    postgres
        .execute(include_str!("../../../../server/crates/store/migrations/postgres/machines.sql"))
        .await
        .expect("the triggers");
    [Database::Sqlite { pool: sqlite, _folder: Some(Arc::new(folder)) }, Database::Postgres(postgres)]
}

impl Database {
    /// A ledger that the server made.
    pub(super) async fn ledger(path: &Path) -> Self {
        let options = SqliteConnectOptions::new().filename(path).busy_timeout(std::time::Duration::from_secs(30));
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("the ledger");
        Self::Sqlite { pool, _folder: None }
    }

    async fn run(&self, text: String) -> Result<u64, sqlx::Error> {
        match self {
            Self::Sqlite { pool, .. } => pool.execute(AssertSqlSafe(text)).await.map(|done| done.rows_affected()),
            Self::Postgres(pool) => pool.execute(AssertSqlSafe(text)).await.map(|done| done.rows_affected()),
        }
    }

    /// Inserts a row in a state; its key, as it is written in SQL.
    pub(super) async fn insert(&self, expected: &Expected, state: &str) -> Result<String, sqlx::Error> {
        static NEXT: AtomicI64 = AtomicI64::new(1);
        let key = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
        let Expected { table, key: key_column, state: state_column, .. } = expected;
        self.run(format!("INSERT INTO {table} ({key_column}, {state_column}) VALUES ('{key}', '{state}')")).await?;
        Ok(key)
    }

    /// A row in `state`, brought there along the table, guards left aside.
    pub(super) async fn row_in(&self, expected: &Expected, machine: &Machine, state: &str) -> String {
        let key = self.insert(expected, machine.start).await.expect("a row is born in its first state");
        for to in way(expected, machine.start, state) {
            self.write_state(expected, &key, to, 1).await.expect("a legal move");
        }
        key
    }

    /// Writes a state by hand, the revision moved by `step`.
    pub(super) async fn write_state(
        &self,
        expected: &Expected,
        key: &str,
        to: &str,
        step: i64,
    ) -> Result<u64, sqlx::Error> {
        let Expected { table, key: key_column, state, revision, .. } = expected;
        let revision = if *revision { format!(", rev = rev + {step}") } else { String::new() };
        self.run(format!("UPDATE {table} SET {state} = '{to}'{revision} WHERE {key_column} = '{key}'")).await
    }

    /// The state of a row.
    pub(super) async fn state(&self, expected: &Expected, key: &str) -> String {
        let Expected { table, key: key_column, state, .. } = expected;
        let text = AssertSqlSafe(format!("SELECT {state} FROM {table} WHERE {key_column} = '{key}'"));
        match self {
            Self::Sqlite { pool, .. } => pool.fetch_one(text).await.expect("a row").get(0),
            Self::Postgres(pool) => pool.fetch_one(text).await.expect("a row").get(0),
        }
    }

    /// Runs a move's own statement with its time guards fulfilled; how many rows it changed.
    pub(super) async fn make(&self, cas: &'static Cas, key: &str, guards: &[(&str, bool)]) -> u64 {
        // The column is 0 in every row: in the past for any later time, in the future for any earlier one.
        let past = guards.iter().find(|(step, _)| *step == cas.step).is_none_or(|(_, past)| *past);
        let now = if past { NOW } else { -NOW };
        match self {
            Self::Sqlite { pool, .. } => {
                let query = sqlx::query(cas.sql);
                let query = if is_text_key(cas) { query.bind(key) } else { query.bind(number(key)) };
                let query = query.bind(cas.to).bind(cas.from);
                let query = if cas.needs_now { query.bind(now) } else { query };
                query.execute(pool).await.expect("the statement runs").rows_affected()
            }
            Self::Postgres(pool) => {
                let query = sqlx::query(cas.sql);
                let query = if is_text_key(cas) { query.bind(key) } else { query.bind(number(key)) };
                let query = query.bind(cas.to).bind(cas.from);
                let query = if cas.needs_now { query.bind(now) } else { query };
                query.execute(pool).await.expect("the statement runs").rows_affected()
            }
        }
    }
}

fn is_text_key(cas: &Cas) -> bool {
    cas.machine == "video_task"
}

fn number(key: &str) -> i64 {
    key.parse().expect("a key made above")
}

/// The states between two, the last included, found breadth first.
fn way(expected: &Expected, from: &'static str, to: &str) -> Vec<&'static str> {
    let mut ways: Vec<Vec<&'static str>> = vec![vec![from]];
    loop {
        if let Some(way) = ways.iter().find(|way| way.last() == Some(&to)) {
            return way[1..].to_vec();
        }
        let further = |way: &Vec<&'static str>| {
            let last = *way.last().expect("a way is never empty");
            let steps = expected.rows.iter().filter(move |(at, _, _)| *at == last);
            steps.map(|(_, _, next)| [&way[..], &[*next]].concat()).collect::<Vec<_>>()
        };
        ways = ways.iter().flat_map(further).collect();
        assert!(!ways.is_empty(), "{}: no way leads to {to}", expected.table);
    }
}
