//! Blocks of a stream, one after the other.

use bytes::BytesMut;

use super::super::super::json::ObjectWriter;
use super::super::super::{Block, Delta, Format, Kind, Opening, Signature};
use super::super::{answer_block, call};
use super::wire;

/// Writes the blocks of one stream.
#[derive(Debug, Default)]
pub struct Blocks {
    open: Option<Open>,
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
struct Open {
    opening: Opening,
    /// Its index, once it was written.
    written: Option<usize>,
    signature: Option<Signature>,
    /// The free text of a custom call, which the format has no word for but in an object.
    free: String,
}

impl Blocks {
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
    pub fn open(&mut self, opening: Opening) {
        self.called |= matches!(opening, Opening::Call { .. });
        self.refused |= matches!(opening, Opening::Refusal);
        self.open = Some(Open { opening, written: None, signature: None, free: String::new() });
    }

    /// Adds to the open block.
    pub fn add(&mut self, delta: Delta, out: &mut BytesMut) {
        let Some(open) = &mut self.open else { return };
        let custom = matches!(open.opening, Opening::Call { custom: true, .. });
        match delta {
            Delta::Signature(signature) => open.signature = Some(signature),
            Delta::Text(text) | Delta::Arguments(text) if text.is_empty() => {}
            Delta::Text(text) | Delta::Arguments(text) if custom => open.free.push_str(&text),
            Delta::Text(text) | Delta::Arguments(text) => self.piece(&text, out),
        }
    }

    /// Closes the open block. A call without arguments is one, and so is thinking that only its signature tells of, unless
    /// it is of the text before it and nobody asked for thinking; what else stayed without content was none.
    pub fn close(&mut self, out: &mut BytesMut) {
        let Some(open) = &mut self.open else { return };
        let is_call = matches!(open.opening, Opening::Call { .. });
        let free = std::mem::take(&mut open.free);
        let of_text = self.said && !self.thinks;
        let signed = open.signature.as_ref().is_some_and(|signature| !(of_text && signature.may_sign_text()));
        if is_call || signed {
            self.begin(out);
        }
        if !free.is_empty() {
            self.piece(call::input(&free, true).get(), out);
        }
        let Some(Open { opening, written: Some(index), signature, .. }) = self.open.take() else { return };
        if let Some(signature) = signature.as_ref().filter(|_| !is_call) {
            wire::delta(index, "signature_delta", "signature", &signature.for_client(Format::Messages), out);
        }
        wire::stop(index, out);
        // A call's signature that came when the call had begun follows it.
        if let (Opening::Call { id, .. }, Some(signature)) = (&opening, &signature) {
            self.carrier(id, signature, out);
        }
    }

    /// Writes a block that came whole, where the format has a word for it.
    pub fn whole(&mut self, block: &Block, out: &mut BytesMut) {
        if !answer_block::has_word(block) {
            return;
        }
        if let Kind::Call { id, signature: Some(signature), .. } = &block.kind {
            self.carrier(id, signature, out);
        }
        self.called |= matches!(block.kind, Kind::Call { .. });
        self.refused |= matches!(block.kind, Kind::Refusal(_));
        self.complete(out, |content| answer_block::fill(block, content));
    }

    /// Writes a piece in the words of the open block's kind.
    fn piece(&mut self, text: &str, out: &mut BytesMut) {
        let Some(index) = self.begin(out) else { return };
        let (word, name) = match self.open.as_ref().map(|open| &open.opening) {
            Some(Opening::Text | Opening::Refusal) => {
                self.said = true;
                ("text_delta", "text")
            }
            Some(Opening::Thinking) => ("thinking_delta", "thinking"),
            Some(Opening::Call { .. }) => ("input_json_delta", "partial_json"),
            Some(Opening::Whole(_)) | None => return,
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
        if let Opening::Call { id, .. } = &open.opening {
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
    fn carrier(&mut self, id: &str, signature: &Signature, out: &mut BytesMut) {
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
fn empty(opening: &Opening, content: &mut ObjectWriter<'_>) {
    match opening {
        Opening::Text | Opening::Refusal => answer_block::text("", content),
        Opening::Thinking => answer_block::thinking("", None, content),
        Opening::Call { id, name, .. } => {
            answer_block::tool_use(id, name, content);
            content.object("input").end();
        }
        Opening::Whole(block) => answer_block::fill(block, content),
    }
}
