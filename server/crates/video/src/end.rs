//! The end of a task: its last move, and the charge or the release of its hold, in one transaction.

use tollgate_api::generated::machines::video_task::Move;
use tollgate_base::price_of;
use tollgate_credit::{BilledUsage, DurableEndFailed, ServiceCharges, Settlement, SettlementRule, UpstreamDelivery};
use tollgate_gateway::{VideoTaskFailure, VideoTaskReport};

use super::Videos;
use super::sql;
use super::task::{FinishedVideo, VideoOrderTerms, VideoTaskRow};

/// The failure of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskFailure {
    /// The error that the client is shown.
    pub(super) fault: VideoTaskFailure,
    /// The settlement rule on the receipt.
    pub(super) rule: SettlementRule,
    /// The move that ends the task.
    pub(super) step: Move,
    /// True if the order was answered with an error, so that no client knows the task.
    pub(super) hidden: bool,
}

impl TaskFailure {
    /// The failure of a task that its provider did not make.
    pub(super) fn by_provider(fault: VideoTaskFailure) -> Self {
        Self { fault, rule: SettlementRule::NothingDelivered, step: Move::Fail, hidden: false }
    }

    /// The failure of a task whose time is over.
    pub(super) fn late() -> Self {
        let fault = fault("504", "the provider did not finish the video in time");
        Self { fault, rule: SettlementRule::NothingDelivered, step: Move::GiveUp, hidden: false }
    }

    /// The failure of a task that its provider does not know any more.
    pub(super) fn forgotten() -> Self {
        Self::by_provider(fault("404", "the provider does not know the video any more"))
    }

    /// The failure of a task whose order reached no provider for certain, because the process died.
    pub(super) fn crashed() -> Self {
        let fault = fault("500", "the service stopped before the order of the video was confirmed");
        Self { fault, rule: SettlementRule::Crashed, step: Move::Fail, hidden: false }
    }

    /// The failure of a task whose order nobody accepted.
    pub(super) fn not_taken(message: &str, was_sent: bool) -> Self {
        let rule = if was_sent { SettlementRule::NothingDelivered } else { SettlementRule::NotSent };
        Self { fault: fault("502", message), rule, step: Move::Fail, hidden: true }
    }
}

fn fault(code: &str, message: &str) -> VideoTaskFailure {
    VideoTaskFailure { code: code.to_owned(), message: message.to_owned() }
}

impl Videos {
    /// Charges a finished video and ends its task.
    ///
    /// # Errors
    /// As the ledger's [`settle_durable`](tollgate_credit::Ledger::settle_durable).
    pub(super) async fn complete(&self, task: &VideoTaskRow, report: &VideoTaskReport) -> Result<(), DurableEndFailed> {
        let now_ms = self.clock.now_ms();
        let made = FinishedVideo { url: report.url.clone(), measures: report.measures };
        let rider = sql::end(task, Move::Complete, &made, None, now_ms).ok_or(DurableEndFailed::Ended)?;
        let (seconds, estimated) = charged_seconds(task.terms.seconds, report.measures.seconds);
        let VideoOrderTerms { price, request, ratio, .. } = &task.terms;
        let cost = price_of([(seconds.into(), *price), (1, *request)], *ratio).map_err(|_| DurableEndFailed::Absurd)?;
        let rule = if estimated { SettlementRule::Counted } else { SettlementRule::Reported };
        let usage = BilledUsage { completion: seconds.into(), estimated, ..BilledUsage::default() };
        let delivery = delivery(task, now_ms);
        let settlement =
            Settlement { cost, rule, usage, delivery, fallback: None, tier: None, services: ServiceCharges::default() };
        self.credit.settle_durable(task.kept_hold(), settlement, rider).await.map(drop)
    }

    /// Ends a task that failed, and releases its hold.
    ///
    /// # Errors
    /// As the ledger's [`release_durable`](tollgate_credit::Ledger::release_durable).
    pub(super) async fn fail(&self, task: &VideoTaskRow, failing: &TaskFailure) -> Result<(), DurableEndFailed> {
        let now_ms = self.clock.now_ms();
        let TaskFailure { fault, rule, step, hidden } = failing;
        let rider =
            sql::end(task, *step, &FinishedVideo::default(), Some(fault), now_ms).ok_or(DurableEndFailed::Ended)?;
        let rider = if *hidden { sql::hidden(rider, &task.id, now_ms) } else { rider };
        self.credit.release_durable(task.kept_hold(), *rule, delivery(task, now_ms), rider).await
    }
}

/// The seconds to charge, and true if they were not reported. They are the ordered ones, or fewer if the provider says that it made
/// fewer.
fn charged_seconds(ordered: u32, reported: Option<u32>) -> (u32, bool) {
    match reported {
        Some(made) if made > ordered => {
            tracing::error!(
                target: "alarm", alarm = "usage",
                ordered,
                made,
                "a provider made a longer video than was ordered: what is beyond is our loss"
            );
            (ordered, false)
        }
        Some(made) => (made, false),
        None => (ordered, true),
    }
}

fn delivery(task: &VideoTaskRow, now_ms: i64) -> UpstreamDelivery {
    UpstreamDelivery {
        upstream: task.maker.as_ref().map(|maker| maker.upstream.clone()),
        upstream_model: task.maker.as_ref().map(|maker| maker.model.clone()),
        first_byte_ms: None,
        duration_ms: u64::try_from(now_ms.saturating_sub(task.created_at_ms)).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_charged_than_was_ordered_and_less_where_less_was_made() {
        assert_eq!(charged_seconds(8, Some(8)), (8, false));
        assert_eq!(charged_seconds(8, Some(5)), (5, false));
        assert_eq!(charged_seconds(8, Some(800)), (8, false));
        assert_eq!(charged_seconds(8, None), (8, true));
    }
}
