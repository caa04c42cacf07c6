//! A request in the inner language.

use serde_json::value::RawValue;

use super::unknown_member::UnknownMember;
use super::{ChatMessage, ContentBlock, Format};

/// A client's request for one model turn, independent of its format.
///
/// Encoders take it apart without `..`, so that a member added here stops the build in each of them.
#[derive(Debug, Clone)]
pub struct ChatRequest {
    /// The client's format: what [`UnknownMember`] members are written in.
    pub from: Format,
    /// The model as the client named it.
    #[allow(dead_code, reason = "shown by `Debug`; providers are told their own name for it")]
    pub model: String,
    /// True if the answer is to be streamed.
    pub stream: bool,
    /// Instructions that stand before the conversation, in order.
    pub system: Vec<ContentBlock>,
    /// The conversation, oldest first. Turns of one role may follow each other.
    pub turns: Vec<ChatMessage>,
    /// Tools that the model may call.
    pub tools: Vec<ToolDefinition>,
    /// The client's constraint on tool calls; `None` where it set none.
    pub tool_choice: Option<LocatedValue<ToolChoice>>,
    /// False if one turn may hold at most one call; `None` where the client did not say.
    pub parallel_calls: Option<LocatedValue<bool>>,
    /// Bound of the output in tokens, reasoning included.
    pub output_max: Option<LocatedValue<u64>>,
    /// The number of answers (choices) that are asked for.
    pub choices: Option<LocatedValue<u64>>,
    /// Texts at which the answer ends.
    pub stop: Option<LocatedValue<Vec<String>>>,
    /// Sampling temperature, a number in the client's spelling.
    pub temperature: Option<LocatedValue<Box<RawValue>>>,
    /// Bound of nucleus sampling, a number in the client's spelling.
    pub top_p: Option<LocatedValue<Box<RawValue>>>,
    /// The number of likeliest tokens that sampling chooses from, in the client's spelling.
    pub top_k: Option<LocatedValue<Box<RawValue>>>,
    /// Penalty on tokens that have occurred, a number in the client's spelling.
    pub presence_penalty: Option<LocatedValue<Box<RawValue>>>,
    /// Penalty on tokens by the frequency of their occurrence, a number in the client's spelling.
    pub frequency_penalty: Option<LocatedValue<Box<RawValue>>>,
    /// Seed of the sampling: with the same one the provider repeats its answer, as far as it can.
    pub seed: Option<LocatedValue<Box<RawValue>>>,
    /// True if the log probability of each token is asked for.
    pub logprobs: Option<LocatedValue<bool>>,
    /// The number of alternative tokens whose log probabilities are asked for.
    pub top_logprobs: Option<LocatedValue<u64>>,
    /// Words made more or less likely, by token id.
    pub logit_bias: Option<LocatedValue<Box<RawValue>>>,
    /// The required form of the output.
    pub shape: Option<LocatedValue<OutputShape>>,
    /// The requested amount of thinking.
    pub reasoning: Option<LocatedValue<ReasoningSettings>>,
    /// Length of the answer: `low`, `medium` or `high`.
    pub verbosity: Option<LocatedValue<String>>,
    /// A stable, anonymous id of the client's end user.
    pub user: Option<LocatedValue<String>>,
    /// Class of service, in the client's word.
    pub service_tier: Option<LocatedValue<String>>,
    /// Requests with the same key share the provider's cache.
    pub cache_key: Option<LocatedValue<String>>,
    /// Texts of the client's own that a provider keeps with the answer.
    pub metadata: Option<LocatedValue<Box<RawValue>>>,
    /// True if the provider is asked to keep the answer.
    pub store: Option<LocatedValue<bool>>,
    /// Members that only the client's format knows, top level, in order.
    pub extra: Vec<UnknownMember>,
}

/// A value and where the client wrote it, for messages: `generationConfig.topK`, `tools[2].strict`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedValue<T> {
    /// The place in the client's own words.
    pub at: String,
    /// The value that stood there.
    pub value: T,
}

/// Something that the model may call.
#[derive(Debug, Clone)]
pub struct ToolDefinition {
    /// The place of the tool in the request: `tools[0]`.
    pub at: String,
    /// Its kind, with the content of that kind.
    pub kind: ToolKind,
    /// Members that only the client's format knows.
    pub extra: Vec<UnknownMember>,
}

