//! A stream on its way to the client: passed through as it came, or transcoded.

use std::future::poll_fn;
use std::task::{Context, Poll};

use crate::metering::UsageMeter;
use bytes::Bytes;
use tollgate_formats::wire::sse;

use super::chunk::StreamChunk;
use super::client_error::ClientStreamError;
use super::closed_thinking::ClientResponse;
use super::passthrough::StreamPassthrough;
use super::stream_room::StreamRoom;
use super::transcode::StreamTranscoder;

/// The state of one stream.
#[derive(Debug)]
pub enum StreamForwarder {
    /// Client and provider speak one format.
    Same(StreamPassthrough),
    /// They do not.
    Recoded(StreamTranscoder),
}

impl StreamForwarder {
    /// Takes a read from the provider.
    pub fn take(&mut self, read: &[u8]) -> StreamChunk {
        match self {
            Self::Same(relay) => relay.take(read),
            Self::Recoded(recode) => recode.take(read),
        }
    }

    /// The memory that the stream keeps.
    pub fn room(&mut self) -> &mut StreamRoom {
        match self {
            Self::Same(relay) => &mut relay.room,
            Self::Recoded(recode) => &mut recode.room,
        }
    }

    /// Waits for the memory that the stream keeps, before the provider is asked for more of it. False if there was none in time.
    pub fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        self.room().poll_had(cx)
    }

    /// Waits as [`poll_room`](Self::poll_room) does.
    pub async fn has_room(&mut self) -> bool {
        poll_fn(|cx| self.poll_room(cx)).await
    }

    /// Takes what is left of a stream that the provider has closed.
    pub fn end(&mut self) -> StreamChunk {
        match self {
            Self::Same(relay) => relay.end(),
            Self::Recoded(recode) => recode.end(),
        }
    }

    /// Takes what was held back for an end that does not come, because the provider broke off.
    pub fn held(&mut self) -> Bytes {
        match self {
            Self::Same(relay) => relay.held(),
            Self::Recoded(_) => Bytes::new(),
        }
    }

    /// True if something has come that belongs to an answer.
    #[must_use]
    pub fn begun(&self) -> bool {
        match self {
            Self::Same(relay) => relay.begun(),
            Self::Recoded(recode) => recode.begun(),
        }
    }

    /// True if something of the answer has come, or its end.
    #[must_use]
    pub fn has_content(&self) -> bool {
        match self {
            Self::Same(relay) => relay.has_content(),
            Self::Recoded(recode) => recode.has_content(),
        }
    }

    /// The usage of the answer so far.
    #[must_use]
    pub fn tally(&self) -> &UsageMeter {
        match self {
            Self::Same(relay) => &relay.tally,
            Self::Recoded(recode) => &recode.tally,
        }
    }

    /// The whole response of a stream that ended with `last`, in the client's format; format R alone has one.
    #[must_use]
    pub fn response(&self, last: &[u8]) -> Option<ClientResponse> {
        match self {
            Self::Same(relay) => {
                let body = tollgate_formats::ended_response(&sse::data(last)?)?;
                Some(ClientResponse { body, hidden: relay.hidden() })
            }
            Self::Recoded(recode) => recode.response(),
        }
    }

    /// The event that tells the client that the stream broke.
    pub fn error_event(&mut self, words: &ClientStreamError) -> Bytes {
        match self {
            Self::Same(relay) => relay.error_event(words),
            Self::Recoded(recode) => recode.error_event(words.code, &words.message, &words.body),
        }
    }
}
