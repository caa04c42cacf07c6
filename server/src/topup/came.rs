//! Money that came: it is credited, once, however late; and where there is nothing that it could buy, it is set aside for a
//! person to look at.

use crate::base::OrderId;
use crate::generated::machines::payment::State as PaymentState;
use crate::generated::machines::topup_order::{AnyRow, State};
use crate::store::{StoreError, Transaction};

use super::commit::{Step, commit};
use super::sql::moves;
use super::sql::payments::{self, Decided};
use super::{Failed, NewPayment, Order, Payment, Topups, sql};

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
        let rights = &*self.rights;
        let decide = async |transaction: &mut Transaction, decided| {
            payments::decide(transaction, &rights.payments, &payment, decided, receipt.as_deref(), now_ms)
                .await
                .map(drop)
        };
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Success(row) => {
                decide(transaction, Decided::Surplus).await?;
                return Ok(Credited::SetAside(
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
        decide(transaction, Decided::Paid).await?;
        let order = moves::succeed(transaction, rights, row, came, now_ms).await?.into_data();
        let receipt = receipt.clone().or(order.receipt);
        Ok(Credited::Now(Order { state: State::Success, settled_at_ms: Some(now_ms), failed: None, receipt, ..order }))
    }

    /// Sets a payment aside of which this transfer came, and is not what was signed: a person decides. Its order has failed, so that
    /// nobody pays a second time by mistake. What is said of it; none where the transfer was taken for another payment before.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn set_aside_otherwise(
        &self,
        source: &str,
        reference: &str,
        transfer: String,
        why: impl Fn(&str) -> Failed,
    ) -> Result<Option<Failed>, StoreError> {
        self.leave_to_a_person(Oddity::Otherwise, source, reference, &[transfer], why).await
    }

    /// Sets a payment aside under the first of these transfers, of which nothing shows that it is this payment: a person decides.
    /// Its order has failed, so that nobody pays a second time by mistake. What is said of it; none where each of the transfers was
    /// taken for another payment before.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn set_aside(
        &self,
        source: &str,
        reference: &str,
        transfers: &[String],
        why: impl Fn(&str) -> Failed,
    ) -> Result<Option<Failed>, StoreError> {
        self.leave_to_a_person(Oddity::Unnamed, source, reference, transfers, why).await
    }

    async fn leave_to_a_person(
        &self,
        oddity: Oddity,
        source: &str,
        reference: &str,
        transfers: &[String],
        why: impl Fn(&str) -> Failed,
    ) -> Result<Option<Failed>, StoreError> {
        let now_ms = self.clock.now_ms();
        let mut transaction = self.store.begin().await?;
        let Some(payment) = payments::find(&mut transaction, source, reference).await? else { return Ok(None) };
        match payment.state {
            PaymentState::Claimed | PaymentState::Void => {}
            PaymentState::Paid | PaymentState::Surplus => {
                return Ok(Some(why(payment.new.receipt.as_deref().unwrap_or_default())));
            }
        }
        let mut free = None;
        for transfer in transfers {
            if !payments::was_set_aside(&mut transaction, source, transfer).await? {
                free = Some(transfer.as_str());
                break;
            }
        }
        let Some(transfer) = free else { return Ok(None) };
        let Some(order) = sql::find(&mut transaction, payment.order).await? else { return Ok(None) };
        let (rights, told, why) = (&self.rights, order.clone(), why(transfer));
        let decided = Decided::Surplus;
        if !payments::decide(&mut transaction, &rights.payments, &payment, decided, Some(transfer), now_ms).await? {
            return Ok(None);
        }
        moves::note(&mut transaction, oddity.action(), &order, &payment, now_ms).await?;
        let others = payments::open_of(&mut transaction, payment.order).await?;
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Settling(row) => Some(row),
            // The payment had been given up, and the order could be paid again.
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => {
                Some(moves::begin(&mut transaction, rights, row, now_ms).await?)
            }
            AnyRow::Pending(_) | AnyRow::Success(_) | AnyRow::Failed(_) | AnyRow::Expired(_) => None,
        };
        // What it counts of its agent's caps it counts on: the money has left the agent, whatever a person decides.
        if let Some(row) = row.filter(|_| others.is_empty()) {
            moves::fail(&mut transaction, rights, row, &why, now_ms).await?;
        }
        commit(transaction, Step::SetAside, "a payment").await?;
        match oddity {
            Oddity::Unnamed => ring_unnamed(&told, &payment, transfer),
            Oddity::Otherwise => ring_otherwise(&told, &payment, transfer),
        }
        Ok(Some(why))
    }

    /// Tells a person of a payment that was used up, where each transfer that could be it was taken for another payment: whoever
    /// looks at one of these looks at all of them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn tell_unnamed(&self, source: &str, reference: &str, transfers: &[String]) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some(payment) = payments::find(&mut transaction, source, reference).await? else { return Ok(()) };
        let Some(order) = sql::find(&mut transaction, payment.order).await? else { return Ok(()) };
        moves::note(&mut transaction, "topup.unnamed", &order, &payment, self.clock.now_ms()).await?;
        commit(transaction, Step::SetAside, "a payment").await?;
        ring_unnamed(&order, &payment, &transfers.join(", "));
        Ok(())
    }

    async fn note_surplus(
        transaction: &mut Transaction,
        order: Order,
        payment: &Payment,
        now_ms: i64,
    ) -> Result<Order, StoreError> {
        moves::note(transaction, "topup.surplus", &order, payment, now_ms).await?;
        let (source, reference) = (payment.new.source.as_str(), payment.new.reference.as_str());
        tracing::error!(
            target: "alarm", alarm = "surplus",
            order = %order.id, source, reference, amount = payment.new.amount, asset = payment.new.asset,
            "money came for an order that other money has paid: give it back, or credit it by hand"
        );
        Ok(order)
    }
}

/// What is odd about money that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Oddity {
    /// Nothing shows which payment it is.
    Unnamed,
    /// It is not what was signed.
    Otherwise,
}

impl Oddity {
    const fn action(self) -> &'static str {
        match self {
            Self::Unnamed => "topup.unnamed",
            Self::Otherwise => "topup.surplus",
        }
    }
}

fn ring_otherwise(order: &Order, payment: &Payment, transfer: &str) {
    let NewPayment { source, reference, asset, amount, .. } = &payment.new;
    tracing::error!(
        target: "alarm", alarm = "surplus",
        order = %order.id, account = %order.account, source, reference, transaction = transfer, amount, asset,
        "a token moved another amount than was signed, as one does that keeps a part: nothing is credited. Look at the \
         transaction, and credit what came by hand, or give it back"
    );
}

fn ring_unnamed(order: &Order, payment: &Payment, transfer: &str) {
    let NewPayment { source, reference, asset, amount, .. } = &payment.new;
    tracing::error!(
        target: "alarm", alarm = "unnamed",
        order = %order.id, account = %order.account, source, reference, transaction = transfer, amount, asset,
        "the amount of a payment came by a transaction that does not name it: nothing is credited. Look at the transaction; \
        where it carried the payment out, credit the account by hand, and else give the money back"
    );
}
