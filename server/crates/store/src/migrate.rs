//! The schema: numbered steps that are applied once, and the machine triggers that are replaced when they change. Each step
//! has a text for either database, and makes the same tables and rules in both.
//!
//! sqlx's own migrator commits after each step; here the whole way is one transaction, so that a database is either
//! before or after an upgrade. Text of a step that was applied must never change: its digest is kept and compared. So is
//! the digest of everything that the steps have made: what was altered by hand is not upgraded.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::pool::PoolConnection;
use sqlx::{AssertSqlSafe, PgPool, Sqlite, SqlitePool};
use tokio::time::{Instant, sleep};

use super::mode::ModeClaim;
use super::query::{DatabaseRow, SqlText, StatementTarget, StoreTransaction, query, run_script};
use super::sqlite::BUSY_TIMEOUT;
use super::{StoreError, postgres, responses};

/// The pause between two tries to open a file that is being made.
const ASK_AGAIN: Duration = Duration::from_millis(5);

struct SchemaStep {
    name: &'static str,
    /// Empty where there is nothing to do on that database.
    sql: SqlText,
}

macro_rules! text {
    ($database:literal, $name:literal) => {
        include_str!(concat!("../migrations/", $database, "/", $name, ".sql"))
    };
}

macro_rules! step {
    ($name:literal) => {
        SchemaStep { name: $name, sql: SqlText::of(text!("sqlite", $name), text!("postgres", $name)) }
    };
}

/// A step after these has a test that takes a ledger with rows in every table from the step before it, on both databases.
const STEPS: &[SchemaStep] = &[
    step!("0001_accounts"),
    step!("0002_ledger"),
    step!("0003_top_ups"),
    step!("0004_responses_and_videos"),
    step!("0005_responses_apart"),
    step!("0006_operators"),
    step!("0007_catalog"),
    step!("0008_upkeep"),
    step!("0009_usage_by_day"),
    step!("0010_pooled_budgets"),
    step!("0011_pool_sets"),
    step!("0012_members"),
    step!("0013_identities"),
    step!("0014_sign_in_providers"),
    step!("0015_tags"),
    step!("0016_weekly_budgets_of_keys"),
    step!("0017_rules_by_fewer_statements"),
    step!("0018_members_kept_out"),
    step!("0019_members_return"),
    step!("0020_keys_of_videos"),
];
/// The start of the text of a step that only adds to what is there. Servers of the version before it go on beside one of this.
/// Any other step is applied when none of them is up.
const EXPANDS: &str = "-- expands";
/// Each batch, each heartbeat and each start reads this table or writes to it. Those under way end first, and none begins
/// before the steps are applied. They queue behind whoever waits for this lock, so this wait is shorter than theirs.
const LOCK_SERVERS: &str =
    "SET LOCAL lock_timeout = '1500ms'; LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE; SET LOCAL lock_timeout = '60s'";
/// Servers that have said within the last minute, by the database's clock, that they are there. Each says so every second; a
/// minute is more than a database takes to restart or to fail over, while all of them are silent together.
const HEARD_OF: &str = "SELECT count(*) FROM nodes WHERE state = 'up' \
    AND seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000";
/// The others. One that comes back finds that it may write no more.
const SILENT_ARE_GONE: &str = "UPDATE nodes SET state = 'gone' WHERE state = 'up' \
    AND seen_at <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000";
const SERVERS_UP: &str = "SELECT count(*) FROM nodes WHERE state = 'up'";
/// The first step of builds before the first release, whose tables were others.
const UNRELEASED: &str = "0001_ledger";
/// Written by the generator, and applied again whenever its text has changed. Its triggers are named `machine_*`.
const MACHINES: SchemaStep = step!("machines");
/// Not a step: the digest of everything the steps have made, by which an audit sees that a rule was taken away.
const SCHEMA: &str = "schema";

const LOG: SqlText = SqlText::of(
    "CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY, sha256 BLOB NOT NULL, applied_at INTEGER NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY, sha256 BYTEA NOT NULL, applied_at BIGINT NOT NULL)",
);
const HAS_LOG: SqlText = SqlText::of(
    "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_steps')",
    "SELECT to_regclass('schema_steps') IS NOT NULL",
);
const KEEP: &str = "INSERT INTO schema_steps (name, sha256, applied_at) VALUES ($1, $2, $3) \
    ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, applied_at = excluded.applied_at";
/// Statements that drop all triggers of machines, those too that are no longer in the generated text.
const DROP_MACHINES: SqlText = SqlText::of(
    "SELECT 'DROP TRIGGER ' || name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'machine_*'",
    "SELECT format('DROP FUNCTION %I() CASCADE', proname) FROM pg_proc \
        WHERE pronamespace = current_schema()::regnamespace AND starts_with(proname, 'machine_')",
);
/// Everything that a step can make, a line each.
const SCHEMA_TEXT: SqlText = SqlText::of(
    "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
    include_str!("migrate/schema.sql"),
);

