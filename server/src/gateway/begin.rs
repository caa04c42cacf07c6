//! The beginning of a provider's answer: what is good enough to be handed to the client, and what is no answer.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::time::Instant;

use super::Gateway;
use super::ask::Prepared;
use super::failed::CandidateFailed;
use super::meter::{Seen, Tally};
use super::outgoing::Outgoing;
use super::relay::{Forward, Relay, Taken, Then};
use super::upstream::{Answer, AnswerBody, UpstreamError, retry_after_seconds};

/// An answer that is one.
#[derive(Debug)]
pub struct Begun {
    /// The provider's status.
    pub status: StatusCode,
    /// The provider's headers, all of them.
    pub headers: HeaderMap,
    /// What has arrived of it.
    pub beginning: Beginning,
}

/// What has arrived of an answer.
#[derive(Debug)]
pub enum Beginning {
    /// All of it, and it is a chat completion.
    Whole {
        /// The completion.
        bytes: Bytes,
        /// What it used.
        tally: Tally,
        /// When its first piece came.
        first_read: Option<Instant>,
    },
    /// A stream up to its first event.
    Stream {
        /// What was read so far.
        first: Taken,
        /// What goes by.
        relay: Relay,
        /// What follows.
        body: AnswerBody,
    },
    /// The provider finds fault with the request itself: its error in format O, where that is what it sent.
    Refusal(Option<Bytes>),
}

impl Gateway {
    /// Sorts an answer and reads as much of it as tells whether it is one: a whole answer to its end, a stream up to its
    /// first event.
    pub(super) async fn begin(
        &self,
        answer: Answer,
        prepared: &Prepared,
        outgoing: &Outgoing<'_>,
    ) -> Result<Begun, CandidateFailed> {
        let Answer { status, headers, body } = answer;
        let beginning = match status {
            status if status.is_success() => {
                let prompt_bytes = u64::try_from(prepared.body.head.messages.span.len()).unwrap_or(u64::MAX);
                let tally = Tally::new(prepared.model.context_tokens, prompt_bytes);
                if outgoing.stream() && is_event_stream(&headers) {
                    let relay = Relay::new(tally, outgoing.hides_usage(), self.patience.answer_bytes);
                    stream(body, relay, self.patience.answer_bytes).await?
                } else {
                    whole(body, tally, self.patience.whole_bytes).await?
                }
            }
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
                refusal(body, self.patience.answer_bytes).await
            }
            status => {
                let retry_after_seconds = retry_after_seconds(&headers, self.clock.now_ms());
                return Err(CandidateFailed::Status { status, retry_after_seconds });
            }
        };
        Ok(Begun { status, headers, beginning })
    }
}

async fn whole(mut body: AnswerBody, mut tally: Tally, bytes_max: usize) -> Result<Beginning, CandidateFailed> {
    let bytes = body.whole(bytes_max).await?;
    match Seen::look(&bytes) {
        Ok(seen) if !seen.error && (seen.choices > 0 || seen.usage().is_some()) => tally.add(&seen),
        Ok(_) | Err(_) => return Err(CandidateFailed::NoCompletion),
    }
    Ok(Beginning::Whole { bytes, tally, first_read: body.first_read() })
}

/// Comments before the first event are held back with it: once they are the client's, no other provider can be asked.
async fn stream(mut body: AnswerBody, mut relay: Relay, bytes_max: usize) -> Result<Beginning, CandidateFailed> {
    let mut held = Forward::default();
    let then = loop {
        let (Taken { forward, then }, at_end) = match body.data().await {
            Some(read) => (relay.take(&read?), false),
            // What a provider forgot to end with a blank line is an event all the same.
            None => (relay.end(), true),
        };
        held.push(forward);
        match then {
            // What was delivered has to be paid, so it is the client's, whatever follows.
            _ if relay.tally.delivered() => break then,
            Then::Goes | Then::Ends(_) if relay.begun() => break then,
            Then::Goes if !at_end && held.len() <= bytes_max => {}
            Then::Goes if !at_end => return Err(UpstreamError::TooLarge.into()),
            Then::Goes | Then::Ends(_) | Then::Failed(_) | Then::Broken => return Err(CandidateFailed::NoEvent),
        }
    };
    body.flow();
    Ok(Beginning::Stream { first: Taken { forward: held.join(), then }, relay, body })
}

/// A refusal whose words broke off is a refusal all the same.
async fn refusal(mut body: AnswerBody, bytes_max: usize) -> Beginning {
    body.flow();
    let bytes = body.whole(bytes_max).await.ok();
    Beginning::Refusal(bytes.filter(|bytes| Seen::look(bytes).is_ok_and(|seen| seen.error)))
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let is = |value: &HeaderValue| value.as_bytes().starts_with(b"text/event-stream");
    headers.get(header::CONTENT_TYPE).is_some_and(is)
}
