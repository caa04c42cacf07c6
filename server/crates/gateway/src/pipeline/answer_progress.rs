//! The time between a provider's first event and the first piece of its answer, while another candidate can still be asked.
//!
//! The status is held back for it. Where it takes too long the client is sent the status and keep-alives, and still
//! nothing of the provider's: so another candidate can go on being asked behind them. What the headers said has to stay
//! true then, so a candidate that would drop more of the request, or be another model, is passed over.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use http_body::{Body, Frame};
use tokio::sync::{oneshot, watch};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep};

use crate::routing::model_offer::ModelOffer;
use tollgate_api::{BoxBody, ProxyReply, ProxyReplyBody};
use tollgate_formats::Format;

use super::reply::ReplyResult;

/// The progress of a stream's answer. Cheap to clone; clones share one state.
#[derive(Debug, Clone)]
pub struct AnswerProgress(Arc<watch::Sender<AnswerStage>>);

#[derive(Debug)]
enum AnswerStage {
    /// The candidate that is asked has sent no event yet.
    Asked,
    /// It has sent an event, but nothing of the answer.
    Opened(AnswerTerms),
    /// The client was sent the status, and these terms in the headers.
    Committed(AnswerTerms),
    /// The answer has a status of its own.
    Answered,
}

/// The terms of the candidate that answers, as the headers of the answer tell them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerTerms {
    /// Places of the request that it did not see.
    pub dropped: Vec<String>,
    /// The bound of the output that it was sent, where it is ours.
    pub output_bound: Option<u64>,
    /// The model that answers in the place of the one that was asked for.
    pub fallback: Option<String>,
}

impl AnswerTerms {
    /// The terms of an answer by `offer`.
    #[must_use]
    pub fn of(offer: &ModelOffer, dropped: Vec<String>) -> Self {
        let fallback = offer.fallback.then(|| offer.model.id.clone());
        Self { dropped, output_bound: offer.output_bound, fallback }
    }

    /// True if headers with these terms are also true of an answer with the terms `other`.
    fn covers(&self, other: &Self) -> bool {
        self.output_bound == other.output_bound
            && self.fallback == other.fallback
            && other.dropped.iter().all(|place| self.dropped.contains(place))
    }
}

impl Default for AnswerProgress {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(AnswerStage::Asked)))
    }
}

impl AnswerProgress {
    /// Notes that the next candidate is to be asked. False if the headers that were sent are not true of it.
    #[must_use]
    pub fn asks(&self, told: &AnswerTerms) -> bool {
        let mut may = true;
        self.0.send_if_modified(|stage| match stage {
            AnswerStage::Committed(committed) => {
                may = committed.covers(told);
                false
            }
            AnswerStage::Opened(_) => {
                *stage = AnswerStage::Asked;
                true
            }
            AnswerStage::Asked | AnswerStage::Answered => false,
        });
        may
    }

    /// Notes that the candidate has sent its first event.
    pub fn opens(&self, told: &AnswerTerms) {
        self.0.send_if_modified(|stage| match stage {
            AnswerStage::Asked => {
                *stage = AnswerStage::Opened(told.clone());
                true
            }
            AnswerStage::Opened(_) | AnswerStage::Committed(_) | AnswerStage::Answered => false,
        });
    }

    /// True if the client was sent the status.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        matches!(*self.0.borrow(), AnswerStage::Committed(_))
    }

    /// Notes that no candidate is asked any more. True if the client was sent the status; if not, it is sent none from here.
    #[must_use]
    pub fn ends(&self) -> bool {
        let mut committed = false;
        self.0.send_if_modified(|stage| {
            committed = matches!(stage, AnswerStage::Committed(_));
            if !committed {
                *stage = AnswerStage::Answered;
            }
            false
        });
        committed
    }

    /// Waits until the status is overdue, and gives the terms that the client is told with it.
    ///
    /// That is when it has been held back for so long since the first candidate opened, and one is open. From then on it
    /// counts as sent.
    pub async fn overdue(&self, held: Duration) -> AnswerTerms {
        let mut stages = self.0.subscribe();
        let mut opened = async || {
            let opened = stages.wait_for(|stage| matches!(stage, AnswerStage::Opened(_))).await;
            drop(opened.expect("the sender is borrowed"));
        };
        opened().await;
        sleep(held).await;
        loop {
            opened().await;
            if let Some(told) = self.commit() {
                return told;
            }
        }
    }

    fn commit(&self) -> Option<AnswerTerms> {
        let mut committed = None;
        self.0.send_if_modified(|stage| {
            let AnswerStage::Opened(told) = stage else { return false };
            let told = told.clone();
            committed = Some(told.clone());
            *stage = AnswerStage::Committed(told);
            true
        });
        committed
    }
}

