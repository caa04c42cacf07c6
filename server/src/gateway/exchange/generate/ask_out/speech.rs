//! The conversation: `systemInstruction` and `contents`.

use super::super::super::json::ObjectWriter;
use super::super::super::{Ask, Block, Carry, Kind, NotCarried, Target};
use super::part::{Body, Part};
use super::turn::Content;
use super::{foreign, own};

/// Writes both.
///
/// # Errors
/// When something is said in a way that this format, or this provider, does not take.
pub fn write(
    ask: &Ask,
    target: &Target<'_>,
    carry: &mut Carry,
    object: &mut ObjectWriter<'_>,
) -> Result<(), NotCarried> {
    let mut system = instructions(&ask.system, carry)?;
    let mut contents =
        if carry.same_format() { own::contents(ask, target)? } else { foreign::contents(ask, target, carry)? };
    if contents.is_empty() {
        // Instructions alone are refused here; said by the user they are taken.
        contents.push(Content { model: false, parts: std::mem::take(&mut system), extra: &[] });
    }
    if contents[0].parts.is_empty() {
        let at = ask.turns.first().map_or("messages", |turn| turn.at.as_str());
        return Err(NotCarried::new(at, "the whole conversation is empty; send a text"));
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

fn instructions<'a>(system: &'a [Block], carry: &mut Carry) -> Result<Vec<Part<'a>>, NotCarried> {
    let mut parts = Vec::with_capacity(system.len());
    for Block { at, kind, extra } in system {
        match kind {
            Kind::Text(text) if carry.same_format() => {
                parts.push(Part { at, body: Body::Text(text), signature: None, extra });
            }
            Kind::Text(text) => {
                carry.drop_extras(extra);
                if !text.is_empty() {
                    parts.push(Part::plain(at, Body::Text(text)));
                }
            }
            // Kept at the provider: no part, but a member of the body.
            Kind::Other { .. } if carry.same_format() => {}
            Kind::Refusal(_)
            | Kind::Image(_)
            | Kind::Document(_)
            | Kind::Audio(_)
            | Kind::Video(_)
            | Kind::Call { .. }
            | Kind::CallResult { .. }
            | Kind::Thinking { .. }
            | Kind::ClosedThinking(_)
            | Kind::Compaction { .. }
            | Kind::Other { .. } => {
                return Err(NotCarried::new(at, "the model's provider takes instructions as text only; send text"));
            }
        }
    }
    Ok(parts)
}
