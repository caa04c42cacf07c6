//! Blocks of a stream, one after the other.

use bytes::BytesMut;

use super::super::{answer_block, call};
use super::wire;
use crate::json::ObjectWriter;
use crate::{BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, ThinkingSignature};

/// Writes the blocks of one stream.
#[derive(Debug, Default)]
pub struct StreamBlockEncoder {
    open: Option<OpenMessagesBlock>,
    /// The number of blocks written.
    count: usize,
    called: bool,
    refused: bool,
    /// True if one of them was a text.
    said: bool,
    /// True if the client asked for thinking.
    thinks: bool,
}

/// The block that is open.
#[derive(Debug)]
struct OpenMessagesBlock {
    opening: BlockOpening,
    /// Its index, once it was written.
    written: Option<usize>,
    signature: Option<ThinkingSignature>,
    /// The free text of a custom call, which the format has no word for but in an object.
    free: String,
}

impl StreamBlockEncoder {
    /// For a client that asked for thinking, or did not.
    pub fn new(thinks: bool) -> Self {
        Self { thinks, ..Self::default() }
    }

    /// True if one of the blocks was a call.
    pub fn called(&self) -> bool {
        self.called
    }

    /// True if one of the blocks was a refusal.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// Opens a block. The client is told with its first content.
    pub fn open(&mut self, opening: BlockOpening) {
        self.called |= matches!(opening, BlockOpening::Call { .. });
        self.refused |= matches!(opening, BlockOpening::Refusal);
        self.open = Some(OpenMessagesBlock { opening, written: None, signature: None, free: String::new() });
    }

    /// Adds to the open block.
    pub fn add(&mut self, delta: BlockDelta, out: &mut BytesMut) {
        let Some(open) = &mut self.open else { return };
        let custom = matches!(open.opening, BlockOpening::Call { custom: true, .. });
        match delta {
            BlockDelta::Signature(signature) => open.signature = Some(signature),
            BlockDelta::Text(text) | BlockDelta::Arguments(text) if text.is_empty() => {}
            BlockDelta::Text(text) | BlockDelta::Arguments(text) if custom => open.free.push_str(&text),
            BlockDelta::Text(text) | BlockDelta::Arguments(text) => self.piece(&text, out),
        }
    }

    /// Closes the open block. A call without arguments is one, and so is thinking that only its signature tells of, unless
    /// it is of the text before it and nobody asked for thinking; what else stayed without content was none.
    pub fn close(&mut self, out: &mut BytesMut) {
        let Some(open) = &mut self.open else { return };
        let is_call = matches!(open.opening, BlockOpening::Call { .. });
        let free = std::mem::take(&mut open.free);
        let of_text = self.said && !self.thinks;
        let signed = open.signature.as_ref().is_some_and(|signature| !(of_text && signature.may_sign_text()));
        if is_call || signed {
            self.begin(out);
        }
        if !free.is_empty() {
            self.piece(call::input(&free, true).get(), out);
        }
        let Some(OpenMessagesBlock { opening, written: Some(index), signature, .. }) = self.open.take() else { return };
        if let Some(signature) = signature.as_ref().filter(|_| !is_call) {
            wire::delta(index, "signature_delta", "signature", &signature.for_client(Format::Messages), out);
        }
        wire::stop(index, out);
        // A call's signature that came when the call had begun follows it.
        if let (BlockOpening::Call { id, .. }, Some(signature)) = (&opening, &signature) {
            self.carrier(id, signature, out);
        }
    }

    /// Writes a block that came whole, where the format has a word for it.
    pub fn whole(&mut self, block: &ContentBlock, out: &mut BytesMut) {
        if !answer_block::has_word(block) {
            return;
        }
        if let BlockKind::Call { id, signature: Some(signature), .. } = &block.kind {
            self.carrier(id, signature, out);
        }
        self.called |= matches!(block.kind, BlockKind::Call { .. });
        self.refused |= matches!(block.kind, BlockKind::Refusal(_));
        self.complete(out, |content| answer_block::fill(block, content));
    }

    /// Writes a piece in the words of the open block's kind.
    fn piece(&mut self, text: &str, out: &mut BytesMut) {
        let Some(index) = self.begin(out) else { return };
        let (word, name) = match self.open.as_ref().map(|open| &open.opening) {
            Some(BlockOpening::Text | BlockOpening::Refusal) => {
                self.said = true;
                ("text_delta", "text")
            }
            Some(BlockOpening::Thinking) => ("thinking_delta", "thinking"),
            Some(BlockOpening::Call { .. }) => ("input_json_delta", "partial_json"),
            Some(BlockOpening::Whole(_)) | None => return,
        };
        wire::delta(index, word, name, text, out);
    }

    /// Tells the client of the open block, unless that was done; returns its index. A call's signature, where it came by
    /// now, stands before the call.
    fn begin(&mut self, out: &mut BytesMut) -> Option<usize> {
        let open = self.open.as_mut()?;
        if open.written.is_some() {
            return open.written;
        }
        if let BlockOpening::Call { id, .. } = &open.opening {
            let (id, signature) = (id.clone(), open.signature.take());
            if let Some(signature) = signature {
                self.carrier(&id, &signature, out);
            }
        }
        let index = self.next();
        let open = self.open.as_mut()?;
        open.written = Some(index);
        wire::start(index, out, |content| empty(&open.opening, content));
        Some(index)
    }

    /// The signature of a call goes into a block of closed thinking: the client sends both back.
    fn carrier(&mut self, id: &str, signature: &ThinkingSignature, out: &mut BytesMut) {
        let data = call::carrier(&call::id(id), signature);
        self.complete(out, |content| answer_block::closed(&data, content));
    }

    fn complete(&mut self, out: &mut BytesMut, fill: impl FnOnce(&mut ObjectWriter<'_>)) {
        let index = self.next();
        wire::start(index, out, fill);
        wire::stop(index, out);
    }

    fn next(&mut self) -> usize {
        let index = self.count;
        self.count += 1;
        index
    }
}

/// Writes a block before its first piece.
fn empty(opening: &BlockOpening, content: &mut ObjectWriter<'_>) {
    match opening {
        BlockOpening::Text | BlockOpening::Refusal => answer_block::text("", content),
        BlockOpening::Thinking => answer_block::thinking("", None, content),
        BlockOpening::Call { id, name, .. } => {
            answer_block::tool_use(id, name, content);
            content.object("input").end();
        }
        BlockOpening::Whole(block) => answer_block::fill(block, content),
    }
}
