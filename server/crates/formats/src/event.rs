//! An answer in pieces.

use bytes::BytesMut;

use super::{ContentBlock, MalformedResponse, StopReason, ThinkingSignature, TokenUsage};

/// One step of a streamed answer.
///
/// A stream is `Start`, then blocks, then `Stop`, then `End`; `Usage` anywhere, the last one counts. Readers open each
/// block before they write to it and close it before `Stop`, also where their format does not; blocks may interleave
/// (calls of format O do). There is one choice: requests for more are not converted.
#[derive(Debug, Clone)]
pub enum StreamEvent {
    /// The answer begins. The provider's id of it, for logs.
    Start {
        /// The provider's id; may be empty.
        #[allow(dead_code, reason = "shown by `Debug`")]
        id: String,
    },
    /// Block `index` begins; indexes count from 0 in order of opening.
    Open {
        /// Its index.
        index: usize,
        /// The kind of the block.
        opening: BlockOpening,
    },
    /// More of block `index`.
    Delta {
        /// Its index.
        index: usize,
        /// The addition.
        delta: BlockDelta,
    },
    /// Block `index` is complete.
    Close {
        /// Its index.
        index: usize,
    },
    /// Usage so far, or in all.
    Usage(TokenUsage),
    /// The reason why the answer ended.
    Stop(StopReason),
    /// The provider's terminator, by the rule of its format. A stream without it broke off.
    End,
    /// The provider reports an error in the stream, in its own words.
    #[allow(dead_code, reason = "the words may repeat the client's, so nobody is told; the tests of the readers look")]
    Error(String),
    /// A keep-alive without content.
    Ping,
}

/// The kind of a block that begins.
#[derive(Debug, Clone)]
pub enum BlockOpening {
    /// Text comes in pieces.
    Text,
    /// A refusal comes in pieces.
    Refusal,
    /// Thinking comes in pieces.
    Thinking,
    /// A call; its arguments come in pieces.
    Call {
        /// The id of the call, as in `BlockKind::Call`; never empty.
        id: String,
        /// The name of the tool.
        name: String,
        /// True if the input is free text.
        custom: bool,
    },
    /// A block that comes whole: a picture, closed thinking, what only the provider's format knows.
    Whole(Box<ContentBlock>),
}

/// An addition to an open block.
#[derive(Debug, Clone)]
pub enum BlockDelta {
    /// To a text, a refusal, or a thinking block.
    Text(String),
    /// To the arguments of a call, as JSON text.
    Arguments(String),
    /// The signature of a thinking block or a call; comes once.
    Signature(ThinkingSignature),
}

/// Reads one stream of a provider.
pub trait StreamDecoder: Send + std::fmt::Debug {
    /// Takes one event: its name, where it has one, and its data. What it means is added to `out`.
    ///
    /// # Errors
    /// [`MalformedResponse`] when the data is not what its format says. Unknown kinds of event are no error: they mean nothing.
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse>;

    /// True if the answer has said why it ended, in formats whose readers keep that back until the connection ends.
    fn finished(&self) -> bool {
        false
    }

    /// True if events that mean nothing yet may be kept for what they mean later.
    fn keeps_pieces(&self) -> bool {
        false
    }

    /// The connection has ended. Adds what was still to come: `StreamEvent::End` too, where the format's rule (or the kindness
    /// of `wire` towards providers that forget their terminator) lets the answer pass for complete.
    fn finish(&mut self, out: &mut Vec<StreamEvent>);
}

/// Writes one stream for a client.
pub trait StreamEncoder: Send + std::fmt::Debug {
    /// Adds to `out` what the client is to see of `event`. What tells the client that the answer is complete is written at
    /// `StreamEvent::End` and not before: it is handed in when the charge is recorded. `StreamEvent::Error` writes nothing.
    fn write(&mut self, event: StreamEvent, out: &mut BytesMut);

    /// The whole answer, once it has ended, in formats that know answers by their ids.
    fn response(&self) -> Option<Vec<u8>> {
        None
    }

    /// Adds the event that tells the client that the stream broke, and nothing after it that would look complete.
    /// `code` and `message` are ours; `body` is the whole error object of the format, as JSON.
    fn fail(&mut self, code: &str, message: &str, body: &[u8], out: &mut BytesMut);
}
