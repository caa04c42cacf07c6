//! The conversation: `systemInstruction` and `contents`.

use super::part::{OutgoingPart, OutgoingPartBody};
use super::turn::OutgoingContent;
use super::{foreign, native};
use crate::json::ObjectWriter;
use crate::{BlockKind, ChatRequest, ContentBlock, ConversionTarget, DropReport, Unsupported};

/// Writes both.
///
/// # Errors
/// When something is said in a way that this format, or this provider, does not take.
pub fn write(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let mut system = instructions(&ask.system, carry)?;
    let mut contents =
        if carry.same_format() { native::contents(ask, target)? } else { foreign::contents(ask, target, carry)? };
    if contents.is_empty() {
        // Instructions alone are refused here; said by the user they are taken.
        contents.push(OutgoingContent { model: false, parts: std::mem::take(&mut system), extra: &[] });
    }
    if contents[0].parts.is_empty() {
        let at = ask.turns.first().map_or("messages", |turn| turn.at.as_str());
        return Err(Unsupported::new(at, "the whole conversation is empty; send a text"));
    }
    if !system.is_empty() {
        let mut instruction = object.object("systemInstruction");
        let mut parts = instruction.array("parts");
        for part in &system {
            part.write(&mut parts);
        }
        parts.end();
        instruction.end();
    }
    let mut list = object.array("contents");
    for content in &contents {
        content.write(&mut list);
    }
    list.end();
    Ok(())
}

fn instructions<'a>(system: &'a [ContentBlock], carry: &mut DropReport) -> Result<Vec<OutgoingPart<'a>>, Unsupported> {
    let mut parts = Vec::with_capacity(system.len());
    for ContentBlock { at, kind, extra } in system {
        match kind {
            BlockKind::Text(text) if carry.same_format() => {
                parts.push(OutgoingPart { at, body: OutgoingPartBody::Text(text), signature: None, extra });
            }
            BlockKind::Text(text) => {
                carry.drop_extras(extra);
                if !text.is_empty() {
                    parts.push(OutgoingPart::plain(at, OutgoingPartBody::Text(text)));
                }
            }
            // Kept at the provider: no part, but a member of the body.
            BlockKind::Other { .. } if carry.same_format() => {}
            BlockKind::Refusal(_)
            | BlockKind::Image(_)
            | BlockKind::Document(_)
            | BlockKind::Audio(_)
            | BlockKind::Video(_)
            | BlockKind::Call { .. }
            | BlockKind::CallResult { .. }
            | BlockKind::Thinking { .. }
            | BlockKind::ClosedThinking(_)
            | BlockKind::Compaction { .. }
            | BlockKind::Other { .. } => {
                return Err(Unsupported::new(at, "the model's provider takes instructions as text only; send text"));
            }
        }
    }
    Ok(parts)
}
