//! The ledger on PostgreSQL: a transaction a batch, on a connection of its own, with arrays in place of single rows.
//!
//! Other servers write to the same accounts. So the accounts of a batch are locked first, in the order of their numbers; all
//! that changes a hold does it under the lock of its account, and is read after it. That this start is still one that may
//! write is looked up under a lock of the start's own, which whoever takes it for gone waits for.

mod attached_statements;
mod begin;
mod claims;
mod columns;
mod limits;
mod rows;

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::ops::Range;
use std::time::Duration;

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::nodes::LOCK_BASE;
use super::{remember, whole_or_nothing};
use crate::backend::{BackendError, BatchPlan, LedgerBackend, Touched};
use crate::commit::{self, CommitSide};
use crate::nodes::LastHeartbeat;
use crate::rules::LoadedRows;
use tollgate_base::AccountId;
use tollgate_store::{ErrorClass, StoreError, WriterServer};

/// The longest time of a step of a batch, and of making a connection. It is more than a lock is waited for, and little enough
/// that a connection that hangs is found out, and another one serves, within five seconds.
const STEP_PATIENCE: Duration = Duration::from_secs(3);
/// The longest time that a server that is to stop asks what became of a batch. Only the database can tell. A server that goes
/// on asks for as long as it takes: whoever waits for a hold meanwhile is refused.
const LAST_LOOK_UP: Duration = Duration::from_secs(20);
const ASK_AGAIN: Duration = Duration::from_millis(200);
/// The step of `hold_blocks`, in store/migrations/postgres/0002_ledger.sql.
const BLOCK: i64 = 1024;
/// More than the organisations that are at work at a time.
const POOLED_KNOWN_MAX: usize = 10_000;
/// Writes that the server of a batch is there. A heartbeat that is under way says the same: no batch waits for it.
const SEEN_BY_BATCH: &str = "UPDATE nodes SET seen_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint WHERE epoch = \
    (SELECT epoch FROM nodes WHERE epoch = $1 AND state = 'up' FOR NO KEY UPDATE SKIP LOCKED)";
/// An empty message in the log of the server: a commit with nothing else in it waits for the standby.
const LOGGED: &str = "SELECT pg_logical_emit_message(true, 'tollgate', '')";
const _: () =
    assert!(tollgate_api::generated::limits::LEDGER_BATCH as i64 <= BLOCK, "one block is enough for any batch");

/// The ledger in a database that other servers share.
#[derive(Debug)]
pub(crate) struct PostgresLedger {
    server: WriterServer,
    /// The start that this server writes as.
    epoch: i64,
    last_beat: LastHeartbeat,
    /// Cancelled when this server is to stop.
    closing: CancellationToken,
    /// Absent after it was lost, until the next use.
    connection: Option<PgConnection>,
    /// Numbers for holds that nobody else gives, as long as the connection lasts.
    numbers: Range<i64>,
    /// Rows of prices that are there: a server that takes over may have fewer.
    prices: HashSet<i64>,
    /// Accounts whose keys spent from pools the last time.
    pooled: HashSet<AccountId>,
}

impl PostgresLedger {
    pub(crate) async fn connect(
        server: WriterServer,
        epoch: i64,
        last_beat: LastHeartbeat,
        closing: CancellationToken,
    ) -> Result<Self, StoreError> {
        let connection = Some(ready(&server).await?);
        Ok(Self {
            server,
            epoch,
            last_beat,
            closing,
            connection,
            numbers: 0..0,
            prices: HashSet::new(),
            pooled: HashSet::new(),
        })
    }

    async fn connection(&mut self) -> Result<&mut PgConnection, BackendError> {
        if self.connection.is_none() {
            let opened = timeout(STEP_PATIENCE, ready(&self.server)).await;
            let opened = opened.unwrap_or_else(|_| Err(StoreError::Begin { source: timed_out().into() }));
            let refused = |source| BackendError { fault: ErrorClass::Passing, duplicate: false, source };
            self.connection = Some(opened.map_err(refused)?);
            // What the database gave in front of no commit it may give again.
            self.numbers = 0..0;
            self.prices.clear();
        }
        Ok(self.connection.as_mut().expect("it was opened above"))
    }

    /// Looks once which rows of a plan are there, when no earlier batch of this start is on its way any more.
    async fn look_up(&mut self, plan: &BatchPlan<'_>) -> Result<usize, BackendError> {
        let epoch = self.epoch;
        let connection = self.connection().await?;
        let look_up = async {
            wait_for_earlier(connection, epoch).await?;
            let found = rows::written(connection, plan).await?;
            connection.execute("ROLLBACK").await?;
            // What is there may be so on this database alone, where it came back while its commit was on the way to a standby: a
            // line of the log waits for that. And one that is a standby itself, and may lag behind, takes none.
            connection.execute(LOGGED).await?;
            Ok(found)
        };
        let found = step(look_up).await;
        found.map_err(trouble(|source| StoreError::Read { what: "the last batch", source }))
    }

    /// Remembers whose keys spend from pools. Where that would be too many, the earlier ones are forgotten first.
    fn remember_pooled(&mut self, loaded: &LoadedRows) {
        let (pooled, others): (Vec<_>, Vec<_>) = loaded.keys.values().partition(|key| !key.pools.is_empty());
        if self.pooled.len() + pooled.len() > POOLED_KNOWN_MAX {
            self.pooled.clear();
        }
        for key in others {
            self.pooled.remove(&key.account);
        }
        self.pooled.extend(pooled.into_iter().map(|key| key.account));
    }

