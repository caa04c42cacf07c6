//! One billed request under way: its hold, and the settlement at its end.

use std::fmt;
use std::sync::Arc;

use tokio::time::Instant;

use crate::Gateway;
use crate::members::RequestedServices;
use crate::metering::UsageMeter;
use crate::metering::cost::UnchargedReply;
use crate::routing::catalog::Catalog;
use crate::routing::model::CatalogModel;
use crate::routing::model_offer::AttemptTarget;
use crate::stored_responses::{PendingStorage, StoredResponse};
use crate::streaming::closed_thinking::ClientResponse;
use tollgate_api::generated::limits;
use tollgate_api::{ClaimReply, Cx, RequestId};
use tollgate_base::Usd;
use tollgate_credit::{
    FallbackModel, Hold, Ledger, RateLimitState, SettleFailed, Settlement, SettlementRule, Tariff, UpstreamDelivery,
    UsageCharge,
};
use tollgate_formats::Format;
use tollgate_store::StoreError;
use tollgate_telemetry::{SpanPart, TraceHandle, TraceSpan};

use super::service_charges::{ChargedServices, charged};
use super::settlement_policy::{CallEnding, SettlementDecision, settlement_for};

/// The largest reply that is written with a receipt.
const REPLY_WITH_RECEIPT_MAX: usize = 32 * 1024;

/// A request with the hold that pays for it. Dropped unclosed, the hold is released.
///
/// Always boxed: it passes from hand to hand until the last byte, and each hand would keep a place for it.
#[derive(Debug)]
pub struct BilledRequest {
    /// The request.
    pub request_id: RequestId,
    /// The model as the client named it, for messages.
    pub model: String,
    credit: Ledger,
    hold: Hold,
    tariff: Arc<Tariff>,
    asked: RequestedServices,
    catalog: Arc<Catalog>,
    upstream: Option<(String, String)>,
    /// The model on offer that was asked.
    sent_for: Option<Arc<CatalogModel>>,
    fallback: Option<FallbackModel>,
    started: Instant,
    began: Option<Instant>,
    keep: Option<PendingStorage>,
    /// The format of the client that wants the cost told beside the counts of tokens.
    cost_in: Option<Format>,
    traces: TraceHandle,
    /// The span of the answer, which ends with the settlement.
    span: TraceSpan,
}

