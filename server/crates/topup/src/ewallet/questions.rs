//! Asking the provider about an order of which no notice came, and the meaning of its answer at that time.

use std::time::Duration;

use crate::orders::sql as orders;
use crate::{CreditOrder, OrderFailure};
use tollgate_api::Code as _;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_store::{AuditEntry, StoreError, StoreTransaction, record};

use super::super::commit::{Step, commit};
use super::outcome::{PaymentReport, ReportOutcome, failed, settled};
use super::provider::{CheckoutProvider, OrderRef, ProviderError, ProviderStatus};
use super::sql::{self, DueCheckout, ScheduledQuestion};
use super::{Checkouts, ProviderConnection};

/// The time from the order to the first question, in milliseconds.
const FIRST_MS: i64 = 10_000;
/// The shortest pause between questions, in milliseconds; each pause is a quarter of the order's age.
const PAUSE_LEAST_MS: i64 = 5_000;
const PAUSE_MOST_MS: i64 = 60 * 60 * 1000;
/// The time before the end of an order at which it is asked about, in milliseconds. So a payer of the last moment is waited for.
const LAST_LOOK_MS: i64 = 5_000;
/// The time in which the client was given the page, or was told that there is none, in milliseconds.
const PAGE_MS: i64 = 60_000;
/// The time after the end of an order in which a payer who has begun may finish, in milliseconds.
const SETTLING_MS: i64 = 30 * 60 * 1000;
/// The time for which a silent provider is asked about an expired order. It is longer than the provider repeats a notice.
const PATIENCE: Duration = Duration::from_hours(26);

/// The code of orders that were cancelled at their provider.
const CANCELLED: &str = "PAYMENT_CANCELLED";
/// The code of orders that were paid otherwise than they ask for.
const UNFIT: &str = "PAYMENT_UNFIT";

/// The time of the first question about an order that is made now, in unix milliseconds.
pub(super) const fn first_ask(now_ms: i64) -> i64 {
    now_ms + FIRST_MS
}

/// The time of the next question about an order, in unix milliseconds.
fn next_ask(order: &CreditOrder, now_ms: i64) -> i64 {
    let age_ms = now_ms.saturating_sub(order.created_at_ms);
    let next_ms = now_ms.saturating_add((age_ms / 4).clamp(PAUSE_LEAST_MS, PAUSE_MOST_MS));
    let due = [order.expires_at_ms.saturating_sub(LAST_LOOK_MS), order.expires_at_ms];
    due.into_iter().find(|due_ms| now_ms < *due_ms).map_or(next_ms, |due_ms| next_ms.min(due_ms))
}

impl Checkouts {
    /// Asks about an order, unless another server does. The next time to ask is on the disk before the question: where this process
    /// stops in between, another one asks then.
    pub(super) async fn ask(&self, desk: &ProviderConnection, due: &DueCheckout) -> Result<(), StoreError> {
        let topups = self.topups();
        let mut transaction = topups.store.begin().await?;
        let Some(order) = orders::find(&mut transaction, due.order).await? else { return Ok(()) };
        let now_ms = topups.now_ms();
        let moved = sql::move_on(&mut transaction, due, next_ask(&order, now_ms), settled(now_ms)).await?;
        let Some(asking) = moved else { return Ok(()) };
        commit(transaction, Step::Ask, "a question to a provider").await?;
        let name = OrderRef { trade_no: &due.request_id };
        let is_over = !order.is_valid(now_ms) || (!asking.has_page && now_ms - order.created_at_ms >= PAGE_MS);
        let answered = match desk.provider.inquire(name).await {
            // What can still be paid there is ended there, before it ends here.
            Ok(ProviderStatus::Unpaid) if is_over => {
                if !self.gives_up(due, asking).await? {
                    return Ok(());
                }
                desk.provider.cancel(name).await
            }
            answered => answered,
        };
        match answered.map(|status| certain(status, is_over)) {
            Ok(Some(said @ PaymentReport::InProgress(_))) => {
                alarm_if_overdue(&order, now_ms);
                self.answered(desk, due, asking, &said).await
            }
            Ok(Some(said)) => self.answered(desk, due, asking, &said).await,
            Ok(None) => Ok(()),
            Err(error) => self.unanswered(&order, &error, now_ms).await,
        }
    }

