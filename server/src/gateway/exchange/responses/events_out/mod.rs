//! Writing a stream for a client.
//!
//! Each block becomes an item of the output, texts in a row parts of one message. Items may be open side by side: every
//! event names its item. A call is announced with its second piece or its end, because its id has to hold the signature
//! of the thinking that led to it, and providers that sign calls send them in one piece.

mod broken;
mod calls;
mod items;
mod parts;
mod whole;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::BytesMut;

use super::super::json::ObjectWriter;
use super::super::{Delta, Echo, Event, EventWriter, FunctionNames, Opening, Stop, Usage};
use super::item::Item;
use super::reply_out::seen;
use super::response::{Response, State, last_event};
pub use broken::{Told, broken, ended};

use calls::Held;
use wire::Wire;

/// Writes one stream for a client of this format.
#[derive(Debug)]
pub struct Writer {
    answer: String,
    response: Response,
    functions: Arc<FunctionNames>,
    wire: Wire,
    items: Vec<Item>,
    /// The destination of the deltas, for each open block.
    places: BTreeMap<usize, Place>,
    used: Option<Usage>,
    stop: Option<Stop>,
    begun: bool,
    over: bool,
}

/// The destination of a block's deltas.
#[derive(Debug)]
enum Place {
    /// To a part of a message.
    Part { item: usize, part: usize },
    /// To an item.
    Item(usize),
    /// To a call that was not announced yet.
    Held(Held),
}

impl Writer {
    /// For the client's request that `echo` tells of.
    #[must_use]
    pub fn new(echo: Echo) -> Self {
        Self {
            response: Response::new(&echo),
            answer: echo.id,
            functions: echo.functions,
            wire: Wire::default(),
            items: Vec::new(),
            places: BTreeMap::new(),
            used: None,
            stop: None,
            begun: false,
            over: false,
        }
    }

    /// The final response object, to be kept before the client is told that it is complete: from `Event::Stop` on, with
    /// the usage that is known by then.
    #[must_use]
    pub fn response(&self) -> Option<Vec<u8>> {
        let stop = self.stop.as_ref()?;
        let mut body = Vec::with_capacity(2048);
        self.write_response(State::Ended(seen(stop, &self.items)), ObjectWriter::new(&mut body));
        Some(body)
    }

    /// The items of the output so far, as a later request gets them in front of its own.
    #[cfg(test)]
    #[must_use]
    pub fn output(&self) -> Vec<Box<serde_json::value::RawValue>> {
        let mut body = Vec::with_capacity(2048);
        self.write_response(State::Running, ObjectWriter::new(&mut body));
        super::input::outputs(&body).expect("what the writer wrote has an output")
    }

    fn write_response(&self, state: State<'_>, object: ObjectWriter<'_>) {
        self.response.write(state, &self.items, self.used.as_ref(), object);
    }

    fn begin(&mut self, out: &mut BytesMut) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        for name in ["response.created", "response.in_progress"] {
            let response = &self.response;
            self.wire.event(out, name, |event| response.write(State::Running, &[], None, event.object("response")));
        }
    }

    fn open(&mut self, index: usize, opening: Opening, out: &mut BytesMut) {
        match opening {
            Opening::Text => self.open_part(index, false, out),
            Opening::Refusal => self.open_part(index, true, out),
            Opening::Thinking => self.open_thinking(index, out),
            Opening::Call { id, name, custom } => {
                self.places.insert(index, Place::Held(Held::new(id, name, custom)));
            }
            Opening::Whole(block) => {
                if let Some(body) = Item::of_block(&block) {
                    self.whole(index, body, out);
                }
            }
        }
    }

    fn delta(&mut self, index: usize, delta: Delta, out: &mut BytesMut) {
        match (self.places.get_mut(&index), delta) {
            (Some(&mut Place::Part { item, part }), Delta::Text(piece)) => self.push_text(item, part, &piece, out),
            (Some(&mut Place::Item(item)), Delta::Text(piece)) => self.push_thought(item, &piece, out),
            (Some(&mut Place::Item(item)), Delta::Arguments(piece)) => self.push_arguments(item, &piece, out),
            (Some(&mut Place::Item(item)), Delta::Signature(signature)) => self.sign(item, &signature, out),
            (Some(Place::Held(held)), Delta::Signature(signature)) => held.sign(signature),
            (Some(Place::Held(held)), Delta::Arguments(piece)) => {
                if let Some(piece) = held.push(piece) {
                    let item = self.announce(index, out);
                    self.push_arguments(item, &piece, out);
                }
            }
            // What a block of that kind has no place for: readers do not send it.
            (Some(Place::Part { .. } | Place::Held(_)) | None, _) => {}
        }
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        match self.places.get(&index) {
            Some(&Place::Part { item, part }) => self.close_part(item, part, out),
            Some(&Place::Item(item)) => self.close_item(item, out),
            Some(Place::Held(_)) => {
                let item = self.announce(index, out);
                self.close_item(item, out);
            }
            None => return,
        }
        self.places.remove(&index);
    }

    /// Closes what is open: nothing comes after this but figures.
    fn stop(&mut self, stop: Stop, out: &mut BytesMut) {
        let open: Vec<usize> = self.places.keys().copied().collect();
        for index in open {
            self.close(index, out);
        }
        self.finish_messages(None, out);
        self.stop = Some(stop);
    }

    fn end(&mut self, out: &mut BytesMut) {
        if self.stop.is_none() {
            self.stop(Stop::Natural, out);
        }
        let stop = self.stop.take().unwrap_or(Stop::Natural);
        self.last(State::Ended(seen(&stop, &self.items)), out);
        self.stop = Some(stop);
        self.over = true;
    }
}

impl Writer {
    fn last(&self, state: State<'_>, out: &mut BytesMut) {
        self.wire.last_event(out, last_event(state), |event| self.write_response(state, event.object("response")));
    }
}

impl EventWriter for Writer {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        if self.over {
            return;
        }
        if !matches!(event, Event::Ping | Event::Usage(_) | Event::Error(_)) {
            self.begin(out);
        }
        match event {
            Event::Start { .. } | Event::Error(_) => {}
            Event::Open { index, opening } => self.open(index, opening, out),
            Event::Delta { index, delta } => self.delta(index, delta, out),
            Event::Close { index } => self.close(index, out),
            Event::Usage(used) => self.used = Some(used),
            Event::Stop(stop) => self.stop(stop, out),
            Event::End => self.end(out),
            Event::Ping => out.extend_from_slice(b": ping\n\n"),
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
        self.last(State::Failed { code, message }, out);
        self.over = true;
    }
}
