//! `generationConfig`: settings of the answer.

use serde_json::value::RawValue;

use super::{encode_value, place};
use crate::json::{JsonObject, JsonValue, ObjectWriter};
use crate::{
    ChatRequest, ConversionTarget, DropReport, Format, LocatedValue, OutputShape, ReasoningEffort, ReasoningSettings,
    ThinkingMode, Unsupported,
};

/// The most thinking that every model of the kind takes, in tokens.
const BUDGET_MAX: u64 = 24_576;
/// The least; below it the model is left to itself.
const BUDGET_MIN: u64 = 512;

/// The whole member; `None` when there is nothing to say.
///
/// # Errors
/// When the answer is to have a shape that only another format has.
pub fn write(
    ask: &ChatRequest,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
) -> Result<Option<Box<RawValue>>, Unsupported> {
    let config = encode_value::try_of_writer(|config| {
        sampling(ask, target, carry, config);
        let bound = ask.output_max.as_ref().map(|bound| bound.value);
        let bound = target.output_bought.map_or(bound, |bought| Some(bound.map_or(bought, |bound| bound.min(bought))));
        config.maybe("maxOutputTokens", bound.as_ref());
        if let Some(asked) = &ask.shape {
            shape(asked, carry, config)?;
        }
        if let Some(asked) = &ask.reasoning {
            if carry.same_format() {
                own_reasoning(&asked.value, config);
            } else {
                reasoning(asked, ask.from, bound.unwrap_or(target.output_max), target, carry, config);
            }
        }
        if carry.same_format() {
            place::beneath(&ask.extra, "generationConfig.", config);
        }
        Ok(())
    })?;
    Ok((config.get() != "{}").then_some(config))
}

fn sampling(ask: &ChatRequest, target: &ConversionTarget<'_>, carry: &mut DropReport, config: &mut ObjectWriter<'_>) {
    let [temperature, top_p, top_k] = carry.sampling(ask, target);
    for (name, number) in [
        ("temperature", temperature),
        ("topP", top_p),
        ("topK", top_k),
        ("presencePenalty", &ask.presence_penalty),
        ("frequencyPenalty", &ask.frequency_penalty),
    ] {
        config.maybe(name, number.as_ref().map(|number| &number.value));
    }
    match &ask.seed {
        // Here it has 32 bits, elsewhere 64.
        Some(seed) if !carry.same_format() && seed.value.get().parse::<i32>().is_err() => carry.drop(&seed.at),
        seed => {
            config.maybe("seed", seed.as_ref().map(|seed| &seed.value));
        }
    }
    let stop = ask.stop.as_ref().filter(|stop| carry.same_format() || !stop.value.is_empty());
    config.maybe("stopSequences", stop.map(|stop| &stop.value));
    // Of another format these ask for nothing, or were refused.
    if carry.same_format() {
        config.maybe("candidateCount", ask.choices.as_ref().map(|choices| &choices.value));
        config.maybe("responseLogprobs", ask.logprobs.as_ref().map(|logprobs| &logprobs.value));
        config.maybe("logprobs", ask.top_logprobs.as_ref().map(|top| &top.value));
    }
}

fn shape(
    asked: &LocatedValue<OutputShape>,
    carry: &mut DropReport,
    config: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    match &asked.value {
        OutputShape::Text if carry.same_format() => {
            config.member("responseMimeType", "text/plain");
        }
        OutputShape::Text => {}
        OutputShape::JsonObject => {
            config.member("responseMimeType", "application/json");
        }
        OutputShape::JsonSchema { name: _, description, schema, strict } => {
            config.member("responseMimeType", "application/json").member("responseJsonSchema", schema);
            if description.is_some() {
                carry.drop(&format!("{}.description", asked.at));
            }
            if *strict == Some(true) {
                carry.drop(&format!("{}.strict", asked.at));
            }
        }
        OutputShape::Other(raw) if carry.same_format() => {
            let members = JsonValue { at: String::new(), raw }.object().map(JsonObject::rest).unwrap_or_default();
            config.extras(&members);
        }
        OutputShape::Other(_) => {
            let reason = "the model's provider gives text, JSON, or JSON after a schema; use one of them";
            return Err(Unsupported::new(&asked.at, reason));
        }
    }
    Ok(())
}

fn own_reasoning(asked: &ReasoningSettings, config: &mut ObjectWriter<'_>) {
    let mut thinking = config.object("thinkingConfig");
    thinking.maybe("includeThoughts", asked.shown.as_ref());
    if asked.adaptive {
        thinking.member("thinkingBudget", &-1);
    }
    thinking.maybe("thinkingBudget", asked.budget.as_ref());
    thinking.maybe("thinkingLevel", asked.effort.map(|effort| effort.word().to_ascii_uppercase()).as_ref());
    thinking.extras(&asked.extra);
    thinking.end();
}

/// A level where the model is known to go by one and the client gave no budget, else a budget: every model that thinks knows
/// budgets.
fn reasoning(
    asked: &LocatedValue<ReasoningSettings>,
    from: Format,
    bound: u64,
    target: &ConversionTarget<'_>,
    carry: &mut DropReport,
    config: &mut ObjectWriter<'_>,
) {
    let ReasoningSettings { effort, budget, adaptive, shown, extra } = &asked.value;
    carry.drop_extras(extra);
    if carry.drop_thinking(asked, target) {
        return;
    }
    let wish = budget.or_else(|| effort.map(|effort| effort.budget(bound)));
    let off = *budget == Some(0) || (budget.is_none() && *effort == Some(ReasoningEffort::None));
    // In format A, who lets the model think sees it.
    let shown = shown.or((from == Format::Messages && (*adaptive || wish.is_some()) && !off).then_some(true));
    let written = encode_value::of_writer(|thinking| {
        thinking.maybe("includeThoughts", shown.filter(|shown| *shown || !off).as_ref());
        if target.capabilities.thinking == Some(ThinkingMode::Adaptive) && (off || budget.is_none()) {
            thinking.maybe("thinkingLevel", if off { Some(level(ReasoningEffort::None)) } else { effort.map(level) });
            // Such a model thinks always.
            if off {
                carry.drop(&asked.at);
            }
            return;
        }
        // Thinking counts as output: something has to be left to say.
        match wish.map(|wish| wish.min(if wish < bound { BUDGET_MAX } else { BUDGET_MAX.min(bound / 2) })) {
            _ if off => {
                thinking.member("thinkingBudget", &0);
            }
            Some(tokens) if tokens >= BUDGET_MIN => {
                thinking.member("thinkingBudget", &tokens);
                if budget.is_some_and(|budget| budget > tokens) {
                    carry.drop(&asked.at);
                }
            }
            Some(_) => carry.drop(&asked.at),
            None if *adaptive => {
                thinking.member("thinkingBudget", &-1);
            }
            None => {}
        }
    });
    if written.get() != "{}" {
        config.member("thinkingConfig", &written);
    }
}

/// The level for a word. Not every model knows those beside these.
const fn level(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::None | ReasoningEffort::Minimal | ReasoningEffort::Low => "LOW",
        ReasoningEffort::Medium => "MEDIUM",
        ReasoningEffort::High | ReasoningEffort::ExtraHigh | ReasoningEffort::Max => "HIGH",
    }
}
