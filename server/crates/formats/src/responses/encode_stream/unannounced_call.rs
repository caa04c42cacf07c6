//! A call that waits to be announced.

use crate::ThinkingSignature;

/// A call that the client knows nothing of yet.
#[derive(Debug)]
pub struct UnannouncedCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) custom: bool,
    /// The first piece of the arguments.
    pub(super) first: Option<String>,
    pub(super) signature: Option<ThinkingSignature>,
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
