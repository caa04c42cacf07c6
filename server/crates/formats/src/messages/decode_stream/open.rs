//! Blocks that are open in a stream.

use crate::json::{JsonObject, JsonValue, ObjectWriter};
use crate::{
    BlockDelta, BlockKind, BlockOpening, ContentBlock, Format, MalformedRequest, StreamEvent, ThinkingSignature,
};

/// An open block.
#[derive(Debug)]
pub struct OpenStreamBlock {
    kind: BlockDelivery,
    /// The input of a call so far that the inner language has not seen.
    input: String,
    signature: String,
}

#[derive(Debug)]
enum BlockDelivery {
    /// In pieces: those of a call are its arguments, those of another block its text.
    InPieces { index: usize, call: bool },
    /// At its end: nobody else knows how to put it together.
    AtEnd(Box<ContentBlock>),
}

/// The addition of one event to a block.
#[derive(Debug)]
pub enum BlockPiece {
    Text(String),
    Thinking(String),
    Input(String),
    Signature(String),
}

impl BlockPiece {
    /// Reads a delta; `None` where its kind is not known, or only this format has it.
    pub fn read(mut delta: JsonObject<'_>) -> Result<Option<Self>, MalformedRequest> {
        let mut text = |name: &str| delta.text(&[name]).map(Option::unwrap_or_default);
        Ok(match text("type")?.as_str() {
            "text_delta" => Some(Self::Text(text("text")?)),
            "thinking_delta" => Some(Self::Thinking(text("thinking")?)),
            "input_json_delta" => Some(Self::Input(text("partial_json")?)),
            "signature_delta" => Some(Self::Signature(text("signature")?)),
            _ => None,
        })
    }

    /// The block that it can begin, where none was opened.
    pub fn opening(&self) -> Option<ContentBlock> {
        let kind = match self {
            Self::Text(_) => BlockKind::Text(String::new()),
            Self::Thinking(_) | Self::Signature(_) => {
                BlockKind::Thinking { text: String::new(), id: None, signature: None }
            }
            Self::Input(_) => return None,
        };
        Some(ContentBlock { at: String::new(), kind, extra: Vec::new() })
    }
}

/// Opens a block; `None` where it came whole and is closed already.
pub fn opened(block: ContentBlock, count: &mut usize, out: &mut Vec<StreamEvent>) -> Option<OpenStreamBlock> {
    let call = matches!(block.kind, BlockKind::Call { .. });
    let mut opened = OpenStreamBlock {
        kind: BlockDelivery::InPieces { index: *count, call },
        input: String::new(),
        signature: String::new(),
    };
    let (opening, begun) = match block.kind {
        BlockKind::Text(text) => (BlockOpening::Text, text),
        BlockKind::Thinking { text, signature, .. } => {
            opened.signature = signature.map(|signature| signature.text).unwrap_or_default();
            (BlockOpening::Thinking, text)
        }
        BlockKind::Call { id, name, arguments, custom, signature: _ } => {
            let holds = arguments.bytes().any(|byte| !b"{} \t\r\n".contains(&byte));
            opened.input = if holds { arguments } else { String::new() };
            let id = if id.is_empty() { format!("call_{count}") } else { id };
            (BlockOpening::Call { id, name, custom }, String::new())
        }
        BlockKind::Other { .. } => {
            opened.kind = BlockDelivery::AtEnd(Box::new(block));
            return Some(opened);
        }
        BlockKind::Refusal(_)
        | BlockKind::Image(_)
        | BlockKind::Document(_)
        | BlockKind::Audio(_)
        | BlockKind::Video(_)
        | BlockKind::CallResult { .. }
        | BlockKind::ClosedThinking(_)
        | BlockKind::Compaction { .. } => {
            whole(block, count, out);
            return None;
        }
    };
    let index = *count;
    *count += 1;
    out.push(StreamEvent::Open { index, opening });
    if !begun.is_empty() {
        out.push(StreamEvent::Delta { index, delta: BlockDelta::Text(begun) });
    }
    Some(opened)
}

impl OpenStreamBlock {
    /// Adds a piece.
    pub fn add(&mut self, piece: BlockPiece, out: &mut Vec<StreamEvent>) {
        let (index, call) = match (&self.kind, &piece) {
            (BlockDelivery::InPieces { index, call }, _) => (*index, *call),
            (BlockDelivery::AtEnd(_), BlockPiece::Input(text)) => return self.input.push_str(text),
            (BlockDelivery::AtEnd(_), BlockPiece::Text(_) | BlockPiece::Thinking(_) | BlockPiece::Signature(_)) => {
                return;
            }
        };
        match piece {
            BlockPiece::Signature(text) => self.signature = text,
            BlockPiece::Input(text) if call => {
                // What stood in the opening was a beginning that the pieces repeat.
                self.input.clear();
                out.push(StreamEvent::Delta { index, delta: BlockDelta::Arguments(text) });
            }
            BlockPiece::Text(text) | BlockPiece::Thinking(text) if !call => {
                out.push(StreamEvent::Delta { index, delta: BlockDelta::Text(text) });
            }
            // A piece of another kind of block.
            BlockPiece::Input(_) | BlockPiece::Text(_) | BlockPiece::Thinking(_) => {}
        }
    }

    /// Closes it.
    pub fn close(self, upstream: &str, count: &mut usize, out: &mut Vec<StreamEvent>) {
        let index = match self.kind {
            BlockDelivery::AtEnd(block) => return whole(with_input(*block, &self.input), count, out),
            BlockDelivery::InPieces { index, call: _ } => index,
        };
        if !self.input.is_empty() {
            out.push(StreamEvent::Delta { index, delta: BlockDelta::Arguments(self.input) });
        }
        if !self.signature.is_empty() {
            let signature = ThinkingSignature::made_by(upstream, Format::Messages, None, self.signature);
            out.push(StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) });
        }
        out.push(StreamEvent::Close { index });
    }
}

fn whole(block: ContentBlock, count: &mut usize, out: &mut Vec<StreamEvent>) {
    let index = *count;
    *count += 1;
    out.push(StreamEvent::Open { index, opening: BlockOpening::Whole(Box::new(block)) });
    out.push(StreamEvent::Close { index });
}

/// The block with the input that came in pieces; as it stands where they make no JSON.
fn with_input(block: ContentBlock, input: &str) -> ContentBlock {
    let BlockKind::Other { name, raw } = block.kind else { return block };
    let filled = serde_json::from_str(input).ok().and_then(|input: &serde_json::value::RawValue| {
        let mut object = JsonValue { at: String::new(), raw: &raw }.object().ok()?;
        object.raw("input");
        let mut out = Vec::new();
        let mut writer = ObjectWriter::new(&mut out);
        writer.extras(&object.rest()).member("input", input);
        writer.end();
        serde_json::from_slice(&out).ok()
    });
    ContentBlock { kind: BlockKind::Other { name, raw: filled.unwrap_or(raw) }, ..block }
}
