//! Writing a stream for a client.
//!
//! Each block becomes an item of the output, texts in a row parts of one message. Items may be open side by side: every
//! event names its item. A call is announced with its second piece or its end, because its id has to hold the signature
//! of the thinking that led to it, and providers that sign calls send them in one piece.

mod calls;
mod failure;
mod items;
mod parts;
mod unannounced_call;
mod whole;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;

use super::super::json::ObjectWriter;
use super::super::{
    BlockDelta, BlockOpening, FunctionNames, ResponseContext, StopReason, StreamEncoder, StreamEvent, TokenUsage,
};
use super::encode_response::seen;
use super::item::ResponseItem;
use super::response::{ResponseObject, ResponseState, last_event};
pub use failure::{StreamProgress, failure_events, final_response};

use unannounced_call::UnannouncedCall;
use wire::NumberedEvents;

/// Writes one stream for a client of this format.
#[derive(Debug)]
pub struct ResponsesStreamEncoder {
    answer: String,
    response: ResponseObject,
    functions: Arc<FunctionNames>,
    wire: NumberedEvents,
    items: Vec<ResponseItem>,
    /// The number of items, from the first on, that are all complete.
    complete: usize,
    /// The destination of the deltas, for each open block.
    places: BTreeMap<usize, DeltaDestination>,
    used: Option<TokenUsage>,
    stop: Option<StopReason>,
    begun: bool,
    over: bool,
}

/// The destination of a block's deltas.
#[derive(Debug)]
enum DeltaDestination {
    /// To a part of a message.
    Part { item: usize, part: usize },
    /// To an item.
    Item(usize),
    /// To a call that was not announced yet.
    Held(UnannouncedCall),
}

impl ResponsesStreamEncoder {
    /// For the client's request that `echo` tells of.
    #[must_use]
    pub fn new(echo: ResponseContext) -> Self {
        Self {
            response: ResponseObject::new(&echo),
            answer: echo.id,
            functions: echo.functions,
            wire: NumberedEvents::default(),
            items: Vec::new(),
            complete: 0,
            places: BTreeMap::new(),
            used: None,
            stop: None,
            begun: false,
            over: false,
        }
    }

    /// The final response object, to be kept before the client is told that it is complete: from `StreamEvent::Stop` on, with
    /// the usage that is known by then.
    #[must_use]
    pub fn response(&self) -> Option<Vec<u8>> {
        let stop = self.stop.as_ref()?;
        let mut body = Vec::with_capacity(2048);
        self.write_response(ResponseState::Ended(seen(stop, &self.items)), ObjectWriter::new(&mut body));
        Some(body)
    }

    /// The items of the output so far, as a later request gets them in front of its own.
    #[cfg(test)]
    #[must_use]
    pub fn output(&self) -> Vec<Box<serde_json::value::RawValue>> {
        let mut body = Vec::with_capacity(2048);
        self.write_response(ResponseState::Running, ObjectWriter::new(&mut body));
        super::input::outputs(&body).expect("what the writer wrote has an output")
    }

    fn write_response(&self, state: ResponseState<'_>, object: ObjectWriter<'_>) {
        self.response.write(state, &self.items, self.used.as_ref(), object);
    }

