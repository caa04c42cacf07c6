//! The blocks of a streamed answer. The format has no word for where one begins or ends: a change of kind tells.

use super::super::super::{Block, Delta, Event, Kind, Opening, Signature};
use super::super::origin::Origin;
use super::calls::Calls;

/// The kinds of block that come in pieces of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Text,
    Refusal,
    Thinking,
}

/// The blocks so far.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The number of blocks opened.
    pub opened: usize,
    /// The calls, which stay open to the end: their pieces may alternate.
    pub calls: Calls,
    /// True if there was a refusal.
    pub refused: bool,
    flow: Option<(Flow, usize)>,
    /// The text of the open thought so far.
    thought: String,
    /// True if the open thought has its signature.
    signed: bool,
}

impl Blocks {
    /// More of a text. Empty pieces open nothing.
    pub fn words(&mut self, flow: Flow, text: String, origin: Origin<'_>, out: &mut Vec<Event>) {
        if text.is_empty() {
            return;
        }
        let index = self.open(flow, origin, out);
        if flow == Flow::Thinking {
            self.thought.push_str(&text);
        }
        out.push(Event::Delta { index, delta: Delta::Text(text) });
    }

    /// More of a thought: its text, its signature, or both; or one that is closed.
    pub fn thought(&mut self, block: Block, origin: Origin<'_>, out: &mut Vec<Event>) {
        let Kind::Thinking { text, signature, .. } = block.kind else { return self.whole(block, out) };
        let signature = signature.filter(|signature| !signature.text.is_empty());
        // A signature may come with the whole of what it signs, which was told already.
        let was_told = signature.is_some() && text == self.thought;
        if !was_told {
            self.words(Flow::Thinking, text, origin, out);
        }
        if let Some(signature) = signature {
            let index = self.open(Flow::Thinking, origin, out);
            self.sign(index, signature, out);
        }
    }

    /// A piece of content.
    pub fn said(&mut self, block: Block, origin: Origin<'_>, out: &mut Vec<Event>) {
        match block.kind {
            Kind::Text(text) => self.words(Flow::Text, text, origin, out),
            Kind::Refusal(text) => self.words(Flow::Refusal, text, origin, out),
            Kind::Thinking { .. } => self.thought(block, origin, out),
            Kind::Image(_)
            | Kind::Document(_)
            | Kind::Audio(_)
            | Kind::Video(_)
            | Kind::Call { .. }
            | Kind::CallResult { .. }
            | Kind::ClosedThinking(_)
            | Kind::Compaction { .. }
            | Kind::Other { .. } => self.whole(block, out),
        }
    }

    /// A block that comes in one piece.
    pub fn whole(&mut self, mut block: Block, out: &mut Vec<Event>) {
        block.at.clear();
        let index = self.opened;
        self.opened += 1;
        out.push(Event::Open { index, opening: Opening::Whole(Box::new(block)) });
        out.push(Event::Close { index });
    }

    /// Closes the text that is open. An unsigned thought of the upstream gets the signature by which it finds back.
    pub fn end_flow(&mut self, origin: Origin<'_>, out: &mut Vec<Event>) {
        let Some((flow, index)) = self.flow.take() else { return };
        if flow == Flow::Thinking
            && !self.signed
            && let Some(signature) = origin.unsigned()
        {
            self.sign(index, signature, out);
        }
        out.push(Event::Close { index });
    }

    /// Closes everything. Tells whether a call stayed without a name.
    pub fn end(&mut self, origin: Origin<'_>, out: &mut Vec<Event>) -> bool {
        self.end_flow(origin, out);
        self.calls.end(out)
    }

    fn open(&mut self, flow: Flow, origin: Origin<'_>, out: &mut Vec<Event>) -> usize {
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
        self.refused |= flow == Flow::Refusal;
        let opening = match flow {
            Flow::Text => Opening::Text,
            Flow::Refusal => Opening::Refusal,
            Flow::Thinking => Opening::Thinking,
        };
        out.push(Event::Open { index, opening });
        index
    }

    fn sign(&mut self, index: usize, signature: Signature, out: &mut Vec<Event>) {
        if !std::mem::replace(&mut self.signed, true) {
            out.push(Event::Delta { index, delta: Delta::Signature(signature) });
        }
    }
}
