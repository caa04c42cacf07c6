//! The months of receipts on a database server: a partition for each, and one that is archived.

use futures_util::TryStreamExt;
use sqlx::AssertSqlSafe;

use tollgate_base::YearMonth;
use tollgate_store::{ErrorClass, ReadPool, StoreError, StoreTransaction, query};

const HAS: &str = "SELECT to_regclass($1) IS NOT NULL OR EXISTS (SELECT 1 FROM archived_months WHERE starts_at = $2)";
const MAKE: &str = "SELECT receipts_month($1)";
const IS_ARCHIVED: &str = "SELECT EXISTS (SELECT 1 FROM archived_months WHERE starts_at = $1)";
/// The oldest receipt in front of a month and behind those that are archived: what came late to one of those stays.
const EARLIER: &str = "SELECT min(resolved_at) FROM receipts WHERE resolved_at < $1 \
    AND resolved_at >= (SELECT coalesce(max(ends_at), -9223372036854775808) FROM archived_months)";
const COUNT: &str = "SELECT count(*), coalesce(max(id), 0) FROM receipts WHERE resolved_at >= $1 AND resolved_at < $2";
const ARCHIVE: &str = "INSERT INTO archived_months (starts_at, ends_at, receipts, receipts_upto, sha256, archived_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const CARRY: &str = "INSERT INTO carried (starts_at, account_id, key_id, receipts, settled, cost, shortfall, life_cost) \
    SELECT $1, account_id, key_id, count(*), count(*) FILTER (WHERE state = 'settled'), sum(cost), sum(shortfall), \
        sum(CASE WHEN life_at IS NULL THEN 0 ELSE cost END) \
    FROM receipts WHERE resolved_at >= $1 AND resolved_at < $2 GROUP BY account_id, key_id";
const CARRY_POOLS: &str = "INSERT INTO carried_pools (starts_at, pool_id, cost) \
    SELECT $1, (j ->> 0)::bigint, sum(cost) FROM receipts, json_array_elements(pools::json) j \
    WHERE resolved_at >= $1 AND resolved_at < $2 AND j ->> 1 = 'life' GROUP BY 2";
const NO_BOUND: &str = "SET LOCAL statement_timeout = 0";
const SAVE: &str = "SAVEPOINT locked";
const BACK: &str = "ROLLBACK TO SAVEPOINT locked";
/// The longest wait for the lock. Readers and writers of receipts wait behind it, and then until the month is out a moment
/// later.
const LOCK_PATIENCE: &str = "SET LOCAL lock_timeout = '100ms'";
const LATER: &str = "SELECT EXISTS (SELECT 1 FROM receipts WHERE id > $3 AND resolved_at >= $1 AND resolved_at < $2)";

/// The receipts of a month: their number, and the greatest of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MonthCount {
    pub(crate) receipts: i64,
    /// The greatest of their ids.
    pub(crate) upto: i64,
}

/// The partition of a month.
pub(crate) fn table_of(month: YearMonth) -> String {
    format!("receipts_{}", month.to_string().replace('-', "_"))
}

/// The table of a month once it is no partition any more.
pub(crate) fn archived(month: YearMonth) -> String {
    format!("archived_{}", table_of(month))
}

/// True if the partition of a month is there, or was.
pub(crate) async fn has_month(readers: &ReadPool, month: YearMonth) -> Result<bool, StoreError> {
    let row = query(HAS).bind(&table_of(month)).bind(month.starts_at_ms()).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(reading)
}

/// Makes the partition of a month, unless it is there. Writers wait for it no longer than a moment; where it is for an archive,
/// it takes as long as there are receipts to move.
pub(crate) async fn make_month(
    transaction: &mut StoreTransaction,
    month: YearMonth,
    is_for_archive: bool,
) -> Result<(), StoreError> {
    query(LOCK_PATIENCE).execute(&mut *transaction).await.map_err(reading)?;
    if is_for_archive {
        query(NO_BOUND).execute(&mut *transaction).await.map_err(reading)?;
    }
    let made = query(MAKE).bind(month.starts_at_ms()).execute(transaction).await;
    made.map(drop).map_err(StoreError::write("the partition of a month of receipts"))
}

pub(crate) async fn is_archived(readers: &ReadPool, month: YearMonth) -> Result<bool, StoreError> {
    let row = query(IS_ARCHIVED).bind(month.starts_at_ms()).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(reading)
}

/// The first month in front of another that has receipts and is not archived.
pub(crate) async fn earlier_month(
    snapshot: &mut StoreTransaction,
    month: YearMonth,
) -> Result<Option<YearMonth>, StoreError> {
    let row = query(EARLIER).bind(month.starts_at_ms()).fetch_one(snapshot).await;
    let oldest: Option<i64> = row.and_then(|row| row.try_get(0)).map_err(reading)?;
    Ok(oldest.map(YearMonth::of_ms))
}

