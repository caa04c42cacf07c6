//! The chain of seals, and the rows that it covers.

use crate::ledger_seal::{LedgerSeal, SealBounds, SealHash};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, SqlText, StoreError, StoreTransaction, query};

const LAST: &str = "SELECT number, transfers_upto, receipts_upto, audit_upto, row_count, receipts_hash, hash, created_at FROM seals ORDER BY number DESC LIMIT 1";
const AFTER: &str = "SELECT number, transfers_upto, receipts_upto, audit_upto, row_count, receipts_hash, hash, created_at FROM seals WHERE number > $1 \
    ORDER BY number LIMIT $2";
const BEFORE: &str = "SELECT number, transfers_upto, receipts_upto, audit_upto, row_count, receipts_hash, hash, created_at FROM seals WHERE number < $1 \
    ORDER BY number DESC LIMIT $2";
/// Whatever was given a number up to these is on the disk or never will be: the lock is free once all who write are done, and who
/// waits for it has no number yet. Whoever writes a receipt locks the table of all months first. A file has one who writes.
const LOCK: SqlText = SqlText::of("SELECT 1", "LOCK TABLE transfers, ONLY receipts, audit_log IN SHARE MODE");
/// The longest wait for the lock. Writers wait behind it, and so nobody for long: less than a server waits before it looks for
/// deadlocks, and before it ends a vacuum that is in the way.
const PATIENCE: SqlText = SqlText::of("SELECT 1", "SET LOCAL lock_timeout = '50ms'");
const BOUNDS: &str = "SELECT (SELECT coalesce(max(id), 0) FROM transfers), (SELECT coalesce(max(id), 0) FROM receipts), \
    (SELECT coalesce(max(id), 0) FROM audit_log)";
const INSERT: &str = "INSERT INTO seals (number, transfers_upto, receipts_upto, audit_upto, row_count, receipts_hash, hash, created_at) \
    SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), $6, $7, CAST($8 AS BIGINT) \
    WHERE NOT EXISTS (SELECT 1 FROM seals WHERE number >= $1)";
/// The start that has been up for the longest of those that are.
const FIRST_UP: &str = "SELECT coalesce(min(epoch), 0) FROM nodes WHERE state = 'up'";
/// The times at which the oldest rows were written that no seal covers, by the clocks of their writers.
const OLDEST: &str = "SELECT (SELECT created_at FROM transfers WHERE id > $1 ORDER BY id LIMIT 1), \
    (SELECT resolved_at FROM receipts WHERE id > $2 ORDER BY id LIMIT 1), (SELECT at FROM audit_log WHERE id > $3 ORDER BY id LIMIT 1)";
/// Months that were taken away, as far as the log of changes says so, which is sealed as well. A file keeps all of its months.
const ARCHIVED: SqlText = SqlText::of(
    "SELECT 0, 0",
    "SELECT coalesce(max(m.receipts_upto), 0), coalesce(sum(m.receipts), 0)::bigint FROM archived_months m WHERE EXISTS \
        (SELECT 1 FROM audit_log a WHERE a.action = 'ledger.archive' AND a.detail = encode(m.sha256, 'hex'))",
);

pub(crate) async fn last_seal(readers: &ReadPool) -> Result<Option<LedgerSeal>, StoreError> {
    let row = query(LAST).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(seal).transpose()
}

pub(crate) async fn seals_after(readers: &ReadPool, number: i64, most: i64) -> Result<Vec<LedgerSeal>, StoreError> {
    let rows = query(AFTER).bind(number).bind(most).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(seal).collect()
}

/// Seals before a number, the newest first.
pub(crate) async fn seals_before(readers: &ReadPool, number: i64, most: i64) -> Result<Vec<LedgerSeal>, StoreError> {
    let rows = query(BEFORE).bind(number).bind(most).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(seal).collect()
}

/// The start of the server that is to seal.
pub(crate) async fn sealing_start(readers: &ReadPool) -> Result<i64, StoreError> {
    let row = query(FIRST_UP).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(reading)
}

/// Unix time in milliseconds of the oldest row behind these.
pub(crate) async fn oldest_unsealed(readers: &ReadPool, after: SealBounds) -> Result<Option<i64>, StoreError> {
    let asked = query(OLDEST).bind(after.transfers).bind(after.receipts).bind(after.audit);
    let row = asked.fetch_one(readers).await.map_err(reading)?;
    let times = (0..3).map(|index| row.try_get::<Option<i64>>(index).map_err(reading));
    Ok(times.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().min())
}

/// The numbers up to which all rows are there; `None` where somebody writes for longer. The transaction is to end at once.
pub(crate) async fn seal_bounds(transaction: &mut StoreTransaction) -> Result<Option<SealBounds>, StoreError> {
    query(PATIENCE).execute(&mut *transaction).await.map_err(reading)?;
    match query(LOCK).execute(&mut *transaction).await {
        Ok(_) => {}
        Err(error) if ErrorClass::of_server(&error) == ErrorClass::Passing => return Ok(None),
        Err(error) => return Err(reading(error)),
    }
    let row = query(BOUNDS).fetch_one(transaction).await.map_err(reading)?;
    let number = |index| row.try_get(index).map_err(reading);
    Ok(Some(SealBounds { transfers: number(0)?, receipts: number(1)?, audit: number(2)? }))
}

/// Inserts a seal; false where another has its place.
pub(crate) async fn insert_seal(transaction: &mut StoreTransaction, seal: &LedgerSeal) -> Result<bool, StoreError> {
    let insert = query(INSERT)
        .bind(seal.number)
        .bind(seal.upto.transfers)
        .bind(seal.upto.receipts)
        .bind(seal.upto.audit)
        .bind(seal.rows)
        .bind(seal.receipts_hash.as_slice())
        .bind(seal.hash.as_slice())
        .bind(seal.created_at_ms);
    insert.execute(transaction).await.map(|rows| rows == 1).map_err(StoreError::write("a seal"))
}

/// The receipts that were taken away with their months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchivedReceipts {
    /// The greatest number that one of them may have had.
    pub(crate) upto: i64,
    pub(crate) count: i64,
}

pub(crate) async fn archived_receipts(readers: &ReadPool) -> Result<ArchivedReceipts, StoreError> {
    let row = query(ARCHIVED).fetch_one(readers).await.map_err(reading)?;
    let number = |index| row.try_get(index).map_err(reading);
    Ok(ArchivedReceipts { upto: number(0)?, count: number(1)? })
}

fn seal(row: &DatabaseRow) -> Result<LedgerSeal, StoreError> {
    let number = |index| row.try_get(index).map_err(reading);
    let hash = |index| {
        let bytes: Vec<u8> = row.try_get(index).map_err(reading)?;
        let unreadable = |_| StoreError::Unreadable { what: "a seal", found: "another length".to_owned() };
        SealHash::try_from(bytes).map_err(unreadable)
    };
    Ok(LedgerSeal {
        number: number(0)?,
        upto: SealBounds { transfers: number(1)?, receipts: number(2)?, audit: number(3)? },
        rows: number(4)?,
        receipts_hash: hash(5)?,
        hash: hash(6)?,
        created_at_ms: number(7)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "the seals", source: source.into() }
}
