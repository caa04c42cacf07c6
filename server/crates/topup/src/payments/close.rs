//! Closing orders on a provider's word without money: an order that somebody is about to pay, and one of which it is certain that
//! nothing was paid and nothing can be any more.

use crate::{CreditOrder, NewPayment, OrderFailure, Topups};
use tollgate_api::generated::machines::topup_order::{AnyRow, State};
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

    /// Ends an order, read in this transaction, that was certainly not paid and cannot be any more. It fails; where its time was
    /// over before anything was on its way, it expires. Returns the new state.
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
                moves::expire(transaction, &self.rights, row, now_ms).await?;
                return Ok(State::Expired);
            }
            AnyRow::Settling(row) => row,
            AnyRow::Success(_) | AnyRow::Failed(_) | AnyRow::Expired(_) => return Ok(state),
        };
        for open in sql::open_of(transaction, row.data().id).await? {
            sql::decide(transaction, &self.rights.payments, &open, PaymentDecision::Void, None, now_ms).await?;
        }
        moves::fail(transaction, &self.rights, row, why, now_ms).await?;
        Ok(State::Failed)
    }
}
