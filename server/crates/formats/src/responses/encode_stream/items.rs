//! Items of a stream: begun, added to, completed.

use bytes::BytesMut;

use super::super::item::{self, ItemBody, ResponseItem};
use super::{DeltaDestination, ResponsesStreamEncoder};
use crate::ThinkingSignature;
use crate::{Format, json::ObjectWriter};

impl ResponsesStreamEncoder {
    /// Begins an item. The messages before it get no more parts.
    pub(super) fn add(&mut self, body: ItemBody, out: &mut BytesMut) -> usize {
        self.finish_messages(None, out);
        let index = self.items.len();
        let body = ResponseItem::named(body, &self.functions);
        self.items.push(ResponseItem::new(body, &self.answer, index));
        self.item_event(index, "response.output_item.added", "in_progress", out);
        index
    }

    fn item_event(&mut self, index: usize, name: &str, state: &str, out: &mut BytesMut) {
        let item = &self.items[index];
        self.wire.event(out, name, |event| {
            event.member("output_index", &index);
            match &item.body {
                ItemBody::Raw(raw) => {
                    event.member("item", raw);
                }
                _ => item.write(state, event.object("item")),
            }
        });
    }

    pub(super) fn finish(&mut self, index: usize, out: &mut BytesMut) {
        if std::mem::replace(&mut self.items[index].done, true) {
            return;
        }
        self.item_event(index, "response.output_item.done", "completed", out);
    }

    pub(super) fn open_thinking(&mut self, index: usize, out: &mut BytesMut) {
        self.announce_before(index, out);
        let item = self.add(ItemBody::Reasoning { text: String::new(), closed: None }, out);
        self.places.insert(index, DeltaDestination::Item(item));
    }

    pub(super) fn push_thought(&mut self, item: usize, piece: &str, out: &mut BytesMut) {
        let ItemBody::Reasoning { text, .. } = &mut self.items[item].body else { return };
        if piece.is_empty() {
            return;
        }
        if text.is_empty() {
            self.summary_event(item, "response.reasoning_summary_part.added", out, |_, event| {
                item::summary_part("", event.object("part"));
            });
        }
        let ItemBody::Reasoning { text, .. } = &mut self.items[item].body else { return };
        text.push_str(piece);
        self.summary_event(item, "response.reasoning_summary_text.delta", out, |_, event| {
            event.member("delta", piece);
        });
    }

    fn summary_event(
        &mut self,
        item: usize,
        name: &str,
        out: &mut BytesMut,
        members: impl FnOnce(&str, &mut ObjectWriter<'_>),
    ) {
        let ResponseItem { id, body: ItemBody::Reasoning { text, .. }, .. } = &self.items[item] else { return };
        self.wire.event(out, name, |event| {
            event.member("item_id", id).member("output_index", &item).member("summary_index", &0);
            members(text, event);
        });
    }

    /// Keeps the signature of thinking. A call that the client has already been told of cannot take one any more: its
    /// id stands. Thinking without words then brings it.
    pub(super) fn sign(&mut self, item: usize, signature: &ThinkingSignature, out: &mut BytesMut) {
        let text = signature.for_client(Format::Responses);
        match &mut self.items[item].body {
            ItemBody::Reasoning { closed, .. } => *closed = Some(text),
            ItemBody::Call { .. } => {
                let item = self.add(ItemBody::Reasoning { text: String::new(), closed: Some(text) }, out);
                self.close_item(item, out);
            }
            ItemBody::Message(_) | ItemBody::Picture { .. } | ItemBody::Compaction { .. } | ItemBody::Raw(_) => {}
        }
    }

    pub(super) fn push_arguments(&mut self, item: usize, piece: &str, out: &mut BytesMut) {
        let Some(ResponseItem { id, body: ItemBody::Call { arguments, custom, .. }, .. }) = self.items.get_mut(item)
        else {
            return;
        };
        if piece.is_empty() {
            return;
        }
        arguments.push_str(piece);
        let name =
            if *custom { "response.custom_tool_call_input.delta" } else { "response.function_call_arguments.delta" };
        self.wire.event(out, name, |event| {
            event.member("item_id", id).member("output_index", &item).member("delta", piece);
        });
    }

    pub(super) fn close_item(&mut self, item: usize, out: &mut BytesMut) {
        match &self.items[item].body {
            ItemBody::Call { arguments, custom, .. } => {
                if !custom && arguments.is_empty() {
                    self.push_arguments(item, "{}", out);
                }
                self.arguments_done(item, out);
            }
            ItemBody::Reasoning { text, .. } if !text.is_empty() => self.summary_done(item, out),
            ItemBody::Reasoning { .. }
            | ItemBody::Message(_)
            | ItemBody::Picture { .. }
            | ItemBody::Compaction { .. }
            | ItemBody::Raw(_) => {}
        }
        self.finish(item, out);
    }

    fn arguments_done(&mut self, index: usize, out: &mut BytesMut) {
        let ResponseItem { id, body: ItemBody::Call { name, custom, arguments, .. }, .. } = &self.items[index] else {
            return;
        };
        let (event_name, member) = if *custom {
            ("response.custom_tool_call_input.done", "input")
        } else {
            ("response.function_call_arguments.done", "arguments")
        };
        self.wire.event(out, event_name, |event| {
            event.member("item_id", id).member("output_index", &index).member("name", name).member(member, arguments);
        });
    }

    fn summary_done(&mut self, item: usize, out: &mut BytesMut) {
        self.summary_event(item, "response.reasoning_summary_text.done", out, |text, event| {
            event.member("text", text);
        });
        self.summary_event(item, "response.reasoning_summary_part.done", out, |text, event| {
            item::summary_part(text, event.object("part"));
        });
    }
}
