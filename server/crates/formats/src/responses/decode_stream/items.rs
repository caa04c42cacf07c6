//! Items of a stream and the blocks that they became.

use std::collections::BTreeMap;

use super::super::decode_item;
use super::super::decode_response::OutputSummary;
use crate::json::{JsonObject, JsonValue};
use crate::{BlockDelta, BlockKind, BlockOpening, ContentBlock, MalformedRequest, StreamEvent};

/// All items so far.
#[derive(Debug)]
pub struct StreamItems {
    upstream: String,
    all: Vec<StreamItem>,
    /// The places of items in `all`, by their index at the provider and by each of their ids.
    by_output: BTreeMap<u64, usize>,
    by_id: BTreeMap<String, usize>,
    blocks: usize,
    /// The parts of the answer that decide why it ended.
    pub said: OutputSummary,
}

/// One item.
#[derive(Debug, Default)]
struct StreamItem {
    slots: Vec<ItemSlot>,
    done: bool,
    /// Of thinking: whether summaries come, or the raw text; of two the first counts. And the part that came last.
    thinking: Option<(bool, u64)>,
}

/// A block of an item: the item itself, or a part of a message.
#[derive(Debug)]
struct ItemSlot {
    part: u64,
    block: usize,
    /// The number of bytes of its text that were passed on.
    sent: usize,
    closed: bool,
}

impl StreamItems {
    /// None yet.
    pub fn new(upstream: &str) -> Self {
        let (by_output, by_id) = (BTreeMap::new(), BTreeMap::new());
        let said = OutputSummary::default();
        Self { upstream: upstream.to_owned(), all: Vec::new(), by_output, by_id, blocks: 0, said }
    }

    /// The item that an event speaks of.
    pub fn find(&mut self, event: &mut JsonObject<'_>) -> Result<usize, MalformedRequest> {
        let output = event.whole(&["output_index"])?;
        let id = event.text(&["item_id"])?;
        Ok(self.at(output, id.as_deref()))
    }

    /// By its index, else its id, else the last one. Ids change between events with some providers, indexes do not.
    fn at(&mut self, output: Option<u64>, id: Option<&str>) -> usize {
        let found = match (output, id) {
            (Some(output), _) => self.by_output.get(&output).copied(),
            (None, Some(id)) => self.by_id.get(id).copied(),
            (None, None) => self.all.len().checked_sub(1),
        };
        found.unwrap_or_else(|| {
            let index = self.all.len();
            self.all.push(StreamItem::default());
            if let Some(output) = output {
                self.by_output.insert(output, index);
            }
            self.names(index, id);
            index
        })
    }

    /// Notes an id of an item. Of two items with one id, the first has it.
    fn names(&mut self, index: usize, id: Option<&str>) {
        if let Some(id) = id {
            self.by_id.entry(id.to_owned()).or_insert(index);
        }
    }

    /// An item begins. Of a call the name is known; other items open with their first piece.
    pub fn added(
        &mut self,
        output: Option<u64>,
        item: &JsonValue<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let mut object = item.object()?;
        let id = object.text(&["id"])?;
        let index = self.at(output.or(Some(self.all.len() as u64)), id.as_deref());
        self.names(index, id.as_deref());
        let kind = object.text(&["type"])?;
        if !matches!(kind.as_deref(), Some("function_call" | "custom_tool_call")) || !self.all[index].slots.is_empty() {
            return Ok(());
        }
        // A call whose name or id is yet to come opens when it is complete.
        if let Some(ContentBlock { kind: BlockKind::Call { id, name, arguments, custom, .. }, .. }) =
            decode_item::read(item, &self.upstream).ok().and_then(|mut blocks| blocks.pop())
        {
            self.push(index, 0, Some(BlockOpening::Call { id, name, custom }), &arguments, BlockDelta::Arguments, out);
        }
        Ok(())
    }

    /// A piece of an item's block comes. Without `opening` nothing is opened by it.
    pub fn push(
        &mut self,
        item: usize,
        part: u64,
        opening: Option<BlockOpening>,
        piece: &str,
        delta: fn(String) -> BlockDelta,
        out: &mut Vec<StreamEvent>,
    ) {
        let Some(slot) = self.slot(item, part, opening, out) else { return };
        let slot = &mut self.all[item].slots[slot];
        if piece.is_empty() || slot.closed {
            return;
        }
        slot.sent += piece.len();
        out.push(StreamEvent::Delta { index: slot.block, delta: delta(piece.to_owned()) });
    }

