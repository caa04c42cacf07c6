//! Grants, which are not on the writer's path. Each runs inside its caller's transaction.

use crate::GrantRequest;
use tollgate_base::{AccountId, Usd};
use tollgate_store::{StoreError, StoreTransaction, query};

const INSERT_GRANT: &str = "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, note, created_at) \
    SELECT 'promo', p.id, $1, $2, $3, $4, $5, $6 FROM ledger_accounts p WHERE p.code = 'promo' RETURNING id";
const FIND_TRANSFER: &str = "SELECT id, credit, amount, note, created_at FROM transfers WHERE idem = $1";

/// A transfer as it stands in the books.
#[derive(Debug)]
pub(crate) struct PostedTransfer {
    pub(crate) transfer: i64,
    pub(crate) account: AccountId,
    pub(crate) amount: Usd,
    pub(crate) note: String,
    pub(crate) at_ms: i64,
}

pub(crate) async fn insert_grant(
    transaction: &mut StoreTransaction,
    ask: &GrantRequest<'_>,
    idem: &str,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(INSERT_GRANT)
        .bind(ask.account.0)
        .bind(ask.amount.nanos())
        .bind(idem)
        .bind(ask.actor.name)
        .bind(ask.note)
        .bind(now_ms)
        .fetch_one(transaction)
        .await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::write("a grant"))
}

/// The transfer that was made under an idempotency key.
pub(crate) async fn find_transfer(
    transaction: &mut StoreTransaction,
    idem: &str,
) -> Result<Option<PostedTransfer>, StoreError> {
    let row =
        query(FIND_TRANSFER).bind(idem).fetch_optional(transaction).await.map_err(StoreError::read("a transfer"))?;
    let Some(row) = row else { return Ok(None) };
    let posted = || {
        Ok(PostedTransfer {
            transfer: row.try_get(0)?,
            account: AccountId(row.try_get(1)?),
            amount: Usd::from_nanos(row.try_get(2)?),
            note: row.try_get(3)?,
            at_ms: row.try_get(4)?,
        })
    };
    posted().map(Some).map_err(StoreError::read("a transfer"))
}
