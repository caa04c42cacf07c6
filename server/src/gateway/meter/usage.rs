//! The upstream's own figures, believed only where they can be true.

use serde::Deserialize;

use crate::credit::Usage;

/// What the upstream said of its usage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reported {
    /// Figures that can be true.
    Figures(Usage),
    /// Figures that cannot: negative, contradictory, or beyond any context.
    Absurd,
}

/// The usage object of format O; everything else in it is passed over.
#[derive(Deserialize)]
struct WireUsage {
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
}

/// How far beyond a model's context a figure is still taken for true: several choices, and contexts configured too small.
const CONTEXTS_MAX: u64 = 128;

impl Reported {
    /// Reads a `usage` value. `context_tokens` is the model's.
    #[must_use]
    pub fn read(json: &str, context_tokens: u64) -> Self {
        // What is negative, broken or no number at all does not parse as what it should be.
        let Ok(wire) = serde_json::from_str::<WireUsage>(json) else { return Self::Absurd };
        let usage = Usage {
            prompt: wire.prompt_tokens,
            cached: wire.prompt_tokens_details.and_then(|details| details.cached_tokens).unwrap_or(0),
            completion: wire.completion_tokens,
            reasoning: wire.completion_tokens_details.and_then(|details| details.reasoning_tokens).unwrap_or(0),
            estimated: false,
        };
        let most = context_tokens.saturating_mul(CONTEXTS_MAX);
        let parts_fit = usage.cached <= usage.prompt && usage.reasoning <= usage.completion;
        let possible = parts_fit && usage.prompt <= most && usage.completion <= most;
        if possible { Self::Figures(usage) } else { Self::Absurd }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_can_be_true_are_believed() {
        let read = Reported::read(
            r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"x":1.5,
                "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":null}"#,
            100,
        );
        let usage = Usage { prompt: 10, cached: 4, completion: 5, reasoning: 0, estimated: false };
        assert_eq!(read, Reported::Figures(usage));
    }

    #[test]
    fn figures_that_cannot_be_true_are_not() {
        for text in [
            "{}",
            "[]",
            r#"{"prompt_tokens":-1,"completion_tokens":5}"#,
            r#"{"prompt_tokens":1,"completion_tokens":-5}"#,
            r#"{"prompt_tokens":1e99,"completion_tokens":5}"#,
            r#"{"prompt_tokens":12801,"completion_tokens":0}"#,
            r#"{"prompt_tokens":1,"completion_tokens":99999999999999}"#,
            r#"{"prompt_tokens":1,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":2}}"#,
            r#"{"prompt_tokens":1,"completion_tokens":1,"completion_tokens_details":{"reasoning_tokens":2}}"#,
        ] {
            assert_eq!(Reported::read(text, 100), Reported::Absurd, "{text}");
        }
    }
}
