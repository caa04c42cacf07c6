//! The blocks of a streamed answer. The format has no word for where one begins or ends: a change of kind tells.

use super::super::origin::MessageOrigin;
use super::calls::PartialCalls;
use crate::{BlockDelta, BlockKind, BlockOpening, ContentBlock, StreamEvent, ThinkingSignature};

/// The kinds of block that come in pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamedTextKind {
    Text,
    Refusal,
    Thinking,
}

/// The blocks so far.
#[derive(Debug, Default)]
pub struct ChatStreamBlocks {
    /// The number of blocks opened.
    pub opened: usize,
    /// The calls, which stay open to the end: their pieces may alternate.
    pub calls: PartialCalls,
    /// True if there was a refusal.
    pub refused: bool,
    flow: Option<(StreamedTextKind, usize)>,
    /// The text of the open thought so far.
    thought: String,
    /// True if the open thought has its signature.
    signed: bool,
}

impl ChatStreamBlocks {
    /// More of a text. Empty pieces open nothing.
    pub fn words(
        &mut self,
        flow: StreamedTextKind,
        text: String,
        origin: MessageOrigin<'_>,
        out: &mut Vec<StreamEvent>,
    ) {
        if text.is_empty() {
            return;
        }
        let index = self.open(flow, origin, out);
        if flow == StreamedTextKind::Thinking {
            self.thought.push_str(&text);
        }
        out.push(StreamEvent::Delta { index, delta: BlockDelta::Text(text) });
    }

    /// More of a thought: its text, its signature, or both; or one that is closed.
    pub fn thought(&mut self, block: ContentBlock, origin: MessageOrigin<'_>, out: &mut Vec<StreamEvent>) {
        let BlockKind::Thinking { text, signature, .. } = block.kind else { return self.whole(block, out) };
        let signature = signature.filter(|signature| !signature.text.is_empty());
        // A signature may come with the whole of what it signs, which was told already.
        let was_told = signature.is_some() && text == self.thought;
        if !was_told {
            self.words(StreamedTextKind::Thinking, text, origin, out);
        }
        if let Some(signature) = signature {
            let index = self.open(StreamedTextKind::Thinking, origin, out);
            self.sign(index, signature, out);
        }
    }

    /// A piece of content.
    pub fn said(&mut self, block: ContentBlock, origin: MessageOrigin<'_>, out: &mut Vec<StreamEvent>) {
        match block.kind {
            BlockKind::Text(text) => self.words(StreamedTextKind::Text, text, origin, out),
            BlockKind::Refusal(text) => self.words(StreamedTextKind::Refusal, text, origin, out),
            BlockKind::Thinking { .. } => self.thought(block, origin, out),
            BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::Call { .. }
            | BlockKind::CallResult { .. }
            | BlockKind::ClosedThinking(_)
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. } => self.whole(block, out),
        }
    }

    /// A block that comes in one piece.
    pub fn whole(&mut self, mut block: ContentBlock, out: &mut Vec<StreamEvent>) {
        block.at.clear();
        let index = self.opened;
        self.opened += 1;
        out.push(StreamEvent::Open { index, opening: BlockOpening::Whole(Box::new(block)) });
        out.push(StreamEvent::Close { index });
    }

    /// Closes the text that is open. An unsigned thought of the upstream gets the signature by which it finds back.
    pub fn end_flow(&mut self, origin: MessageOrigin<'_>, out: &mut Vec<StreamEvent>) {
        let Some((flow, index)) = self.flow.take() else { return };
        if flow == StreamedTextKind::Thinking
            && !self.signed
            && let Some(signature) = origin.unsigned()
        {
            self.sign(index, signature, out);
        }
        out.push(StreamEvent::Close { index });
    }

    /// Closes everything. Tells whether a call stayed without a name.
    pub fn end(&mut self, origin: MessageOrigin<'_>, out: &mut Vec<StreamEvent>) -> bool {
        self.end_flow(origin, out);
        self.calls.end(out)
    }

    fn open(&mut self, flow: StreamedTextKind, origin: MessageOrigin<'_>, out: &mut Vec<StreamEvent>) -> usize {
        if let Some((open, index)) = self.flow
            && open == flow
        {
            return index;
        }
        self.end_flow(origin, out);
        let index = self.opened;
        self.opened += 1;
        self.flow = Some((flow, index));
        self.signed = false;
        self.thought.clear();
        self.refused |= flow == StreamedTextKind::Refusal;
        let opening = match flow {
            StreamedTextKind::Text => BlockOpening::Text,
            StreamedTextKind::Refusal => BlockOpening::Refusal,
            StreamedTextKind::Thinking => BlockOpening::Thinking,
        };
        out.push(StreamEvent::Open { index, opening });
        index
    }

    fn sign(&mut self, index: usize, signature: ThinkingSignature, out: &mut Vec<StreamEvent>) {
        if !std::mem::replace(&mut self.signed, true) {
            out.push(StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) });
        }
    }
}
