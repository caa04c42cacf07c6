//! The schema: numbered steps that are applied once, and the machine triggers that are replaced when they change.
//!
//! sqlx's own migrator commits after each step; here the whole way is one transaction, so that a database is either
//! before or after an upgrade. Text of a step that was applied must never change: its digest is kept and compared. So is
//! the digest of everything that the steps have made: what was altered by hand is not upgraded.

use std::collections::BTreeMap;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, Sqlite, SqliteConnection, SqlitePool};
use tokio::time::{Instant, sleep};

use super::StoreError;
use super::connect::BUSY_TIMEOUT;

/// Between two tries to open a file that is being made.
const ASK_AGAIN: Duration = Duration::from_millis(5);

struct Step {
    name: &'static str,
    sql: &'static str,
}

const STEPS: &[Step] = &[
    Step { name: "0001_ledger", sql: include_str!("../../migrations/sqlite/0001_ledger.sql") },
    Step { name: "0002_responses", sql: include_str!("../../migrations/sqlite/0002_responses.sql") },
    Step { name: "0003_guards", sql: include_str!("../../migrations/sqlite/0003_guards.sql") },
    Step { name: "0004_cache_writes", sql: include_str!("../../migrations/sqlite/0004_cache_writes.sql") },
    Step { name: "0005_videos", sql: include_str!("../../migrations/sqlite/0005_videos.sql") },
    Step { name: "0006_fallbacks", sql: include_str!("../../migrations/sqlite/0006_fallbacks.sql") },
    Step { name: "0007_media", sql: include_str!("../../migrations/sqlite/0007_media.sql") },
];
/// Written by the generator, and applied again whenever its text has changed. Its triggers are named `machine_*`.
const MACHINES: Step = Step { name: "machines", sql: include_str!("../../migrations/sqlite/machines.sql") };
/// Not a step: the digest of everything the steps have made, by which an audit sees that a rule was taken away.
const SCHEMA: &str = "schema";

const LOG: &str = "CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY, sha256 BLOB NOT NULL, applied_at INTEGER NOT NULL) STRICT";

/// Whether the tables, rules and indexes of a database are the ones its schema steps made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaState {
    /// As made.
    Whole,
    /// Something was added, changed or taken away by hand.
    Altered,
}

/// Applies what is missing. Nothing is written, and no lock is taken, where all is there.
pub(super) async fn run(desk: &SqlitePool, now_ms: i64) -> Result<(), StoreError> {
    let mut connection = first_connection(desk).await?;
    if has_log(&mut connection).await? && missing(&applied(&mut connection).await?)?.is_empty() {
        return Ok(());
    }
    drop(connection);
    let mut transaction = desk.begin_with("BEGIN IMMEDIATE").await.map_err(failed("begin"))?;
    upgrade(&mut transaction, now_ms).await?;
    transaction.commit().await.map_err(failed("commit"))
}

/// Opens the file. Of several that open a new one together, one switches it to its journal, and SQLite turns the others
/// away at once, whatever time-out they were given: they have to ask again.
async fn first_connection(desk: &SqlitePool) -> Result<PoolConnection<Sqlite>, StoreError> {
    let patience = Instant::now() + BUSY_TIMEOUT;
    loop {
        match desk.acquire().await {
            Err(error) if is_locked(&error) && Instant::now() < patience => sleep(ASK_AGAIN).await,
            opened => return opened.map_err(failed("open")),
        }
    }
}

/// Whether SQLite said `SQLITE_BUSY`, in one of its extended forms or without.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
}

/// Compares the schema with the digest that was kept when it was made.
///
/// # Errors
/// When the schema cannot be read.
pub async fn schema_state(connection: &mut SqliteConnection) -> Result<SchemaState, StoreError> {
    let kept = applied(connection).await?.remove(SCHEMA);
    let found = schema_digest(connection).await?;
    Ok(if kept == Some(found) { SchemaState::Whole } else { SchemaState::Altered })
}

async fn upgrade(connection: &mut SqliteConnection, now_ms: i64) -> Result<(), StoreError> {
    sqlx::raw_sql(LOG).execute(&mut *connection).await.map_err(failed("schema_steps"))?;
    // Read again under the lock: another process may have been first.
    let applied = applied(connection).await?;
    let missing = missing(&applied)?;
    // The digest is made anew below, and would then speak for whatever is there now.
    if !applied.is_empty() && !missing.is_empty() && schema_state(connection).await? == SchemaState::Altered {
        return Err(StoreError::Altered);
    }
    for step in missing {
        if step.name == MACHINES.name {
            drop_machines(connection).await?;
        }
        sqlx::raw_sql(step.sql).execute(&mut *connection).await.map_err(failed(step.name))?;
        keep(connection, step.name, &digest(step.sql), now_ms).await?;
    }
    let made = schema_digest(connection).await?;
    keep(connection, SCHEMA, &made, now_ms).await
}

