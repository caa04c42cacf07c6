//! The announcement of calls.

use bytes::BytesMut;

use super::super::item::ItemBody;
use super::unannounced_call::UnannouncedCall;
use super::{DeltaDestination, ResponsesStreamEncoder};

impl ResponsesStreamEncoder {
    /// Announces a call, those before it first: items are numbered in the order of their blocks.
    pub(super) fn announce(&mut self, index: usize, out: &mut BytesMut) -> usize {
        self.announce_before(index, out);
        let Some(DeltaDestination::Held(held)) = self.places.remove(&index) else { return self.items.len() };
        let UnannouncedCall { id, name, custom, first, signature } = held;
        let call_id = signature.map_or_else(|| id.clone(), |signature| signature.append_to_id(&id));
        let item = self.add(ItemBody::Call { call_id, namespace: None, name, custom, arguments: String::new() }, out);
        self.push_arguments(item, &first.unwrap_or_default(), out);
        self.places.insert(index, DeltaDestination::Item(item));
        item
    }

    /// Announces the calls that wait before block `index`.
    pub(super) fn announce_before(&mut self, index: usize, out: &mut BytesMut) {
        let waiting =
            |place: (&usize, &DeltaDestination)| matches!(place.1, DeltaDestination::Held(_)).then_some(*place.0);
        while let Some(first) = self.places.range(..index).find_map(waiting) {
            self.announce(first, out);
        }
    }
}
