//! Usage beyond the totals of an answer: steps that the totals leave out, and uses that have no price.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use tollgate_credit::BilledUsage;
use tollgate_formats::Format;

use super::tool_uses::UsesByTool;
use super::usage::figures_of_messages;

/// Steps of an answer of format A whose tokens are in the totals.
const IN_TOTALS: [&str; 2] = ["message", "fallback_message"];
/// Steps whose tokens are not in them, and are charged as those of the answer.
const BEYOND_TOTALS: [&str; 2] = ["compaction", "advisor_message"];
/// Steps by another model than the one that was asked.
const OTHER_MODELS: [&str; 2] = ["advisor_message", "fallback_message"];
/// Members of format A that tell in which class of service an answer was made, and the values that cost the base price.
const CLASSES: [(&str, &[&str]); 3] = [
    ("service_tier", &["standard", "batch"]),
    ("speed", &["standard"]),
    ("inference_geo", &["global", "not_available"]),
];
/// The values of the class of service of the other formats that cost the base price.
const BASE_TIERS: [&str; 6] = ["default", "standard", "on_demand", "unspecified", "service_tier_unspecified", "batch"];
/// The value that says nothing of the class: the provider was free to choose.
const UNDECIDED: &str = "auto";
/// The most kinds of unpriced uses, more than any answer has. What a hostile provider adds is not told.
const UNPRICED_MAX: usize = 16;
/// The most characters of one unpriced use.
const WORDS_MAX: usize = 100;

/// Usage that the totals leave out. Each part stands as it was last reported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsageBeyondTotals {
    /// Tokens of steps that are not in the totals.
    pub usage: BilledUsage,
    /// Steps that have no price, in words.
    steps: Vec<String>,
    /// Classes of service that the answer was made in, by the member that told it; the base class is absent.
    classes: BTreeMap<&'static str, Option<String>>,
}

/// The services that an answer reports beside tokens at their usual prices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportedServices {
    /// The format of the provider; each tells of other things. Absent where there is nothing to tell.
    pub format: Option<Format>,
    /// Classes of service, by the member that tells it; `None` where it is the base one.
    pub classes: BTreeMap<&'static str, Option<String>>,
    /// Uses of tools.
    pub uses: UsesByTool,
    /// Uses that have no price whatever the operator says, in words.
    pub unpriced: Vec<String>,
}

/// The members of format A's usage beside its totals.
#[derive(Deserialize)]
struct MeteredUsageExtras<'a> {
    #[serde(borrow)]
    iterations: Option<Vec<&'a RawValue>>,
    service_tier: Option<Value>,
    speed: Option<Value>,
    inference_geo: Option<Value>,
}

#[derive(Deserialize)]
struct UsageStep {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl UsageBeyondTotals {
    /// Adds what a usage object says beyond its totals; what it leaves out stands as it was reported before.
    pub fn read(&mut self, format: Format, usage: &str) {
        match format {
            Format::Messages => self.read_messages(usage),
            Format::Generate => self.read_generate(usage),
            Format::Chat | Format::Completions | Format::Responses => {}
        }
    }

    fn read_messages(&mut self, usage: &str) {
        let names = ["iterations", "service_tier", "speed", "inference_geo"];
        if !names.iter().any(|name| usage.contains(name)) {
            return;
        }
        let Ok(wire) = serde_json::from_str::<MeteredUsageExtras<'_>>(usage) else {
            return note(&mut self.steps, "a report that cannot be read");
        };
        if let Some(steps) = &wire.iterations {
            (self.usage, self.steps) = (BilledUsage::default(), Vec::new());
            steps.iter().for_each(|step| self.step(step));
        }
        let told = [&wire.service_tier, &wire.speed, &wire.inference_geo];
        for ((name, base), value) in CLASSES.into_iter().zip(told) {
            if let Some(Value::String(value)) = value {
                self.class(name, base, value);
            }
        }
    }

