//! Messages of a stream and their parts.

use bytes::BytesMut;

use super::super::item::{ItemBody, MessagePart, ResponseItem};
use super::{DeltaDestination, ResponsesStreamEncoder};
use crate::json::ObjectWriter;

impl ResponsesStreamEncoder {
    /// Completes messages whose parts are complete, but for `keep`, which gets another part.
    pub(super) fn finish_messages(&mut self, keep: Option<usize>, out: &mut BytesMut) {
        while self.items.get(self.complete).is_some_and(|item| item.done) {
            self.complete += 1;
        }
        for index in self.complete..self.items.len() {
            let complete = match &self.items[index].body {
                ItemBody::Message(parts) => parts.iter().all(|part| part.done),
                _ => false,
            };
            if complete && keep != Some(index) {
                self.finish(index, out);
            }
        }
    }

    pub(super) fn open_part(&mut self, index: usize, refusal: bool, out: &mut BytesMut) {
        self.announce_before(index, out);
        let last =
            self.items.len().checked_sub(1).filter(|last| {
                matches!(self.items[*last], ResponseItem { done: false, body: ItemBody::Message(_), .. })
            });
        let item = match last {
            Some(last) => last,
            None => self.add(ItemBody::Message(Vec::new()), out),
        };
        let ItemBody::Message(parts) = &mut self.items[item].body else { return };
        parts.push(MessagePart::new(refusal));
        let part = parts.len() - 1;
        self.places.insert(index, DeltaDestination::Part { item, part });
        self.part_event(item, part, "response.content_part.added", out, |part, event| part.write(event.object("part")));
    }

    pub(super) fn push_text(&mut self, item: usize, part: usize, piece: &str, out: &mut BytesMut) {
        let ItemBody::Message(parts) = &mut self.items[item].body else { return };
        parts[part].text.push_str(piece);
        let name = if parts[part].refusal { "response.refusal.delta" } else { "response.output_text.delta" };
        self.part_event(item, part, name, out, |part, event| {
            event.member("delta", piece);
            logprobs(part, event);
        });
    }

    pub(super) fn close_part(&mut self, item: usize, part: usize, out: &mut BytesMut) {
        let ItemBody::Message(parts) = &mut self.items[item].body else { return };
        parts[part].done = true;
        let (name, member) = if parts[part].refusal {
            ("response.refusal.done", "refusal")
        } else {
            ("response.output_text.done", "text")
        };
        self.part_event(item, part, name, out, |part, event| {
            event.member(member, &part.text);
            logprobs(part, event);
        });
        self.part_event(item, part, "response.content_part.done", out, |part, event| part.write(event.object("part")));
        // The last message may get another part; one with something behind it does not.
        self.finish_messages(self.items.len().checked_sub(1), out);
    }

    fn part_event(
        &mut self,
        item: usize,
        part: usize,
        name: &str,
        out: &mut BytesMut,
        members: impl FnOnce(&MessagePart, &mut ObjectWriter<'_>),
    ) {
        let ResponseItem { id, body: ItemBody::Message(parts), .. } = &self.items[item] else { return };
        self.wire.event(out, name, |event| {
            event.member("item_id", id).member("output_index", &item).member("content_index", &part);
            members(&parts[part], event);
        });
    }
}

fn logprobs(part: &MessagePart, event: &mut ObjectWriter<'_>) {
    if !part.refusal {
        event.array("logprobs").end();
    }
}
