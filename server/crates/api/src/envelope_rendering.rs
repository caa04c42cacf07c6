//! A failure as an answer: its status, its headers, and its body in the words of an envelope.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use serde::ser::SerializeMap;

use super::code_info::pick;
use super::envelope::{Absent, Envelope, Piece, Slot};
use super::{Failure, RequestId, Retry, WithValue};
use crate::generated::runtime_headers::SHOULD_RETRY;

impl Failure {
    /// Status, headers and body in the words of `envelope`. The body alone is also the payload of an error event in a
    /// stream that has begun. The headers that name the request are the router's.
    #[must_use]
    pub fn render(&self, envelope: &'static Envelope, request_id: &RequestId) -> (StatusCode, HeaderMap, Bytes) {
        let status = self.status(envelope);
        let mut headers = HeaderMap::with_capacity(6);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let again = if self.info().retry == Retry::Never { "false" } else { "true" };
        headers.insert(SHOULD_RETRY, HeaderValue::from_static(again));
        if self.info().retry == Retry::After {
            headers.insert(RETRY_AFTER, self.retry_after().into());
        }
        headers.extend(self.headers().iter().cloned());
        (status, headers, envelope.body_of(self, status, request_id))
    }
}

struct EnvelopeRendering<'f> {
    envelope: &'static Envelope,
    failure: &'f Failure,
    status: StatusCode,
    request_id: &'f RequestId,
}

impl Envelope {
    fn body_of(&'static self, failure: &Failure, status: StatusCode, request_id: &RequestId) -> Bytes {
        let rendering = EnvelopeRendering { envelope: self, failure, status, request_id };
        let mut out = Vec::with_capacity(512);
        for piece in self.body {
            rendering.piece(*piece, &mut out);
        }
        out.into()
    }

    fn code_of(&self, failure: &Failure) -> String {
        let info = failure.info();
        let named = pick(info.names, self.name).or_else(|| pick(info.names, self.style));
        match named {
            Some(name) => name.to_owned(),
            None if self.style == "o" => info.code.to_ascii_lowercase(),
            None => info.code.to_owned(),
        }
    }
}

impl EnvelopeRendering<'_> {
    fn piece(&self, piece: Piece, out: &mut Vec<u8>) {
        match piece {
            Piece::Json(text) => out.extend_from_slice(text.as_bytes()),
            Piece::Value(slot, absent) => match self.json(slot) {
                Some(value) => out.extend_from_slice(value.as_bytes()),
                None => out.extend_from_slice(if absent == Absent::Null { b"null" } else { br#""""# }),
            },
            Piece::Within(slot) => {
                let value = self.json(slot).unwrap_or_default();
                let bare = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&value);
                out.extend_from_slice(bare.as_bytes());
            }
            Piece::Member(before, slot, after) => {
                if let Some(value) = self.json(slot) {
                    for part in [before, &value, after] {
                        out.extend_from_slice(part.as_bytes());
                    }
                }
            }
        }
    }

    fn json(&self, slot: Slot) -> Option<String> {
        match slot {
            Slot::Say => json(&self.failure.say()),
            Slot::Kind => json(self.failure.info().kind.name_in(self.envelope.style)),
            Slot::Code => json(&self.envelope.code_of(self.failure)),
            Slot::Param => self.failure.param().and_then(json),
            Slot::Http => json(self.status.as_str()),
            Slot::HttpInt => json(&self.status.as_u16()),
            Slot::RequestId => json(self.request_id.as_str()),
            Slot::Remedy => json(&self.failure.remedy()),
            Slot::With => self.with(),
            Slot::Data => self.failure.data().map(|data| data.get().to_owned()).or_else(|| self.with()),
        }
    }

    fn with(&self) -> Option<String> {
        let values = self.failure.values();
        (!values.is_empty()).then(|| json(&CodeValues(values))).flatten()
    }
}

struct CodeValues<'v>(&'v [(&'static str, WithValue)]);

impl Serialize for CodeValues<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> Option<String> {
    serde_json::to_string(value).ok()
}
