//! A stream, written for a client. Blocks come out one after the other, whatever the order of their pieces; calls whole.

use std::collections::BTreeMap;

use bytes::BytesMut;

use super::super::{Delta, Echo, Event, EventWriter, Opening, Signature, Stop, Usage};
use super::answer_out;
use super::chunks::{Chunks, Framing};

/// Writes one stream for a client.
#[derive(Debug)]
pub struct Writer {
    chunks: Chunks,
    /// Blocks that are not yet written to their end, by index: the first one is written, the others wait for it.
    blocks: BTreeMap<usize, Held>,
    usage: Usage,
    stop: Option<Stop>,
}

/// A block that is being written.
#[derive(Debug)]
struct Held {
    opening: Opening,
    /// Text, or arguments, that is not written yet.
    text: String,
    signature: Option<Signature>,
    closed: bool,
}

impl Writer {
    /// For a client that asked for events (`alt=sse`).
    #[must_use]
    pub fn new(echo: Echo) -> Self {
        Self::framed(echo, Framing::Sse)
    }

    /// For a client that did not: one JSON list, an element for each chunk.
    #[must_use]
    pub fn array(echo: Echo) -> Self {
        Self::framed(echo, Framing::Array)
    }

    fn framed(echo: Echo, framing: Framing) -> Self {
        Self { chunks: Chunks::new(echo, framing), blocks: BTreeMap::new(), usage: Usage::default(), stop: None }
    }

    fn add(&mut self, index: usize, delta: Delta) {
        let Some(held) = self.blocks.get_mut(&index) else { return };
        match delta {
            Delta::Text(text) | Delta::Arguments(text) => held.text.push_str(&text),
            Delta::Signature(signature) => held.signature = Some(signature),
        }
    }

    /// Writes what the first block has, and goes on to the next when it is closed.
    fn drain(&mut self, out: &mut BytesMut) {
        while let Some(mut first) = self.blocks.first_entry() {
            let held = first.get_mut();
            match held.opening {
                Opening::Text | Opening::Refusal => self.chunks.say(std::mem::take(&mut held.text), false, out),
                Opening::Thinking => self.chunks.say(std::mem::take(&mut held.text), true, out),
                Opening::Call { .. } | Opening::Whole(_) => {}
            }
            if !held.closed {
                return;
            }
            let held = first.remove();
            self.end_block(held, out);
        }
    }

    fn end_block(&mut self, held: Held, out: &mut BytesMut) {
        let Held { opening, text, signature, closed: _ } = held;
        match opening {
            Opening::Text | Opening::Refusal => {}
            Opening::Thinking => {
                if let Some(signature) = signature {
                    self.chunks.sign(&signature, out);
                }
            }
            Opening::Call { id, name, custom: _ } => {
                self.chunks.put(answer_out::call(&id, &name, &text, signature.as_ref()), out);
            }
            Opening::Whole(block) => {
                if let Some(part) = answer_out::part(&block) {
                    self.chunks.put(part, out);
                }
            }
        }
    }
}

impl EventWriter for Writer {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        if self.chunks.ended() {
            return;
        }
        match event {
            Event::Open { index, opening } => {
                let held = Held { opening, text: String::new(), signature: None, closed: false };
                self.blocks.insert(index, held);
            }
            Event::Delta { index, delta } => {
                self.add(index, delta);
                self.drain(out);
            }
            Event::Close { index } => {
                if let Some(held) = self.blocks.get_mut(&index) {
                    held.closed = true;
                }
                self.drain(out);
            }
            Event::Usage(usage) => self.usage = usage,
            Event::Stop(stop) => self.stop = Some(stop),
            Event::End => {
                self.blocks.values_mut().for_each(|held| held.closed = true);
                self.drain(out);
                self.chunks.end(self.stop.as_ref().unwrap_or(&Stop::Natural), &self.usage, out);
            }
            // Nothing may stand between chunks, and `fail` tells of errors.
            Event::Start { .. } | Event::Error(_) | Event::Ping => {}
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        if !self.chunks.ended() {
            self.chunks.fail(body, out);
        }
    }
}
