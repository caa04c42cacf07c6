//! Chunks: what all of a stream have in common, and the frames around them.

use bytes::BytesMut;

use super::super::usage;
use crate::json::ObjectWriter;
use crate::{ResponseContext, TokenUsage};

/// Writes chunks of one stream.
#[derive(Debug)]
pub struct ChatChunkWriter {
    id: String,
    created: i64,
    model: String,
    /// True if the client asked for usage: then every chunk has the member, and it is null in all but the last.
    include_usage: bool,
}

impl ChatChunkWriter {
    /// Of one answer.
    pub fn new(echo: &ResponseContext) -> Self {
        let (created, include_usage) = (echo.created, echo.include_usage);
        Self { id: format!("chatcmpl-{}", echo.id), created, model: echo.model.clone(), include_usage }
    }

    /// One delta.
    pub fn delta(&self, out: &mut BytesMut, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.choice(None, out, write);
    }

    /// A delta of one text. Empty ones are not written.
    pub fn text(&self, name: &str, text: &str, out: &mut BytesMut) {
        if !text.is_empty() {
            self.delta(out, |delta| {
                delta.member(name, text);
            });
        }
    }

    /// The last chunk with a choice.
    pub fn finish(&self, reason: &str, out: &mut BytesMut) {
        self.choice(Some(reason), out, |_| {});
    }

    /// The chunk of usage, which comes last and has no choice; nothing for a client that did not ask.
    pub fn usage(&self, used: &TokenUsage, out: &mut BytesMut) {
        if self.include_usage {
            self.frame(out, |chunk| {
                chunk.array("choices").end();
                usage::write(used, chunk);
            });
        }
    }

    fn choice(&self, finish: Option<&str>, out: &mut BytesMut, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.frame(out, |chunk| {
            let mut choices = chunk.array("choices");
            let mut choice = choices.object();
            choice.member("index", &0);
            let mut delta = choice.object("delta");
            write(&mut delta);
            delta.end();
            choice.member("logprobs", &None::<&str>).member("finish_reason", &finish);
            choice.end();
            choices.end();
            if self.include_usage {
                chunk.member("usage", &None::<&str>);
            }
        });
    }

    fn frame(&self, out: &mut BytesMut, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut json = Vec::with_capacity(256);
        let mut chunk = ObjectWriter::new(&mut json);
        chunk.member("id", &self.id);
        chunk.member("object", "chat.completion.chunk");
        chunk.member("created", &self.created);
        chunk.member("model", &self.model);
        chunk.member("system_fingerprint", &None::<&str>);
        write(&mut chunk);
        chunk.end();
        event(&json, out);
    }
}

/// The terminator.
pub fn done(out: &mut BytesMut) {
    event(b"[DONE]", out);
}

/// The event that tells of a broken stream; nothing follows it, no terminator above all.
pub fn error(body: &[u8], out: &mut BytesMut) {
    // Line ends would end the event's line; between JSON's tokens they mean as much as spaces.
    let line: Vec<u8> = body.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect();
    event(&line, out);
}

/// One event with this data.
pub fn event(json: &[u8], out: &mut BytesMut) {
    out.reserve(json.len() + 8);
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(json);
    out.extend_from_slice(b"\n\n");
}
