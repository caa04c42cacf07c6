//! A whole answer in the inner language, and what an answer is written with.

use std::sync::Arc;

use bytes::Bytes;

use super::{ContentBlock, FunctionNames, UnknownMember};

/// A whole answer of a provider.
#[derive(Debug, Clone, Default)]
pub struct ChatResponse {
    #[allow(dead_code, reason = "shown by `Debug`")]
    /// The provider's id of it; for logs, clients get one of ours.
    pub id: String,
    /// The answers, by index; empty when the prompt was blocked before any was begun.
    pub choices: Vec<ResponseChoice>,
    /// Token usage; `None` where the provider did not say.
    pub usage: Option<TokenUsage>,
    /// Members that only the provider's format knows.
    pub extra: Vec<UnknownMember>,
}

/// Members, of whatever format, that say what a text refers to.
const REFERENCES: [&str; 5] =
    ["annotations", "message.annotations", "citations", "citationMetadata", "groundingMetadata"];

/// A whole answer as a client is to be sent it.
#[derive(Debug, Clone)]
pub struct ConvertedResponse {
    /// The JSON body.
    pub body: Vec<u8>,
    /// Kinds of block that the client's format has no place for, `answer.` before their names; told in a header.
    pub left_out: Vec<String>,
}

impl ChatResponse {
    /// The kinds of its blocks for which there is no place by `has_place`, and in `another_format` the members that say
    /// what its texts refer to: each once.
    #[must_use]
    pub fn left_out(&self, another_format: bool, has_place: impl Fn(&ContentBlock) -> bool) -> Vec<String> {
        let blocks = || self.choices.iter().flat_map(|choice| &choice.blocks);
        let placeless = blocks().filter(|block| !block.kind.is_empty() && !has_place(block));
        let extras = blocks().map(|block| &block.extra).chain(self.choices.iter().map(|choice| &choice.extra));
        let says = |extra: &&UnknownMember| !matches!(extra.value.get(), "null" | "[]" | "{}");
        let references = extras.flatten().filter(|extra| another_format && REFERENCES.contains(&extra.name.as_str()));
        let names = placeless.map(|block| block.kind.word());
        let mut told: Vec<String> = Vec::new();
        for name in names.chain(references.filter(says).map(|extra| extra.name.as_str())) {
            let name = format!("answer.{name}");
            if !told.contains(&name) {
                told.push(name);
            }
        }
        told
    }
}

/// One choice of an answer.
#[derive(Debug, Clone)]
pub struct ResponseChoice {
    /// The output of the model, in order.
    pub blocks: Vec<ContentBlock>,
    /// The reason why it ended.
    pub stop: StopReason,
    /// Members that only the provider's format knows.
    pub extra: Vec<UnknownMember>,
}

/// The reason why an answer ended.
///
/// Formats that have no word of their own for calls get it from the presence of one: decoders put
/// [`StopReason::Calls`] when the answer holds a call and ended naturally, whatever the provider's word was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// It was complete.
    Natural,
    /// It met a stop text; which one, where the provider tells.
    Sequence(Option<String>),
    /// It reached the bound of the output.
    Length,
    /// It asks for calls.
    Calls,
    /// The provider or the model withheld it.
    Refused,
    /// The context is full.
    ContextFull,
    /// The provider paused a long turn.
    Pause,
    /// The model called in no readable way.
    BrokenCall,
}

/// Tokens that an answer used. Buckets do not overlap, except for those that say which one they are part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenUsage {
    /// Of the prompt, neither read from a cache nor written to one.
    pub input: u64,
    /// Of the prompt, read from a cache.
    pub cache_read: u64,
    /// Of the prompt, written to a cache for five minutes, or where the provider knows one kind.
    pub cache_write: u64,
    /// Of the prompt, written to a cache for an hour.
    pub cache_write_hour: u64,
    /// Of the answer, thinking and sound included.
    pub output: u64,
    /// Of `output`: thinking.
    pub reasoning: u64,
    /// Of `input`: sound.
    pub audio_input: u64,
    /// Of `output`: sound.
    pub audio_output: u64,
    /// Of `input`: pictures.
    pub image_input: u64,
    /// Of `output`: pictures.
    pub image_output: u64,
    /// True if the provider's figures are impossible: the others are 0 then, and nothing may be charged by them.
    pub impossible: bool,
}

impl TokenUsage {
    /// Figures that cannot be read. They are no reason to lose an answer, and none to believe what was told before.
    pub const IMPOSSIBLE: Self = Self {
        input: 0,
        cache_read: 0,
        cache_write: 0,
        cache_write_hour: 0,
        output: 0,
        reasoning: 0,
        audio_input: 0,
        audio_output: 0,
        image_input: 0,
        image_output: 0,
        impossible: true,
    };

    /// The figures of a report whose prompt includes what caches had to do with. `parts` holds everything else as reported.
    ///
    /// They are impossible where parts are more than their whole: which of the two is wrong is not known, and parts have
    /// prices of their own. Sound and pictures may have come from a cache, and are charged as what they are then.
    #[must_use]
    pub(crate) fn of_report(prompt: u64, parts: Self) -> Self {
        let rest = |whole: u64, parts: &[u64]| parts.iter().try_fold(whole, |rest, part| rest.checked_sub(*part));
        let input = rest(prompt, &[parts.cache_read, parts.cache_write, parts.cache_write_hour]);
        let others = [
            rest(prompt, &[parts.audio_input, parts.image_input]),
            rest(parts.output, &[parts.audio_output, parts.image_output]),
            rest(parts.output, &[parts.reasoning]),
        ];
        let Some(input) = input.filter(|_| others.iter().all(Option::is_some)) else { return Self::IMPOSSIBLE };
        let audio_input = parts.audio_input.min(input);
        let image_input = parts.image_input.min(input - audio_input);
        Self { input, audio_input, image_input, ..parts }
    }

    /// The whole prompt.
    #[must_use]
    pub const fn prompt(&self) -> u64 {
        self.input
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
            .saturating_add(self.cache_write_hour)
    }

    /// Prompt and answer.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }
}

/// The context of a request that the writer of its answer needs.
#[derive(Debug, Clone)]
pub struct ResponseContext {
    /// Letters and digits, unique to the request: ids of the answer are made of it (`chatcmpl-…`, `msg_…`, `resp_…`).
    pub id: String,
    /// The model as the client named it.
    pub model: String,
    /// Unix seconds.
    pub created: i64,
    /// True if a stream of format O ends with a chunk of usage.
    pub include_usage: bool,
    /// The client's request as it came: format R repeats its settings in the answer.
    pub request: Bytes,
    /// The tools that the provider had as functions.
    pub functions: Arc<FunctionNames>,
    /// The stop texts that the provider was not told.
    pub stop: Arc<[String]>,
    /// True if the client asked the model to think.
    pub thinks: bool,
    /// Our own count for a whole answer, where its provider gave no usage that is charged.
    pub counted: Option<TokenUsage>,
}
