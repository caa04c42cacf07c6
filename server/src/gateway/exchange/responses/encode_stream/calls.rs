//! Calls that wait to be announced.

use bytes::BytesMut;

use super::super::super::ThinkingSignature;
use super::super::item::ItemBody;
use super::{DeltaDestination, ResponsesStreamEncoder};

/// A call that the client knows nothing of yet.
#[derive(Debug)]
pub struct UnannouncedCall {
    id: String,
    name: String,
    custom: bool,
    /// The first piece of the arguments.
    first: Option<String>,
    signature: Option<ThinkingSignature>,
}

impl UnannouncedCall {
    /// One without arguments.
    pub const fn new(id: String, name: String, custom: bool) -> Self {
        Self { id, name, custom, first: None, signature: None }
    }

    /// Keeps its signature.
    pub fn sign(&mut self, signature: ThinkingSignature) {
        self.signature = Some(signature);
    }

    /// Keeps the first piece, gives back any later one: it is time to announce the call.
    pub fn push(&mut self, piece: String) -> Option<String> {
        if self.first.is_some() {
            return Some(piece);
        }
        self.first = Some(piece);
        None
    }
}

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
