//! The statements about payments.

pub(super) mod history;
pub(super) mod moves;
pub(super) mod resolutions;
pub(super) mod reversals;

use tollgate_api::generated::machines::payment::{AnyRow, State, actor, mv};
use tollgate_base::{AccountId, OrderId, draw_id};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, StoreTransaction, query};

use super::payment::{NewPayment, OrderPayment};

macro_rules! payments {
    ($condition:literal) => {
        concat!(
            "SELECT id, source, reference, order_id, state, asset, amount, payer, receipt, claimed_at FROM payments ",
            $condition
        )
    };
}

const CLAIM: &str = "INSERT INTO payments (id, source, reference, order_id, state, asset, amount, payer, receipt, claimed_at) \
    VALUES ($1, $2, $3, $4, 'claimed', $5, $6, $7, $8, $9)";
const FIND: &str = payments!("WHERE source = $1 AND reference = $2");
const FIND_BY_ID: &str = payments!("WHERE id = $1");
const OPEN_OF: &str = payments!("WHERE order_id = $1 AND state = 'claimed' ORDER BY claimed_at, id");
const GIVEN_UP_OF: &str = "SELECT count(*) FROM payments WHERE order_id = $1 AND state = 'void'";
/// The weighted number of the account's payments at stake. Each on its way weighs 1, each that failed by its payer's doing `$2`:
/// where a block shows that, and our account was to carry it. A payment that the chain did not take in time weighs nothing.
const AT_STAKE: &str = "SELECT CAST(coalesce(sum(CASE p.state WHEN 'claimed' THEN 1 ELSE $2 END), 0) AS BIGINT) FROM payments p \
    JOIN topup_order o ON o.id = p.order_id LEFT JOIN chain_payments c ON c.payment_id = p.id \
    WHERE o.account_id = $1 AND o.created_at > $4 AND o.rail <> 'ewallet' AND (p.state = 'claimed' OR p.state = 'void' \
    AND p.decided_at > $3 AND (c.payment_id IS NULL OR c.fee IS NOT NULL AND c.seen_block IS NOT NULL))";
const SET_ASIDE_BEFORE: &str =
    "SELECT EXISTS (SELECT 1 FROM payments WHERE source = $1 AND receipt = $2 AND state = 'surplus')";
/// A payment on which an operator has decided is not set aside any more.
const SET_ASIDE_OF: &str = "SELECT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = $1 AND p.state = 'surplus' \
    AND p.resolution IS NULL)";
const DECIDED: &str = "UPDATE payments SET decided_at = $2, receipt = coalesce($3, receipt) WHERE id = $1";

/// The decision on a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaymentDecision {
    /// It came.
    Paid,
    /// It certainly did not.
    Void,
    /// It came and buys nothing by itself.
    Surplus,
}

/// Writes a payment under its name, claimed for an order.
pub(super) async fn claim(
    transaction: &mut StoreTransaction,
    order: OrderId,
    new: &NewPayment,
    now_ms: i64,
) -> Result<OrderPayment, StoreError> {
    let id = draw_id(1);
    let claimed = query(CLAIM)
        .bind(id)
        .bind(&new.source)
        .bind(&new.reference)
        .bind(order.0)
        .bind(&new.asset)
        .bind(&new.amount)
        .bind(new.payer.as_deref())
        .bind(new.receipt.as_deref())
        .bind(now_ms);
    claimed.execute(transaction).await.map_err(StoreError::write("a payment"))?;
    Ok(OrderPayment { id, order, state: State::START, new: new.clone(), claimed_at_ms: now_ms })
}