    /// Records that an order is given up, before the provider is told to cancel. A payer of that moment may get the money back, and
    /// the notice of the payment comes all the same; so nobody asks before the provider has cancelled. False if something happened
    /// to the order first.
    async fn gives_up(&self, due: &DueCheckout, asking: ScheduledQuestion) -> Result<bool, StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        let order = orders::find(&mut transaction, due.order).await?;
        let now_ms = self.topups().now_ms();
        let may_be = |order: &CreditOrder| match order.state {
            State::Pending | State::Expired => true,
            // Somebody was about to pay, has had time enough, and the provider says that it came to nothing so far.
            State::Settling => now_ms >= order.expires_at_ms.saturating_add(SETTLING_MS),
            State::Success | State::Failed => false,
        };
        let Some(order) = order.filter(may_be) else { return Ok(false) };
        let is_over = !order.is_valid(now_ms);
        if !sql::give_up(&mut transaction, due.order, asking, settled(now_ms), is_over).await? {
            return Ok(false);
        }
        commit(transaction, Step::Ask, "that an order is given up").await?;
        Ok(true)
    }

    /// Acts on the provider's answer.
    async fn answered(
        &self,
        desk: &ProviderConnection,
        due: &DueCheckout,
        asking: ScheduledQuestion,
        said: &PaymentReport,
    ) -> Result<(), StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        // As it stands now: a notice may have come meanwhile.
        let Some(order) = orders::find(&mut transaction, due.order).await? else { return Ok(()) };
        // A server that asked before it was given up may hear of money that is on its way back since: the order is asked about once
        // more.
        if matches!(said, PaymentReport::Paid { .. })
            && sql::given_up_since(&mut transaction, due.order, asking).await?
        {
            return Ok(());
        }
        if order.state == State::Success && matches!(said, PaymentReport::Over(why) if why.code == CANCELLED) {
            self.report_refunded(&mut transaction, desk, &order).await?;
        }
        if let ReportOutcome::Unfit(why) = self.act(&mut transaction, desk, order.clone(), said).await? {
            // The answer would be the same each time, and a person knows. Nothing that fits can be paid there any more, so the order
            // ends as well; one that was credited stays so.
            let why = OrderFailure {
                code: UNFIT.to_owned(),
                detail: format!("the payment is not what the order asks for: {why}"),
            };
            self.topups().end_unpaid(&mut transaction, order, &why).await?;
            sql::close(&mut transaction, due.order).await?;
        }
        commit(transaction, Step::Answer, "what a provider said").await
    }

    /// Writes an alarm and an audit entry about a credited order whose money the provider says was given back.
    async fn report_refunded(
        &self,
        transaction: &mut StoreTransaction,
        desk: &ProviderConnection,
        order: &CreditOrder,
    ) -> Result<(), StoreError> {
        let (provider, subject, at_ms) = (desk.name(), order.id.to_string(), self.topups().now_ms());
        let detail = format!("{provider}, {}: cancelled there, and {} USD are credited", order.trade_no, order.amount);
        let entry = AuditEntry::new(at_ms, "settlement", "topup.given_back", &subject).detail(&detail);
        record(transaction, &entry).await?;
        tracing::error!(
            target: "alarm", alarm = "provider_refunded", alarm_before = "given_back",
            order = order.trade_no, account = %order.account, amount = %order.amount, provider,
            "a payment provider has cancelled a payment that is credited: look at its console, and where the payer has the \
            money back, `tollgate payment chargeback ORDER`, for all of it or a part"
        );
        Ok(())
    }

    /// Handles an answer that says nothing certain. After more than a day the provider is not asked any more about an order that
    /// nobody was seen to pay; money that it reports later is credited all the same.
    async fn unanswered(&self, order: &CreditOrder, error: &ProviderError, now_ms: i64) -> Result<(), StoreError> {
        warn_unreachable(&order.trade_no, error);
        if !alarm_if_overdue(order, now_ms) {
            return Ok(());
        }
        let detail = "the payment provider did not say what became of the payment".to_owned();
        let why = OrderFailure { code: "PAYMENT_UNKNOWN".to_owned(), detail };
        let mut transaction = self.topups().store.begin().await?;
        // One that somebody was seen to pay, by its state or by a payment that a notice has reported, is asked about for ever.
        let waits = orders::find(&mut transaction, order.id).await?.filter(|order| order.state == State::Pending);
        let Some(order) = waits else { return Ok(()) };
        let id = order.id;
        if self.topups().has_open_payment(&mut transaction, id).await? {
            return Ok(());
        }
        self.topups().end_unpaid(&mut transaction, order, &why).await?;
        sql::close(&mut transaction, id).await?;
        commit(transaction, Step::Answer, "what a provider did not say").await
    }
}

