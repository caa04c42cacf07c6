//! Blocks that are open in a stream.

use super::super::super::json::{Object, ObjectWriter, Value};
use super::super::super::{Block, Delta, Event, Format, Kind, Opening, Signature, Unreadable};

/// An open block.
#[derive(Debug)]
pub struct Opened {
    kind: Comes,
    /// The input of a call so far that the inner language has not seen.
    input: String,
    signature: String,
}

#[derive(Debug)]
enum Comes {
    /// In pieces: those of a call are its arguments, those of another block its text.
    InPieces { index: usize, call: bool },
    /// At its end: nobody else knows how to put it together.
    AtEnd(Box<Block>),
}

/// The addition of one event to a block.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    Thinking(String),
    Input(String),
    Signature(String),
}

impl Piece {
    /// Reads a delta; `None` where its kind is not known, or only this format has it.
    pub fn read(mut delta: Object<'_>) -> Result<Option<Self>, Unreadable> {
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
    pub fn opening(&self) -> Option<Block> {
        let kind = match self {
            Self::Text(_) => Kind::Text(String::new()),
            Self::Thinking(_) | Self::Signature(_) => Kind::Thinking { text: String::new(), id: None, signature: None },
            Self::Input(_) => return None,
        };
        Some(Block { at: String::new(), kind, extra: Vec::new() })
    }
}

/// Opens a block; `None` where it came whole and is closed already.
pub fn opened(block: Block, count: &mut usize, out: &mut Vec<Event>) -> Option<Opened> {
    let call = matches!(block.kind, Kind::Call { .. });
    let mut opened =
        Opened { kind: Comes::InPieces { index: *count, call }, input: String::new(), signature: String::new() };
    let (opening, begun) = match block.kind {
        Kind::Text(text) => (Opening::Text, text),
        Kind::Thinking { text, signature, .. } => {
            opened.signature = signature.map(|signature| signature.text).unwrap_or_default();
            (Opening::Thinking, text)
        }
        Kind::Call { id, name, arguments, custom, signature: _ } => {
            let holds = arguments.bytes().any(|byte| !b"{} \t\r\n".contains(&byte));
            opened.input = if holds { arguments } else { String::new() };
            let id = if id.is_empty() { format!("call_{count}") } else { id };
            (Opening::Call { id, name, custom }, String::new())
        }
        Kind::Other { .. } => {
            opened.kind = Comes::AtEnd(Box::new(block));
            return Some(opened);
        }
        Kind::Refusal(_)
        | Kind::Image(_)
        | Kind::Document(_)
        | Kind::Audio(_)
        | Kind::Video(_)
        | Kind::CallResult { .. }
        | Kind::ClosedThinking(_)
        | Kind::Compaction { .. } => {
            whole(block, count, out);
            return None;
        }
    };
    let index = *count;
    *count += 1;
    out.push(Event::Open { index, opening });
    if !begun.is_empty() {
        out.push(Event::Delta { index, delta: Delta::Text(begun) });
    }
    Some(opened)
}

impl Opened {
    /// Adds a piece.
    pub fn add(&mut self, piece: Piece, out: &mut Vec<Event>) {
        let (index, call) = match (&self.kind, &piece) {
            (Comes::InPieces { index, call }, _) => (*index, *call),
            (Comes::AtEnd(_), Piece::Input(text)) => return self.input.push_str(text),
            (Comes::AtEnd(_), Piece::Text(_) | Piece::Thinking(_) | Piece::Signature(_)) => return,
        };
        match piece {
            Piece::Signature(text) => self.signature = text,
            Piece::Input(text) if call => {
                // What stood in the opening was a beginning that the pieces repeat.
                self.input.clear();
                out.push(Event::Delta { index, delta: Delta::Arguments(text) });
            }
            Piece::Text(text) | Piece::Thinking(text) if !call => {
                out.push(Event::Delta { index, delta: Delta::Text(text) });
            }
            // A piece of another kind of block.
            Piece::Input(_) | Piece::Text(_) | Piece::Thinking(_) => {}
        }
    }

    /// Closes it.
    pub fn close(self, upstream: &str, count: &mut usize, out: &mut Vec<Event>) {
        let index = match self.kind {
            Comes::AtEnd(block) => return whole(with_input(*block, &self.input), count, out),
            Comes::InPieces { index, call: _ } => index,
        };
        if !self.input.is_empty() {
            out.push(Event::Delta { index, delta: Delta::Arguments(self.input) });
        }
        if !self.signature.is_empty() {
            let signature = Signature::made_by(upstream, Format::Messages, None, self.signature);
            out.push(Event::Delta { index, delta: Delta::Signature(signature) });
        }
        out.push(Event::Close { index });
    }
}

fn whole(block: Block, count: &mut usize, out: &mut Vec<Event>) {
    let index = *count;
    *count += 1;
    out.push(Event::Open { index, opening: Opening::Whole(Box::new(block)) });
    out.push(Event::Close { index });
}

/// The block with the input that came in pieces; as it stands where they make no JSON.
fn with_input(block: Block, input: &str) -> Block {
    let Kind::Other { name, raw } = block.kind else { return block };
    let filled = serde_json::from_str(input).ok().and_then(|input: &serde_json::value::RawValue| {
        let mut object = Value { at: String::new(), raw: &raw }.object().ok()?;
        object.raw("input");
        let mut out = Vec::new();
        let mut writer = ObjectWriter::new(&mut out);
        writer.extras(&object.rest()).member("input", input);
        writer.end();
        serde_json::from_slice(&out).ok()
    });
    Block { kind: Kind::Other { name, raw: filled.unwrap_or(raw) }, ..block }
}