/// The payment of that name.
pub(super) async fn find(
    transaction: &mut StoreTransaction,
    source: &str,
    reference: &str,
) -> Result<Option<OrderPayment>, StoreError> {
    let row = query(FIND).bind(source).bind(reference).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The payment of that number.
pub(super) async fn find_by_id(
    transaction: &mut StoreTransaction,
    id: i64,
) -> Result<Option<OrderPayment>, StoreError> {
    let row = query(FIND_BY_ID).bind(id).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// Payments of an order that are not decided yet.
pub(super) async fn open_of(
    transaction: &mut StoreTransaction,
    order: OrderId,
) -> Result<Vec<OrderPayment>, StoreError> {
    let rows = query(OPEN_OF).bind(order.0).fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The number of payments of an order that were given up.
pub(super) async fn given_up_of(transaction: &mut StoreTransaction, order: OrderId) -> Result<i64, StoreError> {
    let row = query(GIVEN_UP_OF).bind(order.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The weights and spans by which payments at stake are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StakeWindow {
    /// The weight of a payment that failed by its payer's doing.
    pub(super) counts: i64,
    /// Failed payments count that were decided after this, unix time in milliseconds.
    pub(super) since_ms: i64,
    /// Payments count whose orders were made after this, unix time in milliseconds.
    pub(super) orders_since_ms: i64,
}

/// The weighted number of payments that an account has at stake on chains.
pub(super) async fn at_stake(
    transaction: &mut StoreTransaction,
    account: AccountId,
    window: StakeWindow,
) -> Result<i64, StoreError> {
    let StakeWindow { counts, since_ms, orders_since_ms } = window;
    let asked = query(AT_STAKE).bind(account.0).bind(counts).bind(since_ms).bind(orders_since_ms);
    asked.fetch_one(transaction).await.map_err(reading)?.try_get(0).map_err(reading)
}

/// True if a payment was set aside under this transfer before.
pub(super) async fn was_set_aside(
    transaction: &mut StoreTransaction,
    source: &str,
    receipt: &str,
) -> Result<bool, StoreError> {
    let row = query(SET_ASIDE_BEFORE).bind(source).bind(receipt).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// True if a payment of an order is set aside and not resolved.
pub(super) async fn is_set_aside(readers: &ReadPool, order: OrderId) -> Result<bool, StoreError> {
    let row = query(SET_ASIDE_OF).bind(order.0).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Writes the decision on a payment. True if its state allows that.
pub(super) async fn decide(
    transaction: &mut StoreTransaction,
    settlement: &actor::Settlement,
    payment: &OrderPayment,
    decided: PaymentDecision,
    receipt: Option<&str>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let told = query(DECIDED).bind(payment.id).bind(now_ms).bind(receipt);
    told.execute(&mut *transaction).await.map_err(writing)?;
    let cas = match (AnyRow::read(payment.state, ()), decided) {
        (AnyRow::Claimed(row), PaymentDecision::Paid) => row.step(mv::Pay::by(settlement)).cas(),
        (AnyRow::Void(row), PaymentDecision::Paid) => row.step(mv::Pay::by(settlement)).cas(),
        (AnyRow::Claimed(row), PaymentDecision::Void) => row.step(mv::GiveUp::by(settlement)).cas(),
        (AnyRow::Claimed(row), PaymentDecision::Surplus) => row.step(mv::SetAside::by(settlement)).cas(),
        (AnyRow::Void(row), PaymentDecision::Surplus) => row.step(mv::SetAside::by(settlement)).cas(),
        (AnyRow::Void(_), PaymentDecision::Void) | (AnyRow::Paid(_) | AnyRow::Surplus(_), _) => return Ok(false),
    };
    let moved = query(cas.sql).bind(payment.id).bind(cas.to).bind(cas.from);
    Ok(moved.execute(transaction).await.map_err(writing)? == 1)
}

fn read(row: &DatabaseRow) -> Result<OrderPayment, StoreError> {
    let found: String = row.try_get(4).map_err(reading)?;
    let Ok(state) = found.parse() else { return Err(StoreError::Unreadable { what: "the state of a payment", found }) };
    Ok(OrderPayment {
        id: row.try_get(0).map_err(reading)?,
        new: NewPayment {
            source: row.try_get(1).map_err(reading)?,
            reference: row.try_get(2).map_err(reading)?,
            asset: row.try_get(5).map_err(reading)?,
            amount: row.try_get(6).map_err(reading)?,
            payer: row.try_get(7).map_err(reading)?,
            receipt: row.try_get(8).map_err(reading)?,
        },
        order: OrderId(row.try_get(3).map_err(reading)?),
        state,
        claimed_at_ms: row.try_get(9).map_err(reading)?,
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("a payment")(error)
}

fn writing(error: sqlx::Error) -> StoreError {
    StoreError::write("a payment")(error)
}
