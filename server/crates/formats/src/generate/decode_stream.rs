//! A provider's stream, read. It has no terminator of its own: an answer is complete when it has said why it ended.

use super::super::json::{JsonObject, JsonValue};
use super::super::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, MalformedResponse, StopReason, StreamDecoder, StreamEvent,
};
use super::decode_parts::{self, PartDecoder};
use super::stop_reason;

/// Reads one stream of a provider.
#[derive(Debug)]
pub struct GenerateStreamDecoder {
    parts: PartDecoder,
    started: bool,
    /// Blocks opened so far.
    opened: usize,
    /// The block that is open, and whether it is thought.
    open: Option<(usize, bool)>,
    /// The last reason for the end. Some send one with every chunk, and usage after it: it counts when the stream is over.
    reason: Option<String>,
    blocked: bool,
    failed: bool,
}

impl GenerateStreamDecoder {
    /// Of a stream of `upstream`.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        Self {
            parts: PartDecoder::new(upstream),
            started: false,
            opened: 0,
            open: None,
            reason: None,
            blocked: false,
            failed: false,
        }
    }

    fn chunk(
        &mut self,
        mut chunk: JsonObject<'_>,
        data: &[u8],
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedResponse> {
        if let Some(error) = decode_parts::error(&mut chunk) {
            self.failed = true;
            out.push(StreamEvent::Error(error));
            return Ok(());
        }
        if !std::mem::replace(&mut self.started, true) {
            let id = chunk.text(&["responseId", "response_id"]).ok().flatten().unwrap_or_default();
            out.push(StreamEvent::Start { id });
        }
        let candidates = chunk.list(&["candidates"])?;
        let feedback = chunk.value(&["promptFeedback", "prompt_feedback"]);
        self.blocked |= candidates.is_empty() && feedback.as_ref().is_some_and(decode_parts::blocked);
        for candidate in candidates {
            self.candidate(candidate.object()?, data, out)?;
        }
        out.extend(decode_parts::usage(&mut chunk).map(StreamEvent::Usage));
        Ok(())
    }

    fn candidate(
        &mut self,
        mut candidate: JsonObject<'_>,
        data: &[u8],
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedResponse> {
        // Only one answer is asked for.
        if candidate.whole(&["index"])?.unwrap_or(0) != 0 {
            return Ok(());
        }
        for part in decode_parts::parts(&mut candidate)? {
            for block in self.parts.blocks(&part, data)? {
                self.block(block, out);
            }
        }
        let reason = candidate.text(&["finishReason", "finish_reason"])?;
        let reason = reason.filter(|reason| !reason.is_empty() && reason != "FINISH_REASON_UNSPECIFIED");
        self.reason = reason.or(self.reason.take());
        Ok(())
    }

    fn block(&mut self, block: ContentBlock, out: &mut Vec<StreamEvent>) {
        match block.kind {
            BlockKind::Text(text) => {
                let index = self.piece(false, out);
                out.push(StreamEvent::Delta { index, delta: BlockDelta::Text(text) });
            }
            BlockKind::Thinking { text, signature, .. } => {
                let index = self.piece(true, out);
                if !text.is_empty() {
                    out.push(StreamEvent::Delta { index, delta: BlockDelta::Text(text) });
                }
                if let Some(signature) = signature {
                    out.push(StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) });
                    self.close(out);
                }
            }
            BlockKind::Call { id, name, arguments, custom, signature } => {
                let index = self.next(BlockOpening::Call { id, name, custom }, out);
                // First the signature: some clients are sent it with the call's id.
                out.extend(
                    signature.map(|signature| StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) }),
                );
                if !arguments.is_empty() {
                    out.push(StreamEvent::Delta { index, delta: BlockDelta::Arguments(arguments) });
                }
                out.push(StreamEvent::Close { index });
            }
            kind @ (BlockKind::Refusal(_)
            | BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::CallResult { .. }
            | BlockKind::ClosedThinking(_)
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. }) => {
                let index = self.next(BlockOpening::Whole(Box::new(ContentBlock { kind, ..block })), out);
                out.push(StreamEvent::Close { index });
            }
        }
    }

    /// The open block of that kind, or a new one.
    fn piece(&mut self, thought: bool, out: &mut Vec<StreamEvent>) -> usize {
        match self.open {
            Some((index, open)) if open == thought => index,
            _ => {
                let index = self.next(if thought { BlockOpening::Thinking } else { BlockOpening::Text }, out);
                self.open = Some((index, thought));
                index
            }
        }
    }

    fn next(&mut self, opening: BlockOpening, out: &mut Vec<StreamEvent>) -> usize {
        self.close(out);
        let index = self.opened;
        self.opened += 1;
        out.push(StreamEvent::Open { index, opening });
        index
    }

    fn close(&mut self, out: &mut Vec<StreamEvent>) {
        out.extend(self.open.take().map(|(index, _)| StreamEvent::Close { index }));
    }
}

impl StreamDecoder for GenerateStreamDecoder {
    fn read(&mut self, _name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
        let data = data.trim_ascii();
        // The word of another format; some who speak this one say it too.
        if self.failed || data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        self.chunk(JsonValue::document(data)?.object()?, data, out)
    }

    fn finished(&self) -> bool {
        self.reason.is_some() || self.blocked
    }

    fn finish(&mut self, out: &mut Vec<StreamEvent>) {
        self.close(out);
        if self.failed {
            return;
        }
        let stop = match self.reason.take() {
            Some(reason) => stop_reason::stop(&reason, self.parts.called()),
            None if self.blocked => StopReason::Refused,
            // Broken off.
            None => return,
        };
        out.extend([StreamEvent::Stop(stop), StreamEvent::End]);
    }
}
