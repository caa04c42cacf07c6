//! The schema: numbered steps that are applied once, and the machine triggers that are replaced when they change.
//!
//! sqlx's own migrator commits after each step; here the whole way is one transaction, so that a database is either
//! before or after an upgrade. Text of a step that was applied must never change: its digest is kept and compared.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, SqlitePool};

use super::StoreError;

struct Step {
    name: &'static str,
    sql: &'static str,
}

const STEPS: &[Step] = &[
    Step { name: "0001_ledger", sql: include_str!("../../migrations/sqlite/0001_ledger.sql") },
    Step { name: "0002_responses", sql: include_str!("../../migrations/sqlite/0002_responses.sql") },
];
/// Written by the generator, and applied again whenever its text has changed. Its triggers are named `machine_*`.
const MACHINES: Step = Step { name: "machines", sql: include_str!("../../migrations/sqlite/machines.sql") };
/// Not a step: the digest of everything the steps have made, by which an audit sees that a rule was taken away.
const SCHEMA: &str = "schema";

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
    let mut connection = desk.acquire().await.map_err(failed("open"))?;
    if has_log(&mut connection).await? && missing(&applied(&mut connection).await?)?.is_empty() {
        return Ok(());
    }
    drop(connection);
    let mut transaction = desk.begin_with("BEGIN IMMEDIATE").await.map_err(failed("begin"))?;
    upgrade(&mut transaction, now_ms).await?;
    transaction.commit().await.map_err(failed("commit"))
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
    sqlx::raw_sql(
        "CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY, sha256 BLOB NOT NULL, applied_at INTEGER NOT NULL) STRICT",
    )
    .execute(&mut *connection)
    .await
    .map_err(failed("schema_steps"))?;
    // Read again under the lock: another process may have been first.
    for step in missing(&applied(connection).await?)? {
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
    if applied.get(MACHINES.name) != Some(&digest(MACHINES.sql)) {
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
