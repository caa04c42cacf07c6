//! Thinking, which goes back to its maker and to nobody else.

use serde_json::value::RawValue;

use super::super::mark;
use super::items::ItemListEncoder;
use crate::json::ObjectWriter;
use crate::{BlockKind, ContentBlock, ConversionTarget, Format};

impl ItemListEncoder<'_, '_> {
    /// Writes the thinking that waits: what it led to comes next.
    pub(super) fn write_held(&mut self) {
        for block in std::mem::take(&mut self.held) {
            let mut object = Vec::new();
            if thinking(block, self.ask.from, self.target, ObjectWriter::new(&mut object)) {
                let raw = String::from_utf8(object).ok().and_then(|text| RawValue::from_string(text).ok());
                self.list.element(&raw.expect("what the writer wrote is JSON"));
            } else {
                self.carry.drop(&block.at);
            }
        }
    }

    /// Leaves out the thinking that waits: it led to nothing.
    pub(super) fn drop_held(&mut self) {
        for block in std::mem::take(&mut self.held) {
            self.carry.drop(&block.at);
        }
    }
}

/// Writes thinking for the provider that signed it, and tells whether it is its own.
///
/// A client of this format may also send raw thinking that nobody signed: that goes as it came. A summary alone does not:
/// its id would be looked up at a provider that was told to keep nothing.
fn thinking(block: &ContentBlock, from: Format, target: &ConversionTarget<'_>, mut object: ObjectWriter<'_>) -> bool {
    let (text, id, signature) = match &block.kind {
        BlockKind::Thinking { text, id, signature } => (text.as_str(), id.as_ref(), signature.as_ref()),
        BlockKind::ClosedThinking(signature) => ("", None, Some(signature)),
        _ => return false,
    };
    let to = Format::Responses;
    let closed = signature.and_then(|signature| signature.for_upstream(from, target.upstream, to));
    let raw = |name| mark::find(&block.extra, name).filter(|parts| parts.get() != "[]");
    let unsigned = from == to && signature.is_none() && (raw("content").is_some() || id.is_none());
    object.member("type", "reasoning");
    let id = signature.and_then(|signature| signature.item.as_ref()).or_else(|| id.filter(|_| from == to));
    object.maybe("id", id);
    if from == to {
        object.extras(&block.extra);
    }
    if mark::find(&block.extra, "summary").is_none() || from != to {
        let mut summary = object.array("summary");
        if !text.is_empty() && raw("content").is_none() {
            let mut part = summary.object();
            part.member("type", "summary_text").member("text", text);
            part.end();
        }
        summary.end();
    }
    object.maybe("encrypted_content", closed);
    object.end();
    closed.is_some() || unsigned
}
