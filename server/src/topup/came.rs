//! Money that came: it is credited, once, however late; and where there is nothing that it could buy, it is set aside for a
//! person to look at.

use crate::base::OrderId;
use crate::generated::machines::payment::State as PaymentState;
use crate::generated::machines::topup_order::{AnyRow, Row, State, at, effect, guard, mv, proof};
use crate::store::{Entry, StoreError, Transaction, record};

use super::commit::{Step, commit};
use super::sql::payments::{self, Decided};
use super::{NewPayment, Order, Payment, Topups, sql};

/// What became of money that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credited {
    /// It was credited now.
    Now(Order),
    /// It had been credited before.
    Before(Order),
    /// The order was paid by other money; this is set aside.
    SetAside(Order),
}

/// Why money that came was not booked.
#[derive(Debug, thiserror::Error)]
pub enum NotCredited {
    /// No such order.
    #[error("there is no such order")]
    NoSuchOrder,
    /// It came for another order, by its name.
    #[error("the payment is of another order")]
    OfAnother(OrderId),
    /// The store failed; whether it was credited is told by asking again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The checked report of the outside that money came: the chain shows the exact transfer at the configured depth, or the provider
/// says paid, with the order's amount in its currency. **Made by the rails' checkers alone.**
#[derive(Debug)]
pub struct Came {
    /// For which order.
    pub(super) order: OrderId,
    /// What came.
    pub(super) payment: NewPayment,
}

impl proof::SettlementReceipt for Came {}

/// The order had been given up.
struct Late;
impl proof::LatePayment for Late {}

impl Topups {
    /// Books money that came.
    ///
    /// # Errors
    /// When there is no such order, the payment is another order's, or the store fails. Then nothing was written.
    pub async fn credit(&self, came: &Came) -> Result<Credited, NotCredited> {
        let mut transaction = self.store.begin().await?;
        let credited = self.credit_in(&mut transaction, came).await?;
        let step = if matches!(credited, Credited::SetAside(_)) { Step::SetAside } else { Step::Credit };
        commit(transaction, step, "a payment").await?;
        Ok(credited)
    }

    /// The same inside a transaction, with which the rail writes what it needs beside it.
    pub(super) async fn credit_in(&self, transaction: &mut Transaction, came: &Came) -> Result<Credited, NotCredited> {
        let now_ms = self.clock.now_ms();
        let order = sql::find(&mut *transaction, came.order).await?.ok_or(NotCredited::NoSuchOrder)?;
        let NewPayment { source, reference, receipt, .. } = &came.payment;
        let payment = match payments::find(transaction, source, reference).await? {
            Some(payment) if payment.order != order.id => return Err(NotCredited::OfAnother(payment.order)),
            Some(payment) => payment,
            None => payments::claim(transaction, order.id, &came.payment, now_ms).await?,
        };
        match payment.state {
            PaymentState::Paid => return Ok(Credited::Before(order)),
            PaymentState::Surplus => return Ok(Credited::SetAside(order)),
            PaymentState::Claimed | PaymentState::Void => {}
        }
        let decide = async |transaction: &mut Transaction, decided| {
            let rights = &self.rights.payments;
            payments::decide(transaction, rights, &payment, decided, receipt.as_deref(), now_ms).await.map(drop)
        };
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Success(row) => {
                decide(transaction, Decided::Surplus).await?;
                return Ok(Credited::SetAside(
                    self.note_surplus(transaction, row.into_data(), &payment, now_ms).await?,
                ));
            }
            AnyRow::Settling(row) => row,
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => self.begin(transaction, row, now_ms).await?,
            AnyRow::Pending(row) => {
                let expired = self.lapse(transaction, row, now_ms).await?;
                self.revive(transaction, expired, &payment, now_ms).await?
            }
            AnyRow::Expired(row) => self.revive(transaction, row, &payment, now_ms).await?,
            AnyRow::Failed(row) => self.revive(transaction, row, &payment, now_ms).await?,
        };
        decide(transaction, Decided::Paid).await?;
        let order = self.succeed(transaction, row, came, now_ms).await?;
        Ok(Credited::Now(order))
    }

