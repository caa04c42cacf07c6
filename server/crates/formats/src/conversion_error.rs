//! A request as it was encoded, and the errors of conversions.

use bytes::Bytes;

/// A request as a provider is to be sent it.
#[derive(Debug, Clone)]
pub struct EncodedRequest {
    /// The JSON body.
    pub body: Bytes,
    /// Places of the client's request that the provider does not see, in the client's words; told in a header.
    pub dropped: Vec<String>,
}

/// A client's request is not what its format says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{at}` should be {expected}")]
pub struct MalformedRequest {
    /// The place: `messages[0].content[2].type`.
    pub at: String,
    /// The expected value: "a text", "one of `user`, `assistant`"; "present" for a missing member.
    pub expected: String,
    /// The value that was found, cut short.
    pub found: String,
}

impl MalformedRequest {
    /// A mistake at a place.
    #[must_use]
    pub fn new(at: &str, expected: &str, found: &str) -> Self {
        Self { at: at.to_owned(), expected: expected.to_owned(), found: found.to_owned() }
    }
}

/// A client's request asks for something that the provider's format cannot express and that the answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{at}` cannot be carried: {reason}")]
pub struct Unsupported {
    /// The place in the client's words.
    pub at: String,
    /// The reason and the remedy: "the model's provider takes no sound; send text".
    pub reason: String,
}

/// An answer of a provider is not what its format says. For the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{at}` should be {expected}")]
pub struct MalformedResponse {
    /// The place.
    pub at: String,
    /// The expected value.
    pub expected: String,
}

impl From<MalformedRequest> for MalformedResponse {
    fn from(unreadable: MalformedRequest) -> Self {
        Self { at: unreadable.at, expected: unreadable.expected }
    }
}
