//! Blocks that come whole: all events of an item at once.

use bytes::BytesMut;

use super::super::item::{ItemBody, MessagePart};
use super::{DeltaDestination, ResponsesStreamEncoder};

impl ResponsesStreamEncoder {
    /// A block that comes whole. Texts are told in one piece.
    pub(super) fn whole(&mut self, index: usize, body: ItemBody, out: &mut BytesMut) {
        match body {
            ItemBody::Message(parts) => {
                for MessagePart { refusal, text, annotations: _, done: _ } in parts {
                    self.open_part(index, refusal, out);
                    if let Some(DeltaDestination::Part { item, part }) = self.places.remove(&index) {
                        self.push_text(item, part, &text, out);
                        self.close_part(item, part, out);
                    }
                }
            }
            ItemBody::Reasoning { text, closed } => {
                self.open_thinking(index, out);
                if let Some(DeltaDestination::Item(item)) = self.places.remove(&index) {
                    self.push_thought(item, &text, out);
                    if let ItemBody::Reasoning { closed: kept, .. } = &mut self.items[item].body {
                        *kept = closed;
                    }
                    self.close_item(item, out);
                }
            }
            ItemBody::Call { call_id, namespace, name, custom, arguments } => {
                self.announce_before(index, out);
                let body = ItemBody::Call { call_id, namespace, name, custom, arguments: String::new() };
                let item = self.add(body, out);
                self.push_arguments(item, &arguments, out);
                self.close_item(item, out);
            }
            body @ (ItemBody::Picture { .. } | ItemBody::Compaction { .. } | ItemBody::Raw(_)) => {
                self.announce_before(index, out);
                let item = self.add(body, out);
                self.close_item(item, out);
            }
        }
    }
}
