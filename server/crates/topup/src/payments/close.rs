//! Closing orders on a provider's word without money: an order that somebody is about to pay, and one of which it is certain that
//! nothing was paid and nothing can be any more.

use crate::{CreditOrder, NewPayment, OrderFailure, Topups};
use tollgate_api::generated::machines::topup_order::{AnyRow, State};
use tollgate_base::OrderId;
use tollgate_store::{StoreError, StoreTransaction};

use super::sql::{self, PaymentDecision, moves};

impl Topups {
    /// Moves an order that was read in this transaction to settling, because somebody is paying it. The payment is claimed if it
    /// has a name already.
    pub(crate) async fn begin_in(
        &self,
        transaction: &mut StoreTransaction,
        order: CreditOrder,
        payment: Option<&NewPayment>,
    ) -> Result<(), StoreError> {
        let now_ms = self.now_ms();
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => row,
            // It is on its way already, or is money that comes late: that is booked when it is there.
            AnyRow::Pending(_) | AnyRow::Settling(_) | AnyRow::Success(_) | AnyRow::Failed(_) | AnyRow::Expired(_) => {
                return Ok(());
            }
        };
        if let Some(payment) = payment
            && sql::find(transaction, &payment.source, &payment.reference).await?.is_none()
        {
            sql::claim(transaction, row.data().id, payment, now_ms).await?;
        }
        moves::begin(transaction, &self.rights, row, now_ms).await.map(drop)
    }

    /// Claims a payment that its provider has reported, for an order that was read in this transaction and waits. The order does
    /// not move: whether the money stays is known from the provider's next answer.
    pub(crate) async fn claim_reported_in(
        &self,
        transaction: &mut StoreTransaction,
        order: &CreditOrder,
        payment: &NewPayment,
    ) -> Result<(), StoreError> {
        if order.state == State::Pending && sql::find(transaction, &payment.source, &payment.reference).await?.is_none()
        {
            sql::claim(transaction, order.id, payment, self.now_ms()).await?;
        }
        Ok(())
    }

    /// True if a payment of an order was reported or begun, and is not decided yet.
    pub(crate) async fn has_open_payment(
        &self,
        transaction: &mut StoreTransaction,
        order: OrderId,
    ) -> Result<bool, StoreError> {
        Ok(!sql::open_of(transaction, order).await?.is_empty())
    }

    /// Ends an order, read in this transaction, that was certainly not paid and cannot be any more. It fails; where its time was
    /// over before it was settling, it expires. Its open payments are given up. Returns the new state.
    pub(crate) async fn end_unpaid(
        &self,
        transaction: &mut StoreTransaction,
        order: CreditOrder,
        why: &OrderFailure,
    ) -> Result<State, StoreError> {
        let (now_ms, state) = (self.now_ms(), order.state);
        let row = match AnyRow::read(state, order) {
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => {
                moves::begin(transaction, &self.rights, row, now_ms).await?
            }
            AnyRow::Pending(row) => {
                self.give_up_open(transaction, row.data().id, now_ms).await?;
                moves::expire(transaction, &self.rights, row, now_ms).await?;
                return Ok(State::Expired);
            }
            AnyRow::Settling(row) => row,
            AnyRow::Success(_) | AnyRow::Failed(_) | AnyRow::Expired(_) => return Ok(state),
        };
        self.give_up_open(transaction, row.data().id, now_ms).await?;
        moves::fail(transaction, &self.rights, row, why, now_ms).await?;
        Ok(State::Failed)
    }

    async fn give_up_open(
        &self,
        transaction: &mut StoreTransaction,
        order: OrderId,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        for open in sql::open_of(transaction, order).await? {
            sql::decide(transaction, &self.rights.payments, &open, PaymentDecision::Void, None, now_ms).await?;
        }
        Ok(())
    }
}
