//! The comparison with the payment provider: it is asked about each order, and its own list of what it has settled names payments
//! of orders that the ledger does not have.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::{self, StreamExt};

use crate::ewallet::{ProviderError, ProviderStatus};
use tollgate_api::generated::machines::payment::State;
use tollgate_base::{OrderId, Usd, with_causes};
use tollgate_store::StoreError;

use super::settlements::SettledPayment;
use super::sql::{self, LedgerCheckout, LedgerPayment};
use super::{Discrepancy, DiscrepancyKind, Reconciler, SettlementReport, SourceReport};

/// Questions to the provider at the same time.
const AT_ONCE: usize = 4;
/// The number of questions without an answer after which no more are asked.
const SILENT_MAX: usize = 20;
/// The age of a due question, in milliseconds, from which no server asks it.
const OVERDUE_MS: i64 = 5 * 60_000;
const CURRENCY: &str = "USD";
const NANOS_PER_CENT: i64 = 10_000_000;

impl Reconciler {
    /// Asks the provider about each order that was made or decided since a time.
    pub(super) async fn compare_provider(&self, provider: &str, since_ms: i64) -> Result<SourceReport, StoreError> {
        let checkouts = sql::checkouts_since(self.readers(), provider, since_ms).await?;
        let asked: Vec<_> = checkouts.iter().map(|checkout| self.0.checkouts.inquire(&checkout.request_id)).collect();
        let mut payments: BTreeMap<OrderId, Vec<LedgerPayment>> = BTreeMap::new();
        for payment in sql::payments_since(self.readers(), provider, since_ms).await? {
            payments.entry(payment.order).or_default().push(payment);
        }
        let (mut report, mut silent) = (SourceReport::of(provider), Vec::new());
        let mut said = stream::iter(asked).buffered(AT_ONCE);
        for checkout in &checkouts {
            // One that does not answer is not waited for a thousand times.
            let Some(said) = said.next().await.filter(|_| silent.len() < SILENT_MAX) else { break };
            let of_order = payments.remove(&checkout.order).unwrap_or_default();
            match said {
                Some(Ok(status)) => self.add_order(&mut report, checkout, &of_order, &status).await?,
                Some(Err(error)) => silent.push(error),
                None => {}
            }
        }
        report.unread = unread(&silent, checkouts.len());
        // These are credits of orders that the provider was never told of.
        let rest = payments.values().flatten().filter(|payment| payment.is_credited());
        for payment in rest.filter(|_| silent.len() < SILENT_MAX) {
            let said = "the provider was never asked for an order of that payment".to_owned();
            report.findings.push(not_found(payment, said));
        }
        report.bound();
        Ok(report)
    }

    /// Compares each payment of the provider's list with the ledger.
    pub(super) async fn compare_settlements(&self, settlements: &SettlementReport) -> Result<SourceReport, StoreError> {
        let provider = self.0.checkouts.provider().unwrap_or_default().to_owned();
        if provider.is_empty() {
            let why = "the configuration has no payment provider whose list it could be".to_owned();
            return Ok(SourceReport::unread("settlements", why));
        }
        let mut report = SourceReport::of(&format!("{provider} (settlements)"));
        let mut named = BTreeSet::new();
        for settled in settlements.payments().filter(|settled| named.insert(settled.payment_id.as_str())) {
            match sql::payment_named(self.readers(), &provider, &settled.payment_id).await? {
                Some(payment) if came(&payment) && is_amount(settled, &payment) => report.matched += 1,
                Some(payment) if came(&payment) => report
                    .findings
                    .push(Discrepancy { kind: DiscrepancyKind::AmountDiffers, ..settled.finding().about(&payment) }),
                Some(payment) => report.findings.push(settled.finding().about(&payment)),
                None if sql::is_granted(self.readers(), &settled.payment_id).await? => report.matched += 1,
                None => {
                    let checkout = sql::checkout_named(self.readers(), &provider, &settled.request_id).await?;
                    let now_ms = self.topups().now_ms();
                    if checkout.as_ref().is_some_and(|checkout| is_asked_about(checkout, now_ms)) {
                        report.under_way += 1;
                        continue;
                    }
                    let (order, account) = checkout.map(|of| (of.order, of.account)).unzip();
                    report.findings.push(Discrepancy { order, account, ..settled.finding() });
                }
            }
        }
        report.bound();
        Ok(report)
    }

