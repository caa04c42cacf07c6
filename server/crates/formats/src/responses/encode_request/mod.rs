//! Writing a request.

mod call_ids;
mod calls;
mod content;
mod include;
mod input;
mod items;
mod settings;
mod shape;
mod thinking;
mod tools;

use super::super::json::ObjectWriter;
use super::super::{ChatRequest, ConversionTarget, DropReport, EncodedRequest, Format, Unsupported};

/// Writes a request for an answer. The provider is told to keep nothing: what a later turn needs, the service keeps.
///
/// # Errors
/// When the request asks for what this format has no word for.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    encode(ask, |carry, object| {
        context(ask, target, carry, object)?;
        settings::write(ask, target, carry, object)
    })
}

/// Writes a request to count the tokens of one: the conversation and what is written out beside it, nothing else.
///
/// # Errors
/// As [`write`].
pub fn write_count(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    encode(ask, |carry, object| {
        context(ask, target, carry, object)?;
        if carry.same_format() {
            object.extras(ask.extra.iter().filter(|extra| matches!(extra.name.as_str(), "truncation" | "personality")));
        }
        Ok(())
    })
}

fn encode(
    ask: &ChatRequest,
    write: impl FnOnce(&mut DropReport, &mut ObjectWriter<'_>) -> Result<(), Unsupported>,
) -> Result<EncodedRequest, Unsupported> {
    let mut carry = DropReport::new(ask, Format::Responses);
    let mut body = Vec::with_capacity(4096);
    let mut object = ObjectWriter::new(&mut body);
    write(&mut carry, &mut object)?;
    object.end();
    Ok(EncodedRequest { body: body.into(), dropped: carry.into_dropped() })
}

/// Writes the part of a request that costs input tokens: the conversation, tools, the form of the output, thinking.
fn context(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    object.member("model", target.model);
    input::write(ask, target, carry, object)?;
    tools::write(ask, carry, object)?;
    shape::text(ask, carry, object)?;
    shape::reasoning(ask, target, carry, object);
    Ok(())
}
