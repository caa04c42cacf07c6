//! A request, written for a provider.

mod conversation;
mod foreign;
mod native;
mod part;
mod place;
mod rules;
mod settings;
mod tools;
mod turn;

use super::super::json::ObjectWriter;
use super::super::{BlockKind, ChatRequest, ConversionTarget, DropReport, EncodedRequest, Format, Unsupported};
use super::encode_value;

/// Writes the body of `:generateContent`; the model and the switch for streams stand in the path.
///
/// # Errors
/// [`Unsupported`] when another format's client asks for what cannot be said here.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    let mut body = Vec::with_capacity(1024);
    let mut object = ObjectWriter::new(&mut body);
    let dropped = write_members(ask, target, &mut object)?;
    object.end();
    Ok(EncodedRequest { body: body.into(), dropped })
}

/// Writes the members of the body into an object that is open. Gives the places of what was left out.
///
/// # Errors
/// As [`write`].
pub fn write_members(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    object: &mut ObjectWriter<'_>,
) -> Result<Vec<String>, Unsupported> {
    let mut carry = DropReport::new(ask, Format::Generate);
    if !carry.same_format() {
        rules::refuse(ask)?;
    }
    conversation::write(ask, target, &mut carry, object)?;
    members(ask, target, &mut carry, object)?;
    Ok(carry.into_dropped())
}

/// All but what is said.
fn members(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    #[rustfmt::skip]
    let ChatRequest {
        // `conversation` writes what is said, `settings` and `rules` have the rest; model and stream stand in the path.
        from: _, model: _, stream: _, turns: _, output_max: _, choices: _, stop: _, temperature: _, top_p: _, top_k: _,
        presence_penalty: _, frequency_penalty: _, seed: _, logprobs: _, top_logprobs: _, logit_bias: _, shape: _,
        reasoning: _,
        system, tools, tool_choice, parallel_calls, verbosity, user, service_tier, cache_key, metadata, store, extra,
    } = ask;
    tools::write(tools, carry, object)?;
    tools::write_choice(ask, tool_choice.as_ref(), carry, object)?;
    let config = settings::write(ask, target, carry)?;
    object.maybe("generationConfig", config.as_deref());
    if carry.same_format() {
        object.maybe("serviceTier", service_tier.as_ref().map(|tier| &tier.value));
        object.maybe("store", store.as_ref().map(|store| &store.value));
        for block in system {
            if let BlockKind::Other { name, raw } = &block.kind {
                object.member(name, raw);
            }
        }
        object.extras(place::beside(extra, &["generationConfig.", "toolConfig."]));
        return Ok(());
    }
    carry.drop_any(service_tier.as_ref());
    carry.drop_any(store.as_ref());
    // Several calls in a turn are the provider's habit, and there is no switch for it.
    carry.drop_any(parallel_calls.as_ref().filter(|parallel| !parallel.value));
    carry.drop_any(verbosity.as_ref());
    carry.drop_any(user.as_ref());
    carry.drop_any(cache_key.as_ref());
    carry.drop_any(metadata.as_ref());
    carry.drop_extras(extra);
    Ok(())
}
