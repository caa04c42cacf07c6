//! What an answer used beyond the totals of its usage: steps that the totals leave out, and uses that have no price.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::credit::Usage;

use super::super::exchange::Format;
use super::usage::figures_of_messages;

/// Steps of an answer of format A whose tokens are in the totals.
const IN_TOTALS: [&str; 2] = ["message", "fallback_message"];
/// Steps by another model than the one that was asked.
const OTHER_MODELS: [&str; 2] = ["advisor_message", "fallback_message"];
/// Members that tell in which class of service an answer was made, and the values that cost the base price.
const CLASSES: [(&str, &[&str]); 3] = [
    ("service_tier", &["standard", "batch"]),
    ("speed", &["standard"]),
    ("inference_geo", &["global", "not_available"]),
];
/// The values of format O's and R's class of service that cost the base price.
const BASE_TIERS: [&str; 4] = ["auto", "default", "standard", "on_demand"];
/// More kinds of uses than any answer has; what a hostile provider adds is not told.
const UNPRICED_MAX: usize = 16;
/// How much of one is told.
const WORDS_MAX: usize = 100;

/// What the totals do not say. Each part stands as it was last reported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beyond {
    /// Tokens of steps that are not in the totals.
    pub usage: Usage,
    /// Steps that have no price, in words.
    steps: Vec<String>,
    /// Uses of tools that have no price, in words.
    uses: Vec<String>,
    /// Classes of service that have no price, in words.
    classes: Vec<String>,
}

/// What format A says beside its totals.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    iterations: Option<Vec<&'a RawValue>>,
    server_tool_use: Option<BTreeMap<String, Value>>,
    service_tier: Option<Value>,
    speed: Option<Value>,
    inference_geo: Option<Value>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl Beyond {
    /// Adds what a usage object says beyond its totals; what it leaves out stands as it was reported before.
    pub fn read(&mut self, format: Format, usage: &str) {
        // Only its providers report such, and only there is it looked for.
        let names = ["iterations", "server_tool_use", "service_tier", "speed", "inference_geo"];
        if format != Format::Messages || !names.iter().any(|name| usage.contains(name)) {
            return;
        }
        let Ok(wire) = serde_json::from_str::<Wire<'_>>(usage) else {
            return note(&mut self.steps, "a report that cannot be read");
        };
        if let Some(steps) = &wire.iterations {
            (self.usage, self.steps) = (Usage::default(), Vec::new());
            steps.iter().for_each(|step| self.step(step));
        }
        if let Some(tools) = &wire.server_tool_use {
            self.uses.clear();
            for (tool, uses) in tools.iter().filter(|(_, uses)| uses.as_u64() != Some(0) && !uses.is_null()) {
                note(&mut self.uses, &format!("{tool}: {uses}"));
            }
        }
        let told = [&wire.service_tier, &wire.speed, &wire.inference_geo];
        for ((name, base), value) in CLASSES.into_iter().zip(told) {
            match value {
                Some(Value::String(value)) if !base.contains(&value.as_str()) => {
                    note(&mut self.classes, &format!("{name}: {value}"));
                }
                _ => {}
            }
        }
    }

    /// Notes the class of service that an answer of format O or R was made in.
    pub fn tier(&mut self, tier: &str) {
        if !BASE_TIERS.contains(&tier) {
            note(&mut self.classes, &format!("service_tier: {tier}"));
        }
    }

    /// What was used and has no price, in words.
    #[must_use]
    pub fn unpriced(&self) -> Vec<String> {
        [&self.steps[..], &self.uses, &self.classes].concat()
    }

    fn step(&mut self, step: &RawValue) {
        let kind = serde_json::from_str::<Step>(step.get()).ok().and_then(|step| step.kind).unwrap_or_default();
        if OTHER_MODELS.contains(&kind.as_str()) {
            note(&mut self.steps, &format!("a step of another model: {kind}"));
        }
        if IN_TOTALS.contains(&kind.as_str()) {
            return;
        }
        match figures_of_messages(step.get()) {
            Some(figures) => self.usage = sum(&self.usage, &figures),
            None => note(&mut self.steps, "a step without figures that can be true"),
        }
    }
}

fn note(list: &mut Vec<String>, what: &str) {
    let what: String = what.chars().take(WORDS_MAX).collect();
    if list.len() < UNPRICED_MAX && !list.contains(&what) {
        list.push(what);
    }
}

/// Both together.
#[must_use]
pub fn sum(one: &Usage, other: &Usage) -> Usage {
    Usage {
        prompt: one.prompt.saturating_add(other.prompt),
        cached: one.cached.saturating_add(other.cached),
        cache_write: one.cache_write.saturating_add(other.cache_write),
        cache_write_long: one.cache_write_long.saturating_add(other.cache_write_long),
        completion: one.completion.saturating_add(other.completion),
        reasoning: one.reasoning.saturating_add(other.reasoning),
        media: one.media,
        estimated: one.estimated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(usages: &[&str]) -> Beyond {
        let mut beyond = Beyond::default();
        usages.iter().for_each(|usage| beyond.read(Format::Messages, usage));
        beyond
    }

    #[test]
    fn a_step_that_the_totals_leave_out_is_added() {
        let told = r#"{"input_tokens":10,"output_tokens":5,"iterations":[
                {"type":"compaction","input_tokens":1000,"output_tokens":40,"cache_read_input_tokens":7,
                 "cache_creation_input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":3}},
                {"type":"message","input_tokens":10,"output_tokens":5}]}"#;
        let usage = Usage { prompt: 1010, cached: 7, cache_write_long: 3, completion: 40, ..Usage::default() };
        for usages in [&[told][..], &[told, told], &[told, r#"{"output_tokens":5,"speed":"standard"}"#]] {
            assert_eq!(read(usages), Beyond { usage, ..Beyond::default() });
        }
    }

    #[test]
    fn what_has_no_price_is_told() {
        for (usages, told) in [
            (&[r#"{"input_tokens":1}"#][..], &[][..]),
            (&[r#"{"service_tier":"standard","speed":null,"server_tool_use":null}"#], &[]),
            (&[r#"{"service_tier":"priority","speed":"fast"}"#], &["service_tier: priority", "speed: fast"]),
            (&[r#"{"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0}}"#], &["web_search_requests: 2"]),
            (
                &[r#"{"iterations":[{"type":"advisor_message","model":"m","input_tokens":1,"output_tokens":1}]}"#],
                &["a step of another model: advisor_message"],
            ),
            // The first event of a stream says one thing, the last one another.
            (
                &[r#"{"service_tier":"priority"}"#, r#"{"server_tool_use":{"web_search_requests":1}}"#],
                &["web_search_requests: 1", "service_tier: priority"],
            ),
        ] {
            assert_eq!(read(usages).unpriced(), told, "{usages:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_and_not_charged() {
        for usage in [
            r#"{"iterations":[{"type":"compaction","input_tokens":-1,"output_tokens":1}]}"#,
            r#"{"iterations":[7]}"#,
            r#"{"iterations":7}"#,
        ] {
            let beyond = read(&[usage]);
            assert_eq!((beyond.usage, beyond.unpriced().len()), (Usage::default(), 1), "{usage}");
        }
    }
}
