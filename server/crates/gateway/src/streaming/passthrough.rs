//! One stream on its way from a provider to a client of the same format: events are forwarded byte for byte, but for the
//! model's name, and metered as they pass. Events that show a response of format R are given its `previous_response_id`,
//! which the provider was not sent.
//!
//! Two things are held back. The terminal event, or in format G, which has none, what comes from the event on that says
//! why the answer ended, waits for the settlement, so that what a client saw complete is in the ledger. And where the usage
//! switch was ours and not the client's, usage is taken out again, and nothing else with it.

#[cfg(test)]
mod tests;

use std::ops::Range;

use bytes::Bytes;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::metering::{MeteredEvent, UsageMeter};
use tollgate_formats::responses::{StreamProgress, failure_events};
use tollgate_formats::wire::splice::range_within;
use tollgate_formats::wire::sse::{self, SseDecoder};
use tollgate_formats::{Format, ResponseContext};

use super::chunk::{ForwardBuffer, StreamChunk, StreamState};
use super::client_error::ClientStreamError;
use super::closed_thinking::HiddenThinking;
use super::counted_usage;
use super::model_name::ModelName;
use super::previous_response;
use super::stream_room::{StreamRoom, UNCOUNTED_BYTES};
use super::strip_usage::{usage_alone, without_member};

/// The state of one stream.
#[derive(Debug)]
pub struct StreamPassthrough {
    format: Format,
    events: SseDecoder,
    /// Events behind which nothing but the end of the connection is to come.
    held: ForwardBuffer,
    hide_usage: bool,
    /// The client's name of the model, put over the provider's; empty where the provider's is shown.
    model: ModelName,
    /// The number of elements so far, where the events are shown as one JSON list.
    list: Option<usize>,
    /// The memory that it keeps.
    pub room: StreamRoom,
    begun: bool,
    content: bool,
    /// The last event that shows something of an answer, in formats whose usage may come in one of its own. Of a large one,
    /// it is what such an event repeats.
    latest: Bytes,
    /// The parts of the failed response that ends a stream which broke, in format R.
    broken: Option<Box<(ResponseContext, StreamProgress)>>,
    /// The id of the response that this one goes on from, in format R.
    previous: Option<String>,
    /// Closed thinking that the client is not shown, where it is not, in format R.
    hidden: Option<HiddenThinking>,
    /// The usage of the answer so far.
    pub tally: UsageMeter,
}

impl StreamPassthrough {
    /// Starts a stream. `hide_usage` when the client did not ask for usage.
    #[must_use]
    pub fn new(format: Format, tally: UsageMeter, hide_usage: bool, room: StreamRoom) -> Self {
        let (events, held) = (SseDecoder::default(), ForwardBuffer::default());
        let (model, list, begun, content, broken) = (ModelName::default(), None, false, false, None);
        Self {
            format,
            events,
            held,
            hide_usage,
            model,
            list,
            room,
            begun,
            content,
            latest: Bytes::new(),
            broken,
            previous: None,
            hidden: None,
            tally,
        }
    }

    /// Tells the client's name of the model in the place of the provider's.
    #[must_use]
    pub fn naming(mut self, model: &str) -> Self {
        self.model = ModelName::new(model);
        self
    }

    /// Shows the events as the elements of one JSON list.
    #[must_use]
    pub fn listed(mut self) -> Self {
        self.list = Some(0);
        self
    }

    /// Ends a stream of format R that broke as its clients expect: with a failed response, made with `echo`.
    #[must_use]
    pub fn with_failed_response(mut self, echo: ResponseContext) -> Self {
        self.broken = Some(Box::new((echo, StreamProgress::default())));
        self
    }

    /// Tells in format R that the response goes on from another one.
    #[must_use]
    pub fn going_on_from(mut self, previous: Option<String>) -> Self {
        self.previous = previous;
        self
    }

    /// Hides closed thinking where the client did not ask for it.
    #[must_use]
    pub fn hiding_closed_thinking(mut self, hides: bool) -> Self {
        self.hidden = hides.then(HiddenThinking::default);
        self
    }

    /// The closed thinking that was hidden so far.
    #[must_use]
    pub fn hidden(&self) -> HiddenThinking {
        self.hidden.clone().unwrap_or_default()
    }

    /// Takes what was held back for an end that does not come, because the provider broke off.
    pub fn held(&mut self) -> Bytes {
        std::mem::take(&mut self.held).join()
    }

    /// The event that tells the client that the stream broke. Nothing follows it.
    #[must_use]
    pub fn error_event(&mut self, words: &ClientStreamError) -> Bytes {
        if let Some(end) = &self.broken {
            return failure_events(&end.0, &end.1, words.code, &words.message);
        }
        match self.list {
            None => words.event.clone(),
            Some(0) => [b"[", &words.body[..], b"]"].concat().into(),
            Some(_) => [b",\n", &words.body[..], b"]"].concat().into(),
        }
    }

