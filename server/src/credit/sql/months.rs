//! The months of receipts on a database server: a place for each, and one that is put away.

use futures_util::TryStreamExt;
use sqlx::AssertSqlSafe;

use crate::base::YearMonth;
use crate::store::{Fault, Readers, StoreError, Transaction, query};

const HAS: &str = "SELECT to_regclass($1) IS NOT NULL";
const MAKE: &str = "SELECT receipts_month($1)";
const IS_ARCHIVED: &str = "SELECT EXISTS (SELECT 1 FROM archived_months WHERE starts_at = $1)";
/// The time of the oldest receipt; months that nobody made a place for included.
const OLDEST: &str = "SELECT min(resolved_at) FROM receipts";
const COUNT: &str = "SELECT count(*), coalesce(max(id), 0) FROM receipts WHERE resolved_at >= $1 AND resolved_at < $2";
const ARCHIVE: &str = "INSERT INTO archived_months (starts_at, ends_at, receipts, receipts_upto, sha256, archived_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const CARRY: &str = "INSERT INTO carried (starts_at, account_id, key_id, receipts, settled, cost, shortfall, life_cost) \
    SELECT $1, account_id, key_id, count(*), count(*) FILTER (WHERE state = 'settled'), sum(cost), sum(shortfall), \
        sum(CASE WHEN life_at IS NULL THEN 0 ELSE cost END) \
    FROM receipts WHERE resolved_at >= $1 AND resolved_at < $2 GROUP BY account_id, key_id";
const NO_BOUND: &str = "SET LOCAL statement_timeout = 0";
const SAVE: &str = "SAVEPOINT locked";
const BACK: &str = "ROLLBACK TO SAVEPOINT locked";
/// Whoever reads or writes receipts waits behind it, until the month is out a moment later.
const LOCK: &str = "LOCK TABLE receipts IN ACCESS EXCLUSIVE MODE";
const LATER: &str = "SELECT EXISTS (SELECT 1 FROM receipts WHERE id > $3 AND resolved_at >= $1 AND resolved_at < $2)";

/// How many receipts a month has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::credit) struct MonthCount {
    pub(in crate::credit) receipts: i64,
    /// The greatest of their numbers.
    pub(in crate::credit) upto: i64,
}

/// The table of a month.
pub(in crate::credit) fn table_of(month: YearMonth) -> String {
    format!("receipts_{}", month.to_string().replace('-', "_"))
}

/// Whether the table of a month is there: in its place, or put away beside it.
pub(in crate::credit) async fn has_month(readers: &Readers, month: YearMonth) -> Result<bool, StoreError> {
    let row = query(HAS).bind(&table_of(month)).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(reading)
}

/// Makes the place of a month, unless it is there.
pub(in crate::credit) async fn make_month(transaction: &mut Transaction, month: YearMonth) -> Result<(), StoreError> {
    let made = query(MAKE).bind(month.starts_at_ms()).execute(transaction).await;
    made.map(drop).map_err(StoreError::write("the place of a month of receipts"))
}

pub(in crate::credit) async fn is_archived(readers: &Readers, month: YearMonth) -> Result<bool, StoreError> {
    let row = query(IS_ARCHIVED).bind(month.starts_at_ms()).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(reading)
}

/// The month of the oldest receipt that is there.
pub(in crate::credit) async fn oldest_month(readers: &Readers) -> Result<Option<YearMonth>, StoreError> {
    let row = query(OLDEST).fetch_one(readers).await;
    let oldest: Option<i64> = row.and_then(|row| row.try_get(0)).map_err(reading)?;
    Ok(oldest.map(YearMonth::of_ms))
}

pub(in crate::credit) async fn count_month(
    snapshot: &mut Transaction,
    month: YearMonth,
) -> Result<MonthCount, StoreError> {
    let row = query(COUNT).bind(month.starts_at_ms()).bind(month.ends_at_ms()).fetch_one(snapshot).await;
    let count = row.and_then(|row| Ok(MonthCount { receipts: row.try_get(0)?, upto: row.try_get(1)? }));
    count.map_err(reading)
}

/// Hands the receipts of a month over as CSV, in the order of their numbers, a piece at a time. On a file there is nothing.
///
/// # Errors
/// When they cannot be read, or are not taken.
pub(in crate::credit) async fn copy_month<E: From<StoreError>>(
    snapshot: &mut Transaction,
    month: YearMonth,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let Transaction::Postgres(snapshot) = snapshot else { return Ok(()) };
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

/// Writes down that a month is put away, and what each key's part of it comes to.
pub(in crate::credit) async fn carry_month(
    transaction: &mut Transaction,
    month: YearMonth,
    count: MonthCount,
    sha256: &[u8],
    now_ms: i64,
) -> Result<(), StoreError> {
    let writing = StoreError::write("a month that is put away");
    query(NO_BOUND).execute(&mut *transaction).await.map_err(reading)?;
    let archived = query(ARCHIVE)
        .bind(month.starts_at_ms())
        .bind(month.ends_at_ms())
        .bind(count.receipts)
        .bind(count.upto)
        .bind(sha256)
        .bind(now_ms);
    archived.execute(&mut *transaction).await.map_err(StoreError::write("a month that is put away"))?;
    let carried = query(CARRY).bind(month.starts_at_ms()).bind(month.ends_at_ms());
    carried.execute(transaction).await.map(drop).map_err(writing)
}

/// Locks the receipts against everybody; not where they were not free in time, and nothing of the transaction is lost then.
pub(in crate::credit) async fn lock_receipts(transaction: &mut Transaction) -> Result<bool, StoreError> {
    query(SAVE).execute(&mut *transaction).await.map_err(reading)?;
    match query(LOCK).execute(&mut *transaction).await {
        Ok(_) => Ok(true),
        Err(error) if Fault::of_server(&error) == Fault::Passing => {
            query(BACK).execute(transaction).await.map_err(reading)?;
            Ok(false)
        }
        Err(error) => Err(reading(error)),
    }
}

/// Takes a month out of the receipts, under the lock; its table goes as well where `drops` says so. Not where receipts of it have
/// come since they were counted.
pub(in crate::credit) async fn detach_month(
    transaction: &mut Transaction,
    month: YearMonth,
    count: MonthCount,
    drops: bool,
) -> Result<bool, StoreError> {
    let later = query(LATER).bind(month.starts_at_ms()).bind(month.ends_at_ms()).bind(count.upto);
    let row = later.fetch_one(&mut *transaction).await;
    if row.and_then(|row| row.try_get(0)).map_err(reading)? {
        return Ok(false);
    }
    let Transaction::Postgres(transaction) = transaction else { return Ok(false) };
    let table = table_of(month);
    let mut text = format!("ALTER TABLE receipts DETACH PARTITION {table}");
    if drops {
        text.push_str(&format!("; DROP TABLE {table}"));
    }
    let detached = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut **transaction).await;
    detached.map(|_| true).map_err(StoreError::write("a month that is put away"))
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "a month of receipts", source: source.into() }
}
