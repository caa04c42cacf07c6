//! The statements about an operator's decisions on payments.

use crate::payments::payment::{QuarantinedPayment, Resolution};
use crate::{NewPayment, PaymentRail};
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, StoreTransaction, query};

const RESOLVE: &str = "UPDATE payments SET resolution = $2, resolved_amount = $3, resolved_at = $4 WHERE id = $1";
const FIND: &str = "SELECT resolution, resolved_amount FROM payments WHERE id = $1 AND resolution IS NOT NULL";
const UNRESOLVED: &str = "SELECT p.id, p.source, p.reference, p.asset, p.amount, p.payer, p.receipt, o.id, o.account_id, o.rail, \
        o.amount, coalesce(p.decided_at, p.claimed_at) FROM payments p JOIN topup_order o ON o.id = p.order_id \
    WHERE p.state = 'surplus' AND p.resolution IS NULL ORDER BY p.claimed_at, p.id";

/// Writes the decision that closes a payment.
pub(in crate::payments) async fn resolve(
    transaction: &mut StoreTransaction,
    payment: i64,
    resolution: Resolution,
    now_ms: i64,
) -> Result<(), StoreError> {
    let (word, amount) = match resolution {
        Resolution::Credit(amount) => ("credit", Some(amount.nanos())),
        Resolution::Returned => ("returned", None),
    };
    let resolved = query(RESOLVE).bind(payment).bind(word).bind(amount).bind(now_ms).execute(transaction).await;
    resolved.map(drop).map_err(StoreError::write("what becomes of a payment"))
}

/// The decision on a payment, where there is one.
pub(in crate::payments) async fn find(
    transaction: &mut StoreTransaction,
    payment: i64,
) -> Result<Option<Resolution>, StoreError> {
    let row = query(FIND).bind(payment).fetch_optional(transaction).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    let found: String = row.try_get(0).map_err(reading)?;
    let amount: Option<i64> = row.try_get(1).map_err(reading)?;
    match (found.as_str(), amount) {
        ("credit", Some(amount)) => Ok(Some(Resolution::Credit(Usd::from_nanos(amount)))),
        ("returned", None) => Ok(Some(Resolution::Returned)),
        _ => Err(StoreError::Unreadable { what: "what becomes of a payment", found }),
    }
}

/// Payments that wait for an operator, the oldest first.
pub(in crate::payments) async fn unresolved(readers: &ReadPool) -> Result<Vec<QuarantinedPayment>, StoreError> {
    query(UNRESOLVED).fetch_all(readers).await.map_err(reading)?.iter().map(read).collect()
}

fn read(row: &DatabaseRow) -> Result<QuarantinedPayment, StoreError> {
    let rail: String = row.try_get(9).map_err(reading)?;
    Ok(QuarantinedPayment {
        id: row.try_get(0).map_err(reading)?,
        new: NewPayment {
            source: row.try_get(1).map_err(reading)?,
            reference: row.try_get(2).map_err(reading)?,
            asset: row.try_get(3).map_err(reading)?,
            amount: row.try_get(4).map_err(reading)?,
            payer: row.try_get(5).map_err(reading)?,
            receipt: row.try_get(6).map_err(reading)?,
        },
        order: OrderId(row.try_get(7).map_err(reading)?),
        account: AccountId(row.try_get(8).map_err(reading)?),
        rail: PaymentRail::read(&rail).ok_or(StoreError::Unreadable { what: "the rail of an order", found: rail })?,
        amount: Usd::from_nanos(row.try_get(10).map_err(reading)?),
        since_ms: row.try_get(11).map_err(reading)?,
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("what becomes of a payment")(error)
}
