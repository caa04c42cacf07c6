//! Chunks of a stream for a client.
//!
//! The last chunk holds the last part together with the reason and the usage, because the official SDKs forget a turn that
//! has a chunk without a part. So the last part waits: of a text only its last character, the rest goes out at once.

use bytes::BytesMut;

use super::super::json::ObjectWriter;
use super::super::{ResponseContext, StopReason, ThinkingSignature, TokenUsage};
use super::{encode_parts, encode_value};

/// The framing of the chunks of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkFraming {
    /// Server-sent events, for `alt=sse`: data lines and nothing else.
    Sse,
    /// One JSON list.
    Array,
}

/// Writes chunks.
#[derive(Debug)]
pub struct GenerateChunkWriter {
    echo: ResponseContext,
    framing: ChunkFraming,
    last: Option<PendingPart>,
    begun: bool,
    ended: bool,
}

/// The part that waits for the next one, or for the end.
#[derive(Debug)]
enum PendingPart {
    Text { text: String, thought: bool },
    Whole(Vec<u8>),
}

impl GenerateChunkWriter {
    /// None yet.
    pub const fn new(echo: ResponseContext, framing: ChunkFraming) -> Self {
        Self { echo, framing, last: None, begun: false, ended: false }
    }

    /// True if the stream has been ended, complete or with an error.
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Writes a text save its last character, which waits.
    pub fn write_text(&mut self, mut text: String, thought: bool, out: &mut BytesMut) {
        let Some((cut, _)) = text.char_indices().next_back() else { return };
        let rest = text.split_off(cut);
        if let Some(PendingPart::Text { text: waiting, thought: same }) = &mut self.last
            && *same == thought
        {
            text.insert_str(0, &std::mem::replace(waiting, rest));
        } else {
            self.wait(PendingPart::Text { text: rest, thought }, out);
        }
        self.chunk(encode_parts::text_part(&text, thought, None), None, out);
    }

    /// Signs the thought that has just been written: its last piece, which still waits, carries the signature.
    pub fn sign(&mut self, signature: &ThinkingSignature, out: &mut BytesMut) {
        let piece = match self.last.take() {
            Some(PendingPart::Text { text, thought: true }) => text,
            other => {
                self.last = other;
                String::new()
            }
        };
        if let Some(part) = encode_parts::text_part(&piece, true, Some(signature)) {
            self.put(part, out);
        }
    }

    /// Writes a part that is whole.
    pub fn put(&mut self, part: Vec<u8>, out: &mut BytesMut) {
        self.wait(PendingPart::Whole(part), out);
    }

    /// Writes the last chunk.
    pub fn end(&mut self, stop: &StopReason, usage: &TokenUsage, out: &mut BytesMut) {
        let part = self.last.take().and_then(PendingPart::into_part);
        self.chunk(part, Some((stop, usage)), out);
        self.close(out);
    }

    /// Writes what waits, then the error object, and nothing that looks complete.
    pub fn fail(&mut self, error: &[u8], out: &mut BytesMut) {
        let part = self.last.take().and_then(PendingPart::into_part);
        self.chunk(part, None, out);
        self.frame(error.to_vec(), out);
        self.close(out);
    }

    fn wait(&mut self, part: PendingPart, out: &mut BytesMut) {
        let before = self.last.replace(part).and_then(PendingPart::into_part);
        self.chunk(before, None, out);
    }

    /// One without a part is written only at the end.
    fn chunk(&mut self, part: Option<Vec<u8>>, ending: Option<(&StopReason, &TokenUsage)>, out: &mut BytesMut) {
        if part.is_none() && ending.is_none() {
            return;
        }
        let parts: Vec<Vec<u8>> = part.into_iter().collect();
        let mut json = Vec::with_capacity(256);
        let mut answer = ObjectWriter::new(&mut json);
        let mut candidates = answer.array("candidates");
        let mut candidate = candidates.object();
        encode_parts::content(&parts, &mut candidate);
        if let Some((stop, _)) = ending {
            encode_parts::ending(stop, &mut candidate);
        }
        candidate.member("index", &0);
        candidate.end();
        candidates.end();
        encode_parts::foot(ending.map(|(_, usage)| usage), &self.echo, &mut answer);
        answer.end();
        self.frame(json, out);
    }

    fn frame(&mut self, mut json: Vec<u8>, out: &mut BytesMut) {
        encode_value::one_line(&mut json);
        let begun = std::mem::replace(&mut self.begun, true);
        let (before, after): (&[u8], &[u8]) = match (self.framing, begun) {
            (ChunkFraming::Sse, _) => (b"data: ", b"\n\n"),
            (ChunkFraming::Array, false) => (b"[", b""),
            (ChunkFraming::Array, true) => (b",\n", b""),
        };
        for piece in [before, &json, after] {
            out.extend_from_slice(piece);
        }
    }

    fn close(&mut self, out: &mut BytesMut) {
        self.ended = true;
        if self.framing == ChunkFraming::Array {
            out.extend_from_slice(b"]");
        }
    }
}

impl PendingPart {
    fn into_part(self) -> Option<Vec<u8>> {
        match self {
            Self::Text { text, thought } => encode_parts::text_part(&text, thought, None),
            Self::Whole(part) => Some(part),
        }
    }
}
