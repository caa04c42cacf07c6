//! Server-sent events, as an operation streams them.

use bytes::Bytes;

use super::{Envelope, Failure, RequestId};

/// The form of an operation's stream on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventStream {
    /// True if each event has its type as its name, in a line of its own.
    pub named: bool,
    /// The events, or the literal data, that end it; none where the last event is like all others.
    pub ends_with: &'static [&'static str],
}

impl EventStream {
    /// One event. `kind` is written where events have names; `json` is one line.
    #[must_use]
    pub fn event(self, kind: &str, json: &[u8]) -> Bytes {
        let name: [&[u8]; 3] = if self.named { [b"event: ", kind.as_bytes(), b"\n"] } else { [b"", b"", b""] };
        [&name.concat()[..], b"data: ", json, b"\n\n"].concat().into()
    }

    /// The event that tells of a failure in a stream that has begun. Nothing follows it, not even the usual end, so that
    /// no client takes the answer for whole.
    #[must_use]
    pub fn failure(self, failure: &Failure, envelope: &'static Envelope, request_id: &RequestId) -> Bytes {
        let (_, _, body) = failure.render(envelope, request_id);
        self.event("error", &body)
    }
}