/// Kinds of tool.
#[derive(Debug, Clone)]
pub enum ToolKind {
    /// A function of the client's.
    Function {
        /// Its name.
        name: String,
        /// The description for the model.
        description: Option<String>,
        /// JSON schema of its arguments, an object; absent where it takes none.
        parameters: Option<Box<RawValue>>,
        /// True if the arguments must keep to the schema; `None` where the client did not say.
        strict: Option<bool>,
    },
    /// A tool with free text as input; formats O and R.
    Custom {
        /// Its name.
        name: String,
        /// The tool as it stands, in the client's format.
        raw: Box<RawValue>,
    },
    /// The provider looks things up in the web. What else it was told is in `extra`.
    WebSearch,
    /// A tool that the provider runs and only the client's format knows.
    Hosted {
        /// Its name in the client's format: its type, or the member that holds it.
        name: String,
        /// The tool as it stands.
        raw: Box<RawValue>,
    },
}

/// The client's constraint on the tools that the model calls.
#[derive(Debug, Clone)]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// No tool may be called.
    Never,
    /// Some tool has to be called.
    Some,
    /// The tool of this name has to be called.
    Named(String),
    /// Only these tools may be called.
    Among {
        /// The names.
        names: Vec<String>,
        /// True if one of them has to be called.
        must: bool,
    },
    /// A choice that only the client's format knows, as it stands.
    Other(Box<RawValue>),
}

/// The required form of the output.
#[derive(Debug, Clone)]
pub enum OutputShape {
    /// Text.
    Text,
    /// Some JSON object.
    JsonObject,
    /// JSON after a schema.
    JsonSchema {
        /// Its name, where the format has one.
        name: Option<String>,
        /// The description for the model.
        description: Option<String>,
        /// The schema.
        schema: Box<RawValue>,
        /// True if the output is bound to the schema; `None` where the client did not say.
        strict: Option<bool>,
    },
    /// A form that only the client's format knows, as it stands.
    Other(Box<RawValue>),
}

/// The requested amount of thinking before the answer.
#[derive(Debug, Clone, Default)]
pub struct ReasoningSettings {
    /// The amount in a word, where the client gave one.
    pub effort: Option<ReasoningEffort>,
    /// The amount in tokens, where the client gave one.
    pub budget: Option<u64>,
    /// The provider decides how much.
    pub adaptive: bool,
    /// True if the client wants to see the thinking; `None` where it did not say.
    pub shown: Option<bool>,
    /// Members beside these, in the client's format.
    pub extra: Vec<UnknownMember>,
}

/// The amount of thinking, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the words of the formats, in their order")]
pub enum ReasoningEffort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    ExtraHigh,
    Max,
}

impl ReasoningSettings {
    /// True if the client wants the model to think.
    #[must_use]
    pub fn wants_thinking(&self) -> bool {
        let budget = self.budget.map_or(self.adaptive, |budget| budget > 0);
        self.effort.map_or(budget, |effort| effort > ReasoningEffort::None)
    }
}

impl LocatedValue<ReasoningSettings> {
    /// The place of the budget, for formats that go by the word where a client gave both.
    #[must_use]
    pub fn budget_beside_effort(&self) -> Option<String> {
        let member = if self.at == "thinking" { "budget_tokens" } else { "thinkingBudget" };
        (self.value.effort.is_some() && self.value.budget.is_some()).then(|| format!("{}.{member}", self.at))
    }
}

impl ReasoningEffort {
    /// The effort of a word in formats O, R and A; `None` for an unknown word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "none" => Self::None,
            "minimal" => Self::Minimal,
            "low" => Self::Low,
            "medium" => Self::Medium,
            "high" => Self::High,
            "xhigh" => Self::ExtraHigh,
            "max" => Self::Max,
            _ => return None,
        })
    }

    /// The word of formats O, R and A.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::ExtraHigh => "xhigh",
            Self::Max => "max",
        }
    }

    /// About how many tokens that is, where a format counts them; at most half of `output_max`.
    #[must_use]
    pub fn budget(self, output_max: u64) -> u64 {
        let wish = match self {
            Self::None => 0,
            Self::Minimal => 1024,
            Self::Low => 2048,
            Self::Medium => 8192,
            Self::High => 16_384,
            Self::ExtraHigh | Self::Max => 32_768,
        };
        wish.min(output_max / 2)
    }

    /// The word for a budget of `tokens`. Never [`Self::Minimal`]: not every model that thinks knows that word.
    #[must_use]
    pub const fn from_budget(tokens: u64) -> Self {
        match tokens {
            0 => Self::None,
            1..=4096 => Self::Low,
            4097..=12_288 => Self::Medium,
            12_289..=24_576 => Self::High,
            _ => Self::ExtraHigh,
        }
    }
}
