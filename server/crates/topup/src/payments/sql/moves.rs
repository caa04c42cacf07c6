//! The moves of an order, each with its proof and what it owes. All of them run in the write queue of the store, those of one
//! account one after the other: a row that was read in the same transaction has not moved on.

use crate::orders::sql as orders;
use crate::topups::SettlementRights;
use crate::{ConfirmedPayment, CreditOrder, NewPayment, OrderFailure, OrderPayment};
use tollgate_api::generated::machines::topup_order::{Allows, Row, at, effect, guard, mv, proof};
use tollgate_api::machine::{Cas, Lost};
use tollgate_base::OrderId;
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, query, record};

/// Proof that nothing was paid and nothing can be any more.
struct CertainlyUnpaid;
impl proof::NonPayment for CertainlyUnpaid {}

/// Proof that money came for an order that had been given up.
struct LateArrival;
impl proof::LatePayment for LateArrival {}

impl proof::SettlementReceipt for ConfirmedPayment {}

/// Moves an order to settling: money is on its way.
pub(in crate::payments) async fn begin(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<at::Pending, CreditOrder>,
    now_ms: i64,
) -> Result<Row<at::Settling, CreditOrder>, StoreError> {
    let step = row.step(mv::BeginSettlement::by(&rights.orders));
    let changed = make(transaction, step.cas(), step.data().id, now_ms).await?;
    step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
}

/// Moves an order to expired: its time is over.
pub(in crate::payments) async fn expire(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<at::Pending, CreditOrder>,
    now_ms: i64,
) -> Result<Row<at::Expired, CreditOrder>, StoreError> {
    let step = row.step(mv::Expire::by(&rights.clock));
    let changed = make(transaction, step.cas(), step.data().id, now_ms).await?;
    step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
}

/// Moves an order back to pending, in this place if it has one.
pub(in crate::payments) async fn give_back(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<at::Settling, CreditOrder>,
    place: Option<i64>,
    now_ms: i64,
) -> Result<Row<at::Pending, CreditOrder>, StoreError> {
    let id = row.data().id;
    if let Some(place) = place {
        let placed = query("UPDATE topup_order SET place = $2 WHERE id = $1").bind(id.0).bind(place);
        placed.execute(&mut *transaction).await.map_err(orders::writing)?;
    }
    let step = row.step(mv::GiveBack::by(&rights.orders, guard::UnpaidForCertain::proven_by(&CertainlyUnpaid)));
    let changed = make(transaction, step.cas(), id, now_ms).await?;
    step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
}

/// Moves an order to failed, with the reason.
pub(in crate::payments) async fn fail(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<at::Settling, CreditOrder>,
    why: &OrderFailure,
    now_ms: i64,
) -> Result<Row<at::Failed, CreditOrder>, StoreError> {
    let id = row.data().id;
    let told = query("UPDATE topup_order SET failure_code = $2, failure_detail = $3 WHERE id = $1");
    let told = told.bind(id.0).bind(&why.code).bind(&why.detail);
    told.execute(&mut *transaction).await.map_err(orders::writing)?;
    let step = row.step(mv::Fail::by(&rights.orders, guard::UnpaidForCertain::proven_by(&CertainlyUnpaid)));
    let changed = make(transaction, step.cas(), id, now_ms).await?;
    step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
}

/// Moves an order that had expired or failed to settling, and writes that to the audit log.
pub(in crate::payments) async fn revive<S>(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<S, CreditOrder>,
    payment: &OrderPayment,
    now_ms: i64,
) -> Result<Row<at::Settling, CreditOrder>, StoreError>
where
    S: Allows<mv::Revive, To = at::Settling, Due = effect::AuditLateMoney>,
{
    let step = row.step(mv::Revive::by(&rights.orders, guard::MoneyArrivedLate::proven_by(&LateArrival)));
    let changed = make(transaction, step.cas(), step.data().id, now_ms).await?;
    let won = step.done(changed).map_err(|lost| moved_on(&lost))?;
    let _: effect::AuditLateMoney = won.due;
    note(transaction, "topup.late", won.row.data(), payment, now_ms).await?;
    Ok(won.row)
}

/// Moves an order to success. The database posts its amount with this move.
pub(in crate::payments) async fn succeed(
    transaction: &mut StoreTransaction,
    rights: &SettlementRights,
    row: Row<at::Settling, CreditOrder>,
    came: &ConfirmedPayment,
    now_ms: i64,
) -> Result<Row<at::Success, CreditOrder>, StoreError> {
    let id = row.data().id;
    let timed = query("UPDATE topup_order SET settled_at = $2 WHERE id = $1").bind(id.0).bind(now_ms);
    timed.execute(&mut *transaction).await.map_err(orders::writing)?;
    let step = row.step(mv::Succeed::by(&rights.orders, guard::PaidForCertain::proven_by(came)));
    let changed = make(transaction, step.cas(), id, now_ms).await?;
    let won = step.done(changed).map_err(|lost| moved_on(&lost))?;
    let _: effect::CreditBalance = won.due;
    Ok(won.row)
}

/// Writes an unusual event of a payment to the audit log.
pub(in crate::payments) async fn note(
    transaction: &mut StoreTransaction,
    action: &'static str,
    order: &CreditOrder,
    payment: &OrderPayment,
    now_ms: i64,
) -> Result<(), StoreError> {
    let NewPayment { source, reference, asset, amount, .. } = &payment.new;
    let detail = format!("{} USD on {}: {amount} of {asset} from {source}, {reference}", order.amount, order.rail);
    let subject = order.id.to_string();
    let entry = AuditEntry::new(now_ms, "settlement", action, &subject).detail(&detail);
    record(transaction, &entry).await
}

async fn make(
    transaction: &mut StoreTransaction,
    cas: &'static Cas,
    id: OrderId,
    now_ms: i64,
) -> Result<u64, StoreError> {
    let moved = query(cas.sql).bind(id.0).bind(cas.to).bind(cas.from);
    let moved = if cas.needs_now { moved.bind(now_ms) } else { moved };
    moved.execute(transaction).await.map_err(orders::writing)
}

/// The error of a move that another writer has forestalled: nothing of this transaction is written.
fn moved_on<T>(lost: &Lost<T>) -> StoreError {
    StoreError::Unreadable { what: "an order under its lock", found: lost.to_string() }
}
