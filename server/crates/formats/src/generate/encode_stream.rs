//! A stream, written for a client. Blocks come out one after the other, whatever the order of their pieces; calls whole.

use std::collections::BTreeMap;

use bytes::BytesMut;

use super::super::{
    BlockDelta, BlockOpening, ResponseContext, StopReason, StreamEncoder, StreamEvent, ThinkingSignature, TokenUsage,
};
use super::chunks::{ChunkFraming, GenerateChunkWriter};
use super::encode_parts;

/// Writes one stream for a client.
#[derive(Debug)]
pub struct GenerateStreamEncoder {
    chunks: GenerateChunkWriter,
    /// Blocks that are not yet written to their end, by index: the first one is written, the others wait for it.
    blocks: BTreeMap<usize, BufferedBlock>,
    usage: TokenUsage,
    stop: Option<StopReason>,
}

/// A block that is being written.
#[derive(Debug)]
struct BufferedBlock {
    opening: BlockOpening,
    /// Text, or arguments, that is not written yet.
    text: String,
    signature: Option<ThinkingSignature>,
    closed: bool,
}

impl GenerateStreamEncoder {
    /// For a client that asked for events (`alt=sse`).
    #[must_use]
    pub fn new(echo: ResponseContext) -> Self {
        Self::framed(echo, ChunkFraming::Sse)
    }

    /// For a client that did not: one JSON list, an element for each chunk.
    #[must_use]
    pub fn array(echo: ResponseContext) -> Self {
        Self::framed(echo, ChunkFraming::Array)
    }

    fn framed(echo: ResponseContext, framing: ChunkFraming) -> Self {
        Self {
            chunks: GenerateChunkWriter::new(echo, framing),
            blocks: BTreeMap::new(),
            usage: TokenUsage::default(),
            stop: None,
        }
    }

    fn add(&mut self, index: usize, delta: BlockDelta) {
        let Some(held) = self.blocks.get_mut(&index) else { return };
        match delta {
            BlockDelta::Text(text) | BlockDelta::Arguments(text) => held.text.push_str(&text),
            BlockDelta::Signature(signature) => held.signature = Some(signature),
        }
    }

    /// Writes what the first block has, and goes on to the next when it is closed.
    fn drain(&mut self, out: &mut BytesMut) {
        while let Some(mut first) = self.blocks.first_entry() {
            let held = first.get_mut();
            match held.opening {
                BlockOpening::Text | BlockOpening::Refusal => {
                    self.chunks.write_text(std::mem::take(&mut held.text), false, out);
                }
                BlockOpening::Thinking => self.chunks.write_text(std::mem::take(&mut held.text), true, out),
                BlockOpening::Call { .. } | BlockOpening::Whole(_) => {}
            }
            if !held.closed {
                return;
            }
            let held = first.remove();
            self.end_block(held, out);
        }
    }

    fn end_block(&mut self, held: BufferedBlock, out: &mut BytesMut) {
        let BufferedBlock { opening, text, signature, closed: _ } = held;
        match opening {
            BlockOpening::Text | BlockOpening::Refusal => {}
            BlockOpening::Thinking => {
                if let Some(signature) = signature {
                    self.chunks.sign(&signature, out);
                }
            }
            BlockOpening::Call { id, name, custom: _ } => {
                self.chunks.put(encode_parts::call(&id, &name, &text, signature.as_ref()), out);
            }
            BlockOpening::Whole(block) => {
                if let Some(part) = encode_parts::part(&block) {
                    self.chunks.put(part, out);
                }
            }
        }
    }
}

impl StreamEncoder for GenerateStreamEncoder {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        if self.chunks.ended() {
            return;
        }
        match event {
            StreamEvent::Open { index, opening } => {
                let held = BufferedBlock { opening, text: String::new(), signature: None, closed: false };
                self.blocks.insert(index, held);
            }
            StreamEvent::Delta { index, delta } => {
                self.add(index, delta);
                self.drain(out);
            }
            StreamEvent::Close { index } => {
                if let Some(held) = self.blocks.get_mut(&index) {
                    held.closed = true;
                }
                self.drain(out);
            }
            StreamEvent::Usage(usage) => self.usage = usage,
            StreamEvent::Stop(stop) => self.stop = Some(stop),
            StreamEvent::End => {
                self.blocks.values_mut().for_each(|held| held.closed = true);
                self.drain(out);
                self.chunks.end(self.stop.as_ref().unwrap_or(&StopReason::Natural), &self.usage, out);
            }
            // Nothing may stand between chunks, and `fail` tells of errors.
            StreamEvent::Start { .. } | StreamEvent::Error(_) | StreamEvent::Ping => {}
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        if !self.chunks.ended() {
            self.chunks.fail(body, out);
        }
    }
}
