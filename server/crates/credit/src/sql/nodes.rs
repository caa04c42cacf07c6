//! The starts of servers on a ledger, and the state of each. Each statement runs inside its caller's transaction.
//!
//! A file has one server, so a start finds whatever else was up gone. Several share a server of the database: each says again
//! and again that it is there, and one that has been silent for too long is taken for gone by whoever notices. It is the
//! database's clock that counts there, because it is one for all.
//!
//! There the number of a start is drawn above all that the database knows of. A standby that takes over without the last commits,
//! or a database that was set back in time, does not know of the latest starts: counted, their numbers would be given once more,
//! and two servers would write as one.

use tollgate_store::{SqlText, StoreError, StoreTransaction, query};

/// The base of the locks of starts, by their numbers. A batch of a start holds its lock together with others of its own, and
/// whoever wants to know that none is on its way any more takes it alone.
pub(super) const LOCK_BASE: i64 = 0x746f_6c6c_0000_0000;

const OTHERS_GONE: &str = "UPDATE nodes SET state = 'gone' WHERE state = 'up'";
/// Starts of the same name. The lock of the server's folder says that they have ended.
const OF_THAT_NAME: &str = "SELECT epoch FROM nodes WHERE state = 'up' AND name = $1 ORDER BY epoch";
const SILENT: &str = "SELECT epoch FROM nodes WHERE state = 'up' AND epoch <> $1 \
    AND seen_at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2 ORDER BY epoch";
const LOCK: &str = "SELECT 1 FROM (SELECT pg_advisory_xact_lock($1)) locked";
const GONE: &str = "UPDATE nodes SET state = 'gone' WHERE epoch = $1 AND state = 'up'";
/// Looked at again under its lock, which may have been waited for: it may have spoken meanwhile.
const STILL_SILENT: &str = "UPDATE nodes SET state = 'gone' WHERE epoch = $1 AND state = 'up' \
    AND seen_at < (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2";
const START: SqlText = SqlText::of(
    "INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
        SELECT coalesce(max(epoch), 0) + 1, $1, $2, $2, 'up' FROM nodes RETURNING epoch",
    "INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
        SELECT coalesce(max(epoch), 0) + $3, $1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'up' FROM nodes \
        RETURNING epoch",
);
/// The bits of the random distance from the last start to the next.
const DRAWN_BITS: u32 = 32;
/// Writes the time of a heartbeat, and answers the milliseconds since the last one.
const SEEN: &str = "WITH before AS (SELECT epoch, seen_at FROM nodes WHERE epoch = $1 AND state = 'up' FOR UPDATE) \
    UPDATE nodes n SET seen_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint \
    FROM before b WHERE n.epoch = b.epoch RETURNING n.seen_at - b.seen_at";

/// Writes down that a server has started, and answers its number: higher than all before. What was up in its place is gone.
pub(crate) async fn start_epoch(
    transaction: &mut StoreTransaction,
    node: &str,
    now_ms: i64,
) -> Result<i64, StoreError> {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            let gone = query(OTHERS_GONE).execute(&mut *transaction).await;
            gone.map(drop).map_err(StoreError::write("earlier starts"))?;
        }
        StoreTransaction::Postgres(_) => {
            let earlier = query(OF_THAT_NAME).bind(node).fetch_all(&mut *transaction).await;
            let earlier = earlier.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
            mark_gone(transaction, earlier.map_err(StoreError::read("earlier starts"))?).await?;
        }
    }
    let start = query(START).bind(node).bind(now_ms);
    let start = match transaction {
        StoreTransaction::Sqlite(..) => start,
        StoreTransaction::Postgres(_) => start.bind(drawn()),
    };
    let row = start.fetch_one(transaction).await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::write("a start"))
}

/// A random number from 1 to 2^32, by the operating system. No two servers that draw behind the same start are likely to draw
/// the same.
fn drawn() -> i64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    i64::try_from(u64::from_le_bytes(bytes) >> (u64::BITS - DRAWN_BITS)).expect("so few bits fit") + 1
}

/// Says that a start is there, and answers how many milliseconds after the last time that is; `None` where it was taken for
/// gone.
pub(crate) async fn say_up(transaction: &mut StoreTransaction, epoch: i64) -> Result<Option<i64>, StoreError> {
    let seen = query(SEEN).bind(epoch).fetch_optional(transaction).await;
    let gap = seen.and_then(|row| row.map(|row| row.try_get(0)).transpose());
    gap.map_err(StoreError::write("that this server is up"))
}

/// Takes all others for gone that have been silent for so many milliseconds, and answers how many.
pub(crate) async fn mark_silent_gone(
    transaction: &mut StoreTransaction,
    epoch: i64,
    silence_ms: i64,
) -> Result<usize, StoreError> {
    let silent = query(SILENT).bind(epoch).bind(silence_ms).fetch_all(&mut *transaction).await;
    let silent: Result<Vec<i64>, _> = silent.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
    let silent = silent.map_err(StoreError::read("servers that are silent"))?;
    let mut count = 0;
    for epoch in silent {
        lock(transaction, epoch).await?;
        let gone = query(STILL_SILENT).bind(epoch).bind(silence_ms).execute(&mut *transaction).await;
        count += gone.map_err(StoreError::write("a start that is gone"))?;
    }
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Takes starts for gone. A batch of theirs that is on its way to the disk ends first, and none begins after.
pub(crate) async fn mark_gone(transaction: &mut StoreTransaction, starts: Vec<i64>) -> Result<(), StoreError> {
    for epoch in starts {
        lock(transaction, epoch).await?;
        let gone = query(GONE).bind(epoch).execute(&mut *transaction).await;
        gone.map(drop).map_err(StoreError::write("a start that is gone"))?;
    }
    Ok(())
}

async fn lock(transaction: &mut StoreTransaction, epoch: i64) -> Result<(), StoreError> {
    let locked = query(LOCK).bind(LOCK_BASE + epoch).fetch_one(transaction).await;
    locked.map(drop).map_err(StoreError::write("the lock of a start"))
}