    /// An event as the client is shown it.
    fn shown(&mut self, event: Bytes) -> Bytes {
        let (Some(count), Some(data)) = (self.list.as_mut(), sse::data(&event)) else { return event };
        let before: &[u8] = if *count == 0 { b"[" } else { b",\n" };
        *count += 1;
        [before, &data].concat().into()
    }

    /// The provider's own error event, the last that is shown.
    fn failed(&mut self, event: Bytes) -> Bytes {
        if let Some(end) = self.broken.as_deref().filter(|end| end.1.error) {
            let (code, message) = ("server_error", "The provider of the model failed.");
            return [event, failure_events(&end.0, &end.1, code, message)].concat().into();
        }
        let event = self.shown(event);
        if self.list.is_some() { [event, Bytes::from_static(b"]")].concat().into() } else { event }
    }

    fn hold(&mut self, event: Bytes) {
        let event = self.shown(event);
        self.held.push(event);
    }

    /// An event without data, a comment most often. A list has no place for it.
    fn silent(&self, event: Bytes) -> PassedEvent {
        if self.list.is_some() { PassedEvent::Hidden } else { self.in_turn(event) }
    }

    /// Nothing overtakes what is held back.
    fn in_turn(&self, event: Bytes) -> PassedEvent {
        if self.held.len() > 0 { PassedEvent::Held(event) } else { PassedEvent::Forward(event) }
    }

    /// The end of a stream without a terminator of its own.
    fn last(&mut self) -> Bytes {
        if let Some(count) = self.count_alone() {
            self.hold(count);
        }
        let mut last = std::mem::take(&mut self.held);
        if self.list.is_some() {
            last.push(Bytes::from_static(b"]"));
        }
        last.join()
    }

    /// True if an event has come that belongs to an answer: no comment, no error, and not the mere end.
    #[must_use]
    pub fn begun(&self) -> bool {
        self.begun
    }

    /// True if something of the answer has come, or its end; see [`MeteredEvent::content`].
    #[must_use]
    pub fn has_content(&self) -> bool {
        self.content
    }

    /// Takes a read from the provider.
    pub fn take(&mut self, read: &[u8]) -> StreamChunk {
        let chunk = self.passed(read);
        self.room.passed(chunk, self.events.waiting() + self.held.len())
    }

    fn passed(&mut self, read: &[u8]) -> StreamChunk {
        self.events.push(read);
        let mut forward = ForwardBuffer::default();
        while let Some(event) = self.events.next_event() {
            let then = match self.pass(event) {
                PassedEvent::Forward(event) => {
                    forward.push(self.shown(event));
                    continue;
                }
                PassedEvent::Hidden => continue,
                PassedEvent::Held(event) if self.room.fits(self.held.len() + event.len()) => {
                    self.hold(event);
                    continue;
                }
                PassedEvent::Terminal(event) => StreamState::Ends(event),
                PassedEvent::Error(event) => {
                    forward.push(self.held());
                    StreamState::Failed(self.failed(event))
                }
                PassedEvent::Held(_) => {
                    forward.push(self.held());
                    StreamState::TooLarge
                }
                PassedEvent::Garbage => {
                    forward.push(self.held());
                    StreamState::Broken
                }
            };
            return StreamChunk { forward: forward.join(), then };
        }
        StreamChunk { forward: forward.join(), then: StreamState::Goes }
    }

    /// Takes what is left of a stream that the provider has closed.
    pub fn end(&mut self) -> StreamChunk {
        let rest = self.events.rest();
        let passed = match sse::data(&rest) {
            None => PassedEvent::Hidden,
            // Nobody can read half an event, and what is told behind it would be read as its other half.
            Some(data) if is_torn(&data) => PassedEvent::Garbage,
            Some(_) => self.pass(closed(&rest)),
        };
        match passed {
            PassedEvent::Forward(event) => StreamChunk { forward: self.shown(event), then: StreamState::Goes },
            PassedEvent::Held(event) => {
                self.hold(event);
                StreamChunk { forward: Bytes::new(), then: StreamState::Ends(self.last()) }
            }
            PassedEvent::Hidden if self.held.len() > 0 => {
                StreamChunk { forward: Bytes::new(), then: StreamState::Ends(self.last()) }
            }
            PassedEvent::Hidden => StreamChunk { forward: Bytes::new(), then: StreamState::Goes },
            PassedEvent::Terminal(event) => StreamChunk { forward: Bytes::new(), then: StreamState::Ends(event) },
            PassedEvent::Error(event) => {
                StreamChunk { forward: self.held(), then: StreamState::Failed(self.failed(event)) }
            }
            PassedEvent::Garbage => StreamChunk { forward: self.held(), then: StreamState::Broken },
        }
    }

