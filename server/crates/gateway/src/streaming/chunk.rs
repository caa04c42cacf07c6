//! The output of one read of a stream, and events put together for one write.

use bytes::{Bytes, BytesMut};

/// The output of one read.
#[derive(Debug, PartialEq, Eq)]
pub struct StreamChunk {
    /// To be forwarded now; may be empty.
    pub forward: Bytes,
    /// The state of the stream after it.
    pub then: StreamState,
}

/// The state of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamState {
    /// More will come.
    Goes,
    /// The terminal event has come; here it is, held back.
    Ends(Bytes),
    /// The provider reported an error in the stream; here is its event, held back.
    Failed(Bytes),
    /// Cannot go on: the provider broke off, or the first event has no shape we know.
    Broken,
    /// Cannot go on: an event, or what is held back, is larger than we keep.
    TooLarge,
    /// Cannot go on: answers use all the memory that they may.
    NoRoom,
}

/// Events put together for one write; a single one is not copied.
#[derive(Debug, Default)]
pub struct ForwardBuffer {
    first: Bytes,
    more: BytesMut,
}

impl ForwardBuffer {
    /// Adds what follows.
    pub fn push(&mut self, event: Bytes) {
        if event.is_empty() {
            return;
        }
        if self.first.is_empty() {
            self.first = event;
        } else {
            if self.more.is_empty() {
                self.more.extend_from_slice(&self.first);
            }
            self.more.extend_from_slice(&event);
        }
    }

    /// The number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len().max(self.more.len())
    }

    /// All of it.
    #[must_use]
    pub fn join(self) -> Bytes {
        if self.more.is_empty() { self.first } else { self.more.freeze() }
    }
}
