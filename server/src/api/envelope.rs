//! The shapes of error bodies: templates of the spec as constant pieces, written out with a failure's values.

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;
use serde::ser::SerializeMap;

use super::code::pick;
use super::{Failure, RequestId, WithValue};

/// The body of errors in one family of operations.
#[derive(Debug)]
pub struct Envelope {
    /// Its name in the spec.
    pub name: &'static str,
    /// The column of kinds, names and statuses that it uses: `a`, `o`, `g` or `account`.
    pub style: &'static str,
    /// The error body.
    pub body: &'static [Piece],
}

/// A piece of an envelope.
#[derive(Debug, Clone, Copy)]
pub enum Piece {
    /// JSON text as it stands.
    Json(&'static str),
    /// A JSON value.
    Value(Slot, Absent),
    /// A value inside a JSON string that the pieces around it open and close.
    Within(Slot),
    /// The text before, a JSON value, the text after; all left out when the value is absent.
    Member(&'static str, Slot, &'static str),
}

/// The value that takes the place of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The sentence for people.
    Say,
    /// The kind, as the envelope's style names it.
    Kind,
    /// The code, as the envelope's style names it.
    Code,
    /// The part of the request at fault.
    Param,
    /// The HTTP status as text.
    Http,
    /// The HTTP status as a number.
    HttpInt,
    /// The id of the request.
    RequestId,
    /// The act by which the caller can mend it.
    Remedy,
    /// The code's values as an object.
    With,
    /// The data that the handler attached, else the code's values as an object.
    Data,
}

/// The text that is written for an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// `null`.
    Null,
    /// `""`.
    Empty,
}

struct EnvelopeRendering<'f> {
    envelope: &'static Envelope,
    failure: &'f Failure,
    status: StatusCode,
    request_id: &'f RequestId,
}

impl Envelope {
    pub(super) fn body_of(&'static self, failure: &Failure, status: StatusCode, request_id: &RequestId) -> Bytes {
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
