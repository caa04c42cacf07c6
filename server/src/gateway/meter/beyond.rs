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
const BASE_TIERS: [&str; 2] = ["auto", "default"];
/// More kinds of uses than any answer has; what a hostile provider adds is not told.
const UNPRICED_MAX: usize = 16;
/// How much of one is told.
const WORDS_MAX: usize = 100;

/// What the totals do not say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beyond {
    /// Tokens of steps that are not in the totals.
    pub usage: Usage,
    /// Whether the tokens of a step cannot be true.
    pub absurd: bool,
    /// What was used and has no price, in words.
    pub unpriced: Vec<String>,
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
    /// Of a usage object; `None` where it says nothing beyond its totals, so that an earlier report still holds.
    #[must_use]
    pub fn read(format: Format, usage: &str) -> Option<Self> {
        // Only its providers report such, and only there is it looked for.
        let names = ["iterations", "server_tool_use", "service_tier", "speed", "inference_geo"];
        if format != Format::Messages || !names.iter().any(|name| usage.contains(name)) {
            return None;
        }
        let Ok(wire) = serde_json::from_str::<Wire<'_>>(usage) else {
            return Some(Self { absurd: true, ..Self::default() });
        };
        let mut beyond = Self::default();
        wire.iterations.iter().flatten().for_each(|step| beyond.step(step));
        for (tool, uses) in wire.server_tool_use.iter().flatten() {
            if uses.as_u64() != Some(0) && !uses.is_null() {
                beyond.unpriced(&format!("{tool}: {uses}"));
            }
        }
        let told = [&wire.service_tier, &wire.speed, &wire.inference_geo];
        for ((name, base), value) in CLASSES.into_iter().zip(told) {
            match value {
                Some(Value::String(value)) if !base.contains(&value.as_str()) => {
                    beyond.unpriced(&format!("{name}: {value}"));
                }
                _ => {}
            }
        }
        Some(beyond)
    }

    /// Notes the class of service that an answer of format O or R was made in.
    pub fn tier(&mut self, tier: &str) {
        if !BASE_TIERS.contains(&tier) {
            self.unpriced(&format!("service_tier: {tier}"));
        }
    }

    fn step(&mut self, step: &RawValue) {
        let kind = serde_json::from_str::<Step>(step.get()).ok().and_then(|step| step.kind).unwrap_or_default();
        if OTHER_MODELS.contains(&kind.as_str()) {
            self.unpriced(&format!("a step of another model: {kind}"));
        }
        if IN_TOTALS.contains(&kind.as_str()) {
            return;
        }
        match figures_of_messages(step.get()) {
            Some(figures) => self.usage = sum(&self.usage, &figures),
            None => self.absurd = true,
        }
    }

    fn unpriced(&mut self, what: &str) {
        let what: String = what.chars().take(WORDS_MAX).collect();
        if self.unpriced.len() < UNPRICED_MAX && !self.unpriced.contains(&what) {
            self.unpriced.push(what);
        }
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

    #[test]
    fn a_step_that_the_totals_leave_out_is_added() {
        let beyond = Beyond::read(
            Format::Messages,
            r#"{"input_tokens":10,"output_tokens":5,"iterations":[
                {"type":"compaction","input_tokens":1000,"output_tokens":40,"cache_read_input_tokens":7,
                 "cache_creation_input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":3}},
                {"type":"message","input_tokens":10,"output_tokens":5}]}"#,
        );
        let usage = Usage { prompt: 1010, cached: 7, cache_write_long: 3, completion: 40, ..Usage::default() };
        assert_eq!(beyond, Some(Beyond { usage, ..Beyond::default() }));
    }

    #[test]
    fn what_has_no_price_is_told() {
        let read = |usage: &str| Beyond::read(Format::Messages, usage).map(|beyond| beyond.unpriced);
        let told = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(r#"{"input_tokens":1}"#), None);
        assert_eq!(read(r#"{"service_tier":"standard","speed":null,"server_tool_use":null}"#), told(&[]));
        assert_eq!(
            read(r#"{"service_tier":"priority","speed":"fast"}"#),
            told(&["service_tier: priority", "speed: fast"])
        );
        assert_eq!(
            read(r#"{"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0}}"#),
            told(&["web_search_requests: 2"])
        );
        let advisor = r#"{"iterations":[{"type":"advisor_message","model":"m","input_tokens":1,"output_tokens":1}]}"#;
        assert_eq!(read(advisor), told(&["a step of another model: advisor_message"]));
    }

    #[test]
    fn what_cannot_be_true_is_not() {
        for usage in [
            r#"{"iterations":[{"type":"compaction","input_tokens":-1,"output_tokens":1}]}"#,
            r#"{"iterations":[7]}"#,
            r#"{"iterations":7}"#,
        ] {
            assert!(Beyond::read(Format::Messages, usage).is_some_and(|beyond| beyond.absurd), "{usage}");
        }
    }
}
