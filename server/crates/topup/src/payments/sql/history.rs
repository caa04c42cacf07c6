//! The statement about all payments for an order.

use crate::NewPayment;
use crate::payments::payment::{PaymentRecord, Resolution};
use tollgate_base::{OrderId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, query};

/// The oldest first. A payment is credited with its order, or by a decision.
const HISTORY: &str = "SELECT p.id, p.source, p.reference, p.asset, p.amount, p.payer, p.receipt, p.state, p.claimed_at, p.resolution, \
        CASE WHEN p.state = 'paid' AND o.status = 'success' THEN o.amount ELSE p.resolved_amount END, \
        CAST(coalesce((SELECT sum(b.amount) FROM reversals b WHERE b.payment_id = p.id), 0) AS BIGINT) \
    FROM payments p JOIN topup_order o ON o.id = p.order_id WHERE p.order_id = $1 ORDER BY p.claimed_at, p.id";

/// All payments for an order.
pub(in crate::payments) async fn of_order(
    readers: &ReadPool,
    order: OrderId,
) -> Result<Vec<PaymentRecord>, StoreError> {
    query(HISTORY).bind(order.0).fetch_all(readers).await.map_err(reading)?.iter().map(read).collect()
}

fn read(row: &DatabaseRow) -> Result<PaymentRecord, StoreError> {
    let found: String = row.try_get(7).map_err(reading)?;
    let Ok(state) = found.parse() else { return Err(StoreError::Unreadable { what: "the state of a payment", found }) };
    let credited = row.try_get::<Option<i64>>(10).map_err(reading)?.map(Usd::from_nanos);
    let decision: Option<String> = row.try_get(9).map_err(reading)?;
    let resolution = match (decision.as_deref(), credited) {
        (None, _) => None,
        (Some("credit"), Some(amount)) => Some(Resolution::Credit(amount)),
        (Some("returned"), None) => Some(Resolution::Returned),
        (Some(other), _) => {
            return Err(StoreError::Unreadable { what: "what becomes of a payment", found: other.to_owned() });
        }
    };
    Ok(PaymentRecord {
        id: row.try_get(0).map_err(reading)?,
        new: NewPayment {
            source: row.try_get(1).map_err(reading)?,
            reference: row.try_get(2).map_err(reading)?,
            asset: row.try_get(3).map_err(reading)?,
            amount: row.try_get(4).map_err(reading)?,
            payer: row.try_get(5).map_err(reading)?,
            receipt: row.try_get(6).map_err(reading)?,
        },
        state,
        claimed_at_ms: row.try_get(8).map_err(reading)?,
        resolution,
        credited,
        reversed: Usd::from_nanos(row.try_get(11).map_err(reading)?),
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("a payment")(error)
}