/// Takes away the triggers of machines, those too that are no longer in the generated text.
async fn drop_machines(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let rows = sqlx::query(
        "SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'machine_*'",
    )
    .fetch_all(&mut *connection)
    .await
    .map_err(failed(MACHINES.name))?;
    for row in &rows {
        let statement: String = row.try_get(0).map_err(failed(MACHINES.name))?;
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *connection).await.map_err(failed(MACHINES.name))?;
    }
    Ok(())
}

/// The steps to apply, in order.
fn missing(applied: &BTreeMap<String, Vec<u8>>) -> Result<Vec<&'static Step>, StoreError> {
    let known = |name: &str| name == MACHINES.name || name == SCHEMA || STEPS.iter().any(|step| step.name == name);
    if let Some(step) = applied.keys().find(|name| !known(name)) {
        return Err(StoreError::Newer { step: step.clone() });
    }
    let mut missing = Vec::new();
    for step in STEPS {
        match applied.get(step.name) {
            None => missing.push(step),
            Some(kept) if *kept == digest(step.sql) => {}
            Some(_) => return Err(StoreError::StepChanged { step: step.name }),
        }
    }
    // A step may make a table anew, and its triggers go with the old one.
    if !missing.is_empty() || applied.get(MACHINES.name) != Some(&digest(MACHINES.sql)) {
        missing.push(&MACHINES);
    }
    Ok(missing)
}

async fn has_log(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_steps')")
        .fetch_one(connection)
        .await
        .map_err(StoreError::read("the schema"))?;
    row.try_get(0).map_err(StoreError::read("the schema"))
}

async fn applied(connection: &mut SqliteConnection) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let rows = sqlx::query("SELECT name, sha256 FROM schema_steps")
        .fetch_all(connection)
        .await
        .map_err(StoreError::read("the schema steps"))?;
    let step = |row: &SqliteRow| Ok((row.try_get(0)?, row.try_get(1)?));
    rows.iter().map(step).collect::<Result<_, _>>().map_err(StoreError::read("the schema steps"))
}

async fn keep(
    connection: &mut SqliteConnection,
    name: &'static str,
    sha256: &[u8],
    now_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO schema_steps (name, sha256, applied_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET sha256 = $2, applied_at = $3")
        .bind(name)
        .bind(sha256)
        .bind(now_ms)
        .execute(connection)
        .await
        .map_err(failed(name))?;
    Ok(())
}

async fn schema_digest(connection: &mut SqliteConnection) -> Result<Vec<u8>, StoreError> {
    let rows = sqlx::query("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
        .fetch_all(connection)
        .await
        .map_err(StoreError::read("the schema"))?;
    let mut hash = Sha256::new();
    for row in &rows {
        hash.update(row.try_get::<&str, _>(0).map_err(StoreError::read("the schema"))?);
        hash.update([0]);
    }
    Ok(hash.finalize().to_vec())
}

fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text).to_vec()
}

fn failed(step: &'static str) -> impl FnOnce(sqlx::Error) -> StoreError {
    move |source| StoreError::Migrate { step, source: source.into() }
}

/// For tests alone: makes what a program made that had the first `steps` only.
#[cfg(test)]
pub(super) async fn make_as_of(connection: &mut SqliteConnection, steps: usize) {
    sqlx::raw_sql(LOG).execute(&mut *connection).await.expect("an empty file");
    for step in STEPS[..steps].iter().chain([&MACHINES]) {
        sqlx::raw_sql(step.sql).execute(&mut *connection).await.expect(step.name);
        keep(connection, step.name, &digest(step.sql), 1).await.expect(step.name);
    }
    bless(connection).await;
}

/// For tests alone: takes the schema as it stands for the one that was made, as an earlier program would have.
#[cfg(test)]
pub(super) async fn bless(connection: &mut SqliteConnection) {
    let found = schema_digest(connection).await.expect("a schema");
    keep(connection, SCHEMA, &found, 1).await.expect("the log of steps");
}
