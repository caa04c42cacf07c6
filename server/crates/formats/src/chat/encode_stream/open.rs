//! State of open blocks: thoughts until they are signed, calls until their id is written.

use bytes::BytesMut;

use super::super::signed;
use super::chunk::ChatChunkWriter;
use crate::json::ObjectWriter;
use crate::{Format, ThinkingSignature};

/// A thought so far.
#[derive(Debug, Default)]
pub struct OpenThought {
    pub text: String,
    pub signature: Option<ThinkingSignature>,
}

/// A call. Its id is held back until its arguments begin or it ends: the signature, which comes before them, is put on
/// it.
#[derive(Debug)]
pub struct OpenChatCall {
    id: String,
    name: String,
    custom: bool,
    /// Of the call itself.
    signature: Option<ThinkingSignature>,
    /// Of the thought before it.
    riding: Option<ThinkingSignature>,
    /// Its index among the calls, once it was written of.
    position: Option<usize>,
    /// True if it has arguments.
    called: bool,
}

impl OpenChatCall {
    /// One of which nothing was written yet.
    pub const fn new(id: String, name: String, custom: bool, riding: Option<ThinkingSignature>) -> Self {
        Self { id, name, custom, signature: None, riding, position: None, called: false }
    }

    /// More of its arguments. `written` counts the calls that were written of.
    pub fn arguments(&mut self, arguments: &str, written: &mut usize, chunks: &ChatChunkWriter, out: &mut BytesMut) {
        if arguments.is_empty() {
            return;
        }
        self.called = true;
        let position = self.begin(written, chunks, out);
        let (kind, input) = self.words();
        fragment(position, chunks, out, |call| {
            let mut inner = call.object(kind);
            inner.member(input, arguments);
            inner.end();
        });
    }

    /// Its signature. One that comes after the id has no place but its own member.
    pub fn sign(&mut self, signature: ThinkingSignature, chunks: &ChatChunkWriter, out: &mut BytesMut) {
        match self.position {
            None => self.signature = Some(signature),
            Some(position) if signature.maker.as_ref().is_some_and(|maker| has_member(maker.format)) => {
                fragment(position, chunks, out, |call| signed::extra_content(Some(&signature), call));
            }
            Some(_) => {}
        }
    }

    /// Its end. Arguments that never came are an empty object: clients parse what they joined.
    pub fn close(&mut self, written: &mut usize, chunks: &ChatChunkWriter, out: &mut BytesMut) {
        if self.called || self.custom {
            self.begin(written, chunks, out);
        } else {
            self.arguments("{}", written, chunks, out);
        }
    }

    fn begin(&mut self, written: &mut usize, chunks: &ChatChunkWriter, out: &mut BytesMut) -> usize {
        if let Some(position) = self.position {
            return position;
        }
        let position = *written;
        *written += 1;
        self.position = Some(position);
        let (kind, input) = self.words();
        fragment(position, chunks, out, |call| {
            call.member("id", &signed::id(&self.id, self.signature.as_ref().or(self.riding.as_ref())));
            call.member("type", kind);
            let mut inner = call.object(kind);
            inner.member("name", &self.name).member(input, "");
            inner.end();
            signed::extra_content(self.signature.as_ref(), call);
        });
        position
    }

    const fn words(&self) -> (&'static str, &'static str) {
        if self.custom { ("custom", "input") } else { ("function", "arguments") }
    }
}

const fn has_member(maker: Format) -> bool {
    matches!(maker, Format::Chat | Format::Generate)
}

fn fragment(position: usize, chunks: &ChatChunkWriter, out: &mut BytesMut, write: impl FnOnce(&mut ObjectWriter<'_>)) {
    chunks.delta(out, |delta| {
        let mut list = delta.array("tool_calls");
        let mut call = list.object();
        call.member("index", &position);
        write(&mut call);
        call.end();
        list.end();
    });
}
