//! Streams for clients.
//!
//! Each event has a name, which is its type too; blocks never interleave and their indexes count from 0; a block is opened
//! at its first content, so that none is empty. What ends the answer is held back until the end: only then are the counts
//! known and the charge recorded.

mod blocks;
mod wire;

use bytes::BytesMut;

use super::super::{BlockOpening, BlockSequencer, ResponseContext, StopReason, StreamEncoder, StreamEvent, TokenUsage};
use super::{encode_response, stop, usage};
use blocks::StreamBlockEncoder;

/// Writes one stream.
#[derive(Debug)]
pub struct MessagesStreamEncoder {
    echo: ResponseContext,
    state: MessagesStreamState,
    sequencer: BlockSequencer,
    blocks: StreamBlockEncoder,
    usage: Option<TokenUsage>,
    stop: Option<StopReason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessagesStreamState {
    /// Nothing has come.
    New,
    /// The answer has begun; the event that says so waits for the counts that may come with it.
    Begun,
    /// The client knows.
    Told,
    /// Nothing may follow.
    Over,
}

impl MessagesStreamEncoder {
    /// With what the request said.
    #[must_use]
    pub fn new(echo: ResponseContext) -> Self {
        let (sequencer, blocks) = (BlockSequencer::default(), StreamBlockEncoder::new(echo.thinks));
        Self { echo, state: MessagesStreamState::New, sequencer, blocks, usage: None, stop: None }
    }

    fn one(&mut self, event: StreamEvent, out: &mut BytesMut) {
        match event {
            StreamEvent::Start { .. } => {
                self.state = MessagesStreamState::Begun;
                return;
            }
            StreamEvent::Usage(usage) => {
                self.usage = Some(usage);
                return;
            }
            StreamEvent::Open { .. }
            | StreamEvent::Delta { .. }
            | StreamEvent::Close { .. }
            | StreamEvent::Stop(_)
            | StreamEvent::Ping
            | StreamEvent::End
            | StreamEvent::Error(_) => self.tell_start(out),
        }
        match event {
            StreamEvent::Open { opening: BlockOpening::Whole(block), .. } => self.blocks.whole(&block, out),
            StreamEvent::Open { opening, .. } => self.blocks.open(opening),
            StreamEvent::Delta { delta, .. } => self.blocks.add(delta, out),
            StreamEvent::Close { .. } => self.blocks.close(out),
            StreamEvent::Stop(stop) => self.stop = Some(stop),
            StreamEvent::Ping => wire::event("ping", out, |_| {}),
            StreamEvent::End => self.end(out),
            StreamEvent::Start { .. } | StreamEvent::Usage(_) | StreamEvent::Error(_) => {}
        }
    }

    fn tell_start(&mut self, out: &mut BytesMut) {
        if self.state != MessagesStreamState::Begun {
            return;
        }
        self.state = MessagesStreamState::Told;
        wire::event("message_start", out, |data| {
            let mut message = data.object("message");
            message
                .member("id", &encode_response::id(&self.echo))
                .member("type", "message")
                .member("role", "assistant");
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
        let natural = if self.blocks.called() { StopReason::Calls } else { StopReason::Natural };
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
        self.state = MessagesStreamState::Over;
    }
}

impl StreamEncoder for MessagesStreamEncoder {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        let mut ordered = Vec::with_capacity(1);
        self.sequencer.take(event, &mut ordered);
        for event in ordered {
            if self.state != MessagesStreamState::Over {
                self.one(event, out);
            }
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        if self.state != MessagesStreamState::Over {
            wire::send("error", body, out);
            self.state = MessagesStreamState::Over;
        }
    }
}
