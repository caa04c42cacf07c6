//! Money of which nothing shows that it is what was signed: it is credited to nobody, set aside once, and a person decides.

use crate::base::OrderId;
use crate::generated::machines::payment::State as PaymentState;
use crate::generated::machines::topup_order::AnyRow;
use crate::store::StoreError;

use super::commit::{Step, commit};
use super::sql::moves;
use super::sql::payments::{self, Decided};
use super::{Failed, NewPayment, Order, Payment, Topups, sql};

/// The code of payments that may have come, on which a person decides.
pub(super) const SET_ASIDE: &str = "X402_PAYMENT_SET_ASIDE";

/// The same in words, where no more is known.
pub(super) const UNDECIDED: &str = "a person decides on a payment of it";

/// What is odd about money that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
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

    /// What whoever pays is told.
    fn detail(self, transfer: &str) -> String {
        match self {
            Self::Unnamed => {
                format!("the amount came by {transfer}, which does not name the payment: a person decides")
            }
            Self::Otherwise => format!("another amount than was signed came by {transfer}: a person decides"),
        }
    }

    fn ring(self, order: &Order, payment: &Payment, transfer: &str) {
        let (alarm, words) = match self {
            Self::Unnamed => (
                "unnamed",
                "the amount of a payment came by a transaction that does not name it: nothing is credited. Look at the \
                 transaction; where it carried the payment out, `tollgate payment resolve PAYMENT --credit`, and else give the \
                 money back and `tollgate payment resolve PAYMENT --returned`",
            ),
            Self::Otherwise => (
                "surplus",
                "a token moved another amount than was signed, as one does that keeps a part: nothing is credited. Look at \
                 the transaction, and credit what came by `tollgate payment resolve PAYMENT --credit --usd AMOUNT`, or give it \
                 back and `tollgate payment resolve PAYMENT --returned`",
            ),
        };
        let NewPayment { source, reference, asset, amount, .. } = &payment.new;
        tracing::error!(
            target: "alarm", alarm,
            payment_id = payment.id, order = %order.id, account = %order.account, source, reference, transaction = transfer, amount, asset,
            "{words}"
        );
    }
}

impl Topups {
    /// Sets a payment aside under the first of these transfers that was taken for no other one. Its order has failed, by this
    /// code, so that nobody pays a second time by mistake. What is said of it; none where each of the transfers was taken.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn set_aside(
        &self,
        oddity: Oddity,
        source: &str,
        reference: &str,
        transfers: &[String],
        code: &str,
    ) -> Result<Option<Failed>, StoreError> {
        let why = |transfer: &str| Failed { code: code.to_owned(), detail: oddity.detail(transfer) };
        let now_ms = self.now_ms();
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
        oddity.ring(&told, &payment, transfer);
        Ok(Some(why))
    }

    /// Whether a person has money of an order.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn is_set_aside(&self, order: OrderId) -> Result<bool, StoreError> {
        payments::is_set_aside(self.store.readers(), order).await
    }

    /// Tells a person of a payment that was used up, where each transfer that could be it was taken for another payment: whoever
    /// looks at one of these looks at all of them.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) async fn tell_unnamed(
        &self,
        source: &str,
        reference: &str,
        transfers: &[String],
    ) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some(payment) = payments::find(&mut transaction, source, reference).await? else { return Ok(()) };
        let Some(order) = sql::find(&mut transaction, payment.order).await? else { return Ok(()) };
        let oddity = Oddity::Unnamed;
        moves::note(&mut transaction, oddity.action(), &order, &payment, self.now_ms()).await?;
        commit(transaction, Step::SetAside, "a payment").await?;
        oddity.ring(&order, &payment, &transfers.join(", "));
        Ok(())
    }
}
