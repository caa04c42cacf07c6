//! The first bytes of a provider's answer, read far enough to tell an answer, a refusal and a failure apart.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tokio::time::Instant;

use crate::Gateway;
use crate::config::ProviderKind;
use crate::inbound::OriginalRequest;
use crate::metering::{MeteredEvent, UsageMeter};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::FormatCandidate;
use crate::routing::model_offer::AttemptTarget;
use crate::routing::refusal::{ProviderRefusal, RefusedRequest};
use crate::streaming::chunk::{ForwardBuffer, StreamChunk, StreamState};
use crate::streaming::client_error::ClientStreamError;
use crate::streaming::closed_thinking::HiddenThinking;
use crate::streaming::counted_usage;
use crate::streaming::forward::StreamForwarder;
use crate::streaming::model_name::ModelName;
use crate::streaming::passthrough::StreamPassthrough;
use crate::streaming::previous_response;
use crate::streaming::stream_room::StreamRoom;
use crate::streaming::transcode::StreamTranscoder;
use crate::upstream::{AnswerBody, UpstreamAnswer, UpstreamError, retry_after_seconds};
use tollgate_formats::wire::splice::range_within;
use tollgate_formats::{Format, ResponseContext};

use super::answer_progress::AnswerTerms;
use super::convert::AnswerEdits;
use super::prepared_turn::PreparedTurn;

/// A provider's answer that has begun.
#[derive(Debug)]
pub struct StartedResponse {
    /// The provider's status.
    pub status: StatusCode,
    /// The provider's headers, all of them.
    pub headers: HeaderMap,
    /// The part of it that has arrived.
    pub beginning: ResponseStart,
    /// True if the provider's format is not the client's: its headers are about another body then.
    pub converted: bool,
    /// The terms that the client is told. Kinds of block that its format lacks join what was dropped.
    pub told: AnswerTerms,
}

/// The part of an answer that has arrived.
#[derive(Debug)]
pub enum ResponseStart {
    /// All of it, and it is an answer.
    Whole {
        /// The answer, in the client's format.
        bytes: Bytes,
        /// Closed thinking that is not in it.
        hidden: HiddenThinking,
        /// The usage of the answer.
        tally: UsageMeter,
        /// The time at which its first piece came.
        first_read: Option<Instant>,
    },
    /// A stream up to its first piece of an answer.
    Stream {
        /// The output of the reads so far.
        first: StreamChunk,
        /// The state of the stream.
        flow: Box<StreamForwarder>,
        /// The rest of the answer.
        body: AnswerBody,
    },
    /// The provider finds fault with the request itself.
    Refusal(ProviderRefusal),
}

impl StartedResponse {
    /// The text of a refusal; `None` for an answer, or a refusal without one.
    #[must_use]
    pub fn refusal(&self) -> Option<Cow<'_, str>> {
        let ResponseStart::Refusal(ProviderRefusal { own, message, .. }) = &self.beginning else { return None };
        let own = own.as_ref().map(|own| String::from_utf8_lossy(own));
        own.or_else(|| message.as_deref().map(Cow::Borrowed))
    }
}

