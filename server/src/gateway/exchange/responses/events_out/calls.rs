//! Calls that wait to be announced.

use bytes::BytesMut;

use super::super::super::Signature;
use super::super::item::Body;
use super::{Place, Writer};

/// A call that the client knows nothing of yet.
#[derive(Debug)]
pub struct Held {
    id: String,
    name: String,
    custom: bool,
    /// The first piece of the arguments.
    first: Option<String>,
    signature: Option<Signature>,
}

impl Held {
    /// One without arguments.
    pub const fn new(id: String, name: String, custom: bool) -> Self {
        Self { id, name, custom, first: None, signature: None }
    }

    /// Keeps its signature.
    pub fn sign(&mut self, signature: Signature) {
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

impl Writer {
    /// Announces a call, those before it first: items are numbered in the order of their blocks.
    pub(super) fn announce(&mut self, index: usize, out: &mut BytesMut) -> usize {
        self.announce_before(index, out);
        let Some(Place::Held(held)) = self.places.remove(&index) else { return self.items.len() };
        let Held { id, name, custom, first, signature } = held;
        let call_id = signature.map_or_else(|| id.clone(), |signature| signature.on_id(&id));
        let item = self.add(Body::Call { call_id, namespace: None, name, custom, arguments: String::new() }, out);
        self.push_arguments(item, &first.unwrap_or_default(), out);
        self.places.insert(index, Place::Item(item));
        item
    }

    /// Announces the calls that wait before block `index`.
    pub(super) fn announce_before(&mut self, index: usize, out: &mut BytesMut) {
        let waiting = |place: (&usize, &Place)| matches!(place.1, Place::Held(_)).then_some(*place.0);
        while let Some(first) = self.places.range(..index).find_map(waiting) {
            self.announce(first, out);
        }
    }
}
