//! The error of a stream that broke, in the words and formats of its client.

use bytes::Bytes;

/// The error of a stream that broke, as the client is told it.
#[derive(Debug)]
pub struct ClientStreamError {
    /// The code of the error.
    pub code: &'static str,
    /// Its message.
    pub message: String,
    /// The error object of the client's format.
    pub body: Bytes,
    /// The error as an event of the operation's stream.
    pub event: Bytes,
}