    fn note(&mut self, seen: &MeteredEvent<'_>) {
        let Some(end) = &mut self.broken else { return };
        let told = &mut end.1;
        told.next = seen.sequence.unwrap_or(told.next).saturating_add(1);
        told.error = seen.error && !seen.terminal;
        if let (None, Some(id)) = (&told.id, &seen.response_id) {
            told.id = Some(id.clone().into_owned());
        }
    }

    fn pass(&mut self, event: Bytes) -> PassedEvent {
        let event = match &self.previous {
            Some(previous) => previous_response::in_event(event, previous),
            None => event,
        };
        let event = match &mut self.hidden {
            Some(hidden) => hidden.hide_in_event(event),
            None => event,
        };
        let Some(data) = sse::data(&event) else { return self.silent(event) };
        match data.trim_ascii() {
            b"[DONE]" if matches!(self.format, Format::Chat | Format::Completions) => {
                drop(data);
                return PassedEvent::Terminal(self.after_count(event));
            }
            b"" => {
                drop(data);
                return self.silent(event);
            }
            _ => {}
        }
        let Ok(seen) = MeteredEvent::read(self.format, &data) else {
            let breaks_list = self.list.is_some() && serde_json::from_slice::<IgnoredAny>(&data).is_err();
            if !self.begun || breaks_list {
                return PassedEvent::Garbage;
            }
            self.tally.add_delivered(data.len());
            self.content = true;
            drop(data);
            return self.in_turn(event);
        };
        self.tally.add(&seen);
        self.note(&seen);
        let MeteredEvent { error, terminal, finished, content, .. } = seen;
        let hides = self.hide_usage && !error && !terminal;
        if hides && seen.usage().is_some() && seen.choices == 0 && usage_alone(&data) {
            self.begun = true;
            return PassedEvent::Hidden;
        }
        // An event of several data lines was joined elsewhere: its usage and its name stay, which does no harm.
        let place = |value: Option<&RawValue>| value.and_then(|value| range_within(&event, value.get()));
        let model = place(seen.model.filter(|_| !self.model.is_empty()));
        let usage = place(seen.usage.filter(|_| hides));
        drop(data);
        let event = self.edited(event, model, usage);
        if error {
            return PassedEvent::Error(event);
        }
        self.begun = true;
        self.content |= content;
        let event = match self.format {
            Format::Messages | Format::Responses if finished => match self.tally.counted_for_client() {
                Some(counted) => counted_usage::in_event(self.format, event, &counted),
                None => event,
            },
            Format::Messages | Format::Responses => event,
            Format::Chat | Format::Completions | Format::Generate => {
                self.latest = latest(&event);
                event
            }
        };
        if terminal {
            PassedEvent::Terminal(event)
        } else if self.format == Format::Generate && (finished || self.held.len() > 0) {
            PassedEvent::Held(event)
        } else {
            PassedEvent::Forward(event)
        }
    }

    /// Our own count as an event, where the provider's figures are none and the client asked for some.
    fn count_alone(&self) -> Option<Bytes> {
        let counted = self.tally.counted_for_client().filter(|_| !self.hide_usage)?;
        counted_usage::event_after(self.format, &self.latest, &counted)
    }

    /// The end of a stream of format O, behind our own count where there is one.
    fn after_count(&self, end: Bytes) -> Bytes {
        match self.count_alone() {
            Some(count) => [count, end].concat().into(),
            None => end,
        }
    }

    /// The event with the client's name of the model, and without its usage. The later of the two is edited first, so that the
    /// place of the other stays what it is.
    fn edited(&self, event: Bytes, model: Option<Range<usize>>, usage: Option<Range<usize>>) -> Bytes {
        match usage {
            None => self.model.put(event, model),
            Some(usage) if model.as_ref().is_some_and(|model| model.start > usage.start) => {
                without_member(&self.model.put(event, model), usage)
            }
            Some(usage) => self.model.put(without_member(&event, usage), model),
        }
    }
}

/// True if the data of an event without its blank line is torn off.
///
/// The data of every format is JSON, but for the word that ends format O's.
fn is_torn(data: &[u8]) -> bool {
    data.trim_ascii() != b"[DONE]" && serde_json::from_slice::<IgnoredAny>(data).is_err()
}

/// An event whose blank line the provider forgot, with it: clients raise where the last one has none.
fn closed(event: &[u8]) -> Bytes {
    let missing: &[u8] = if event.ends_with(b"\n") { b"\n" } else { b"\n\n" };
    [event, missing].concat().into()
}

enum PassedEvent {
    Forward(Bytes),
    Hidden,
    /// To be shown with the end.
    Held(Bytes),
    Terminal(Bytes),
    Error(Bytes),
    /// No event of the format, where the stream should begin; no JSON, where it is shown as a list.
    Garbage,
}

/// The part of the last event that is kept: of a large one, the members that an event behind it repeats.
fn latest(event: &Bytes) -> Bytes {
    if event.len() > UNCOUNTED_BYTES { counted_usage::without_content(event) } else { event.clone() }
}
