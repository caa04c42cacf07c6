//! The model behind every format. The last thing that the user said tells it what to do:
//!
//! | said | done |
//! |---|---|
//! | `tool: Oslo` | calls the first tool with arguments that its schema asks for |
//! | `tools: Oslo, Rome` | calls it once for each, at the same time |
//! | `think: it over` | thinks, where thoughts were asked for, and answers; `think tool:` calls |
//! | `json: Oslo` | answers in the shape that was asked for, be it by instructions |
//! | `image` | names type and size of each picture |
//! | `long` | stops at the bound |
//! | `refuse` | refuses |
//! | `system`, `settings`, `turns` | repeats what it was told |
//! | `error: 429` | fails with that status |
//! | anything else | repeats it |
//!
//! After results of tools it repeats those, each with the argument that its call had.

use serde_json::Value;

use super::check::{Checked, Complaint};
use super::schema::fill;
use super::seen::{Calling, Seen};

/// What is reported of every answer, in tokens: input, and how much of it came from a cache.
pub(super) const INPUT_TOKENS: u64 = 20;
/// See [`INPUT_TOKENS`].
pub(super) const CACHED_TOKENS: u64 = 5;
/// What is reported of every answer: what was said.
pub(super) const SPOKEN_TOKENS: u64 = 7;
/// What is reported of every answer with a thought besides.
pub(super) const THOUGHT_TOKENS: u64 = 4;

/// What the model says.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) thought: Option<String>,
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) stop: Stop,
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// Why it ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    #[default]
    Said,
    Length,
    Called,
    Refused,
}

impl Answer {
    fn said(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    fn called(calls: Vec<Call>) -> Self {
        Self { calls, stop: Stop::Called, ..Self::default() }
    }

    fn stopped(text: &str, stop: Stop) -> Self {
        Self { stop, ..Self::said(text) }
    }

    /// What it costs: thoughts and words together.
    pub(super) fn output_tokens(&self) -> u64 {
        SPOKEN_TOKENS + self.thought_tokens()
    }

    /// What the thoughts alone cost.
    pub(super) fn thought_tokens(&self) -> u64 {
        if self.thought.is_some() { THOUGHT_TOKENS } else { 0 }
    }
}

/// What the model does.
pub(super) fn conduct(seen: &Seen) -> Checked<Answer> {
    seen.answered()?;
    if seen.has_results() {
        return Ok(Answer::said(seen.told_results()));
    }
    let (word, rest) = seen.text.split_once(':').map_or((seen.text.as_str(), ""), |(word, rest)| (word, rest.trim()));
    if matches!(seen.calling, Calling::Must | Calling::Named(_)) {
        return Ok(Answer::called(vec![call(seen, 0, rest)?]));
    }
    if let Some(word) = word.strip_prefix("think") {
        let thought = Some(format!("Let me think: {rest}")).filter(|_| seen.wants_thoughts);
        return Ok(Answer { thought, ..spoken(seen, word.trim(), rest)? });
    }
    spoken(seen, word, rest)
}

fn spoken(seen: &Seen, word: &str, rest: &str) -> Checked<Answer> {
    Ok(match word {
        "tool" | "tools" if seen.calling == Calling::Never => Answer::said("no calls allowed"),
        "tool" => Answer::called(vec![call(seen, 0, rest)?]),
        "tools" => {
            let calls = rest.split(',').enumerate().map(|(index, argument)| call(seen, index, argument.trim()));
            Answer::called(calls.collect::<Checked<_>>()?)
        }
        "json" => match &seen.schema {
            Some(schema) => Answer::said(fill(schema, rest).to_string()),
            None => Answer::said(told_in_words(seen, rest)?.to_string()),
        },
        "image" => Answer::said(seen.pictures.join(", ")),
        "long" => Answer::stopped("as long as it may", Stop::Length),
        "refuse" => Answer::stopped("I will not do that.", Stop::Refused),
        "system" => Answer::said(seen.system.join(" / ")),
        "settings" => Answer::said(seen.settings.join(" ")),
        "turns" => Answer::said(seen.roles.join(",")),
        "error" => {
            let status = rest.parse().map_err(|_| Complaint::new("no status was given"))?;
            return Err(Complaint { status, message: format!("scripted failure {status}") });
        }
        "" => Answer::said(seen.with_memory(format!("thought about {rest}"))),
        _ => Answer::said(seen.with_memory(format!("You said: {}", seen.text))),
    })
}

/// JSON as the instructions ask for it: after the schema that stands in them, or any.
fn told_in_words(seen: &Seen, text: &str) -> Checked<Value> {
    let words = seen
        .system
        .last()
        .filter(|words| words.contains("JSON"))
        .ok_or_else(|| Complaint::new("no schema was given"))?;
    match words.split_once('\n') {
        Some((_, schema)) => {
            let schema = serde_json::from_str(schema).map_err(|error| Complaint::new(error.to_string()))?;
            Ok(fill(&schema, text))
        }
        None => Ok(serde_json::json!({"said": text})),
    }
}

/// A call of the tool that must be called, or else of the first.
fn call(seen: &Seen, index: usize, argument: &str) -> Checked<Call> {
    let tool = match &seen.calling {
        Calling::Named(name) => seen.tools.iter().find(|tool| tool.name == *name),
        Calling::Free | Calling::Must | Calling::Never => seen.tools.first(),
    };
    let tool = tool.ok_or_else(|| Complaint::new("the tool that must be called is not declared"))?;
    let arguments = fill(&tool.schema, argument);
    Ok(Call { number: seen.calls_before + index, name: tool.name.clone(), arguments })
}