/// A charge or an answer that could not be written down before the end of the answer.
///
/// Nothing was charged, unless nobody knows.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The charge.
    #[error("the charge could not be recorded")]
    Charge(#[source] SettleFailed),
    /// The answer, where it is to be kept.
    #[error("the response could not be kept")]
    Response(#[source] Arc<StoreError>),
}

impl BilledRequest {
    /// A request that is held for and not yet sent.
    #[must_use]
    pub fn new(
        cx: &Cx,
        model: String,
        gateway: &Gateway,
        catalog: Arc<Catalog>,
        hold: Hold,
        tariff: Arc<Tariff>,
    ) -> Box<Self> {
        let (request_id, started) = (cx.request_id, cx.started);
        let (credit, traces) = (gateway.credit.clone(), gateway.traces.clone());
        let mut span = traces.span_since(request_id, SpanPart::Answer, started);
        span.link(&cx.headers);
        span.note("tollgate.account_id", || hold.account().0);
        span.note("tollgate.model", || model.clone());
        Box::new(Self {
            request_id,
            model,
            credit,
            hold,
            tariff,
            asked: RequestedServices::default(),
            catalog,
            upstream: None,
            sent_for: None,
            fallback: None,
            started,
            began: None,
            keep: None,
            cost_in: None,
            traces,
            span,
        })
    }

    /// Adds an attribute to the trace of the request.
    pub fn note(&mut self, name: &'static str, value: impl fmt::Debug) {
        self.span.note(name, || format!("{value:?}"));
    }

    /// The rest of the key's rates.
    #[must_use]
    pub fn standing(&self) -> RateLimitState {
        self.hold.rate_limits()
    }

    /// Sets that the answer is to be kept.
    pub fn keep(&mut self, keep: PendingStorage) {
        self.keep = Some(keep);
    }

    /// Sets that the cost is told beside the counts of tokens, to a client of this format.
    pub fn show_cost_in(&mut self, format: Format) {
        self.cost_in = Some(format);
    }

    /// The format of the client that wants the cost told beside the counts of tokens.
    #[must_use]
    pub fn cost_in(&self) -> Option<Format> {
        self.cost_in
    }

    /// True if the answer is to be kept.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.keep.is_some()
    }

    /// Sets the reply that the ledger keeps with the charge, where the request has an Idempotency-Key. A large one is kept after
    /// it, and the largest not at all.
    pub fn set_reply(&self, reply: &UnchargedReply) {
        let Some(claim) = self.hold.claim() else { return };
        if reply.body.len() <= REPLY_WITH_RECEIPT_MAX {
            let reply = reply.clone();
            claim.set_reply(ClaimReply::WithReceipt(Box::new(move |charged| reply.clone().charged(Some(charged)))));
        } else if reply.body.len() <= limits::IDEMPOTENCY_ANSWER {
            claim.set_reply(ClaimReply::Afterwards);
        }
    }

    /// Records the provider that the request was sent to, the model's name there, and the terms of the answer.
    pub fn sent_to(&mut self, at: AttemptTarget<'_>) {
        let AttemptTarget { offer, candidate } = at;
        self.upstream = Some((candidate.upstream.name().to_owned(), candidate.model.clone()));
        self.sent_for = Some(offer.model.clone());
        self.tariff = offer.tariff.clone();
        self.fallback = offer.receipt_fallback();
    }

    /// Records the services beside tokens that the provider was asked for.
    pub fn asked(&mut self, services: RequestedServices) {
        self.asked = services;
    }

    /// Records when the first byte of an answer came that goes to the client.
    pub fn note_first_byte(&mut self, at: Option<Instant>) {
        self.began = at;
    }

    /// Keeps a whole answer where it is to be kept, then charges it; both are durable when it returns.
    ///
    /// In this order, because a crash in between then costs the client nothing that it was not shown. Gives the amount that
    /// was charged, unless the ledger was late.
    ///
    /// # Errors
    /// [`RecordError`] when one of the two could not be written down; neither then is. Where nobody knows whether it was
    /// charged, the answer stays kept: it may be paid for.
    pub async fn complete(
        mut self: Box<Self>,
        ending: CallEnding,
        tally: &UsageMeter,
        response: Option<ClientResponse>,
    ) -> Result<Option<Usd>, RecordError> {
        let kept = match (self.keep.take(), response) {
            (Some(keep), Some(response)) => self.kept(keep, &response).await?,
            (None, _) | (_, None) => None,
        };
        let closed = self.close(ending, tally).await;
        match (&closed, kept) {
            (Ok(_) | Err(RecordError::Charge(SettleFailed::Unknown)), _) | (Err(_), None) => {}
            (Err(_), Some(kept)) => kept.undo().await,
        }
        closed
    }

    async fn kept(
        &self,
        keep: PendingStorage,
        response: &ClientResponse,
    ) -> Result<Option<StoredResponse>, RecordError> {
        let request_id = self.request_id;
        keep.response(response).await.map_err(|error| {
            tracing::error!(%request_id, error = &*error as &dyn std::error::Error, "a response could not be kept");
            RecordError::Response(error)
        })
    }

    /// Charges what the ending costs and releases the rest; durable when it returns, unless the ledger hangs.
    ///
    /// Then the charge is left to the ledger's queue, and the client gets the answer: one that is withheld and charged after
    /// all would wrong the client, and one that is withheld and not charged would wrong the operator, because all of a stream
    /// but its last event is out. A crash in between loses the charge, and nothing new is held meanwhile.
    ///
    /// # Errors
    /// [`RecordError`] when the ledger took neither, or nobody knows; the hold, if it is still there, then ends by itself,
    /// uncharged.
    pub async fn close(self: Box<Self>, ending: CallEnding, tally: &UsageMeter) -> Result<Option<Usd>, RecordError> {
        self.charge(settlement_for(ending, tally)).await
    }

    /// Charges what the policy says and releases the rest; durable when it returns.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub async fn charge(self: Box<Self>, verdict: SettlementDecision) -> Result<Option<Usd>, RecordError> {
        let request_id = self.request_id;
        let closed = self.settle(verdict).await;
        if let Err(error) = &closed {
            tracing::error!(%request_id, error = error as &dyn std::error::Error, "a charge could not be recorded");
        }
        closed
    }

    /// Releases the hold without a charge.
    pub async fn abandon(self: Box<Self>) {
        let rule = match self.upstream {
            Some(_) => SettlementRule::NothingDelivered,
            None => SettlementRule::NotSent,
        };
        let request_id = self.request_id;
        // Released by its expiry where this fails.
        if let Err(error) = self.settle(SettlementDecision::new(rule, None)).await {
            tracing::warn!(%request_id, error = &error as &dyn std::error::Error, "a hold was left to its expiry");
        }
    }

    /// Charges by another model on offer that the provider says has answered.
    ///
    /// What that one has no price for, and was sold by the one that was asked, costs what it was sold for.
    fn answered_by(&mut self, theirs: &str) {
        let (Some((upstream, model)), Some(sent_for)) = (&self.upstream, &self.sent_for) else { return };
        let answered = self.catalog.answering(sent_for, upstream, theirs);
        if answered.as_ref().is_some_and(|answered| answered.id == sent_for.id) {
            // The provider has it by several names.
            return;
        }
        let (request_id, charged_as) = (self.request_id, answered.as_ref().unwrap_or(sent_for).id.as_str());
        tracing::error!(
            target: "alarm", alarm = "usage", %request_id, upstream, model, answered = theirs, charged_as,
            "a provider answered by another model than it was asked for"
        );
        let Some(answered) = answered else { return };
        let mut tariff = answered.tariff.at(self.tariff.base.ratio);
        tariff.services = Arc::new(tariff.services.or(&self.tariff.services));
        self.tariff = Arc::new(tariff);
        let was_asked = self.catalog.find(&self.model).is_some_and(|asked| asked.id == answered.id);
        let price = self.tariff.base.clone();
        self.fallback = (!was_asked).then(|| FallbackModel { model: answered.id.clone(), price });
    }

    async fn settle(mut self: Box<Self>, verdict: SettlementDecision) -> Result<Option<Usd>, RecordError> {
        if let Some(theirs) = &verdict.other_model {
            self.answered_by(theirs);
        }
        let Self { credit, hold, tariff, asked, upstream, fallback, started, began, traces, span: _answer, .. } = *self;
        let mut span = traces.span(hold.request(), SpanPart::Settle);
        span.note("tollgate.rule", || verdict.rule.as_str());
        let (upstream, upstream_model) = upstream.unzip();
        let ms = |at: Instant| u64::try_from(at.saturating_duration_since(started).as_millis()).unwrap_or(u64::MAX);
        let (first_byte_ms, duration_ms) = (began.map(ms), Some(ms(Instant::now())));
        let delivery = UpstreamDelivery { upstream, upstream_model, first_byte_ms, duration_ms };
        let request_id = hold.request();
        let ChargedServices { classes, uses, unpriced } = charged(verdict.told, &asked, &tariff.services);
        if !unpriced.is_empty() {
            let (upstream, model) = (&delivery.upstream, &delivery.upstream_model);
            tracing::error!(
                target: "alarm", alarm = "usage", %request_id, upstream, model, unpriced = unpriced.join(", "),
                "a provider used what has no price of its own: no more than tokens at the base price was charged"
            );
        }
        let Some(usage) = verdict.usage else {
            let released = credit.release(hold, verdict.rule, delivery).await;
            return recorded(request_id, &mut span, released.map(|()| Usd::ZERO));
        };
        if verdict.rule == SettlementRule::Counted {
            // A finished answer has figures; where it has none, or none that can be true, somebody should ask its provider.
            let (upstream, model) = (&delivery.upstream, &delivery.upstream_model);
            tracing::error!(
                target: "alarm", alarm = "usage", %request_id, upstream, model, counted_prompt = usage.prompt,
                counted_completion = usage.completion, "a provider reported no usage that can be true: we counted"
            );
        }
        // A cost beyond all money cannot be charged, and the hold then ends by itself.
        let charge = tariff.charge(&usage, &classes, uses);
        let UsageCharge { cost, tier, services } =
            charge.map_err(|_| RecordError::Charge(SettleFailed::Unavailable))?;
        // What we counted is a guess, and nobody owes more than was promised for a guess.
        let cost = if usage.estimated { cost.min(hold.amount()) } else { cost };
        let settlement = Settlement { cost, rule: verdict.rule, usage, delivery, fallback, tier, services };
        let settled = credit.settle(hold, settlement).await;
        if let Ok(settled) = &settled {
            span.note_text("tollgate.charged_usd", settled.charged);
        }
        recorded(request_id, &mut span, settled.map(|settled| settled.charged))
    }
}

/// The outcome of a settlement for its request. A late one is as good as recorded.
fn recorded(
    request_id: RequestId,
    span: &mut TraceSpan,
    ended: Result<Usd, SettleFailed>,
) -> Result<Option<Usd>, RecordError> {
    if ended.is_err() {
        span.failed();
    }
    match ended {
        Err(SettleFailed::Late) => {
            span.note("tollgate.late", || true);
            tracing::warn!(%request_id, "the ledger cannot be written at the moment: the end of a hold is recorded later");
            Ok(None)
        }
        ended => ended.map(Some).map_err(RecordError::Charge),
    }
}
