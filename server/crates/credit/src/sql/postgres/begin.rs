//! The begin of a batch: its transaction, the locks, and all that it reads, in one message.
//!
//! The statements in it run one after the other, and each sees what was there when it began: what stands behind the locks is
//! read as whoever had them before has left it.

use std::collections::BTreeSet;

use futures_util::TryStreamExt;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, Either, Executor, PgConnection, Row};

use super::limits::FoundPools;
use super::{claims, limits};
use crate::backend::Touched;
use crate::rules::{AccountBalance, LoadedHold, LoadedRows};
use crate::sql::nodes::LOCK_BASE;
use tollgate_base::{AccountId, HoldId, Usd};

/// The statements that a connection prepares before its first batch, so that nothing is planned again. Each batch names them.
const LEARN: &str = "PREPARE batch_balances (bigint[]) AS SELECT account_id, posted, held FROM balances WHERE account_id = ANY($1) \
        ORDER BY account_id FOR NO KEY UPDATE; \
    PREPARE batch_holds (bigint[]) AS SELECT id, account_id, amount, expires_at, counted, key_id, day_at, week_at, month_at, \
        life_at, tokens, in_flight, request_id, pools FROM holds WHERE id = ANY($1)";

/// Its locks end with it. Each account that is not there is asked for by itself, so that no other's balance is read.
const FREE: &str = "WITH asked AS (SELECT unnest($1::bigint[]) AS id), \
    free AS (SELECT account_id FROM balances WHERE account_id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED) \
    SELECT id FROM asked a WHERE id IN (SELECT account_id FROM free) OR NOT EXISTS (SELECT 1 FROM balances WHERE account_id = a.id)";

/// One statement of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BatchQuery {
    /// Its rows say nothing.
    Silent,
    IsUp,
    Balances,
    Holds,
    Keys,
    Pools,
    PoolWindows,
    Claims,
    Block,
}

/// The rows that a batch has read.
#[derive(Debug, Default)]
pub(super) struct StartedBatch {
    /// True if this start is one that may write.
    pub(super) is_up: bool,
    /// The rows that are there.
    pub(super) loaded: LoadedRows,
    pools: FoundPools,
    /// The first of a block of numbers that nobody else gets, whatever becomes of the batch, as long as the database stays up; where
    /// it was asked for.
    pub(super) block: Option<i64>,
}

/// Accounts that nobody keeps locked at the moment, and those that are not there, which nobody can lock.
pub(super) async fn free(connection: &mut PgConnection, accounts: &[AccountId]) -> sqlx::Result<BTreeSet<AccountId>> {
    let numbers: Vec<i64> = accounts.iter().map(|account| account.0).collect();
    let rows = sqlx::query_scalar::<_, i64>(FREE).bind(numbers).fetch_all(connection).await?;
    Ok(rows.into_iter().map(AccountId).collect())
}

/// Makes a connection ready for [`begin`].
pub(super) async fn learn(connection: &mut PgConnection) -> sqlx::Result<()> {
    let (keys, claims) = (limits::KEYS, claims::FIND);
    let (pools, windows) = (limits::POOLS_OF_KEYS, limits::WINDOWS_OF_SETS);
    let learn = format!(
        "{LEARN}; PREPARE batch_keys (bigint[]) AS {keys}; PREPARE batch_claims (bigint[], text[]) AS {claims}; \
        PREPARE batch_pools (bigint[]) AS {pools}; PREPARE batch_pool_windows (bigint[], bigint[], bigint) AS {windows}"
    );
    connection.execute(AssertSqlSafe(learn)).await.map(drop)
}

