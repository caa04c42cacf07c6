//! A streamed answer, written for a client.

mod chunk;
mod open;

use bytes::BytesMut;

use super::super::{Block, Delta, Echo, Event, EventWriter, Kind, Opening, Signature, Stop, Usage};
use super::reply_out::{address, images};
use super::signed::{self, Detail};
use super::{answer, stop};
use chunk::Chunks;
pub(super) use chunk::{done, error, event};
use open::{Call, Thought};

/// Writes one stream. Clients put deltas together by joining, so each id, name and role is written once.
#[derive(Debug)]
pub struct Writer {
    chunks: Chunks,
    /// Ids of calls that have none are made of it.
    answer: String,
    started: bool,
    open: Vec<(usize, Open)>,
    calls: Calls,
    /// The number of details of thoughts that were written.
    details: usize,
    /// The number of pictures that were written.
    images: usize,
    refused: bool,
    stop: Stop,
    usage: Option<Usage>,
}

/// A block that is open.
#[derive(Debug)]
enum Open {
    Text,
    Refusal,
    Thinking(Thought),
    Call(Call),
}

/// The state that calls share.
#[derive(Debug, Default)]
struct Calls {
    /// The number of calls opened.
    opened: usize,
    /// The number of calls written of: the next one's index.
    written: usize,
    /// The signature of a thought, to be put on the next call's id.
    riding: Option<Signature>,
}

impl Writer {
    /// For one answer.
    #[must_use]
    pub fn new(echo: Echo) -> Self {
        Self {
            chunks: Chunks::new(&echo),
            answer: echo.id,
            started: false,
            open: Vec::new(),
            calls: Calls::default(),
            details: 0,
            images: 0,
            refused: false,
            stop: Stop::Natural,
            usage: None,
        }
    }

    fn start(&mut self, out: &mut BytesMut) {
        if !std::mem::replace(&mut self.started, true) {
            self.chunks.delta(out, |delta| {
                delta.member("role", "assistant").member("content", "");
            });
        }
    }

    fn open(&mut self, index: usize, opening: Opening, out: &mut BytesMut) {
        let open = match opening {
            Opening::Text => Open::Text,
            Opening::Refusal => Open::Refusal,
            Opening::Thinking => Open::Thinking(Thought::default()),
            Opening::Call { id, name, custom } => {
                let id = if id.is_empty() { answer::made_id(&self.answer, self.calls.opened) } else { id };
                self.calls.opened += 1;
                Open::Call(Call::new(id, name, custom, self.calls.riding.take()))
            }
            Opening::Whole(block) => return self.whole(index, *block, out),
        };
        self.open.push((index, open));
    }

    fn delta(&mut self, index: usize, delta: Delta, out: &mut BytesMut) {
        let Some((_, open)) = self.open.iter_mut().find(|(open, _)| *open == index) else { return };
        match (open, delta) {
            (Open::Text, Delta::Text(text)) => self.chunks.text("content", &text, out),
            (Open::Refusal, Delta::Text(text)) => {
                self.refused = true;
                self.chunks.text("refusal", &text, out);
            }
            (Open::Thinking(thought), Delta::Text(text)) => {
                self.chunks.text("reasoning_content", &text, out);
                thought.text.push_str(&text);
            }
            (Open::Thinking(thought), Delta::Signature(signature)) => thought.signature = Some(signature),
            (Open::Call(call), Delta::Arguments(arguments) | Delta::Text(arguments)) => {
                call.arguments(&arguments, &mut self.calls.written, &self.chunks, out);
            }
            (Open::Call(call), Delta::Signature(signature)) => call.sign(signature, &self.chunks, out),
            (Open::Text | Open::Refusal | Open::Thinking(_), _) => {}
        }
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        let Some(position) = self.open.iter().position(|(open, _)| *open == index) else { return };
        match self.open.remove(position).1 {
            Open::Thinking(Thought { text, signature: Some(signature) }) => self.detail(Some(text), signature, out),
            Open::Text | Open::Refusal | Open::Thinking(_) => {}
            Open::Call(mut call) => call.close(&mut self.calls.written, &self.chunks, out),
        }
    }

    /// A thought with its signature; on the next call's id too, for clients that send nothing else back.
    fn detail(&mut self, text: Option<String>, signature: Signature, out: &mut BytesMut) {
        let riding = signed::riding(&signature, text.as_deref());
        self.calls.riding = riding.or(self.calls.riding.take());
        let detail = Detail { text, id: signature.item.clone(), signature };
        if detail.is_needed() {
            self.chunks.delta(out, |delta| {
                let mut list = delta.array("reasoning_details");
                detail.write(self.details, &mut list);
                list.end();
            });
            self.details += 1;
        }
    }

    /// A block in one piece: as if it came in pieces where this format has it so. What it has no place for is left out.
    fn whole(&mut self, index: usize, block: Block, out: &mut BytesMut) {
        let (opening, text, signature) = match block.kind {
            Kind::Text(text) => (Opening::Text, Delta::Text(text), None),
            Kind::Refusal(text) => (Opening::Refusal, Delta::Text(text), None),
            Kind::Thinking { text, signature, .. } => (Opening::Thinking, Delta::Text(text), signature),
            Kind::Call { id, name, arguments, custom, signature } => {
                (Opening::Call { id, name, custom }, Delta::Arguments(arguments), signature)
            }
            Kind::ClosedThinking(signature) => return self.detail(None, signature, out),
            Kind::Image(media) => {
                let addresses: Vec<String> = address(&media).into_iter().collect();
                self.chunks.delta(out, |delta| images(&addresses, self.images, delta));
                self.images += 1;
                return;
            }
            Kind::Document(_)
            | Kind::Audio(_)
            | Kind::Video(_)
            | Kind::CallResult { .. }
            | Kind::Compaction { .. }
            | Kind::Other { .. } => return,
        };
        self.open(index, opening, out);
        if let Some(signature) = signature {
            self.delta(index, Delta::Signature(signature), out);
        }
        self.delta(index, text, out);
        self.close(index, out);
    }

    fn end(&mut self, out: &mut BytesMut) {
        while let Some((index, _)) = self.open.first() {
            self.close(*index, out);
        }
        self.chunks.finish(stop::word(&self.stop, self.refused), out);
        if let Some(usage) = &self.usage {
            self.chunks.usage(usage, out);
        }
        done(out);
    }
}

impl EventWriter for Writer {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        match event {
            Event::Start { .. } => self.start(out),
            Event::Open { index, opening } => {
                self.start(out);
                self.open(index, opening, out);
            }
            Event::Delta { index, delta } => self.delta(index, delta, out),
            Event::Close { index } => self.close(index, out),
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Stop(stop) => self.stop = stop,
            Event::End => {
                self.start(out);
                self.end(out);
            }
            Event::Error(_) => {}
            // A comment: the SDKs of this format pass it over.
            Event::Ping => out.extend_from_slice(b": ping\n\n"),
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        error(body, out);
    }
}
