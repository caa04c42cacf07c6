//! Crediting money that came, once, however late. Where other money has paid its order, it is set aside for an operator.

use crate::commit::{Step, commit};
use crate::orders::sql as orders;
use crate::{ConfirmedPayment, CreditOrder, NewPayment, OrderPayment, Topups};
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_api::generated::machines::topup_order::{AnyRow, State};
use tollgate_base::OrderId;
use tollgate_store::{StoreError, StoreTransaction};

use super::sql::{self, PaymentDecision, moves};

/// The outcome of booking money that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreditOutcome {
    /// It was credited now.
    Now(CreditOrder),
    /// It had been credited before.
    Before(CreditOrder),
    /// The order was paid by other money; this is set aside.
    SetAside(CreditOrder),
}

impl CreditOutcome {
    /// The commit that makes the outcome durable.
    pub(crate) const fn step(&self) -> Step {
        match self {
            Self::SetAside(_) => Step::SetAside,
            Self::Now(_) | Self::Before(_) => Step::Credit,
        }
    }
}

/// The reason for which money that came was not booked.
#[derive(Debug, thiserror::Error)]
pub enum CreditError {
    /// There is no such order.
    #[error("there is no such order")]
    NoSuchOrder,
    /// The payment belongs to this other order.
    #[error("the payment is of another order")]
    OfAnother(OrderId),
    /// The store failed; a repeated call shows whether the money was credited.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Topups {
    /// Books money that came.
    ///
    /// # Errors
    /// When there is no such order, the payment is another order's, or the store fails. Then nothing was written.
    pub async fn credit(&self, came: &ConfirmedPayment) -> Result<CreditOutcome, CreditError> {
        let mut transaction = self.store.begin().await?;
        let credited = self.credit_in(&mut transaction, came).await?;
        commit(transaction, credited.step(), "a payment").await?;
        Ok(credited)
    }

    /// Books money inside a transaction of the caller's, with which the rail writes its own rows.
    pub(crate) async fn credit_in(
        &self,
        transaction: &mut StoreTransaction,
        came: &ConfirmedPayment,
    ) -> Result<CreditOutcome, CreditError> {
        let now_ms = self.clock.now_ms();
        let order = orders::find(&mut *transaction, came.order).await?.ok_or(CreditError::NoSuchOrder)?;
        let NewPayment { source, reference, receipt, .. } = &came.payment;
        let payment = match sql::find(transaction, source, reference).await? {
            Some(payment) if payment.order != order.id => return Err(CreditError::OfAnother(payment.order)),
            Some(payment) => payment,
            None => sql::claim(transaction, order.id, &came.payment, now_ms).await?,
        };
        match payment.state {
            PaymentState::Paid => return Ok(CreditOutcome::Before(order)),
            PaymentState::Surplus => return Ok(CreditOutcome::SetAside(order)),
            PaymentState::Claimed | PaymentState::Void => {}
        }
        let rights = &*self.rights;
        let decide = async |transaction: &mut StoreTransaction, decided| {
            sql::decide(transaction, &rights.payments, &payment, decided, receipt.as_deref(), now_ms).await.map(drop)
        };
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Success(row) => {
                decide(transaction, PaymentDecision::Surplus).await?;
                return Ok(CreditOutcome::SetAside(
                    Self::note_surplus(transaction, row.into_data(), &payment, now_ms).await?,
                ));
            }
            AnyRow::Settling(row) => row,
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => {
                moves::begin(transaction, rights, row, now_ms).await?
            }
            AnyRow::Pending(row) => {
                let expired = moves::expire(transaction, rights, row, now_ms).await?;
                moves::revive(transaction, rights, expired, &payment, now_ms).await?
            }
            AnyRow::Expired(row) => moves::revive(transaction, rights, row, &payment, now_ms).await?,
            AnyRow::Failed(row) => moves::revive(transaction, rights, row, &payment, now_ms).await?,
        };
        decide(transaction, PaymentDecision::Paid).await?;
        let order = moves::succeed(transaction, rights, row, came, now_ms).await?.into_data();
        let receipt = receipt.clone().or(order.receipt);
        Ok(CreditOutcome::Now(CreditOrder {
            state: State::Success,
            settled_at_ms: Some(now_ms),
            failed: None,
            receipt,
            ..order
        }))
    }

    /// Writes an entry of the audit log about a credited payment that its chain has taken back.
    pub(crate) async fn note_reorganised(
        &self,
        transaction: &mut StoreTransaction,
        source: &str,
        reference: &str,
    ) -> Result<(), StoreError> {
        let Some(payment) = sql::find(transaction, source, reference).await? else { return Ok(()) };
        let Some(order) = orders::find(&mut *transaction, payment.order).await? else { return Ok(()) };
        moves::note(transaction, "topup.taken_back", &order, &payment, self.now_ms()).await
    }

    async fn note_surplus(
        transaction: &mut StoreTransaction,
        order: CreditOrder,
        payment: &OrderPayment,
        now_ms: i64,
    ) -> Result<CreditOrder, StoreError> {
        moves::note(transaction, "topup.surplus", &order, payment, now_ms).await?;
        let (source, reference) = (payment.new.source.as_str(), payment.new.reference.as_str());
        tracing::error!(
            target: "alarm", alarm = "surplus",
            payment_id = payment.id, order = %order.id, source, reference, amount = payment.new.amount, asset = payment.new.asset,
            "money came for an order that other money has paid: credit it by `tollgate payment resolve PAYMENT --credit`, or give \
             it back and `tollgate payment resolve PAYMENT --returned`"
        );
        Ok(order)
    }
}