/// The body behind a status that was sent before there was an answer: keep-alives until there is one.
#[derive(Debug)]
pub struct LateAnswer {
    phase: LateAnswerPhase,
    ping: &'static [u8],
}

#[derive(Debug)]
enum LateAnswerPhase {
    Waiting { answer: oneshot::Receiver<ReplyResult>, pings: Interval },
    Answering(BoxBody),
    Done,
}

impl LateAnswer {
    /// The reply for a client of `format`, with a keep-alive now and each `pause`. `answer` gives a stream.
    #[must_use]
    pub fn reply(
        headers: HeaderMap,
        answer: oneshot::Receiver<ReplyResult>,
        (format, as_list): (Format, bool),
        pause: Duration,
    ) -> ProxyReply {
        let mut pings = interval(pause);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let body = Self { phase: LateAnswerPhase::Waiting { answer, pings }, ping: ping(format, as_list) };
        ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Stream(BoxBody::new(body)) }
    }
}

/// The bytes of a keep-alive.
///
/// The official programs of format G take only events with data and blank lines, in whatever order; so does a JSON list with
/// white space.
const fn ping(format: Format, as_list: bool) -> &'static [u8] {
    match format {
        Format::Messages => b"event: ping\ndata: {\"type\": \"ping\"}\n\n",
        Format::Chat | Format::Completions | Format::Responses if !as_list => b": ping\n\n",
        Format::Chat | Format::Completions | Format::Responses | Format::Generate => b"\n",
    }
}

impl Body for LateAnswer {
    type Data = Bytes;
    type Error = <BoxBody as Body>::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        loop {
            match &mut self.phase {
                LateAnswerPhase::Waiting { answer, pings } => match Pin::new(answer).poll(cx) {
                    Poll::Ready(Ok(Ok(ProxyReply { body: ProxyReplyBody::Stream(body), .. }))) => {
                        self.phase = LateAnswerPhase::Answering(body);
                    }
                    // A task that panicked has no last words; the stream ends without its terminal event.
                    Poll::Ready(_) => self.phase = LateAnswerPhase::Done,
                    Poll::Pending => {
                        ready!(pings.poll_tick(cx));
                        return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(self.ping)))));
                    }
                },
                LateAnswerPhase::Answering(body) => return Pin::new(body).poll_frame(cx),
                LateAnswerPhase::Done => return Poll::Ready(None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELD: Duration = Duration::from_secs(10);

    fn told(dropped: &[&str], fallback: Option<&str>) -> AnswerTerms {
        let dropped = dropped.iter().map(|place| (*place).to_owned()).collect();
        AnswerTerms { dropped, output_bound: None, fallback: fallback.map(str::to_owned) }
    }

    #[tokio::test(start_paused = true)]
    async fn the_status_is_sent_with_what_is_true_of_the_candidate_that_is_open() {
        let opening = AnswerProgress::default();
        let (first, second) = (told(&["a"], None), told(&["a", "b"], None));
        let overdue = tokio_util::task::TaskTracker::new().spawn({
            let opening = opening.clone();
            async move { opening.overdue(HELD).await }
        });
        assert!(opening.asks(&first));
        opening.opens(&first);
        sleep(HELD / 2).await;
        // It died; the next one is silent until after the time.
        assert!(opening.asks(&second));
        sleep(HELD).await;
        assert!(!overdue.is_finished() && !opening.is_committed());
        opening.opens(&second);
        assert_eq!(overdue.await.expect("it ends"), second);
        assert!(opening.asks(&first), "it drops less than was told");
        assert!(!opening.asks(&told(&["c"], None)) && !opening.asks(&told(&[], Some("other"))));
        assert!(opening.ends());
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_an_answer_is_not_committed_any_more() {
        let opening = AnswerProgress::default();
        opening.opens(&told(&[], None));
        assert!(!opening.ends());
        let overdue = tokio::time::timeout(HELD * 3, opening.overdue(HELD));
        assert!(overdue.await.is_err());
    }
}