    fn begin(&mut self, out: &mut BytesMut) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        for name in ["response.created", "response.in_progress"] {
            let response = &self.response;
            self.wire
                .event(out, name, |event| response.write(ResponseState::Running, &[], None, event.object("response")));
        }
    }

    fn open(&mut self, index: usize, opening: BlockOpening, out: &mut BytesMut) {
        match opening {
            BlockOpening::Text => self.open_part(index, false, out),
            BlockOpening::Refusal => self.open_part(index, true, out),
            BlockOpening::Thinking => self.open_thinking(index, out),
            BlockOpening::Call { id, name, custom } => {
                self.places.insert(index, DeltaDestination::Held(UnannouncedCall::new(id, name, custom)));
            }
            BlockOpening::Whole(block) => {
                if let Some(body) = ResponseItem::of_block(&block) {
                    self.whole(index, body, out);
                }
            }
        }
    }

    fn delta(&mut self, index: usize, delta: BlockDelta, out: &mut BytesMut) {
        match (self.places.get_mut(&index), delta) {
            (Some(&mut DeltaDestination::Part { item, part }), BlockDelta::Text(piece)) => {
                self.push_text(item, part, &piece, out);
            }
            (Some(&mut DeltaDestination::Item(item)), BlockDelta::Text(piece)) => self.push_thought(item, &piece, out),
            (Some(&mut DeltaDestination::Item(item)), BlockDelta::Arguments(piece)) => {
                self.push_arguments(item, &piece, out);
            }
            (Some(&mut DeltaDestination::Item(item)), BlockDelta::Signature(signature)) => {
                self.sign(item, &signature, out);
            }
            (Some(DeltaDestination::Held(held)), BlockDelta::Signature(signature)) => held.sign(signature),
            (Some(DeltaDestination::Held(held)), BlockDelta::Arguments(piece)) => {
                if let Some(piece) = held.push(piece) {
                    let item = self.announce(index, out);
                    self.push_arguments(item, &piece, out);
                }
            }
            // What a block of that kind has no place for: readers do not send it.
            (Some(DeltaDestination::Part { .. } | DeltaDestination::Held(_)) | None, _) => {}
        }
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        match self.places.get(&index) {
            Some(&DeltaDestination::Part { item, part }) => self.close_part(item, part, out),
            Some(&DeltaDestination::Item(item)) => self.close_item(item, out),
            Some(DeltaDestination::Held(_)) => {
                let item = self.announce(index, out);
                self.close_item(item, out);
            }
            None => return,
        }
        self.places.remove(&index);
    }

    /// Closes what is open: nothing comes after this but figures.
    fn stop(&mut self, stop: StopReason, out: &mut BytesMut) {
        let open: Vec<usize> = self.places.keys().copied().collect();
        for index in open {
            self.close(index, out);
        }
        self.finish_messages(None, out);
        self.stop = Some(stop);
    }

    fn end(&mut self, out: &mut BytesMut) {
        if self.stop.is_none() {
            self.stop(StopReason::Natural, out);
        }
        let stop = self.stop.take().unwrap_or(StopReason::Natural);
        self.last(ResponseState::Ended(seen(&stop, &self.items)), out);
        self.stop = Some(stop);
        self.over = true;
    }
}

impl ResponsesStreamEncoder {
    fn last(&self, state: ResponseState<'_>, out: &mut BytesMut) {
        self.wire.last_event(out, last_event(state), |event| self.write_response(state, event.object("response")));
    }
}

impl StreamEncoder for ResponsesStreamEncoder {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        if self.over {
            return;
        }
        if !matches!(event, StreamEvent::Ping | StreamEvent::Usage(_) | StreamEvent::Error(_)) {
            self.begin(out);
        }
        match event {
            StreamEvent::Start { .. } | StreamEvent::Error(_) => {}
            StreamEvent::Open { index, opening } => self.open(index, opening, out),
            StreamEvent::Delta { index, delta } => self.delta(index, delta, out),
            StreamEvent::Close { index } => self.close(index, out),
            StreamEvent::Usage(used) => self.used = Some(used),
            StreamEvent::Stop(stop) => self.stop(stop, out),
            StreamEvent::End => self.end(out),
            StreamEvent::Ping => out.extend_from_slice(b": ping\n\n"),
        }
    }

    fn response(&self) -> Option<Vec<u8>> {
        Self::response(self)
    }

    fn fail(&mut self, code: &str, message: &str, _body: &[u8], out: &mut BytesMut) {
        if self.over {
            return;
        }
        // Clients want to know which response it was that failed.
        self.begin(out);
        self.wire.event(out, "error", |event| {
            event.member("code", code).member("message", message).member("param", &());
        });
        self.last(ResponseState::Failed { code, message }, out);
        self.over = true;
    }
}