    async fn begin(
        &self,
        transaction: &mut Transaction,
        row: Row<at::Pending, Order>,
        now_ms: i64,
    ) -> Result<Row<at::Settling, Order>, StoreError> {
        let step = row.step(mv::BeginSettlement::by(&self.rights.orders));
        let changed = sql::make(transaction, step.cas(), step.data().id, now_ms).await?;
        step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
    }

    async fn lapse(
        &self,
        transaction: &mut Transaction,
        row: Row<at::Pending, Order>,
        now_ms: i64,
    ) -> Result<Row<at::Expired, Order>, StoreError> {
        let step = row.step(mv::Expire::by(&self.rights.clock));
        let changed = sql::make(transaction, step.cas(), step.data().id, now_ms).await?;
        step.done(changed).map(|won| won.row).map_err(|lost| moved_on(&lost))
    }

    /// Takes up an order that had been given up, and says so in the audit log.
    async fn revive<S>(
        &self,
        transaction: &mut Transaction,
        row: Row<S, Order>,
        payment: &Payment,
        now_ms: i64,
    ) -> Result<Row<at::Settling, Order>, StoreError>
    where
        S: crate::generated::machines::topup_order::Allows<mv::Revive, To = at::Settling, Due = effect::AuditLateMoney>,
    {
        let step = row.step(mv::Revive::by(&self.rights.orders, guard::MoneyArrivedLate::proven_by(&Late)));
        let changed = sql::make(transaction, step.cas(), step.data().id, now_ms).await?;
        let won = step.done(changed).map_err(|lost| moved_on(&lost))?;
        let _: effect::AuditLateMoney = won.due;
        self.note(transaction, "topup.late", won.row.data(), payment, now_ms).await?;
        Ok(won.row)
    }

    /// The move that credits: the database posts the amount with it.
    async fn succeed(
        &self,
        transaction: &mut Transaction,
        row: Row<at::Settling, Order>,
        came: &Came,
        now_ms: i64,
    ) -> Result<Order, StoreError> {
        sql::settled_at(transaction, row.data().id, now_ms).await?;
        let paid = guard::PaidForCertain::proven_by(came);
        let step = row.step(mv::Succeed::by(&self.rights.orders, paid));
        let changed = sql::make(transaction, step.cas(), step.data().id, now_ms).await?;
        let won = step.done(changed).map_err(|lost| moved_on(&lost))?;
        let _: effect::CreditBalance = won.due;
        let order = won.row.into_data();
        let receipt = came.payment.receipt.clone().or(order.receipt);
        Ok(Order { state: State::Success, settled_at_ms: Some(now_ms), failed: None, receipt, ..order })
    }

    async fn note_surplus(
        &self,
        transaction: &mut Transaction,
        order: Order,
        payment: &Payment,
        now_ms: i64,
    ) -> Result<Order, StoreError> {
        self.note(transaction, "topup.surplus", &order, payment, now_ms).await?;
        let (source, reference) = (payment.new.source.as_str(), payment.new.reference.as_str());
        tracing::error!(
            target: "alarm", alarm = "surplus",
            order = %order.id, source, reference, amount = payment.new.amount, asset = payment.new.asset,
            "money came for an order that other money has paid: give it back, or credit it by hand"
        );
        Ok(order)
    }

    async fn note(
        &self,
        transaction: &mut Transaction,
        action: &'static str,
        order: &Order,
        payment: &Payment,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let NewPayment { source, reference, asset, amount, .. } = &payment.new;
        let detail = format!("{} USD on {}: {amount} of {asset} from {source}, {reference}", order.amount, order.rail);
        let subject = order.id.to_string();
        let entry = Entry { at_ms: now_ms, actor: "settlement", action, subject: &subject, detail: &detail };
        record(transaction, &entry).await
    }
}

/// A row that this very transaction has read was moved by another: on the desk that cannot be, and nothing is written.
fn moved_on<T>(lost: &crate::api::machine::Lost<T>) -> StoreError {
    StoreError::Unreadable { what: "an order under its lock", found: lost.to_string() }
}