/// The state of the tables, rules and indexes of a database, compared with what its schema steps made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaState {
    /// They are as they were made.
    Whole,
    /// Something was added, changed or taken away by hand.
    Altered,
}

/// Applies what is missing to the file at `path`. Nothing is written, and no lock is taken, where all is there.
pub(super) async fn run(
    path: &Path,
    desk: &SqlitePool,
    claim: Option<&ModeClaim>,
    now_ms: i64,
) -> Result<(), StoreError> {
    let mut connection = first_connection(desk).await?;
    if is_current((&mut *connection).into()).await? {
        return Ok(());
    }
    // Before the step that drops them.
    responses::adopt(&mut connection, path).await?;
    drop(connection);
    let transaction = desk.begin_with("BEGIN IMMEDIATE").await.map_err(failed("begin"))?;
    finish(StoreTransaction::Sqlite(transaction, None), claim, now_ms).await
}

/// Applies what is missing to a schema on a server. Nothing is written where all is there.
pub(super) async fn run_on_server(desk: &PgPool, claim: Option<&ModeClaim>, now_ms: i64) -> Result<(), StoreError> {
    if is_current(StatementTarget::PostgresPool(desk)).await? {
        return Ok(());
    }
    finish(postgres::begin_upgrade(desk).await.map_err(failed("begin"))?, claim, now_ms).await
}

pub(super) async fn is_current(mut target: StatementTarget<'_>) -> Result<bool, StoreError> {
    if !has_log(target.again()).await? {
        return Ok(false);
    }
    let applied = applied(target.again()).await?;
    Ok(missing(&target, &applied)?.is_empty())
}

async fn finish(mut transaction: StoreTransaction, claim: Option<&ModeClaim>, now_ms: i64) -> Result<(), StoreError> {
    if let Some(claim) = claim {
        // A server of the other mode does not upgrade what it then refuses to serve.
        claim.check((&mut transaction).into()).await?;
    }
    upgrade((&mut transaction).into(), now_ms).await?;
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

/// True if SQLite said `SQLITE_BUSY`, in one of its extended forms or without.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
}

/// Compares the schema with the digest that was kept when it was made.
///
/// # Errors
/// When the schema cannot be read.
pub async fn schema_state<'t>(target: impl Into<StatementTarget<'t>>) -> Result<SchemaState, StoreError> {
    let mut target = target.into();
    let kept = applied(target.again()).await?.remove(SCHEMA);
    let found = schema_digest(target).await?;
    Ok(if kept == Some(found) { SchemaState::Whole } else { SchemaState::Altered })
}

async fn upgrade(mut target: StatementTarget<'_>, now_ms: i64) -> Result<(), StoreError> {
    let log = LOG.on(&target);
    run_script(target.again(), log).await.map_err(failed("schema_steps"))?;
    // Read again under the lock: another process may have been first.
    let applied = applied(target.again()).await?;
    let missing = missing(&target, &applied)?;
    // The digest is made anew below, and would then speak for whatever is there now.
    if !applied.is_empty() && !missing.is_empty() && schema_state(target.again()).await? == SchemaState::Altered {
        return Err(StoreError::Altered);
    }
    // A file has one server, and an empty database none.
    if let (StatementTarget::Postgres(_), false, Some(step)) =
        (&target, applied.is_empty(), breaking(&target, &missing))
    {
        // Most are refused here, before anybody waits for this one.
        refuse_beside(target.again(), HEARD_OF, step).await?;
        run_script(target.again(), LOCK_SERVERS).await.map_err(failed(step))?;
        query(SILENT_ARE_GONE).execute(target.again()).await.map_err(failed(step))?;
        refuse_beside(target.again(), SERVERS_UP, step).await?;
    }
    for step in missing {
        if step.name == MACHINES.name {
            drop_machines(target.again()).await?;
        }
        let text = step.sql.on(&target);
        run_script(target.again(), text).await.map_err(failed(step.name))?;
        keep(target.again(), step.name, &digest(text), now_ms).await?;
    }
    let made = schema_digest(target.again()).await?;
    keep(target, SCHEMA, &made, now_ms).await
}

/// Refuses a step while there are servers, which `servers` counts, that it would break.
async fn refuse_beside(
    target: StatementTarget<'_>,
    servers: &'static str,
    step: &'static str,
) -> Result<(), StoreError> {
    let row = query(servers).fetch_one(target).await.map_err(failed(step))?;
    match row.try_get(0).map_err(failed(step))? {
        0 => Ok(()),
        servers => Err(StoreError::OthersUp { step, servers }),
    }
}

