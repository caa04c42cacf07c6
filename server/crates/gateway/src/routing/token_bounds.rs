//! The most that a request can cost, in tokens: what is held before anything is sent.

use crate::config::ProviderKind;
use tollgate_api::generated::limits;
use tollgate_credit::MediaKinds;
use tollgate_formats::Format;

use super::model::CatalogModel;

/// The parts of a client's request that decide the worst case.
#[derive(Debug, Clone, Copy)]
pub struct RequestExtent {
    /// The size of the whole body, in bytes.
    pub body_bytes: usize,
    /// The client's own bound on the output of one choice.
    pub output_tokens: Option<u64>,
    /// The number of choices.
    pub choices: u64,
    /// True if the size of the body bounds the size of the prompt.
    pub text_alone: bool,
    /// True if there are tools.
    pub tools: bool,
    /// True if the answer may be sound.
    pub sound: bool,
    /// The size of what the client predicts of each answer, in bytes: what is not in the answer is charged as output too.
    pub predicted_bytes: u64,
}

impl RequestExtent {
    /// The request as a fallback model may be sent it: an output bound above the model's maximum is lowered to it.
    #[must_use]
    pub fn within(self, model: &CatalogModel) -> Self {
        Self { output_tokens: self.output_tokens.map(|tokens| tokens.min(model.max_output_tokens)), ..self }
    }

    /// The output bound that a fallback model is sent, where the client's own is above the model's maximum.
    #[must_use]
    pub fn cut_for(self, model: &CatalogModel) -> Option<u64> {
        self.output_tokens.filter(|tokens| *tokens > model.max_output_tokens).map(|_| model.max_output_tokens)
    }
}

/// Bounds in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBounds {
    /// The bound of the prompt.
    pub prompt: u64,
    /// The bound of the output, all choices together.
    pub output: u64,
    /// The least output that makes the request worth sending, all choices together.
    pub output_least: u64,
    /// The part of the output that the client's bound does not bound: what steps of the provider's own may write, and predictions
    /// that come to nothing.
    pub steps: u64,
    /// The number of choices that share the output.
    pub choices: u64,
    /// The kinds of tokens that there may be beside text.
    pub kinds: MediaKinds,
}

impl TokenBounds {
    /// The bound of a request to `model`. A bound that the client gave is kept; without one, less may be bought.
    #[must_use]
    pub fn of(asked: RequestExtent, model: &CatalogModel) -> Self {
        let prompt = if asked.text_alone { tokens_max(asked.body_bytes, asked.tools) } else { model.context_tokens };
        // A client's bound travels as it is, so a provider may take it at its word beyond the maximum that we know of.
        let possible = model.context_tokens.max(model.max_output_tokens);
        let each = asked.output_tokens.map_or(model.max_output_tokens, |tokens| tokens.min(possible));
        let predicted = predicted_tokens(asked, model).saturating_mul(asked.choices);
        let least = asked.output_tokens.map_or(u64::from(limits::USEFUL_OUTPUT).min(each), |_| each);
        Self {
            // Each of several answers may be to a prompt of its own.
            prompt: prompt.min(model.context_tokens.saturating_mul(asked.choices)),
            output: each.saturating_mul(asked.choices).saturating_add(predicted),
            output_least: least.saturating_mul(asked.choices).saturating_add(predicted),
            steps: predicted,
            choices: asked.choices,
            // A model that draws may do so unasked, and what format G asks for may be settled by the model itself.
            kinds: MediaKinds { prompt: !asked.text_alone, audio: asked.sound || may_speak(model), image: true },
        }
    }
}

impl TokenBounds {
    /// The bound where the provider takes steps of its own, whose tokens the answer reports.
    ///
    /// Steps read what is looked up, or make a context short. What they write is beside what the client's bound bounds.
    #[must_use]
    pub const fn with_steps(self, model: &CatalogModel) -> Self {
        let prompt = self.prompt.saturating_add(model.context_tokens);
        let steps = model.max_output_tokens;
        let output = self.output.saturating_add(steps);
        let output_least = self.output_least.saturating_add(steps);
        let steps = self.steps.saturating_add(steps);
        Self { prompt, output, output_least, steps, ..self }
    }

    /// The bound where the provider reads what tools of its own look up.
    #[must_use]
    pub const fn with_lookups(self, model: &CatalogModel) -> Self {
        Self { prompt: self.prompt.saturating_add(model.context_tokens), ..self }
    }

    /// The output of one choice that `tokens` of output pay for, where that is less than the bound.
    ///
    /// What steps may write is paid for first.
    #[must_use]
    pub fn cut_to(&self, tokens: u64) -> Option<u64> {
        (tokens < self.output).then(|| tokens.saturating_sub(self.steps) / self.choices)
    }
}

/// The most tokens that a prediction of one answer can come to. Providers of format O alone are sent it.
fn predicted_tokens(asked: RequestExtent, model: &CatalogModel) -> u64 {
    if asked.predicted_bytes == 0 || !has_speaker(model, Format::Chat) {
        return 0;
    }
    asked.predicted_bytes.div_ceil(limits::PROMPT_BYTES_PER_TOKEN_MIN.into()).min(model.context_tokens)
}

/// True if a provider of the model may answer with sound that nobody asked for.
fn may_speak(model: &CatalogModel) -> bool {
    has_speaker(model, Format::Generate)
}

fn has_speaker(model: &CatalogModel, format: Format) -> bool {
    model.candidates.iter().any(|candidate| candidate.upstream.kind() == ProviderKind::Speaks(format))
}

/// The most tokens that JSON of this size can be, where all that counts in it is text, and perhaps tools.
#[must_use]
pub fn tokens_max(bytes: usize, tools: bool) -> u64 {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let added = limits::PROMPT_OVERHEAD + if tools { limits::TOOLS_OVERHEAD } else { 0 };
    bytes.div_ceil(limits::PROMPT_BYTES_PER_TOKEN_MIN.into()).saturating_add(added.into())
}