/// Begins a batch under the locks of its accounts; nobody takes its start for gone before it has ended. Whether any of its accounts
/// has pools is only a guess: what is not asked for here is asked for once it is known.
pub(super) async fn begin(
    connection: &mut PgConnection,
    epoch: i64,
    touched: &Touched,
    wants_block: bool,
    spends_from_pools: bool,
) -> sqlx::Result<StartedBatch> {
    let mut message = vec![
        (BatchQuery::Silent, "BEGIN ISOLATION LEVEL READ COMMITTED".to_owned()),
        (BatchQuery::Silent, format!("SELECT pg_advisory_xact_lock_shared({})", LOCK_BASE + epoch)),
        (BatchQuery::IsUp, format!("SELECT true FROM nodes WHERE epoch = {epoch} AND state = 'up'")),
        (BatchQuery::Balances, named("batch_balances", touched.accounts.iter().map(|account| account.0))),
    ];
    if !touched.holds.is_empty() {
        message.push((BatchQuery::Holds, named("batch_holds", touched.holds.iter().map(|hold| hold.0))));
    }
    if !touched.keys.is_empty() {
        message.push((BatchQuery::Keys, named("batch_keys", touched.keys.iter().map(|key| key.0))));
    }
    if spends_from_pools {
        let [keys, holds] =
            [listed(touched.keys.iter().map(|key| key.0)), listed(touched.holds.iter().map(|hold| hold.0))];
        message.push((BatchQuery::Pools, format!("EXECUTE batch_pools('{keys}')")));
        let windows = format!("EXECUTE batch_pool_windows('{keys}', '{holds}', {})", touched.now_ms);
        message.push((BatchQuery::PoolWindows, windows));
    }
    if !touched.claims.is_empty() {
        let [accounts, digits] = claims::asked_for(&touched.claims);
        message.push((BatchQuery::Claims, format!("EXECUTE batch_claims('{{{accounts}}}', '{{{digits}}}')")));
    }
    if wants_block {
        message.push((BatchQuery::Block, "SELECT nextval('hold_blocks')".to_owned()));
    }
    let (parts, statements): (Vec<BatchQuery>, Vec<String>) = message.into_iter().unzip();
    let mut begun = StartedBatch::default();
    let mut answers = sqlx::raw_sql(AssertSqlSafe(statements.join("; "))).fetch_many(&mut *connection);
    let mut answered = 0;
    while let Some(answer) = answers.try_next().await? {
        match answer {
            Either::Left(_) => answered += 1,
            Either::Right(row) => {
                begun.take(parts.get(answered).copied().unwrap_or(BatchQuery::Silent), &row, touched.now_ms)?;
            }
        }
    }
    drop(answers);
    begun.loaded.epoch = if begun.is_up { epoch } else { 0 };
    limits::load(connection, touched, std::mem::take(&mut begun.pools), &mut begun.loaded).await?;
    Ok(begun)
}

impl StartedBatch {
    fn take(&mut self, part: BatchQuery, row: &PgRow, now_ms: i64) -> sqlx::Result<()> {
        let loaded = &mut self.loaded;
        match part {
            BatchQuery::Silent => {}
            BatchQuery::IsUp => self.is_up = row.try_get(0)?,
            BatchQuery::Balances => drop(loaded.balances.insert(AccountId(row.try_get(0)?), balance(row)?)),
            BatchQuery::Holds => drop(loaded.holds.insert(HoldId(row.try_get(0)?), hold(row)?)),
            BatchQuery::Keys => self.pools.take_key(row, loaded)?,
            BatchQuery::Pools => self.pools.take(row, now_ms)?,
            BatchQuery::PoolWindows => limits::take_pool_window(row, now_ms, loaded)?,
            BatchQuery::Claims => claims::load(row, loaded)?,
            BatchQuery::Block => self.block = Some(row.try_get(0)?),
        }
        Ok(())
    }
}

/// A statement that the connection has learnt, with its numbers.
fn named(statement: &str, numbers: impl Iterator<Item = i64>) -> String {
    format!("EXECUTE {statement}('{}')", listed(numbers))
}

/// An array.
fn listed(numbers: impl Iterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("{{{}}}", numbers.join(","))
}

fn balance(row: &PgRow) -> sqlx::Result<AccountBalance> {
    Ok(AccountBalance { posted: Usd::from_nanos(row.try_get(1)?), held: Usd::from_nanos(row.try_get(2)?) })
}

fn hold(row: &PgRow) -> sqlx::Result<LoadedHold> {
    Ok(LoadedHold {
        account: AccountId(row.try_get(1)?),
        request: row.try_get::<&str, _>(12)?.parse().ok(),
        amount: Usd::from_nanos(row.try_get(2)?),
        open: true,
        expires_at_ms: row.try_get(3)?,
        counted: limits::counted(row)?,
        pooled: limits::pooled(row)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::raw;
    use tollgate_base::Clock;
    use tollgate_store::testing::{On, temporary_on};

    /// It is asked with every batch while one account is locked.
    #[tokio::test]
    async fn who_is_free_is_asked_without_reading_all_balances() {
        let (clock, _hand) = Clock::manual(1);
        let (_folder, _config, store) = temporary_on(On::Server, &clock).await;
        let accounts = "INSERT INTO accounts (id, name, state, created_at) \
            SELECT 5000000000 + n, 'account ' || n, 'active', 1 FROM generate_series(1, 5000) n; ANALYZE balances";
        raw::run(&store, accounts).await.unwrap();
        let asked = FREE.replace("$1", "'{5000000001, 5000000002, 77}'");
        let plan = raw::texts(&store, &format!("EXPLAIN {asked}")).await.join("\n");
        assert!(plan.contains("balances_pkey") && !plan.contains("Seq Scan on balances"), "{plan}");
    }
}