/// The first of these steps that does more than add to what is there. The triggers of machines are replaced while others
/// run: a move that they no longer allow is refused, whoever tries it.
fn breaking(target: &StatementTarget<'_>, missing: &[&SchemaStep]) -> Option<&'static str> {
    let breaks = |step: &&&SchemaStep| step.name != MACHINES.name && !step.sql.on(target).starts_with(EXPANDS);
    missing.iter().find(breaks).map(|step| step.name)
}

/// Takes away the triggers of machines.
async fn drop_machines(mut target: StatementTarget<'_>) -> Result<(), StoreError> {
    let rows = query(DROP_MACHINES).fetch_all(target.again()).await.map_err(failed(MACHINES.name))?;
    for row in &rows {
        let statement: String = row.try_get(0).map_err(failed(MACHINES.name))?;
        run_script(target.again(), AssertSqlSafe(statement)).await.map_err(failed(MACHINES.name))?;
    }
    Ok(())
}

/// The steps to apply, in order.
fn missing(
    target: &StatementTarget<'_>,
    applied: &BTreeMap<String, Vec<u8>>,
) -> Result<Vec<&'static SchemaStep>, StoreError> {
    let steps = || STEPS.iter().filter(|step| !step.sql.on(target).is_empty());
    let known = |name: &str| name == MACHINES.name || name == SCHEMA || steps().any(|step| step.name == name);
    if applied.contains_key(UNRELEASED) {
        return Err(StoreError::Unreleased);
    }
    if let Some(step) = applied.keys().find(|name| !known(name)) {
        return Err(StoreError::Newer { step: step.clone() });
    }
    let mut missing = Vec::new();
    for step in steps() {
        match applied.get(step.name) {
            None => missing.push(step),
            Some(kept) if *kept == digest(step.sql.on(target)) => {}
            Some(_) => return Err(StoreError::StepChanged { step: step.name }),
        }
    }
    // A step may make a table anew, and its triggers go with the old one.
    if !missing.is_empty() || applied.get(MACHINES.name) != Some(&digest(MACHINES.sql.on(target))) {
        missing.push(&MACHINES);
    }
    Ok(missing)
}

async fn has_log(target: StatementTarget<'_>) -> Result<bool, StoreError> {
    let row = query(HAS_LOG).fetch_one(target).await.map_err(StoreError::read("the schema"))?;
    row.try_get(0).map_err(StoreError::read("the schema"))
}

async fn applied(target: StatementTarget<'_>) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let rows = query("SELECT name, sha256 FROM schema_steps").fetch_all(target).await;
    let step = |row: &DatabaseRow| Ok((row.try_get(0)?, row.try_get(1)?));
    let steps = rows.and_then(|rows| rows.iter().map(step).collect());
    steps.map_err(StoreError::read("the schema steps"))
}

async fn keep(target: StatementTarget<'_>, name: &'static str, sha256: &[u8], now_ms: i64) -> Result<(), StoreError> {
    let kept = query(KEEP).bind(name).bind(sha256).bind(now_ms).execute(target).await;
    kept.map(drop).map_err(failed(name))
}

async fn schema_digest(target: StatementTarget<'_>) -> Result<Vec<u8>, StoreError> {
    let rows = query(SCHEMA_TEXT).fetch_all(target).await.map_err(StoreError::read("the schema"))?;
    let mut hash = Sha256::new();
    for row in &rows {
        hash.update(row.try_get::<&str>(0).map_err(StoreError::read("the schema"))?);
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

/// For tests alone: takes the schema as it stands for the one that was made, as an earlier program would have.
#[cfg(test)]
pub(super) async fn bless<'t>(target: impl Into<StatementTarget<'t>>) {
    let mut target = target.into();
    let found = schema_digest(target.again()).await.expect("a schema");
    keep(target, SCHEMA, &found, 1).await.expect("the log of steps");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{On, temporary_on};

    #[tokio::test]
    async fn a_step_that_only_adds_breaks_nobody() {
        let (clock, _hand) = tollgate_base::Clock::manual(1);
        let (_folder, _config, store) = temporary_on(On::Server, &clock).await;
        let mut transaction = store.begin().await.unwrap();
        let [adds, breaks] = [("0005_adds", "-- expands\nSELECT 1"), ("0006_breaks", "SELECT 1; -- expands")]
            .map(|(name, text)| SchemaStep { name, sql: SqlText::same(text) });
        let target = StatementTarget::from(&mut transaction);
        assert_eq!(breaking(&target, &[&adds, &MACHINES]), None);
        assert_eq!(breaking(&target, &[&adds, &breaks, &MACHINES]), Some("0006_breaks"));
    }
}
