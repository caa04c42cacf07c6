//! Requests to providers.

mod accepted_blocks;
mod arranged_message;
mod blocks;
mod caching;
mod media;
mod pairs;
mod purpose;
mod sampling;
mod schema;
mod settings;
mod shape;
mod thinking;
mod tools;
mod turns;
mod unsupported;

use super::super::json::ObjectWriter;
use super::super::{ChatRequest, ConversionTarget, DropReport, EncodedRequest, Format, LocatedValue, Unsupported};
use arranged_message::ArrangedMessage;
use blocks::RequestBlockEncoder;
use caching::CacheMarks;
pub(super) use purpose::RequestPurpose;
use sampling::SamplingSettings;
use schema::SchemaBudget;
use shape::EncodedShape;
use thinking::{ThinkingLimits, ThinkingPlan};
use tools::EncodedToolChoice;

/// Writes a request for `/v1/messages`.
///
/// # Errors
/// When it asks for what the format has no word for, and leaving it out would change the answer.
pub fn write(ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, Unsupported> {
    encode(ask, target, RequestPurpose::Answer)
}

pub(super) fn encode(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    purpose: RequestPurpose,
) -> Result<EncodedRequest, Unsupported> {
    let mut carry = DropReport::new(ask, Format::Messages);
    check(ask, &mut carry)?;
    let spoken = turns::arrange(ask, target, &mut carry);
    let choice = EncodedToolChoice::of(&ask.tools, ask.tool_choice.as_ref(), ask.parallel_calls.as_ref(), &mut carry)?;
    let (output_max, cut) = bound(ask.output_max.as_ref(), target, purpose);
    let around = ThinkingLimits {
        output_max,
        cut,
        forced: choice.is_forced() && !carry.same_format(),
        lacks_thinking: spoken.iter().any(ArrangedMessage::lacks_thinking),
        mode: target.capabilities.thinking,
    };
    let plan = ThinkingPlan::of(ask.reasoning.as_ref(), around, &mut carry);
    let mut budget = SchemaBudget::whole();
    let shape = EncodedShape::of(ask, &mut budget, &mut carry)?;
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("model", target.model);
    if purpose == RequestPurpose::Answer {
        object.member("max_tokens", &output_max).maybe("stream", ask.stream.then_some(&true));
    }
    let mut marks = CacheMarks::of(ask);
    let mut blocks = RequestBlockEncoder::new(ask.from, target, &mut marks, &mut carry);
    blocks.system(&ask.system, shape.words(), &mut object)?;
    let mut list = object.array("messages");
    spoken.iter().try_for_each(|turn| blocks.turn(turn, &mut list))?;
    list.end();
    tools::write(&ask.tools, &choice, &mut marks, &mut budget, &mut carry, &mut object)?;
    choice.write(&ask.extra, &carry, &mut object);
    plan.write(&mut object);
    settings::output(ask, &shape, &plan, &carry, &mut object);
    let sampling = SamplingSettings::of(carry.sampling(ask, target));
    match purpose {
        RequestPurpose::Answer => {
            sampling.write(plan.thinks(), &mut carry, &mut object);
            settings::answer(ask, &mut carry, &mut object)?;
        }
        RequestPurpose::Count => {
            sampling.drop(&mut carry);
            settings::drop_answer(ask, &mut carry);
        }
    }
    if carry.same_format() {
        settings::extras(ask, around.is_impossible(), purpose, &mut carry, &mut object);
    } else {
        caching::of_request(ask, &marks, target, purpose, &mut carry, &mut object);
    }
    object.end();
    Ok(EncodedRequest { body: body.into(), dropped: carry.into_dropped() })
}

/// Refuses members that the format has no word for, and notes those that may be left out.
fn check(ask: &ChatRequest, carry: &mut DropReport) -> Result<(), Unsupported> {
    // Named one by one, so that a new member stops the build here. Those without a name of their own are written by
    // `encode`.
    let ChatRequest {
        choices,
        logprobs,
        top_logprobs,
        logit_bias,
        presence_penalty,
        frequency_penalty,
        seed,
        verbosity,
        cache_key,
        metadata,
        store,
        from: _,
        model: _,
        stream: _,
        system: _,
        turns: _,
        tools: _,
        tool_choice: _,
        parallel_calls: _,
        output_max: _,
        stop: _,
        temperature: _,
        top_p: _,
        top_k: _,
        shape: _,
        reasoning: _,
        user: _,
        service_tier: _,
        extra: _,
    } = ask;
    unsupported::choices(choices.as_ref())?;
    unsupported::likelihoods(logprobs.as_ref(), top_logprobs.as_ref(), logit_bias.as_ref())?;
    for number in [presence_penalty, frequency_penalty, seed, metadata] {
        carry.drop_any(number.as_ref());
    }
    carry.drop_any(verbosity.as_ref());
    carry.drop_any(cache_key.as_ref());
    // Nothing is kept: who asks for that has it.
    carry.drop_any(store.as_ref().filter(|store| store.value));
    Ok(())
}

/// The output bound, and whether it is less than what the client asked for. A count has none: the model's own.
fn bound(asked: Option<&LocatedValue<u64>>, target: &ConversionTarget<'_>, purpose: RequestPurpose) -> (u64, bool) {
    if purpose == RequestPurpose::Count {
        return (target.output_max, false);
    }
    let asked = asked.map_or(target.output_max, |asked| asked.value);
    let bound = target.output_bought.map_or(asked, |bought| asked.min(bought)).max(1);
    (bound, bound < asked)
}