impl Gateway {
    /// Reads an answer far enough to tell what it is.
    ///
    /// A whole answer is read to its end, a stream up to the first piece of it that is more than an opening.
    pub(super) async fn start_response(
        &self,
        answer: UpstreamAnswer,
        prepared: &PreparedTurn,
        at: AttemptTarget<'_>,
        dropped: Vec<String>,
        edits: AnswerEdits,
    ) -> Result<StartedResponse, CandidateError> {
        let AttemptTarget { offer, candidate } = at;
        let speaker = candidate.speaker(prepared.inbound.format)?;
        let UpstreamAnswer { status, headers, body } = answer;
        let inbound = &prepared.inbound;
        let format = speaker.format;
        let converted = format != inbound.format;
        let mut told = AnswerTerms::of(offer, dropped);
        let committed = prepared.opening.is_committed();
        let beginning = match status {
            status if status.is_success() => {
                let tally = UsageMeter::new(format, offer.model.context_tokens, inbound.prompt_bytes)
                    .of_choices(inbound.asked.choices)
                    .of_tool_uses(
                        offer.admission.services.tools.values().fold(0, |sum, uses| sum.saturating_add(*uses)),
                    )
                    .of_model(&speaker.candidate.model, speaker.candidate.answers_as.as_deref());
                if inbound.stream && is_event_stream(&headers) {
                    let flow = self.flow(prepared, speaker, tally, edits);
                    let opens = || prepared.opening.opens(&told);
                    stream(body, flow, self.patience.answer_bytes, opens).await?
                } else if committed {
                    return Err(CandidateError::NoEvent);
                } else {
                    let converted = self.whole(body, tally, prepared, speaker, edits, &mut told.dropped);
                    converted.await?
                }
            }
            _ => {
                let failed = CandidateError::Status {
                    status,
                    retry_after_seconds: retry_after_seconds(&headers, self.clock.now_ms()),
                };
                let asked = RefusedRequest {
                    kind: ProviderKind::Speaks(format),
                    converted,
                    request: &inbound.bytes,
                    model: &speaker.candidate.model,
                };
                let refusal =
                    ProviderRefusal::read(status, body, asked, self.room(self.patience.answer_bytes), failed).await?;
                // Another provider had found no fault with it, and was told so with the status.
                if committed {
                    return Err(CandidateError::Unfit);
                }
                ResponseStart::Refusal(refusal)
            }
        };
        Ok(StartedResponse { status, headers, beginning, converted, told })
    }

    /// The error events for a stream that broke before the client was shown any of it.
    pub(super) fn unstarted_stream_error(&self, prepared: &PreparedTurn, words: &ClientStreamError) -> Bytes {
        let inbound = &prepared.inbound;
        let tally = UsageMeter::new(inbound.format, 0, inbound.prompt_bytes);
        let mut relay = StreamPassthrough::new(inbound.format, tally, false, StreamRoom::uncounted(0));
        relay = match inbound.format {
            Format::Responses => relay.with_failed_response(self.echo(prepared, AnswerEdits::default())),
            _ if inbound.as_list => relay.listed(),
            Format::Chat | Format::Completions | Format::Messages | Format::Generate => relay,
        };
        relay.error_event(words)
    }

    fn flow(
        &self,
        prepared: &PreparedTurn,
        speaker: FormatCandidate<'_>,
        tally: UsageMeter,
        edits: AnswerEdits,
    ) -> StreamForwarder {
        let inbound = &prepared.inbound;
        let from = speaker.format;
        // A stream may end with an event that holds the whole answer.
        let room = StreamRoom::new(self.patience.turn_bytes, self.answers.clone());
        if from == inbound.format {
            let relay = StreamPassthrough::new(from, tally, inbound.hides_usage(), room)
                .naming(&inbound.model)
                .hiding_closed_thinking(inbound.hides_closed_thinking());
            return StreamForwarder::Same(match from {
                Format::Responses => {
                    let previous = inbound.continues.as_ref().map(|continues| continues.previous.clone());
                    relay.with_failed_response(self.echo(prepared, edits)).going_on_from(previous)
                }
                Format::Chat | Format::Completions | Format::Messages | Format::Generate if inbound.as_list => {
                    relay.listed()
                }
                Format::Chat | Format::Completions | Format::Messages | Format::Generate => relay,
            });
        }
        let reader = tollgate_formats::stream_decoder(from, speaker.candidate.upstream.name());
        let writer = tollgate_formats::stream_encoder(inbound.format, self.echo(prepared, edits), inbound.as_list);
        let recode = StreamTranscoder::new(reader, writer, tally, room);
        StreamForwarder::Recoded(recode.hiding_closed_thinking(inbound.hides_closed_thinking()))
    }

