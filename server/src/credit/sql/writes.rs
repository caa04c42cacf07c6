//! Writes off the writer's path: a start of the server, and grants. Each runs inside its caller's transaction.

use sqlx::{Row, SqliteConnection};

use crate::base::{AccountId, Usd};
use crate::credit::grant::{GrantAsk, Posted};
use crate::store::StoreError;

const NODES_GONE: &str = "UPDATE nodes SET state = 'gone' WHERE state = 'up'";
const START_NODE: &str = "INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
    SELECT coalesce(max(epoch), 0) + 1, $1, $2, $2, 'up' FROM nodes RETURNING epoch";
const RELEASE_EARLIER: &str = "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) \
    SELECT id, 'released', 0, 0, $1, $2 FROM holds WHERE state = 'held' AND kept = 0 AND epoch < $3";
const INSERT_GRANT: &str = "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at) \
    SELECT 'promo', p.id, $1, $2, $3, $4, $5, $6 FROM ledger_accounts p WHERE p.code = 'promo' RETURNING id";
const FIND_TRANSFER: &str = "SELECT id, credit, amount, note, created_at FROM transfers WHERE idem = $1";

/// Writes down that a server has started, and answers its number: higher than all before.
pub(in crate::credit) async fn start_epoch(
    connection: &mut SqliteConnection,
    node: &str,
    now_ms: i64,
) -> Result<i64, StoreError> {
    sqlx::query(NODES_GONE).execute(&mut *connection).await.map_err(StoreError::write("earlier starts"))?;
    let row = sqlx::query(START_NODE).bind(node).bind(now_ms).fetch_one(connection).await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::write("a start"))
}

/// Gives back what earlier starts of the server still held, and answers how many holds that were.
pub(in crate::credit) async fn release_earlier(
    connection: &mut SqliteConnection,
    rule: &'static str,
    epoch: i64,
    now_ms: i64,
) -> Result<u64, StoreError> {
    let released = sqlx::query(RELEASE_EARLIER).bind(rule).bind(now_ms).bind(epoch).execute(connection).await;
    Ok(released.map_err(StoreError::write("the holds of an earlier start"))?.rows_affected())
}

pub(in crate::credit) async fn insert_grant(
    connection: &mut SqliteConnection,
    ask: &GrantAsk<'_>,
    idem: &str,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = sqlx::query(INSERT_GRANT)
        .bind(ask.account.0)
        .bind(ask.amount.nanos())
        .bind(idem)
        .bind(ask.actor)
        .bind(ask.note)
        .bind(now_ms)
        .fetch_one(connection)
        .await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::write("a grant"))
}

/// The transfer that was made under an idempotency key.
pub(in crate::credit) async fn find_transfer(
    connection: &mut SqliteConnection,
    idem: &str,
) -> Result<Option<Posted>, StoreError> {
    let row = sqlx::query(FIND_TRANSFER)
        .bind(idem)
        .fetch_optional(connection)
        .await
        .map_err(StoreError::read("a transfer"))?;
    let Some(row) = row else { return Ok(None) };
    let posted = || {
        Ok(Posted {
            transfer: row.try_get(0)?,
            account: AccountId(row.try_get(1)?),
            amount: Usd::from_nanos(row.try_get(2)?),
            note: row.try_get(3)?,
            at_ms: row.try_get(4)?,
        })
    };
    posted().map(Some).map_err(StoreError::read("a transfer"))
}
