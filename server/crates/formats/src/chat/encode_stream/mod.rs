//! A streamed answer, written for a client.

mod chunk;
mod open;

use bytes::BytesMut;

use super::super::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, ResponseContext, StopReason, StreamEncoder, StreamEvent,
    ThinkingSignature, TokenUsage,
};
use super::encode_response::{address, images};
use super::signed::{self, ReasoningDetail};
use super::{answer, stop};
use chunk::ChatChunkWriter;
pub(super) use chunk::{done, error, event};
use open::{OpenChatCall, OpenThought};

/// Writes one stream. Clients put deltas together by joining, so each id, name and role is written once.
#[derive(Debug)]
pub struct ChatStreamEncoder {
    chunks: ChatChunkWriter,
    /// Ids of calls that have none are made of it.
    answer: String,
    started: bool,
    open: Vec<(usize, OpenChatBlock)>,
    calls: CallCounters,
    /// The number of details of thoughts that were written.
    details: usize,
    /// The number of pictures that were written.
    images: usize,
    refused: bool,
    stop: StopReason,
    usage: Option<TokenUsage>,
}

/// A block that is open.
#[derive(Debug)]
enum OpenChatBlock {
    Text,
    Refusal,
    Thinking(OpenThought),
    Call(OpenChatCall),
}

/// The state that calls share.
#[derive(Debug, Default)]
struct CallCounters {
    /// The number of calls opened.
    opened: usize,
    /// The number of calls written of: the next one's index.
    written: usize,
    /// The signature of a thought, to be put on the next call's id.
    riding: Option<ThinkingSignature>,
}

impl ChatStreamEncoder {
    /// For one answer.
    #[must_use]
    pub fn new(echo: ResponseContext) -> Self {
        Self {
            chunks: ChatChunkWriter::new(&echo),
            answer: echo.id,
            started: false,
            open: Vec::new(),
            calls: CallCounters::default(),
            details: 0,
            images: 0,
            refused: false,
            stop: StopReason::Natural,
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

    fn open(&mut self, index: usize, opening: BlockOpening, out: &mut BytesMut) {
        let open = match opening {
            BlockOpening::Text => OpenChatBlock::Text,
            BlockOpening::Refusal => OpenChatBlock::Refusal,
            BlockOpening::Thinking => OpenChatBlock::Thinking(OpenThought::default()),
            BlockOpening::Call { id, name, custom } => {
                let id = if id.is_empty() { answer::made_id(&self.answer, self.calls.opened) } else { id };
                self.calls.opened += 1;
                OpenChatBlock::Call(OpenChatCall::new(id, name, custom, self.calls.riding.take()))
            }
            BlockOpening::Whole(block) => return self.whole(index, *block, out),
        };
        self.open.push((index, open));
    }

    fn delta(&mut self, index: usize, delta: BlockDelta, out: &mut BytesMut) {
        let Some((_, open)) = self.open.iter_mut().find(|(open, _)| *open == index) else { return };
        match (open, delta) {
            (OpenChatBlock::Text, BlockDelta::Text(text)) => self.chunks.text("content", &text, out),
            (OpenChatBlock::Refusal, BlockDelta::Text(text)) => {
                self.refused = true;
                self.chunks.text("refusal", &text, out);
            }
            (OpenChatBlock::Thinking(thought), BlockDelta::Text(text)) => {
                self.chunks.text("reasoning_content", &text, out);
                thought.text.push_str(&text);
            }
            (OpenChatBlock::Thinking(thought), BlockDelta::Signature(signature)) => thought.signature = Some(signature),
            (OpenChatBlock::Call(call), BlockDelta::Arguments(arguments) | BlockDelta::Text(arguments)) => {
                call.arguments(&arguments, &mut self.calls.written, &self.chunks, out);
            }
            (OpenChatBlock::Call(call), BlockDelta::Signature(signature)) => call.sign(signature, &self.chunks, out),
            (OpenChatBlock::Text | OpenChatBlock::Refusal | OpenChatBlock::Thinking(_), _) => {}
        }
    }

    fn close(&mut self, index: usize, out: &mut BytesMut) {
        let Some(position) = self.open.iter().position(|(open, _)| *open == index) else { return };
        match self.open.remove(position).1 {
            OpenChatBlock::Thinking(OpenThought { text, signature: Some(signature) }) => {
                self.detail(Some(text), signature, out);
            }
            OpenChatBlock::Text | OpenChatBlock::Refusal | OpenChatBlock::Thinking(_) => {}
            OpenChatBlock::Call(mut call) => call.close(&mut self.calls.written, &self.chunks, out),
        }
    }

    /// A thought with its signature; on the next call's id too, for clients that send nothing else back.
    fn detail(&mut self, text: Option<String>, signature: ThinkingSignature, out: &mut BytesMut) {
        let riding = signed::signature_for_call_id(&signature, text.as_deref());
        self.calls.riding = riding.or(self.calls.riding.take());
        let detail = ReasoningDetail { text, id: signature.item.clone(), signature };
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
    fn whole(&mut self, index: usize, block: ContentBlock, out: &mut BytesMut) {
        let (opening, text, signature) = match block.kind {
            BlockKind::Text(text) => (BlockOpening::Text, BlockDelta::Text(text), None),
            BlockKind::Refusal(text) => (BlockOpening::Refusal, BlockDelta::Text(text), None),
            BlockKind::Thinking { text, signature, .. } => (BlockOpening::Thinking, BlockDelta::Text(text), signature),
            BlockKind::Call { id, name, arguments, custom, signature } => {
                (BlockOpening::Call { id, name, custom }, BlockDelta::Arguments(arguments), signature)
            }
            BlockKind::ClosedThinking(signature) => return self.detail(None, signature, out),
            BlockKind::Image(media) => {
                let addresses: Vec<String> = address(&media).into_iter().collect();
                self.chunks.delta(out, |delta| images(&addresses, self.images, delta));
                self.images += 1;
                return;
            }
            BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::CallResult { .. }
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. } => return,
        };
        self.open(index, opening, out);
        if let Some(signature) = signature {
            self.delta(index, BlockDelta::Signature(signature), out);
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

impl StreamEncoder for ChatStreamEncoder {
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut) {
        match event {
            StreamEvent::Start { .. } => self.start(out),
            StreamEvent::Open { index, opening } => {
                self.start(out);
                self.open(index, opening, out);
            }
            StreamEvent::Delta { index, delta } => self.delta(index, delta, out),
            StreamEvent::Close { index } => self.close(index, out),
            StreamEvent::Usage(usage) => self.usage = Some(usage),
            StreamEvent::Stop(stop) => self.stop = stop,
            StreamEvent::End => {
                self.start(out);
                self.end(out);
            }
            StreamEvent::Error(_) => {}
            // A comment: the SDKs of this format pass it over.
            StreamEvent::Ping => out.extend_from_slice(b": ping\n\n"),
        }
    }

    fn fail(&mut self, _code: &str, _message: &str, body: &[u8], out: &mut BytesMut) {
        error(body, out);
    }
}
