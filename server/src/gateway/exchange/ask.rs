//! A request in the inner language.

use serde_json::value::RawValue;

use super::{Block, Format, Turn};

/// One model turn that a client asks for.
///
/// Encoders take it apart without `..`, so that a member added here stops the build in each of them.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The client's format: what [`Extra`] members are written in.
    pub from: Format,
    /// The model as the client named it.
    #[allow(dead_code, reason = "shown by `Debug`; providers are told their own name for it")]
    pub model: String,
    /// Whether the answer is to be streamed.
    pub stream: bool,
    /// Instructions that stand before the conversation, in order.
    pub system: Vec<Block>,
    /// The conversation, oldest first. Turns of one role may follow each other.
    pub turns: Vec<Turn>,
    /// What the model may call.
    pub tools: Vec<Tool>,
    /// Whether it must.
    pub tool_choice: Option<At<ToolChoice>>,
    /// Whether one turn may hold several calls.
    pub parallel_calls: Option<At<bool>>,
    /// Bound of the output in tokens, reasoning included.
    pub output_max: Option<At<u64>>,
    /// How many answers.
    pub choices: Option<At<u64>>,
    /// Texts at which the answer ends.
    pub stop: Option<At<Vec<String>>>,
    /// Number, in the client's spelling.
    pub temperature: Option<At<Box<RawValue>>>,
    /// Number, in the client's spelling.
    pub top_p: Option<At<Box<RawValue>>>,
    /// How many of the likeliest words to choose from.
    pub top_k: Option<At<Box<RawValue>>>,
    /// Number, in the client's spelling.
    pub presence_penalty: Option<At<Box<RawValue>>>,
    /// Number, in the client's spelling.
    pub frequency_penalty: Option<At<Box<RawValue>>>,
    /// The same seed gives the same answer, as far as the provider can.
    pub seed: Option<At<Box<RawValue>>>,
    /// Whether to tell how likely each word was.
    pub logprobs: Option<At<bool>>,
    /// How many alternatives to tell.
    pub top_logprobs: Option<At<u64>>,
    /// Words made more or less likely, by token id.
    pub logit_bias: Option<At<Box<RawValue>>>,
    /// What the answer must look like.
    pub shape: Option<At<OutputShape>>,
    /// How much to think.
    pub reasoning: Option<At<Reasoning>>,
    /// `low`, `medium` or `high`: how many words to make.
    pub verbosity: Option<At<String>>,
    /// A stable, anonymous id of the client's end user.
    pub user: Option<At<String>>,
    /// Class of service, in the client's word.
    pub service_tier: Option<At<String>>,
    /// Requests with the same key share the provider's cache.
    pub cache_key: Option<At<String>>,
    /// Texts of the client's own that a provider keeps with the answer.
    pub metadata: Option<At<Box<RawValue>>>,
    /// Whether the provider keeps the answer.
    pub store: Option<At<bool>>,
    /// Members that only the client's format knows, top level, in order.
    pub extra: Vec<Extra>,
}

/// A value and where the client wrote it, for messages: `generationConfig.topK`, `tools[2].strict`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At<T> {
    /// The place in the client's own words.
    pub at: String,
    /// What stood there.
    pub value: T,
}

/// A member that the inner language does not know, byte for byte.
#[derive(Debug, Clone)]
pub struct Extra {
    /// The place of the member, its name included, in the client's own words. Empty for a mark: what a reader keeps only so
    /// that its own format gets the spelling back (ids and states of items, the name of a role). It asks for nothing, so
    /// that leaving it out is no loss to report.
    pub at: String,
    /// Its name. With dots where it stood deeper than the object that keeps it: `generationConfig.speechConfig`.
    pub name: String,
    /// Its value.
    pub value: Box<RawValue>,
}

/// Something that the model may call.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Where it stands: `tools[0]`.
    pub at: String,
    /// What it is.
    pub kind: ToolKind,
    /// Members that only the client's format knows.
    pub extra: Vec<Extra>,
}

/// Kinds of tool.
#[derive(Debug, Clone)]
pub enum ToolKind {
    /// A function of the client's.
    Function {
        /// Its name.
        name: String,
        /// What it does.
        description: Option<String>,
        /// JSON schema of its arguments, an object; absent where it takes none.
        parameters: Option<Box<RawValue>>,
        /// Whether the arguments must keep to the schema.
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
        /// What the client's format calls it.
        name: String,
        /// The tool as it stands.
        raw: Box<RawValue>,
    },
}

/// Whether the model must call something.
#[derive(Debug, Clone)]
pub enum ToolChoice {
    /// As it likes.
    Auto,
    /// Nothing.
    Never,
    /// Something.
    Some,
    /// This function.
    Named(String),
    /// One of these; `must` when it has to be one.
    Among {
        /// The names.
        names: Vec<String>,
        /// Whether one has to be called.
        must: bool,
    },
    /// What only the client's format knows.
    Other(Box<RawValue>),
}

/// What the answer must look like.
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
        /// What it is for.
        description: Option<String>,
        /// The schema.
        schema: Box<RawValue>,
        /// Whether it binds.
        strict: Option<bool>,
    },
    /// What only the client's format knows.
    Other(Box<RawValue>),
}

/// How much the model thinks before it answers.
#[derive(Debug, Clone, Default)]
pub struct Reasoning {
    /// In a word; `None` where a budget says it.
    pub effort: Option<Effort>,
    /// In tokens.
    pub budget: Option<u64>,
    /// The provider decides how much.
    pub adaptive: bool,
    /// Whether the client wants to see it; `None` where it did not say.
    pub shown: Option<bool>,
    /// Members beside these, in the client's format.
    pub extra: Vec<Extra>,
}

/// How much to think, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    ExtraHigh,
    Max,
}

impl Reasoning {
    /// Whether the client wants the model to think.
    #[must_use]
    pub fn asks(&self) -> bool {
        let budget = self.budget.map_or(self.adaptive, |budget| budget > 0);
        self.effort.map_or(budget, |effort| effort > Effort::None)
    }
}

impl At<Reasoning> {
    /// The place of the budget, for formats that go by the word where a client gave both.
    #[must_use]
    pub fn budget_beside_effort(&self) -> Option<String> {
        let member = if self.at == "thinking" { "budget_tokens" } else { "thinkingBudget" };
        (self.value.effort.is_some() && self.value.budget.is_some()).then(|| format!("{}.{member}", self.at))
    }
}

impl Effort {
    /// By the word of formats O, R and A.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
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
    pub const fn of_budget(tokens: u64) -> Self {
        match tokens {
            0 => Self::None,
            1..=4096 => Self::Low,
            4097..=12_288 => Self::Medium,
            12_289..=24_576 => Self::High,
            _ => Self::ExtraHigh,
        }
    }
}