    /// Compares the provider's status of an order with the ledger.
    async fn add_order(
        &self,
        report: &mut SourceReport,
        checkout: &LedgerCheckout,
        payments: &[LedgerPayment],
        status: &ProviderStatus,
    ) -> Result<(), StoreError> {
        let ProviderStatus::Paid { payment_id, amount, at_ms } = status else {
            let credited = payments.iter().filter(|payment| payment.is_credited());
            let found: Vec<Discrepancy> =
                credited.map(|payment| not_found(payment, words(status).to_owned())).collect();
            report.matched += usize::from(found.is_empty() && !payments.is_empty());
            report.findings.extend(found);
            return Ok(());
        };
        let cents = u128::try_from(amount.number()).unwrap_or_default();
        let is_named = |payment: &&LedgerPayment| payment.reference == payment_id.as_str() && came(payment);
        let finding = Discrepancy {
            kind: DiscrepancyKind::NotCredited,
            reference: payment_id.as_str().to_owned(),
            came: Some(cents),
            asset: CURRENCY.to_owned(),
            usd: amount.usd(),
            payer: None,
            at_ms: *at_ms,
            payment: None,
            order: Some(checkout.order),
            account: Some(checkout.account),
            shown_by: (1, 1),
            said: None,
        };
        // What was credited while others were asked about is in the ledger by now.
        let since = match payments.iter().find(is_named) {
            Some(payment) => Some(payment.clone()),
            None => sql::payment_named(self.readers(), &report.source, payment_id.as_str()).await?.filter(came),
        };
        match &since {
            Some(payment) if payment.amount == Some(cents) => report.matched += 1,
            Some(payment) => {
                report.findings.push(Discrepancy { kind: DiscrepancyKind::AmountDiffers, ..finding.about(payment) });
            }
            None if is_asked_about(checkout, self.topups().now_ms()) => report.under_way += 1,
            None if sql::is_granted(self.readers(), payment_id.as_str()).await? => report.matched += 1,
            // A server that is started asks, and credits it.
            None if checkout.ask_at_ms.is_some() => {
                let said =
                    "no server has asked about the order for minutes; one that runs does, and credits it by itself";
                report.findings.push(Discrepancy { said: Some(said.to_owned()), ..finding });
            }
            None => report.findings.push(finding),
        }
        // The provider has one payment for an order.
        let others =
            payments.iter().filter(|payment| payment.is_credited() && payment.reference != payment_id.as_str());
        let said = format!("the provider says that the order was paid by {payment_id}");
        report.findings.extend(others.map(|payment| not_found(payment, said.clone())));
        Ok(())
    }
}

impl SettledPayment {
    fn finding(&self) -> Discrepancy {
        Discrepancy {
            kind: DiscrepancyKind::NotCredited,
            reference: self.payment_id.clone(),
            came: self.cents.and_then(|cents| u128::try_from(cents).ok()),
            asset: self.currency.clone(),
            usd: self.cents.and_then(|cents| cents.checked_mul(NANOS_PER_CENT)).map(Usd::from_nanos),
            payer: None,
            at_ms: self.at_ms,
            payment: None,
            order: None,
            account: None,
            shown_by: (1, 1),
            said: None,
        }
    }
}

/// True where the ledger has it as money that came.
fn came(payment: &LedgerPayment) -> bool {
    match payment.state {
        State::Paid | State::Surplus => true,
        State::Claimed | State::Void => false,
    }
}

/// True if the amounts are the same, or the list has none that can be read. The name is enough then.
fn is_amount(settled: &SettledPayment, payment: &LedgerPayment) -> bool {
    settled.cents.is_none_or(|cents| u128::try_from(cents).ok() == payment.amount)
}

/// True where a server asks about an order, which credits it by itself then.
fn is_asked_about(checkout: &LedgerCheckout, now_ms: i64) -> bool {
    checkout.ask_at_ms.is_some_and(|ask_at_ms| ask_at_ms > now_ms - OVERDUE_MS)
}

/// A credit that the provider does not have as paid.
fn not_found(payment: &LedgerPayment, said: String) -> Discrepancy {
    Discrepancy { said: Some(said), ..Discrepancy::of_credit(DiscrepancyKind::NotFound, payment) }
}

const fn words(status: &ProviderStatus) -> &'static str {
    match status {
        ProviderStatus::Paid { .. } => "the provider says that it is paid",
        ProviderStatus::Unpaid => "the provider says that it is not paid",
        ProviderStatus::InProgress => "the provider says that it is still being paid",
        ProviderStatus::Failed { .. } => "the provider says that it failed",
        ProviderStatus::Cancelled => "the provider says that it was cancelled",
        ProviderStatus::NotFound => "the provider does not know it",
    }
}

fn unread(silent: &[ProviderError], asked: usize) -> Option<String> {
    let last = silent.last()?;
    Some(format!("of {asked} orders, at least {} could not be asked about: {}", silent.len(), with_causes(last)))
}
