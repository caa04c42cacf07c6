//! Streams for clients.
//!
//! Each event has a name, which is its type too; blocks never interleave and their indexes count from 0; a block is opened
//! at its first content, so that none is empty. What ends the answer is held back until the end: only then are the counts
//! known and the charge recorded.

mod blocks;
mod wire;

use bytes::BytesMut;

use super::super::{Echo, Event, EventWriter, Opening, Sequencer, Stop, Usage};
use super::{reply_out, stop, usage};
use blocks::Blocks;

/// Writes one stream.
#[derive(Debug)]
pub struct Writer {
    echo: Echo,
    state: State,
    sequencer: Sequencer,
    blocks: Blocks,
    usage: Option<Usage>,
    stop: Option<Stop>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing has come.
    New,
    /// The answer has begun; the event that says so waits for the counts that may come with it.
    Begun,
    /// The client knows.
    Told,
    /// Nothing may follow.
    Over,
}

impl Writer {
    /// With what the request said.
    #[must_use]
    pub fn new(echo: Echo) -> Self {
        let (sequencer, blocks) = (Sequencer::default(), Blocks::new(echo.thinks));
        Self { echo, state: State::New, sequencer, blocks, usage: None, stop: None }
    }

    fn one(&mut self, event: Event, out: &mut BytesMut) {
        match event {
            Event::Start { .. } => {
                self.state = State::Begun;
                return;
            }
            Event::Usage(usage) => {
                self.usage = Some(usage);
                return;
            }
            Event::Open { .. }
            | Event::Delta { .. }
            | Event::Close { .. }
            | Event::Stop(_)
            | Event::Ping
            | Event::End
            | Event::Error(_) => self.tell_start(out),
        }
        match event {
            Event::Open { opening: Opening::Whole(block), .. } => self.blocks.whole(&block, out),
            Event::Open { opening, .. } => self.blocks.open(opening),
            Event::Delta { delta, .. } => self.blocks.add(delta, out),
            Event::Close { .. } => self.blocks.close(out),
            Event::Stop(stop) => self.stop = Some(stop),
            Event::Ping => wire::event("ping", out, |_| {}),
            Event::End => self.end(out),
            Event::Start { .. } | Event::Usage(_) | Event::Error(_) => {}
        }
    }

    fn tell_start(&mut self, out: &mut BytesMut) {
        if self.state != State::Begun {
            return;
        }
        self.state = State::Told;
        wire::event("message_start", out, |data| {
            let mut message = data.object("message");
            message.member("id", &reply_out::id(&self.echo)).member("type", "message").member("role", "assistant");
            message.member("model", &self.echo.model).array("content").end();
            message.member("stop_reason", &()).member("stop_sequence", &());
            let mut counts = message.object("usage");
            usage::write(self.usage, &mut counts);
            counts.end();
            message.end();
        });
    }

    fn end(&mut self, out: &mut BytesMut) {
        self.blocks.close(out);
        let natural = if self.blocks.called() { Stop::Calls } else { Stop::Natural };
        let (reason, sequence) = stop::write(self.stop.as_ref().unwrap_or(&natural), self.blocks.refused());
        wire::event("message_delta", out, |data| {
            let mut delta = data.object("delta");
            delta.member("stop_reason", reason).member("stop_sequence", &sequence);
            delta.end();
            let mut counts = data.object("usage");
            usage::write(self.usage, &mut counts);
            counts.end();
        });
        wire::event("message_stop", out, |_| {});
        self.state = State::Over;
    }
}

impl EventWriter for Writer {
    fn write(&mut self, event: Event, out: &mut BytesMut) {
        let mut ordered = Vec::with_capacity(1);
        self.sequencer.take(event, &mut ordered);
        for event in ordered {
            if self.state != State::Over {
                self.one(event, out);
            }
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        if self.state != State::Over {
            wire::send("error", body, out);
            self.state = State::Over;
        }
    }
}
