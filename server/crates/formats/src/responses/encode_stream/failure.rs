//! The end of a stream that a provider of this format wrote: its last event taken apart, or put there where it broke.

use bytes::{Bytes, BytesMut};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::response::{ResponseObject, ResponseState, last_event};
use super::wire::NumberedEvents;
use crate::ResponseContext;
use crate::json::ObjectWriter;

/// The state of a provider's stream, as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct StreamProgress {
    /// The id of the response.
    pub id: Option<String>,
    /// The number that the next event has.
    pub next: u64,
    /// True if the last event was the provider's own `error`, behind which only the failed response is missing.
    pub error: bool,
}

#[derive(Deserialize)]
struct LastEvent<'a> {
    #[serde(borrow)]
    response: Option<&'a RawValue>,
}

/// The response in the data of the event that ends a stream.
#[must_use]
pub fn final_response(data: &[u8]) -> Option<Bytes> {
    let last: LastEvent<'_> = serde_json::from_slice(data).ok()?;
    last.response.map(|response| Bytes::copy_from_slice(response.get().as_bytes()))
}

/// The events that end a stream which broke: `error`, unless the provider told one, and the failed response, numbered
/// and named as the stream was so far.
#[must_use]
pub fn failure_events(echo: &ResponseContext, told: &StreamProgress, code: &str, message: &str) -> Bytes {
    let mut out = BytesMut::new();
    let mut wire = NumberedEvents::from(told.next);
    if !told.error {
        wire.event(&mut out, "error", |event| {
            event.member("code", code).member("message", message).member("param", &());
        });
    }
    let state = ResponseState::Failed { code, message };
    let response = ResponseObject::new(echo).named(told.id.clone());
    let write = |event: &mut ObjectWriter<'_>| response.write(state, &[], None, event.object("response"));
    wire.last_event(&mut out, last_event(state), write);
    out.freeze()
}