    async fn whole(
        &self,
        mut body: AnswerBody,
        mut tally: UsageMeter,
        prepared: &PreparedTurn,
        speaker: FormatCandidate<'_>,
        edits: AnswerEdits,
        dropped: &mut Vec<String>,
    ) -> Result<ResponseStart, CandidateError> {
        let answer = body.whole(self.room(self.patience.turn_bytes)).await?;
        let to = prepared.inbound.format;
        let from = speaker.format;
        let named = match MeteredEvent::read(from, &answer.bytes) {
            Ok(seen) if !seen.error && (seen.choices > 0 || seen.usage().is_some()) => {
                tally.add(&seen);
                seen.model.and_then(|model| range_within(&answer.bytes, model.get()))
            }
            Ok(_) | Err(_) => return Err(CandidateError::NoAnswer),
        };
        let bytes = if from == to {
            answer.counted(|bytes| {
                let bytes = ModelName::new(&prepared.inbound.model).put(bytes, named);
                let bytes = match tally.counted_for_client() {
                    Some(counted) => counted_usage::in_whole(to, bytes, &counted),
                    None => bytes,
                };
                match &prepared.inbound.continues {
                    Some(OriginalRequest { previous, .. }) => previous_response::in_response(bytes, previous),
                    None => bytes,
                }
            })
        } else {
            let maker = speaker.candidate.upstream.name();
            let echo = ResponseContext { counted: tally.counted_for_client(), ..self.echo(prepared, edits) };
            let written = tollgate_formats::convert_response(from, to, &answer.bytes, maker, &echo)?;
            dropped.extend(written.left_out);
            answer.counted(|_| written.body.into())
        };
        let mut hidden = HiddenThinking::default();
        let hides = prepared.inbound.hides_closed_thinking();
        let bytes = if hides { hidden.hide_in_response(bytes) } else { bytes };
        Ok(ResponseStart::Whole { bytes, hidden, tally, first_read: body.first_read() })
    }

    fn echo(&self, prepared: &PreparedTurn, edits: AnswerEdits) -> ResponseContext {
        let inbound = &prepared.inbound;
        ResponseContext {
            id: prepared.answer_id.clone(),
            model: inbound.model.clone(),
            created: self.clock.now_ms() / 1000,
            include_usage: !inbound.hides_usage(),
            request: inbound.as_it_came().clone(),
            functions: edits.functions,
            stop: edits.stop,
            thinks: edits.thinks,
            counted: None,
        }
    }
}

/// Reads a stream up to the first piece of its answer, and holds back what comes before it.
///
/// Once a byte is the client's, no other provider can be asked. `opens` is called when the first event has come.
async fn stream(
    mut body: AnswerBody,
    mut flow: StreamForwarder,
    bytes_max: usize,
    opens: impl Fn(),
) -> Result<ResponseStart, CandidateError> {
    let mut held = ForwardBuffer::default();
    let mut open = false;
    let then = loop {
        if !flow.has_room().await {
            return Err(UpstreamError::NoRoom.into());
        }
        let (StreamChunk { forward, then }, at_end) = match body.data().await {
            Some(read) => (flow.take(&read?), false),
            // What a provider forgot to end with a blank line is an event all the same.
            None => (flow.end(), true),
        };
        held.push(forward);
        match then {
            // What was delivered has to be paid, so it is the client's, whatever follows.
            _ if flow.has_content() => break then,
            StreamState::Ends(_) if flow.begun() => break then,
            StreamState::Goes if !at_end && held.len() <= bytes_max => {}
            StreamState::Goes if !at_end => return Err(UpstreamError::TooLarge.into()),
            // Any other provider would send as much.
            StreamState::TooLarge => return Err(UpstreamError::TooLarge.into()),
            StreamState::NoRoom => return Err(UpstreamError::NoRoom.into()),
            StreamState::Goes | StreamState::Ends(_) | StreamState::Failed(_) | StreamState::Broken => {
                return Err(CandidateError::NoEvent);
            }
        }
        if flow.begun() && !open {
            open = true;
            body.flow();
            opens();
        }
    };
    if !open {
        body.flow();
    }
    Ok(ResponseStart::Stream { first: StreamChunk { forward: held.join(), then }, flow: Box::new(flow), body })
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let is = |value: &HeaderValue| value.as_bytes().starts_with(b"text/event-stream");
    headers.get(header::CONTENT_TYPE).is_some_and(is)
}