    fn read_generate(&mut self, usage: &str) {
        #[derive(Deserialize)]
        struct MeteredTier<'a> {
            #[serde(borrow, rename = "serviceTier")]
            tier: Option<Cow<'a, str>>,
        }
        if let Some(tier) = usage.contains("serviceTier").then(|| serde_json::from_str(usage).ok()).flatten() {
            let MeteredTier { tier } = tier;
            tier.into_iter().for_each(|tier| self.tier(&tier));
        }
    }

    /// Notes the class of service that an answer of another format than A was made in.
    pub fn tier(&mut self, tier: &str) {
        self.class("service_tier", &BASE_TIERS, tier);
    }

    fn class(&mut self, member: &'static str, base: &[&str], value: &str) {
        let value: String = value.chars().take(WORDS_MAX).collect::<String>().to_ascii_lowercase();
        if value != UNDECIDED {
            self.classes.insert(member, (!base.contains(&value.as_str())).then_some(value));
        }
    }

    /// The services beside tokens, together with these uses of tools.
    #[must_use]
    pub fn services(&self, format: Format, uses: UsesByTool) -> ReportedServices {
        ReportedServices { format: Some(format), classes: self.classes.clone(), uses, unpriced: self.steps.clone() }
    }

    fn step(&mut self, step: &RawValue) {
        let kind = serde_json::from_str::<UsageStep>(step.get()).ok().and_then(|step| step.kind).unwrap_or_default();
        if OTHER_MODELS.contains(&kind.as_str()) {
            note(&mut self.steps, &format!("a step of another model: {kind}"));
        }
        match kind.as_str() {
            kind if IN_TOTALS.contains(&kind) => {}
            kind if BEYOND_TOTALS.contains(&kind) => match figures_of_messages(step.get()) {
                Some(figures) => self.usage = sum(&self.usage, &figures),
                None => note(&mut self.steps, "a step without figures that can be true"),
            },
            // Whether its tokens are in the totals is not known, and nobody is charged for a guess.
            kind => note(&mut self.steps, &format!("a step of a kind that is not known: {kind:?}")),
        }
    }
}

fn note(list: &mut Vec<String>, what: &str) {
    let what: String = what.chars().take(WORDS_MAX).collect();
    if list.len() < UNPRICED_MAX && !list.contains(&what) {
        list.push(what);
    }
}

/// The sum of two usages. Media and estimation are those of the first.
#[must_use]
pub fn sum(one: &BilledUsage, other: &BilledUsage) -> BilledUsage {
    BilledUsage {
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

    fn read(usages: &[&str]) -> UsageBeyondTotals {
        let mut beyond = UsageBeyondTotals::default();
        usages.iter().for_each(|usage| beyond.read(Format::Messages, usage));
        beyond
    }

    #[test]
    fn a_step_that_the_totals_leave_out_is_added() {
        let told = r#"{"input_tokens":10,"output_tokens":5,"iterations":[
                {"type":"compaction","input_tokens":1000,"output_tokens":40,"cache_read_input_tokens":7,
                 "cache_creation_input_tokens":3,"cache_creation":{"ephemeral_1h_input_tokens":3}},
                {"type":"message","input_tokens":10,"output_tokens":5}]}"#;
        let usage =
            BilledUsage { prompt: 1010, cached: 7, cache_write_long: 3, completion: 40, ..BilledUsage::default() };
        for usages in [&[told][..], &[told, told], &[told, r#"{"output_tokens":5,"speed":"standard"}"#]] {
            let beyond = read(usages);
            assert_eq!((beyond.usage, beyond.steps), (usage, Vec::new()));
        }
    }

    #[test]
    fn the_class_of_an_answer_is_told_by_its_member() {
        for (usages, told) in [
            (&[r#"{"input_tokens":1}"#][..], ""),
            (&[r#"{"service_tier":"standard","speed":null}"#], "service_tier -"),
            (&[r#"{"service_tier":"priority","speed":"fast"}"#], "service_tier priority, speed fast"),
            // The first event of a stream says what was asked for, the last one what it was.
            (&[r#"{"service_tier":"priority"}"#, r#"{"service_tier":"standard"}"#], "service_tier -"),
            (&[r#"{"inference_geo":"US"}"#, r#"{"output_tokens":1}"#], "inference_geo us"),
        ] {
            let classes = read(usages).services(Format::Messages, UsesByTool::new()).classes;
            let classes = classes.iter().map(|(member, class)| format!("{member} {}", class.as_deref().unwrap_or("-")));
            assert_eq!(classes.collect::<Vec<_>>().join(", "), told, "{usages:?}");
        }
        let mut beyond = UsageBeyondTotals::default();
        beyond.tier("auto");
        assert_eq!(beyond, UsageBeyondTotals::default());
        beyond.read(Format::Generate, r#"{"promptTokenCount":1,"serviceTier":"FLEX"}"#);
        assert_eq!(beyond.classes["service_tier"].as_deref(), Some("flex"));
    }

    #[test]
    fn a_step_of_another_model_or_kind_is_told() {
        const ADVICE: &str =
            r#"{"iterations":[{"type":"advisor_message","model":"m","input_tokens":1,"output_tokens":1}]}"#;
        let advised = read(&[ADVICE]);
        assert_eq!(
            (advised.usage.prompt, &advised.steps[..]),
            (1, &["a step of another model: advisor_message".to_owned()][..])
        );
        for kind in [r#""type":"new""#, r#""x":1"#, r#""type":7"#] {
            let unknown = read(&[&format!(r#"{{"iterations":[{{{kind},"input_tokens":5,"output_tokens":1}}]}}"#)]);
            assert_eq!((unknown.usage, unknown.steps.len()), (BilledUsage::default(), 1), "{kind}");
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
            assert_eq!((beyond.usage, beyond.steps.len()), (BilledUsage::default(), 1), "{usage}");
        }
    }
}
