//! One request under way: the hold that pays for it, and what becomes of it at the end.

use tokio::time::Instant;

use crate::api::{Cx, RequestId};
use crate::credit::{Credit, Delivery, Hold, Price, SettleFailed, Settlement, SettlementRule};

use super::ending::{Ending, Verdict, judge};
use super::meter::Tally;

/// What pays for a request. Dropped unclosed, the hold is released.
#[derive(Debug)]
pub struct Tab {
    /// The request.
    pub request_id: RequestId,
    /// The model as the client named it, for messages.
    pub model: String,
    credit: Credit,
    hold: Hold,
    price: Price,
    upstream: Option<(String, String)>,
    started: Instant,
    began: Option<Instant>,
}

/// The charge could not be written down; nothing was charged.
#[derive(Debug, thiserror::Error)]
#[error("the charge could not be recorded")]
pub struct NotRecorded(#[source] SettleFailed);

impl Tab {
    /// A request that is held for and not yet sent.
    #[must_use]
    pub fn new(cx: &Cx, model: String, credit: Credit, hold: Hold, price: Price) -> Self {
        let (request_id, started) = (cx.request_id, cx.started);
        Self { request_id, model, credit, hold, price, upstream: None, started, began: None }
    }

    /// Notes which provider the request was sent to, and the model's name there.
    pub fn sent_to(&mut self, upstream: &str, model: &str) {
        self.upstream = Some((upstream.to_owned(), model.to_owned()));
    }

    /// Notes when the first byte of an answer came that goes to the client.
    pub fn began(&mut self, at: Option<Instant>) {
        self.began = at;
    }

    /// Charges what the ending costs and releases the rest; durable when it returns.
    ///
    /// # Errors
    /// [`NotRecorded`] when the ledger took neither; the hold then ends by itself, uncharged.
    pub async fn close(self, ending: Ending, tally: &Tally) -> Result<(), NotRecorded> {
        self.charge(judge(ending, tally)).await
    }

    /// Charges what the policy says and releases the rest; durable when it returns.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub async fn charge(self, verdict: Verdict) -> Result<(), NotRecorded> {
        let request_id = self.request_id;
        let closed = self.settle(verdict).await;
        if let Err(error) = &closed {
            tracing::error!(%request_id, error = error as &dyn std::error::Error, "a charge could not be recorded");
        }
        closed
    }

    /// Gives everything back: no provider took the request.
    pub async fn abandon(self) {
        let rule = match self.upstream {
            Some(_) => SettlementRule::NothingDelivered,
            None => SettlementRule::NotSent,
        };
        let request_id = self.request_id;
        // Released by its expiry where this fails.
        if let Err(error) = self.settle(Verdict { rule, usage: None }).await {
            tracing::warn!(%request_id, error = &error as &dyn std::error::Error, "a hold was left to its expiry");
        }
    }

    async fn settle(self, verdict: Verdict) -> Result<(), NotRecorded> {
        let Self { credit, hold, price, upstream, started, began, .. } = self;
        let (upstream, upstream_model) = upstream.unzip();
        let ms = |at: Instant| u64::try_from(at.saturating_duration_since(started).as_millis()).unwrap_or(u64::MAX);
        let (first_byte_ms, duration_ms) = (began.map(ms), Some(ms(Instant::now())));
        let delivery = Delivery { upstream, upstream_model, first_byte_ms, duration_ms };
        let Some(usage) = verdict.usage else {
            return credit.release(hold, verdict.rule, delivery).await.map_err(NotRecorded);
        };
        // A cost beyond all money cannot be charged, and the hold then ends by itself.
        let cost = price.charge(&usage).map_err(|_| NotRecorded(SettleFailed::Unavailable))?;
        let settlement = Settlement { cost, rule: verdict.rule, usage, delivery };
        credit.settle(hold, settlement).await.map(drop).map_err(NotRecorded)
    }
}
