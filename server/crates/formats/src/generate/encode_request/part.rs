//! One part on its way out.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::super::base64;
use super::place;
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{MediaContent, MediaSource, UnknownMember};

/// Objects beneath a part that may hold members of the client's own.
const SCOPES: [&str; 4] = ["inlineData.", "fileData.", "functionCall.", "functionResponse."];

/// A part, before it is written.
#[derive(Debug)]
pub struct OutgoingPart<'a> {
    /// The place of the block that it was.
    pub at: &'a str,
    /// Its content.
    pub body: OutgoingPartBody<'a>,
    /// The signature that its maker wants back with it.
    pub signature: Option<Cow<'a, str>>,
    /// Members of the client's own, where the client speaks this format.
    pub extra: &'a [UnknownMember],
}

/// The content of a part.
#[derive(Debug)]
pub enum OutgoingPartBody<'a> {
    Text(&'a str),
    Thought(&'a str),
    Inline { mime: Option<&'a str>, data: Cow<'a, str>, name: Option<&'a str> },
    File { mime: Option<&'a str>, uri: &'a str, name: Option<&'a str> },
    Call { id: &'a str, name: &'a str, arguments: Box<RawValue> },
    Result { id: &'a str, name: &'a str, response: Box<RawValue>, parts: Vec<OutgoingPart<'a>> },
    Raw(&'a RawValue),
}

impl<'a> OutgoingPartBody<'a> {
    /// Of a medium, as it stands.
    pub fn of_media(media: &'a MediaContent) -> Self {
        let MediaContent { mime, source, name, detail: _ } = media;
        let (mime, name) = (mime.as_deref(), name.as_deref());
        match source {
            MediaSource::Base64(data) => Self::Inline { mime, data: Cow::Borrowed(data), name },
            MediaSource::Text(text) => Self::Inline { mime, data: Cow::Owned(base64::encode(text.as_bytes())), name },
            MediaSource::Url(uri) | MediaSource::FileId(uri) => Self::File { mime, uri, name },
        }
    }
}

impl<'a> OutgoingPart<'a> {
    /// One without signature and members of the client's own.
    pub const fn plain(at: &'a str, body: OutgoingPartBody<'a>) -> Self {
        Self { at, body, signature: None, extra: &[] }
    }

    /// Writes it.
    pub fn write(&self, list: &mut ArrayWriter<'_>) {
        let Self { at: _, body, signature, extra } = self;
        if let OutgoingPartBody::Raw(raw) = body {
            list.element(raw);
            return;
        }
        let mut part = list.object();
        self.body(&mut part);
        part.maybe("thoughtSignature", signature.as_deref());
        part.extras(place::beside(extra, &SCOPES));
        part.end();
    }

    fn body(&self, part: &mut ObjectWriter<'_>) {
        match &self.body {
            OutgoingPartBody::Text(text) | OutgoingPartBody::Thought(text @ "") => {
                part.member("text", text);
            }
            OutgoingPartBody::Thought(text) => {
                part.member("text", text).member("thought", &true);
            }
            OutgoingPartBody::Inline { mime, data, name } => {
                let mut blob = part.object("inlineData");
                blob.maybe("mimeType", *mime).member("data", data).maybe("displayName", *name);
                self.end("inlineData.", blob);
            }
            OutgoingPartBody::File { mime, uri, name } => {
                let mut file = part.object("fileData");
                file.maybe("mimeType", *mime).member("fileUri", uri).maybe("displayName", *name);
                self.end("fileData.", file);
            }
            OutgoingPartBody::Call { id, name, arguments } => {
                let mut call = part.object("functionCall");
                call.maybe("id", some(id)).member("name", name).member("args", arguments);
                self.end("functionCall.", call);
            }
            OutgoingPartBody::Result { id, name, response, parts } => {
                let mut result = part.object("functionResponse");
                result.maybe("id", some(id)).member("name", name).member("response", response);
                if !parts.is_empty() {
                    let mut list = result.array("parts");
                    for part in parts {
                        part.write(&mut list);
                    }
                    list.end();
                }
                self.end("functionResponse.", result);
            }
            OutgoingPartBody::Raw(_) => {}
        }
    }

    fn end(&self, scope: &str, mut object: ObjectWriter<'_>) {
        place::beneath(self.extra, scope, &mut object);
        object.end();
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