pub(crate) async fn count_month(snapshot: &mut StoreTransaction, month: YearMonth) -> Result<MonthCount, StoreError> {
    let row = query(COUNT).bind(month.starts_at_ms()).bind(month.ends_at_ms()).fetch_one(snapshot).await;
    let count = row.and_then(|row| Ok(MonthCount { receipts: row.try_get(0)?, upto: row.try_get(1)? }));
    count.map_err(reading)
}

/// Hands the receipts of a month over as CSV, in the order of their numbers, a piece at a time. On a file there is nothing.
///
/// # Errors
/// When they cannot be read, or are not taken.
pub(crate) async fn copy_month<E: From<StoreError>>(
    snapshot: &mut StoreTransaction,
    month: YearMonth,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let StoreTransaction::Postgres(snapshot) = snapshot else { return Ok(()) };
    let (from, to) = (month.starts_at_ms(), month.ends_at_ms());
    let text = format!(
        "COPY (SELECT * FROM receipts WHERE resolved_at >= {from} AND resolved_at < {to} ORDER BY id) TO STDOUT (FORMAT csv, HEADER)"
    );
    let mut pieces = snapshot.copy_out_raw(&text).await.map_err(reading)?;
    while let Some(piece) = pieces.try_next().await.map_err(reading)? {
        take(&piece)?;
    }
    Ok(())
}

/// Writes down that a month is archived, and what the part of each key and each pool of it comes to.
pub(crate) async fn carry_month(
    transaction: &mut StoreTransaction,
    month: YearMonth,
    count: MonthCount,
    sha256: &[u8],
    now_ms: i64,
) -> Result<(), StoreError> {
    let writing = StoreError::write("a month that is archived");
    query(NO_BOUND).execute(&mut *transaction).await.map_err(reading)?;
    let archived = query(ARCHIVE)
        .bind(month.starts_at_ms())
        .bind(month.ends_at_ms())
        .bind(count.receipts)
        .bind(count.upto)
        .bind(sha256)
        .bind(now_ms);
    archived.execute(&mut *transaction).await.map_err(StoreError::write("a month that is archived"))?;
    let carried = query(CARRY).bind(month.starts_at_ms()).bind(month.ends_at_ms());
    carried.execute(&mut *transaction).await.map_err(StoreError::write("a month that is archived"))?;
    let carried = query(CARRY_POOLS).bind(month.starts_at_ms()).bind(month.ends_at_ms());
    carried.execute(transaction).await.map(drop).map_err(writing)
}

/// Locks the tables that a month is taken out of; false where they were not free in time. Nothing of the transaction is lost
/// then. Other months are left alone: a vacuum of one keeps nobody waiting.
pub(crate) async fn lock_receipts(transaction: &mut StoreTransaction, month: YearMonth) -> Result<bool, StoreError> {
    query(LOCK_PATIENCE).execute(&mut *transaction).await.map_err(reading)?;
    query(SAVE).execute(&mut *transaction).await.map_err(reading)?;
    let StoreTransaction::Postgres(server) = &mut *transaction else { return Ok(false) };
    let lock = format!("LOCK TABLE ONLY receipts, receipts_other, {} IN ACCESS EXCLUSIVE MODE", table_of(month));
    match sqlx::raw_sql(AssertSqlSafe(lock)).execute(&mut **server).await {
        Ok(_) => Ok(true),
        Err(error) if ErrorClass::of_server(&error) == ErrorClass::Passing => {
            query(BACK).execute(transaction).await.map_err(reading)?;
            Ok(false)
        }
        Err(error) => Err(reading(error)),
    }
}

/// Takes a month out of the receipts, under the lock; false where receipts of it have come since. Its table goes as well where
/// `drops` says so.
pub(crate) async fn detach_month(
    transaction: &mut StoreTransaction,
    month: YearMonth,
    count: MonthCount,
    drops: bool,
) -> Result<bool, StoreError> {
    let later = query(LATER).bind(month.starts_at_ms()).bind(month.ends_at_ms()).bind(count.upto);
    let row = later.fetch_one(&mut *transaction).await;
    if row.and_then(|row| row.try_get(0)).map_err(reading)? {
        return Ok(false);
    }
    let StoreTransaction::Postgres(transaction) = transaction else { return Ok(false) };
    let table = table_of(month);
    let then = if drops {
        format!("DROP TABLE {table}")
    } else {
        format!("ALTER TABLE {table} RENAME TO {}", archived(month))
    };
    let text = format!("ALTER TABLE receipts DETACH PARTITION {table}; {then}");
    let detached = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut **transaction).await;
    detached.map(|_| true).map_err(StoreError::write("a month that is archived"))
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "a month of receipts", source: source.into() }
}
