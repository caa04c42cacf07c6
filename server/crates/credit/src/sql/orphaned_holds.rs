//! Open holds of starts that are gone, read and given back a part at a time.

use super::terms::{hold_terms, receipt_terms};
use tollgate_store::{DatabaseRow, ErrorClass, ReadPool, SqlText, StoreError, StoreTransaction, query};

/// The position of a hold in the order in which holds are given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HoldPosition {
    /// On a server its account, so that a part has few accounts and takes them in order. On a file, where one writes at a time,
    /// when it expires, because the open holds of a file are found by that.
    pub(crate) group: i64,
    pub(crate) id: i64,
}

impl HoldPosition {
    /// In front of all holds.
    pub(crate) const FIRST: Self = Self { group: i64::MIN, id: i64::MIN };

    /// Behind all holds of the same group.
    pub(crate) const fn end_of_group(self) -> Self {
        Self { group: self.group, id: i64::MAX }
    }
}

const UNRELEASED: &str = "SELECT epoch FROM nodes WHERE state = 'gone' AND released_at IS NULL ORDER BY epoch";
const ORPHANED: SqlText = SqlText::of(
    "SELECT expires_at, id FROM holds WHERE kept = 0 AND epoch = $1 AND (expires_at, id) > ($2, $3) \
        ORDER BY expires_at, id LIMIT $4",
    "SELECT account_id, id FROM holds WHERE kept = 0 AND epoch = $1 AND (account_id, id) > ($2, $3) \
        ORDER BY account_id, id LIMIT $4",
);
const COUNT: &str = "SELECT count(*) FROM (SELECT 1 FROM holds WHERE kept = 0 AND epoch IN \
    (SELECT epoch FROM nodes WHERE state = 'gone' AND released_at IS NULL) LIMIT $1) h";
/// Locks accounts in the order of all who change what several hold, so that no two wait for each other. An account that
/// somebody else has is left for the next time.
const LOCK_FREE: &str = "SELECT account_id FROM balances WHERE account_id = ANY(string_to_array($1, ',')::bigint[]) \
    ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED";
/// Locks accounts that somebody had the last time. They may be in use all the time, and are queued for.
const LOCK: &str = "SELECT account_id FROM balances WHERE account_id = ANY(string_to_array($1, ',')::bigint[]) \
    ORDER BY account_id FOR NO KEY UPDATE";
const LOCK_PATIENCE: &str = "SET LOCAL lock_timeout = '250ms'";
/// Looked at again under the locks, because others give back too.
macro_rules! release {
    ($which:literal) => {
        concat!(
            "INSERT INTO receipts (",
            receipt_terms!(),
            ", state, cost, shortfall, rule, resolved_at) SELECT ",
            hold_terms!(),
            ", 'released', 0, 0, $1, $2 FROM holds h WHERE ",
            $which,
            " AND h.kept = 0 AND h.epoch = $4"
        )
    };
}
const RELEASE: SqlText = SqlText::of(
    release!("h.id IN (SELECT value FROM json_each('[' || $3 || ']'))"),
    release!(
        "h.account_id = ANY(string_to_array($5, ',')::bigint[]) AND h.id = ANY(string_to_array($3, ',')::bigint[])"
    ),
);
const END: &str = "UPDATE nodes SET released_at = $2 WHERE epoch = $1 AND state = 'gone' AND released_at IS NULL \
    AND NOT EXISTS (SELECT 1 FROM holds WHERE epoch = $1 AND kept = 0)";

/// Starts that are gone and may hold something still.
pub(crate) async fn unreleased_starts(readers: &ReadPool) -> Result<Vec<i64>, StoreError> {
    let rows = query(UNRELEASED).fetch_all(readers).await;
    let starts = rows.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
    starts.map_err(StoreError::read("starts that are gone"))
}

/// So many of the open holds of a start, in their order behind `after`.
pub(crate) async fn orphaned_holds(
    readers: &ReadPool,
    epoch: i64,
    after: HoldPosition,
    limit: i64,
) -> Result<Vec<HoldPosition>, StoreError> {
    let asked = query(ORPHANED).bind(epoch).bind(after.group).bind(after.id).bind(limit);
    let mark = |row: &DatabaseRow| Ok(HoldPosition { group: row.try_get(0)?, id: row.try_get(1)? });
    let marks = asked.fetch_all(readers).await.and_then(|rows| rows.iter().map(mark).collect());
    marks.map_err(StoreError::read("holds of a start that is gone"))
}

/// The number of open holds of starts that are gone, `limit` at the most.
pub(crate) async fn count_orphaned(readers: &ReadPool, limit: i64) -> Result<i64, StoreError> {
    let row = query(COUNT).bind(limit).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::read("holds of starts that are gone"))
}

/// Gives back those of the holds of a start that are open, are not kept, and whose accounts nobody else has, and answers how many. With
/// `waits`, an account is waited for a moment; without it, it is passed over.
pub(crate) async fn release_orphaned(
    transaction: &mut StoreTransaction,
    epoch: i64,
    holds: &[HoldPosition],
    waits: bool,
    (rule, now_ms): (&'static str, i64),
) -> Result<u64, StoreError> {
    let ids = list(holds.iter().map(|hold| hold.id));
    let released = match transaction {
        StoreTransaction::Sqlite(..) => {
            query(RELEASE).bind(rule).bind(now_ms).bind(&ids).bind(epoch).execute(transaction).await
        }
        StoreTransaction::Postgres(_) => {
            let locked = lock(transaction, holds, waits).await?;
            if locked.is_empty() {
                return Ok(0);
            }
            let locked = list(locked.into_iter());
            query(RELEASE).bind(rule).bind(now_ms).bind(&ids).bind(epoch).bind(&locked).execute(transaction).await
        }
    };
    released.map_err(StoreError::write("the end of holds of a start that is gone"))
}

/// Locks the accounts of holds, and answers the locked ones. None where one was waited for in vain, and the transaction is
/// over.
async fn lock(transaction: &mut StoreTransaction, holds: &[HoldPosition], waits: bool) -> Result<Vec<i64>, StoreError> {
    let mut accounts: Vec<i64> = holds.iter().map(|hold| hold.group).collect();
    accounts.dedup();
    let accounts = list(accounts.into_iter());
    if waits {
        let set = query(LOCK_PATIENCE).execute(&mut *transaction).await;
        set.map_err(StoreError::write("how long a lock is waited for"))?;
    }
    let rows = query(if waits { LOCK } else { LOCK_FREE }).bind(&accounts).fetch_all(transaction).await;
    let locked = rows.and_then(|rows| rows.iter().map(|row| row.try_get(0)).collect());
    match locked.map_err(StoreError::write("the accounts of a start that is gone")) {
        Err(error) if waits && ErrorClass::of_store(&error) == ErrorClass::Passing => Ok(Vec::new()),
        locked => locked,
    }
}

/// Writes down that nothing is held any more by a start that is gone, and answers whether that is so.
pub(crate) async fn end_start(transaction: &mut StoreTransaction, epoch: i64, now_ms: i64) -> Result<bool, StoreError> {
    let ended = query(END).bind(epoch).bind(now_ms).execute(transaction).await;
    ended.map(|rows| rows > 0).map_err(StoreError::write("the end of a start that is gone"))
}

fn list(numbers: impl Iterator<Item = i64>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}