    fn slot(
        &mut self,
        item: usize,
        part: u64,
        opening: Option<BlockOpening>,
        out: &mut Vec<StreamEvent>,
    ) -> Option<usize> {
        if let Some(found) = self.all[item].slots.iter().rposition(|slot| slot.part == part) {
            return Some(found);
        }
        let opening = opening.filter(|_| !self.all[item].done)?;
        self.said.call |= matches!(opening, BlockOpening::Call { .. });
        self.said.refusal |= matches!(opening, BlockOpening::Refusal);
        let block = self.blocks;
        self.blocks += 1;
        out.push(StreamEvent::Open { index: block, opening });
        self.all[item].slots.push(ItemSlot { part, block, sent: 0, closed: false });
        Some(self.all[item].slots.len() - 1)
    }

    /// The separator before the next piece of thinking: an empty line between parts. `None` where it is the other telling of
    /// the same thinking.
    pub fn thinking(&mut self, item: usize, summary: bool, part: u64) -> Option<&'static str> {
        let last = self.all[item].thinking.get_or_insert((summary, part));
        if last.0 != summary {
            return None;
        }
        let separator = if last.1 == part { "" } else { "\n\n" };
        last.1 = part;
        Some(separator)
    }

    /// An item is complete.
    pub fn done(
        &mut self,
        output: Option<u64>,
        value: &JsonValue<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let id = value.object()?.text(&["id"])?;
        let item = self.at(output, id.as_deref());
        self.complete_item(item, value, out)
    }

    /// An item of the whole output, which the last event brings. Indexes of a stream may have gaps, places in a list do
    /// not: the id tells which one it is, and where it tells nothing, the order.
    pub fn last(
        &mut self,
        position: usize,
        value: &JsonValue<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let id = value.object()?.text(&["id"])?;
        let by_id = id.and_then(|id| self.by_id.get(&id).copied());
        let item = by_id.unwrap_or(position).min(self.all.len());
        if item == self.all.len() {
            self.all.push(StreamItem::default());
        }
        self.complete_item(item, value, out)
    }

    fn complete_item(
        &mut self,
        item: usize,
        value: &JsonValue<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        if self.all[item].done {
            return Ok(());
        }
        let blocks = decode_item::read(value, &self.upstream)?;
        for (part, block) in (0u64..).zip(blocks) {
            self.complete(item, part, block, out);
        }
        self.all[item].done = true;
        self.close(item, out);
        Ok(())
    }

    /// Adds what a block's pieces have left out, and closes it.
    fn complete(&mut self, item: usize, part: u64, block: ContentBlock, out: &mut Vec<StreamEvent>) {
        let (opening, text, delta, signature): (_, _, fn(String) -> BlockDelta, _) = match block.kind {
            BlockKind::Text(text) => (BlockOpening::Text, text, BlockDelta::Text, None),
            BlockKind::Refusal(text) => (BlockOpening::Refusal, text, BlockDelta::Text, None),
            BlockKind::Thinking { text, id: _, signature } => {
                (BlockOpening::Thinking, text, BlockDelta::Text, signature)
            }
            BlockKind::Call { id, name, arguments, custom, signature } => {
                (BlockOpening::Call { id, name, custom }, arguments, BlockDelta::Arguments, signature)
            }
            kind => {
                let block = ContentBlock { kind, ..block };
                (BlockOpening::Whole(Box::new(block)), String::new(), BlockDelta::Text, None)
            }
        };
        let Some(slot) = self.slot(item, part, Some(opening), out) else { return };
        let sent = self.all[item].slots[slot].sent;
        self.push(item, part, None, text.get(sent..).unwrap_or_default(), delta, out);
        let slot = &mut self.all[item].slots[slot];
        if slot.closed {
            return;
        }
        if let Some(signature) = signature {
            out.push(StreamEvent::Delta { index: slot.block, delta: BlockDelta::Signature(signature) });
        }
        slot.closed = true;
        out.push(StreamEvent::Close { index: slot.block });
    }

    fn close(&mut self, item: usize, out: &mut Vec<StreamEvent>) {
        for slot in self.all[item].slots.iter_mut().filter(|slot| !slot.closed) {
            slot.closed = true;
            out.push(StreamEvent::Close { index: slot.block });
        }
    }

    /// Closes what is still open.
    pub fn close_all(&mut self, out: &mut Vec<StreamEvent>) {
        for item in 0..self.all.len() {
            self.close(item, out);
        }
    }
}