/// Raises an alarm if an order should have ended long ago. True if it should.
fn alarm_if_overdue(order: &CreditOrder, now_ms: i64) -> bool {
    let patience_ms = i64::try_from(PATIENCE.as_millis()).unwrap_or(i64::MAX);
    let is_overdue = now_ms >= order.expires_at_ms.saturating_add(patience_ms);
    if is_overdue {
        tracing::error!(
            target: "alarm", alarm = "provider_silent", alarm_before = "unanswered", order = order.trade_no,
            "a payment provider has not said for a day what became of an order: look at its console"
        );
    }
    is_overdue
}

fn warn_unreachable(order: &str, error: &ProviderError) {
    let error = error as &dyn std::error::Error;
    tracing::warn!(order, error, "a payment provider could not be asked about an order");
}

/// The certain part of a status; none if the order has to be asked about again.
fn certain(status: ProviderStatus, is_over: bool) -> Option<PaymentReport> {
    Some(match status {
        ProviderStatus::Paid { payment_id, amount, .. } => PaymentReport::Paid { payment_id, amount },
        ProviderStatus::InProgress => PaymentReport::InProgress(None),
        ProviderStatus::Failed { code } => PaymentReport::Over(failed(&code)),
        ProviderStatus::Cancelled => {
            let detail = "the payment was given up on the checkout page".to_owned();
            PaymentReport::Over(OrderFailure { code: CANCELLED.to_owned(), detail })
        }
        ProviderStatus::NotFound if is_over => {
            let detail = "the payment provider opened no checkout page".to_owned();
            PaymentReport::Over(OrderFailure { code: code::CheckoutUnavailable::INFO.code.to_owned(), detail })
        }
        ProviderStatus::NotFound | ProviderStatus::Unpaid => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PaymentRail;
    use tollgate_base::{AccountId, OrderId, Usd};

    const MINUTE_MS: i64 = 60_000;

    fn order() -> CreditOrder {
        CreditOrder {
            id: OrderId(7),
            trade_no: "tg-7".to_owned(),
            account: AccountId(1),
            agent: None,
            rail: PaymentRail::Ewallet,
            amount: Usd::from_nanos(1_000_000_000),
            state: State::Pending,
            created_at_ms: 0,
            expires_at_ms: 10 * MINUTE_MS,
            settled_at_ms: None,
            failed: None,
            receipt: None,
            resolved: None,
        }
    }

    #[test]
    fn pauses_grow_and_the_end_is_not_missed() {
        let mut asked = vec![first_ask(0)];
        while asked.last().is_some_and(|at_ms| *at_ms < 26 * 60 * MINUTE_MS) {
            asked.push(next_ask(&order(), asked[asked.len() - 1]));
        }
        assert_eq!(asked[..4], [10_000, 15_000, 20_000, 25_000]);
        assert!(asked.contains(&(10 * MINUTE_MS - LAST_LOOK_MS)) && asked.contains(&(10 * MINUTE_MS)), "{asked:?}");
        let pauses: Vec<i64> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.iter().all(|pause| (PAUSE_LEAST_MS..=PAUSE_MOST_MS).contains(pause)), "{pauses:?}");
        assert_eq!(pauses.last(), Some(&PAUSE_MOST_MS));
        assert!(asked.len() < 70, "{}", asked.len());
    }

    #[test]
    fn an_order_ends_by_what_is_certain() {
        let over = |status, is_over| match certain(status, is_over) {
            Some(PaymentReport::Over(why)) => why.code,
            other => format!("{other:?}"),
        };
        let failed = || ProviderStatus::Failed { code: "RISK".to_owned() };
        assert_eq!((over(failed(), false), over(failed(), true)), ("PAYMENT_FAILED".into(), "PAYMENT_FAILED".into()));
        assert_eq!(over(ProviderStatus::Cancelled, false), "PAYMENT_CANCELLED");
        assert_eq!(over(ProviderStatus::NotFound, true), "CHECKOUT_UNAVAILABLE");
        for open in [ProviderStatus::NotFound, ProviderStatus::Unpaid] {
            assert_eq!(certain(open, false), None);
        }
        assert_eq!(certain(ProviderStatus::Unpaid, true), None, "cancelled first");
        assert_eq!(certain(ProviderStatus::InProgress, true), Some(PaymentReport::InProgress(None)));
    }
}
