//! A request, written for an upstream of this format.

mod calls;
mod ids;
mod messages;
mod parts;
mod plan;
mod settings;
mod thoughts;
mod tools;

use super::super::json::ObjectWriter;
use super::super::{ChatRequest, ConversionTarget, DropReport, EncodedRequest, Format, Unsupported};
use super::native_members::NativeMembers;
use messages::MessageListEncoder;
use settings::{raw, refuse, value};

/// Writes the body of `POST /v1/chat/completions`.
///
/// # Errors
/// When the request asks for what this format has no word for, or for what an answer could not be carried back with.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    // No `..`: a member that is added to the inner language has to be thought about here.
    let ChatRequest {
        from,
        model: _,
        stream,
        system,
        turns,
        tools,
        tool_choice,
        parallel_calls,
        output_max,
        choices,
        stop,
        temperature: _,
        top_p: _,
        top_k: _,
        presence_penalty,
        frequency_penalty,
        seed,
        logprobs,
        top_logprobs,
        logit_bias,
        shape,
        reasoning,
        verbosity,
        user,
        service_tier,
        cache_key,
        metadata,
        store,
        extra,
    } = ask;
    let mut carry = DropReport::new(ask, Format::Chat);
    let same = carry.same_format();
    let [temperature, top_p, top_k] = carry.sampling(ask, target);
    let mut extra = NativeMembers::of(extra, &mut carry);
    let mut body = Vec::with_capacity(4096);
    let mut object = ObjectWriter::new(&mut body);

    object.member("model", target.model);
    MessageListEncoder::new(*from, target, &mut carry).write(system, turns, &mut object)?;
    settings::stream(*stream, &extra.inside("stream_options"), &mut object);
    settings::bound(output_max.as_ref(), target, &mut object);

    object.maybe("temperature", raw(temperature.as_ref()));
    object.maybe("top_p", raw(top_p.as_ref()));
    object.maybe("presence_penalty", raw(presence_penalty.as_ref()));
    object.maybe("frequency_penalty", raw(frequency_penalty.as_ref()));
    object.maybe("seed", raw(seed.as_ref()));
    object.maybe("verbosity", value(verbosity.as_ref()));
    object.maybe("prompt_cache_key", value(carry.short_id(cache_key.as_ref())));
    settings::stop(stop.as_ref(), same, &mut object)?;
    settings::user(carry.short_id(user.as_ref()), &mut object);
    settings::service_tier(service_tier.as_ref(), *from, &mut carry, &mut object);
    settings::reasoning(reasoning.as_ref(), target, &mut carry, &mut object);
    settings::shape(shape.as_ref(), &mut extra, same, &mut object)?;

    if same {
        object.maybe("n", value(choices.as_ref()));
        object.maybe("top_k", raw(top_k.as_ref()));
        object.maybe("logprobs", value(logprobs.as_ref()));
        object.maybe("top_logprobs", value(top_logprobs.as_ref()));
        object.maybe("logit_bias", raw(logit_bias.as_ref()));
        object.maybe("metadata", raw(metadata.as_ref()));
        object.maybe("store", value(store.as_ref()));
    } else {
        refuse(choices.as_ref(), |choices| *choices > 1, "one answer is carried between formats; ask once for each")?;
        refuse(logprobs.as_ref(), |asked| *asked, "the answer's probabilities are not carried between formats")?;
        refuse(
            top_logprobs.as_ref(),
            |count| *count > 0,
            "the answer's probabilities are not carried between formats",
        )?;
        refuse(logit_bias.as_ref(), |_| true, "token ids differ between providers; leave it out")?;
        carry.drop_any(top_k.as_ref());
        carry.drop_any(metadata.as_ref());
        carry.drop_any(store.as_ref());
    }

    let has_tools = tools::write(tools, *from, &mut carry, &mut object)?;
    tools::choice(tool_choice.as_ref(), tools, has_tools, &mut carry, &mut object)?;
    if has_tools || same {
        object.maybe("parallel_tool_calls", value(parallel_calls.as_ref()));
    } else {
        carry.drop_any(parallel_calls.as_ref());
    }

    extra.write(&mut object);
    object.end();
    Ok(EncodedRequest { body: body.into(), dropped: carry.into_dropped() })
}
