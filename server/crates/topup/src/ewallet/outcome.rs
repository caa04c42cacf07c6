//! Acting on what the provider says of an order, reported or asked for.

use std::time::Duration;

use crate::orders::sql as orders;
use tollgate_api::generated::limits;
use tollgate_base::OrderId;
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

use super::super::commit::{Step, commit};
use super::super::{CreditError, CreditOrder, CreditOutcome, NewPayment, OrderFailure};
use super::confirm::confirm_payment;
use super::provider::{Cents, PaymentId};
use super::{Checkouts, ProviderConnection, sql};

/// The margin beyond the calls that may be on their way to the provider when an order is given up.
const AFTER_CALLS: Duration = Duration::from_secs(5);

/// The certain part of a provider's report or answer on the payment of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PaymentReport {
    /// It is paid.
    Paid {
        /// The name of the payment at the provider.
        payment_id: PaymentId,
        /// The amount that was paid.
        amount: Cents,
    },
    /// Somebody is paying, by this name where it has one.
    InProgress(Option<PaymentId>),
    /// Nothing was paid, and nothing will be.
    Over(OrderFailure),
}

/// The result of acting on a provider's word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReportOutcome {
    /// It is done, or was done before.
    Done,
    /// It does not fit the order: nothing is credited, and an operator is told.
    Unfit(String),
}

impl Checkouts {
    /// Acts on a provider's word on an order, in a transaction of the caller's.
    pub(super) async fn act(
        &self,
        transaction: &mut StoreTransaction,
        desk: &ProviderConnection,
        order: CreditOrder,
        said: &PaymentReport,
    ) -> Result<ReportOutcome, StoreError> {
        match said {
            PaymentReport::Paid { payment_id, amount } => {
                self.paid(transaction, desk, order, payment_id, *amount).await
            }
            PaymentReport::InProgress(payment_id) => {
                let payment = payment_id.as_ref().and_then(|payment_id| expected(desk, &order, payment_id));
                self.topups().begin_in(transaction, order, payment.as_ref()).await?;
                Ok(ReportOutcome::Done)
            }
            PaymentReport::Over(why) => {
                let id = order.id;
                self.topups().end_unpaid(transaction, order, why).await?;
                sql::close(transaction, id).await?;
                Ok(ReportOutcome::Done)
            }
        }
    }

    /// Acts on a notice's word on an order. If the order was given up at the provider, a notice of money may be older than the
    /// refund to the payer: the provider is asked again, once it has the cancellation. The payment is claimed meanwhile, so that the
    /// order is asked about until the provider answers.
    pub(super) async fn act_on_notice(
        &self,
        transaction: &mut StoreTransaction,
        desk: &ProviderConnection,
        order: CreditOrder,
        said: &PaymentReport,
    ) -> Result<ReportOutcome, StoreError> {
        if let PaymentReport::Paid { payment_id, .. } = said
            && sql::ask_again(transaction, order.id, settled(self.topups().now_ms())).await?
        {
            if let Some(payment) = expected(desk, &order, payment_id) {
                self.topups().claim_reported_in(transaction, &order, &payment).await?;
            }
            return Ok(ReportOutcome::Done);
        }
        self.act(transaction, desk, order, said).await
    }

    async fn paid(
        &self,
        transaction: &mut StoreTransaction,
        desk: &ProviderConnection,
        order: CreditOrder,
        payment_id: &PaymentId,
        amount: Cents,
    ) -> Result<ReportOutcome, StoreError> {
        let id = order.id;
        let came = match confirm_payment(&order, desk.name(), payment_id, amount) {
            Ok(came) => came,
            Err(unfit) => {
                return self.report_mismatch(transaction, desk, Some(id), payment_id.as_str(), unfit.to_string()).await;
            }
        };
        match self.topups().credit_in(transaction, &came).await {
            Ok(CreditOutcome::Now(_) | CreditOutcome::Before(_) | CreditOutcome::SetAside(_)) => {
                sql::close(transaction, id).await?;
                Ok(ReportOutcome::Done)
            }
            Err(CreditError::OfAnother(other)) => {
                let why = format!("the payment is of the order {other}");
                self.report_mismatch(transaction, desk, Some(id), payment_id.as_str(), why).await
            }
            Err(CreditError::NoSuchOrder) => {
                self.report_mismatch(
                    transaction,
                    desk,
                    Some(id),
                    payment_id.as_str(),
                    "there is no such order".to_owned(),
                )
                .await
            }
            Err(CreditError::Store(error)) => Err(error),
        }
    }

    /// Writes an alarm and an entry of the audit log about a payment that cannot be booked.
    pub(super) async fn report_mismatch(
        &self,
        transaction: &mut StoreTransaction,
        desk: &ProviderConnection,
        order: Option<OrderId>,
        payment: &str,
        why: String,
    ) -> Result<ReportOutcome, StoreError> {
        let provider = desk.name();
        let subject = order.map_or_else(|| "unknown".to_owned(), |order| order.to_string());
        let detail = format!("{provider}, {payment}: {why}");
        let at_ms = self.topups().now_ms();
        let entry = AuditEntry::new(at_ms, "settlement", "topup.unfit", &subject).detail(&detail);
        record(transaction, &entry).await?;
        tracing::error!(
            target: "alarm", alarm = "payment_mismatch", alarm_before = "unfit", order = subject, provider, payment, why,
            "a payment provider tells of a payment that is not what an order asks for: nothing was credited"
        );
        Ok(ReportOutcome::Unfit(why))
    }

    /// Ends an order of which it is certain that nothing was paid and nothing can be.
    pub(super) async fn give_up(&self, id: OrderId, why: &OrderFailure) -> Result<(), StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        if let Some(order) = orders::find(&mut transaction, id).await? {
            self.topups().end_unpaid(&mut transaction, order, why).await?;
        }
        sql::close(&mut transaction, id).await?;
        commit(transaction, Step::Answer, "what a provider said").await
    }
}

/// The payment of an order as it has to come, under its name at the provider. None if the order cannot be paid so.
fn expected(desk: &ProviderConnection, order: &CreditOrder, payment_id: &PaymentId) -> Option<NewPayment> {
    let cents = Cents::try_from(order.amount).ok()?;
    confirm_payment(order, desk.name(), payment_id, cents).ok().map(|came| came.payment)
}

/// The time, in unix milliseconds, by which the provider has carried out a cancellation that is sent now. It may still give back
/// money that it reports before that time.
pub(super) fn settled(now_ms: i64) -> i64 {
    let wait = limits::CHECKOUT_CALL * 2 + AFTER_CALLS;
    now_ms.saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
}

/// The failure of an order whose payment failed for good at its provider.
pub(super) fn failed(code: &str) -> OrderFailure {
    OrderFailure { code: "PAYMENT_FAILED".to_owned(), detail: format!("the payment failed at its provider: {code}") }
}
