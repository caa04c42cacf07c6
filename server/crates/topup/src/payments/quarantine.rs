//! Quarantine: money of which nothing shows that it is the payment that was signed. It is credited to nobody, set aside once, and
//! an operator decides.

use crate::commit::{Step, commit};
use crate::orders::sql as orders;
use crate::{CreditOrder, NewPayment, OrderFailure, OrderPayment, Topups};
use tollgate_api::Code as _;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::machines::payment::State as PaymentState;
use tollgate_api::generated::machines::topup_order::AnyRow;
use tollgate_base::OrderId;
use tollgate_store::StoreError;

use super::sql::{self, PaymentDecision, moves};

/// The code of payments that may have come, on which an operator decides.
pub(crate) const SET_ASIDE: &str = code::X402PaymentSetAside::INFO.code;

/// The detail beside [`SET_ASIDE`] where nothing more precise is stored.
pub(crate) const UNDECIDED: &str = "a person decides on a payment of it";

/// The reason for which money that came is not credited by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentAnomaly {
    /// Nothing shows which payment it is.
    Unnamed,
    /// It is not the amount that was signed.
    Otherwise,
}

impl PaymentAnomaly {
    const fn action(self) -> &'static str {
        match self {
            Self::Unnamed => "topup.unnamed",
            Self::Otherwise => "topup.surplus",
        }
    }

    /// The detail that the payer is shown.
    fn detail(self, transfer: &str) -> String {
        match self {
            Self::Unnamed => {
                format!("the amount came by {transfer}, which does not name the payment: a person decides")
            }
            Self::Otherwise => format!("another amount than was signed came by {transfer}: a person decides"),
        }
    }

    fn raise_alarm(self, order: &CreditOrder, payment: &OrderPayment, transfer: &str) {
        let (alarm, before, words) = match self {
            Self::Unnamed => (
                "unattributed_transfer",
                Some("unnamed"),
                "the amount of a payment came by a transaction that does not name it: nothing is credited. Look at the \
                 transaction; where it carried the payment out, `tollgate payment resolve PAYMENT --credit`, and else give the \
                 money back and `tollgate payment resolve PAYMENT --returned`",
            ),
            Self::Otherwise => (
                "surplus",
                None,
                "a token moved another amount than was signed, as one does that keeps a part: nothing is credited. Look at \
                 the transaction, and credit what came by `tollgate payment resolve PAYMENT --credit --usd AMOUNT`, or give it \
                 back and `tollgate payment resolve PAYMENT --returned`",
            ),
        };
        let NewPayment { source, reference, asset, amount, .. } = &payment.new;
        tracing::error!(
            target: "alarm", alarm, alarm_before = before,
            payment_id = payment.id, order = %order.id, account = %order.account, source, reference, transaction = transfer, amount, asset,
            "{words}"
        );
    }
}

impl Topups {
    /// Sets a payment aside under the first of these transfers that was not used for another payment. Its order fails with this
    /// code, so that nobody pays a second time by mistake. Returns the failure; none where each of the transfers was used.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn set_aside(
        &self,
        oddity: PaymentAnomaly,
        source: &str,
        reference: &str,
        transfers: &[String],
        code: &str,
    ) -> Result<Option<OrderFailure>, StoreError> {
        let why = |transfer: &str| OrderFailure { code: code.to_owned(), detail: oddity.detail(transfer) };
        let now_ms = self.now_ms();
        let mut transaction = self.store.begin().await?;
        let Some(payment) = sql::find(&mut transaction, source, reference).await? else { return Ok(None) };
        match payment.state {
            PaymentState::Claimed | PaymentState::Void => {}
            PaymentState::Paid | PaymentState::Surplus => {
                return Ok(Some(why(payment.new.receipt.as_deref().unwrap_or_default())));
            }
        }
        let mut free = None;
        for transfer in transfers {
            if !sql::was_set_aside(&mut transaction, source, transfer).await? {
                free = Some(transfer.as_str());
                break;
            }
        }
        let Some(transfer) = free else { return Ok(None) };
        let Some(order) = orders::find(&mut transaction, payment.order).await? else { return Ok(None) };
        let (rights, told, why) = (&self.rights, order.clone(), why(transfer));
        let decided = PaymentDecision::Surplus;
        if !sql::decide(&mut transaction, &rights.payments, &payment, decided, Some(transfer), now_ms).await? {
            return Ok(None);
        }
        moves::note(&mut transaction, oddity.action(), &order, &payment, now_ms).await?;
        let others = sql::open_of(&mut transaction, payment.order).await?;
        let row = match AnyRow::read(order.state, order) {
            AnyRow::Settling(row) => Some(row),
            // The payment had been given up, and the order could be paid again.
            AnyRow::Pending(row) if row.data().is_valid(now_ms) => {
                Some(moves::begin(&mut transaction, rights, row, now_ms).await?)
            }
            AnyRow::Pending(_) | AnyRow::Success(_) | AnyRow::Failed(_) | AnyRow::Expired(_) => None,
        };
        // The agent's caps go on counting the order: the money has left the agent, whatever the operator decides.
        if let Some(row) = row.filter(|_| others.is_empty()) {
            moves::fail(&mut transaction, rights, row, &why, now_ms).await?;
        }
        commit(transaction, Step::SetAside, "a payment").await?;
        oddity.raise_alarm(&told, &payment, transfer);
        Ok(Some(why))
    }

    /// True where a payment of an order is set aside and waits for an operator.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn is_set_aside(&self, order: OrderId) -> Result<bool, StoreError> {
        sql::is_set_aside(self.store.readers(), order).await
    }

    /// Records that a payment was used up where each transfer that could be it is set aside for another payment. The operator who
    /// looks at one of these transfers looks at all of them.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn report_unattributed(
        &self,
        source: &str,
        reference: &str,
        transfers: &[String],
    ) -> Result<(), StoreError> {
        let mut transaction = self.store.begin().await?;
        let Some(payment) = sql::find(&mut transaction, source, reference).await? else { return Ok(()) };
        let Some(order) = orders::find(&mut transaction, payment.order).await? else { return Ok(()) };
        let oddity = PaymentAnomaly::Unnamed;
        moves::note(&mut transaction, oddity.action(), &order, &payment, self.now_ms()).await?;
        commit(transaction, Step::SetAside, "a payment").await?;
        oddity.raise_alarm(&order, &payment, &transfers.join(", "));
        Ok(())
    }
}
