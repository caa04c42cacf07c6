//! The most that a request can cost, in tokens: what is held before anything is sent.

use super::catalog::Model;

/// Tokens that a provider adds around a prompt of any size.
const PROMPT_OVERHEAD_TOKENS: u64 = 16;
/// Bytes of a body to a token at the least: half of what is common, so that the bound holds for dense text.
const BODY_BYTES_PER_TOKEN: u64 = 2;
/// The shortest output worth paying for; an account that cannot buy it is out of credit.
const USEFUL_OUTPUT_TOKENS: u64 = 16;

/// What a client asked for, as far as it decides the worst case.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// Size of the whole body.
    pub body_bytes: usize,
    /// The client's own bound on the output of one choice.
    pub output_tokens: Option<u64>,
    /// How many choices.
    pub choices: u64,
    /// Whether the size of the body bounds the size of the prompt.
    pub text_alone: bool,
}

/// Bounds in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// Of the prompt.
    pub prompt: u64,
    /// Of the output, all choices together.
    pub output: u64,
    /// The least output that makes the request worth sending, all choices together.
    pub output_least: u64,
    /// How many choices share the output.
    pub choices: u64,
}

impl Bound {
    /// The bound of a request to `model`. A bound that the client gave is kept; without one, less may be bought.
    #[must_use]
    pub fn of(asked: Asked, model: &Model) -> Self {
        let prompt = if asked.text_alone { tokens_max(asked.body_bytes) } else { model.context_tokens };
        let each = asked.output_tokens.unwrap_or(model.max_output_tokens).min(model.max_output_tokens);
        let least = asked.output_tokens.map_or(USEFUL_OUTPUT_TOKENS.min(each), |_| each);
        Self {
            prompt: prompt.min(model.context_tokens),
            output: each.saturating_mul(asked.choices),
            output_least: least.saturating_mul(asked.choices),
            choices: asked.choices,
        }
    }
}

/// The most tokens that JSON of this size can be, where all that counts in it is text.
#[must_use]
pub fn tokens_max(bytes: usize) -> u64 {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    bytes.div_ceil(BODY_BYTES_PER_TOKEN).saturating_add(PROMPT_OVERHEAD_TOKENS)
}
