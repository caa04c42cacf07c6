//! The statements about payments of which money went back.

use crate::PaymentRail;
use crate::payments::payment::CreditedPayment;
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_store::{DatabaseRow, StoreError, StoreTransaction, query};

/// Finds by the number of the payment, or by the number or the name of its order. No name is a number.
const CREDITED: &str = "SELECT p.id, o.id, o.account_id, o.rail, CASE p.state WHEN 'paid' THEN o.amount ELSE p.resolved_amount END, \
        CAST(coalesce((SELECT sum(b.amount) FROM reversals b WHERE b.payment_id = p.id), 0) AS BIGINT) \
    FROM payments p JOIN topup_order o ON o.id = p.order_id \
    WHERE p.id IN (SELECT id FROM payments WHERE id = $1 UNION SELECT id FROM payments WHERE order_id = $1 \
        UNION SELECT n.id FROM payments n JOIN topup_order t ON t.id = n.order_id WHERE t.trade_no = $2) \
        AND (p.state = 'paid' AND o.status = 'success' OR p.resolution = 'credit') ORDER BY p.id";
const KNOWN: &str = "SELECT EXISTS (SELECT 1 FROM topup_order WHERE id = $1 OR trade_no = $2) \
    OR EXISTS (SELECT 1 FROM payments WHERE id = $1)";

/// The credited payments that a number or a name refers to.
pub(in crate::payments) async fn credited(
    transaction: &mut StoreTransaction,
    of: &str,
) -> Result<Vec<CreditedPayment>, StoreError> {
    let rows = query(CREDITED).bind(number(of)).bind(of).fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// True if there is a payment or an order of that number or name.
pub(in crate::payments) async fn is_known(transaction: &mut StoreTransaction, of: &str) -> Result<bool, StoreError> {
    let row = query(KNOWN).bind(number(of)).bind(of).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The number in a text, or 0, which no payment and no order has.
fn number(of: &str) -> i64 {
    of.parse().unwrap_or(0)
}

fn read(row: &DatabaseRow) -> Result<CreditedPayment, StoreError> {
    let rail: String = row.try_get(3).map_err(reading)?;
    Ok(CreditedPayment {
        payment: row.try_get(0).map_err(reading)?,
        order: OrderId(row.try_get(1).map_err(reading)?),
        account: AccountId(row.try_get(2).map_err(reading)?),
        rail: PaymentRail::read(&rail).ok_or(StoreError::Unreadable { what: "the rail of an order", found: rail })?,
        credited: Usd::from_nanos(row.try_get(4).map_err(reading)?),
        reversed: Usd::from_nanos(row.try_get(5).map_err(reading)?),
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("a payment")(error)
}
