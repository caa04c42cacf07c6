//! Everything of a request that is not the conversation.

use serde_json::value::RawValue;

use super::include;
use crate::json::ObjectWriter;
use crate::{ChatRequest, ConversionTarget, DropReport, Format, LocatedValue, Unsupported};

/// The least bound of the output that providers take.
const OUTPUT_LEAST: u64 = 16;

/// Writes what is neither part of the conversation nor of the shape of the answer.
pub fn write(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    let ChatRequest {
        from: _,
        model: _,
        stream,
        system: _,
        turns: _,
        tools: _,
        tool_choice: _,
        parallel_calls: _,
        output_max,
        choices,
        // The answer is cut at these.
        stop: _,
        temperature: _,
        top_p: _,
        top_k: _,
        presence_penalty,
        frequency_penalty,
        seed,
        logprobs,
        top_logprobs,
        logit_bias,
        shape: _,
        reasoning: _,
        verbosity: _,
        user,
        service_tier,
        cache_key,
        metadata,
        store,
        extra,
    } = ask;
    let likelihoods = (logprobs.as_ref(), top_logprobs.as_ref());
    refuse_what_changes_the_answer(choices.as_ref(), logit_bias.as_ref(), likelihoods, carry)?;
    let [temperature, top_p, top_k] = carry.sampling(ask, target);
    for member in [top_k, seed] {
        carry.drop_any(member.as_ref());
    }
    for (name, member) in [("presence_penalty", presence_penalty), ("frequency_penalty", frequency_penalty)] {
        match member {
            Some(member) if carry.same_format() => {
                object.member(name, &member.value);
            }
            // Not every provider of this format knows it.
            member => carry.drop_any(member.as_ref()),
        }
    }
    if *stream {
        object.member("stream", &true);
    }
    bound(output_max.as_ref(), target, carry, object);
    object.maybe("temperature", temperature.as_ref().map(|number| &number.value));
    object.maybe("top_p", top_p.as_ref().map(|number| &number.value));
    object.maybe("top_logprobs", top_logprobs.as_ref().map(|count| &count.value).filter(|_| carry.same_format()));
    identity(user.as_ref(), cache_key.as_ref(), carry, object);
    tier(service_tier.as_ref(), ask.from, carry, object);
    keeping(metadata.as_ref(), store.as_ref(), carry, object);
    include::write(ask, target, object);
    if carry.same_format() {
        object.extras(extra.iter().filter(|extra| !is_placed(&extra.name)));
    } else {
        carry.drop_extras(extra);
    }
    Ok(())
}

fn refuse_what_changes_the_answer(
    choices: Option<&LocatedValue<u64>>,
    logit_bias: Option<&LocatedValue<Box<RawValue>>>,
    (logprobs, top_logprobs): (Option<&LocatedValue<bool>>, Option<&LocatedValue<u64>>),
    carry: &DropReport,
) -> Result<(), Unsupported> {
    refuse(choices, |count| *count > 1, "this model gives one answer at a time; ask again for another")?;
    refuse(logit_bias, |bias| bias.get() != "{}", "this model takes no bias of tokens; leave it out")?;
    if !carry.same_format() {
        const REASON: &str = "log probabilities are not converted; leave it out";
        refuse(logprobs, |asked| *asked, REASON)?;
        refuse(top_logprobs, |count| *count > 0, REASON)?;
    }
    Ok(())
}

/// True if a member is written elsewhere.
fn is_placed(name: &str) -> bool {
    name == "include" || name.starts_with("text.")
}

fn refuse<T>(member: Option<&LocatedValue<T>>, asks: impl FnOnce(&T) -> bool, reason: &str) -> Result<(), Unsupported> {
    match member {
        Some(member) if asks(&member.value) => Err(Unsupported::new(&member.at, reason)),
        _ => Ok(()),
    }
}

/// The client's bound, no larger than what the credit buys. A smaller one than providers take is raised to theirs.
fn bound(
    wish: Option<&LocatedValue<u64>>,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let asked = wish.map(|wish| wish.value);
    let granted = match (asked, target.output_bought) {
        (Some(asked), Some(bought)) => Some(asked.min(bought)),
        (asked, bought) => asked.or(bought),
    };
    let Some(granted) = granted else { return };
    let keeps_own = carry.same_format() && asked == Some(granted);
    let written = if keeps_own { granted } else { granted.max(OUTPUT_LEAST) };
    if let Some(wish) = wish.filter(|wish| wish.value < written) {
        carry.drop(&wish.at);
    }
    object.member("max_output_tokens", &written);
}

fn identity(
    user: Option<&LocatedValue<String>>,
    cache_key: Option<&LocatedValue<String>>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let same = carry.same_format();
    for (name, member) in [("safety_identifier", user), ("prompt_cache_key", cache_key)] {
        let Some(member) = carry.short_id(member) else { continue };
        let older = same && member.at == "user";
        object.member(if older { "user" } else { name }, &member.value);
    }
}

/// Words for classes of service differ between formats, but for those two that share them.
fn tier(tier: Option<&LocatedValue<String>>, from: Format, carry: &mut DropReport, object: &mut ObjectWriter<'_>) {
    let Some(tier) = tier else { return };
    let word = match (from, tier.value.as_str()) {
        (Format::Chat | Format::Completions | Format::Responses, word) => Some(word),
        (Format::Messages | Format::Generate, "auto") => Some("auto"),
        (Format::Messages, "standard_only") => Some("default"),
        (Format::Messages | Format::Generate, _) => None,
    };
    match word {
        Some(word) => {
            object.member("service_tier", word);
        }
        None => carry.drop(&tier.at),
    }
}

/// Nothing is kept at the provider, so texts to keep beside it are of no use there.
fn keeping(
    metadata: Option<&LocatedValue<Box<RawValue>>>,
    store: Option<&LocatedValue<bool>>,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    if carry.same_format() {
        object.maybe("metadata", metadata.map(|metadata| &metadata.value));
    } else {
        carry.drop_any(metadata);
        carry.drop_any(store.filter(|store| store.value));
    }
    object.member("store", &false);
}
