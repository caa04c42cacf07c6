//! Writes and reads of reversals, and of debts of accounts. The database posts what these rows say.

use crate::AccountBalance;
use crate::reversal::{Reversal, ReversalKind, ReversalRequest};
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, SqlText, StatementTarget, StoreError, StoreTransaction, query};

/// The balance of an account, which nobody changes before the transaction ends.
const BALANCE_LOCKED: SqlText = SqlText::of(
    "SELECT posted, held FROM balances WHERE account_id = $1",
    "SELECT posted, held FROM balances WHERE account_id = $1 FOR NO KEY UPDATE",
);
const INSERT: &str = "INSERT INTO reversals (kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at, payment_id) \
    SELECT $1, $2, l.id, $4, $5, $6, $7, $8, $9, $10, $11 FROM ledger_accounts l WHERE l.code = $3 RETURNING id";
const FIND: &str =
    "SELECT id, kind, account_id, amount, taken, debt, note, created_at, payment_id FROM reversals WHERE idem = $1";
const DEBT: &str = "SELECT CAST(coalesce(sum(debt - collected), 0) AS BIGINT) FROM reversals WHERE account_id = $1 AND collected < debt";
const OPEN: &str = "SELECT id, debt - collected FROM reversals WHERE account_id = $1 AND collected < debt ORDER BY id";
const PAYABLE: &str = "SELECT DISTINCT r.account_id FROM reversals r JOIN balances b ON b.account_id = r.account_id \
    WHERE r.collected < r.debt AND b.posted > b.held ORDER BY r.account_id LIMIT $1";
const PAY: &str = "INSERT INTO debt_payments (reversal_id, amount, created_at) VALUES ($1, $2, $3)";
const PAID_BY: &str = "SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM debt_payments WHERE credit_id = $1";
const PAID_BY_ORDER: &str = "SELECT CAST(coalesce(sum(p.amount), 0) AS BIGINT) FROM transfers t \
    JOIN debt_payments p ON p.credit_id = t.id WHERE t.order_id = $1";
const PAID_BY_RESOLUTION: &str = "SELECT CAST(coalesce(sum(d.amount), 0) AS BIGINT) FROM payments p \
    JOIN transfers t ON t.idem = 'payment:' || p.id JOIN debt_payments d ON d.credit_id = t.id \
    WHERE p.order_id = $1 AND p.resolution = 'credit'";

/// The balance of an account, locked.
pub(crate) async fn balance_locked(
    transaction: &mut StoreTransaction,
    account: AccountId,
) -> Result<Option<AccountBalance>, StoreError> {
    let row = query(BALANCE_LOCKED).bind(account.0).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| Ok(AccountBalance { posted: usd(&row, 0)?, held: usd(&row, 1)? })).transpose()
}

/// Takes money back; the number of the row.
pub(crate) async fn insert_reversal(
    transaction: &mut StoreTransaction,
    ask: &ReversalRequest<'_>,
    taken: Usd,
    debt: Usd,
) -> Result<i64, StoreError> {
    let row = query(INSERT)
        .bind(ask.kind.as_str())
        .bind(ask.account.0)
        .bind(ask.counter)
        .bind(ask.amount.nanos())
        .bind(taken.nanos())
        .bind(debt.nanos())
        .bind(ask.idem)
        .bind(ask.actor.name)
        .bind(ask.note)
        .bind(ask.at_ms)
        .bind(ask.payment)
        .fetch_one(transaction)
        .await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::write("a reversal"))
}

/// The reversal that was made under an idempotency key, and its note.
pub(crate) async fn find_reversal(
    transaction: &mut StoreTransaction,
    idem: &str,
) -> Result<Option<(Reversal, String)>, StoreError> {
    let Some(row) = query(FIND).bind(idem).fetch_optional(transaction).await.map_err(reading)? else { return Ok(None) };
    let kind: String = row.try_get(1).map_err(reading)?;
    let reversal = Reversal {
        id: row.try_get(0).map_err(reading)?,
        kind: ReversalKind::read(&kind)
            .ok_or(StoreError::Unreadable { what: "the kind of a reversal", found: kind })?,
        account: AccountId(row.try_get(2).map_err(reading)?),
        payment: row.try_get(8).map_err(reading)?,
        amount: usd(&row, 3)?,
        taken: usd(&row, 4)?,
        debt: usd(&row, 5)?,
        at_ms: row.try_get(7).map_err(reading)?,
        repeated: true,
    };
    Ok(Some((reversal, row.try_get(6).map_err(reading)?)))
}

/// The sum of the debts of an account.
pub(crate) async fn debt_of<'t>(reader: impl Into<StatementTarget<'t>>, account: AccountId) -> Result<Usd, StoreError> {
    usd(&query(DEBT).bind(account.0).fetch_one(reader).await.map_err(reading)?, 0)
}

/// The open debts of an account, the oldest first: the number of the reversal, and the part still owed.
pub(crate) async fn open_debts(
    transaction: &mut StoreTransaction,
    account: AccountId,
) -> Result<Vec<(i64, Usd)>, StoreError> {
    let rows = query(OPEN).bind(account.0).fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(|row| Ok((row.try_get(0).map_err(reading)?, usd(row, 1)?))).collect()
}

/// Accounts that owe and have money available, a few.
pub(crate) async fn payable(readers: &ReadPool, limit: i64) -> Result<Vec<AccountId>, StoreError> {
    let rows = query(PAYABLE).bind(limit).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map(AccountId).map_err(reading)).collect()
}

/// Pays a debt out of what its account has available.
pub(crate) async fn pay_debt(
    transaction: &mut StoreTransaction,
    reversal: i64,
    amount: Usd,
    now_ms: i64,
) -> Result<(), StoreError> {
    let paid = query(PAY).bind(reversal).bind(amount.nanos()).bind(now_ms).execute(transaction).await;
    paid.map(drop).map_err(StoreError::write("the payment of a debt"))
}

/// The part of a credit that paid debts.
pub(crate) async fn paid_by_credit(transaction: &mut StoreTransaction, transfer: i64) -> Result<Usd, StoreError> {
    usd(&query(PAID_BY).bind(transfer).fetch_one(transaction).await.map_err(reading)?, 0)
}

/// The part of the credit of an order that paid debts.
pub(crate) async fn paid_by_order(readers: &ReadPool, order: OrderId) -> Result<Usd, StoreError> {
    usd(&query(PAID_BY_ORDER).bind(order.0).fetch_one(readers).await.map_err(reading)?, 0)
}

/// The debts that were paid by credits for payments of an order that were set aside.
pub(crate) async fn paid_by_resolution(readers: &ReadPool, order: OrderId) -> Result<Usd, StoreError> {
    usd(&query(PAID_BY_RESOLUTION).bind(order.0).fetch_one(readers).await.map_err(reading)?, 0)
}

fn usd(row: &DatabaseRow, column: usize) -> Result<Usd, StoreError> {
    row.try_get(column).map(Usd::from_nanos).map_err(reading)
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("reversals")(error)
}