    /// Takes numbers for so many holds off the block, and answers the one before the first.
    fn take_numbers(&mut self, holds: usize) -> i64 {
        let first = self.numbers.start;
        self.numbers.start += i64::try_from(holds).unwrap_or(BLOCK);
        first - 1
    }
}

impl LedgerBackend for PostgresLedger {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        let epoch = self.epoch;
        let wanted = i64::try_from(touched.new_holds).unwrap_or(i64::MAX);
        self.connection().await?;
        let short = self.numbers.end - self.numbers.start < wanted;
        let pooled = touched.accounts.iter().any(|account| self.pooled.contains(account));
        let connection = self.connection().await?;
        let begun = step(begin::begin(connection, epoch, touched, short, pooled)).await;
        let begun = begun.map_err(trouble(|source| StoreError::Read { what: "a batch", source }))?;
        self.numbers = begun.block.map_or(self.numbers.clone(), |first| first..first + BLOCK);
        let mut loaded = begun.loaded;
        loaded.last_hold = self.take_numbers(touched.new_holds);
        self.remember_pooled(&loaded);
        Ok(loaded)
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        let beats = self.last_beat.is_late();
        let prices = plan.prices(&self.prices);
        let connection = self.connection().await?;
        let carry_out = async {
            // In the same order as on SQLite, for the same reasons.
            rows::insert_prices(connection, &prices).await?;
            attached_statements::with_receipts(connection, plan).await?;
            rows::insert_receipts(connection, plan).await?;
            claims::free(connection, plan).await?;
            rows::insert_holds(connection, plan).await?;
            limits::write(connection, plan).await?;
            attached_statements::with_holds(connection, plan).await?;
            if beats {
                sqlx::query(SEEN_BY_BATCH).bind(plan.epoch).execute(&mut *connection).await?;
            }
            commit::batch_reached(plan, CommitSide::Before);
            connection.execute("COMMIT").await?;
            commit::batch_reached(plan, CommitSide::After);
            Ok(())
        };
        step(carry_out).await.map_err(trouble(|source| StoreError::Commit { what: "a batch", source }))?;
        remember(&mut self.prices, &prices);
        if beats {
            self.last_beat.record();
        }
        Ok(())
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        let Some(connection) = self.connection.as_mut().filter(|_| after != Some(ErrorClass::Lost)) else {
            self.connection = None;
            return;
        };
        // A connection that takes no word is no use for the next batch either.
        if step(connection.execute("ROLLBACK")).await.is_err() {
            self.connection = None;
        }
    }

    async fn locked(&mut self, accounts: Vec<AccountId>) -> BTreeSet<AccountId> {
        let Ok(connection) = self.connection().await else { return BTreeSet::new() };
        let free = step(begin::free(connection, &accounts)).await;
        match free {
            Ok(free) => accounts.into_iter().filter(|account| !free.contains(account)).collect(),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "which accounts are locked cannot be looked up");
                self.connection = None;
                BTreeSet::new()
            }
        }
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        let (began, mut told) = (Instant::now(), false);
        loop {
            let trouble = match self.look_up(plan).await {
                Ok(found) => return whole_or_nothing(found, plan),
                Err(trouble) => trouble,
            };
            self.connection = None;
            let passes = matches!(trouble.fault, ErrorClass::Passing | ErrorClass::Lost);
            if !passes || (self.closing.is_cancelled() && began.elapsed() > LAST_LOOK_UP) {
                return Err(trouble);
            }
            if !told {
                told = true;
                let error = &trouble as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    "what became of the last batch cannot be looked up: the server is asked again until it can"
                );
            }
            sleep(ASK_AGAIN).await;
        }
    }
}

/// A connection with the statements of batches prepared.
async fn ready(server: &WriterServer) -> Result<PgConnection, StoreError> {
    let mut connection = server.connect().await?;
    begin::learn(&mut connection).await.map_err(|source| StoreError::Begin { source: source.into() })?;
    Ok(connection)
}

/// Waits until no earlier batch of this start is on its way: the server may still be at work on one whose connection is gone.
/// For a while: the server, as long as it hears us, says before we lose patience that there still is one.
async fn wait_for_earlier(connection: &mut PgConnection, epoch: i64) -> sqlx::Result<()> {
    let lock = LOCK_BASE + epoch;
    let text = format!("BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({lock})");
    connection.execute(AssertSqlSafe(text)).await.map(drop)
}

/// Runs a step with a time limit, as a connection that was cut says nothing of it.
async fn step<T>(work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    timeout(STEP_PATIENCE, work).await.unwrap_or_else(|_| Err(timed_out()))
}

fn timed_out() -> sqlx::Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into())
}

fn is_of_key(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.constraint()) == Some("idempotency_pkey")
}

fn trouble(name: impl FnOnce(tollgate_store::DatabaseError) -> StoreError) -> impl FnOnce(sqlx::Error) -> BackendError {
    move |error| BackendError {
        fault: ErrorClass::of_server(&error),
        // Or a key that a control write has given to another request since the batch read its row.
        duplicate: ErrorClass::is_unique(&error, "holds.request_id") || is_of_key(&error),
        source: name(error.into()),
    }
}
