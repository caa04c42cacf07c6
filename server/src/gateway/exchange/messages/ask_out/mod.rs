//! Requests to providers.

mod blocks;
mod caching;
mod media;
mod pairs;
mod refused;
mod sampling;
mod schema;
mod settings;
mod shape;
mod taken;
mod thinking;
mod tools;
mod turns;

use super::super::json::ObjectWriter;
use super::super::{Ask, At, Carry, Encoded, Format, NotCarried, Target};
use blocks::Blocks;
use caching::CacheMarks;
use sampling::Sampling;
use schema::Budget;
use shape::Shape;
use thinking::{Around, Plan};
use tools::Choice;
use turns::Spoken;

/// Objects whose unknown members are kept one level up.
const WITHIN: [&str; 3] = ["metadata", "output_config", "tool_choice"];

/// Writes a request for `/v1/messages`.
///
/// # Errors
/// When it asks for what the format has no word for, and leaving it out would change the answer.
pub fn write(ask: &Ask, target: &Target<'_>) -> Result<Encoded, NotCarried> {
    encode(ask, target, Purpose::Answer)
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An answer.
    Answer,
    /// The count of its tokens. Settings of an answer have no place in it.
    Count,
}

pub(super) fn encode(ask: &Ask, target: &Target<'_>, purpose: Purpose) -> Result<Encoded, NotCarried> {
    let mut carry = Carry::new(ask, Format::Messages);
    check(ask, &mut carry)?;
    let spoken = turns::arrange(ask, target, &mut carry);
    let choice = Choice::of(&ask.tools, ask.tool_choice.as_ref(), ask.parallel_calls.as_ref(), &mut carry)?;
    let (output_max, cut) = bound(ask.output_max.as_ref(), target, purpose);
    let around = Around {
        output_max,
        cut,
        forced: choice.is_forced() && !carry.same_format(),
        lacks_thinking: spoken.iter().any(Spoken::lacks_thinking),
        mode: target.capabilities.thinking,
    };
    let plan = Plan::of(ask.reasoning.as_ref(), around, &mut carry);
    let mut budget = Budget::whole();
    let shape = Shape::of(ask, &mut budget, &mut carry)?;
    let mut body = Vec::new();
    let mut object = ObjectWriter::new(&mut body);
    object.member("model", target.model);
    if purpose == Purpose::Answer {
        object.member("max_tokens", &output_max).maybe("stream", ask.stream.then_some(&true));
    }
    let mut marks = CacheMarks::of(ask);
    let mut blocks = Blocks::new(ask.from, target, &mut marks, &mut carry);
    blocks.system(&ask.system, shape.words(), &mut object)?;
    let mut list = object.array("messages");
    spoken.iter().try_for_each(|turn| blocks.turn(turn, &mut list))?;
    list.end();
    tools::write(&ask.tools, &choice, &mut marks, &mut budget, &mut carry, &mut object)?;
    choice.write(&ask.extra, &carry, &mut object);
    plan.write(&mut object);
    settings::output(ask, &shape, &plan, &carry, &mut object);
    let sampling = Sampling::of(carry.sampling(ask, target));
    match purpose {
        Purpose::Answer => {
            sampling.write(plan.thinks(), &mut carry, &mut object);
            settings::answer(ask, &mut carry, &mut object)?;
        }
        Purpose::Count => {
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
    Ok(Encoded { body: body.into(), dropped: carry.into_dropped() })
}

/// Refuses members that the format has no word for, and notes those that may be left out.
fn check(ask: &Ask, carry: &mut Carry) -> Result<(), NotCarried> {
    // Named one by one, so that a new member stops the build here. Those without a name of their own are written by
    // `encode`.
    let Ask {
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
    refused::choices(choices.as_ref())?;
    refused::likelihoods(logprobs.as_ref(), top_logprobs.as_ref(), logit_bias.as_ref())?;
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
fn bound(asked: Option<&At<u64>>, target: &Target<'_>, purpose: Purpose) -> (u64, bool) {
    if purpose == Purpose::Count {
        return (target.output_max, false);
    }
    let asked = asked.map_or(target.output_max, |asked| asked.value);
    let bound = target.output_bought.map_or(asked, |bought| asked.min(bought)).max(1);
    (bound, bound < asked)
}
