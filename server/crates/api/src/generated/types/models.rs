// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `models`.

use tollgate_macros::{Wire, WireEnum};


/// All models, in format O. Not paged.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelListO")]
pub struct ModelListO {
    /// `object`.
    #[wire(literal = "list")]
    pub object: &'static str,
    /// May be empty.
    pub data: Vec<ModelO>,
}

/// One model, in format O.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelO")]
pub struct ModelO {
    /// The name to send in `model`.
    pub id: String,
    /// `object`.
    #[wire(literal = "model")]
    pub object: &'static str,
    /// Time at which the model was offered first.
    pub created: i64,
    /// Maker of the model.
    pub owned_by: String,
    /// Tokens of prompt and output together.
    #[wire(min = 0)]
    pub context_length: i64,
    /// Longest output of one answer, in tokens.
    #[wire(min = 0)]
    pub max_output_tokens: i64,
    /// Prices that the account of the key pays. Absent when they are not known.
    #[wire(optional)]
    pub pricing: Option<ModelPricing>,
    /// Kinds of input that the model reads. Absent when they are not known.
    #[wire(optional)]
    pub input_modalities: Option<Vec<InputModality>>,
}

/// A kind of content that a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/models.yaml: InputModality")]
pub enum InputModality {
    /// Text.
    #[wire(name = "text")]
    Text,
    /// Pictures.
    #[wire(name = "image")]
    Image,
    /// PDF documents.
    #[wire(name = "pdf")]
    Pdf,
    /// Sound.
    #[wire(name = "audio")]
    Audio,
    /// Film.
    #[wire(name = "video")]
    Video,
}

/// Prices in USD, as exact decimals in texts, of short prompts. What costs more beside them, such as long
/// prompts, pictures and tools, is not among them.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelPricing")]
pub struct ModelPricing {
    /// Of a token of the prompt.
    pub prompt: String,
    /// Of a token of the output.
    pub completion: String,
    /// Of a token of the prompt that is read from a cache.
    pub input_cache_read: String,
    /// Of a token of the prompt that is written to a cache for five minutes.
    pub input_cache_write: String,
    /// Of a request, beside its tokens.
    pub request: String,
}

/// A page of models, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelListA")]
pub struct ModelListA {
    /// May be empty.
    pub data: Vec<ModelA>,
    /// True if there is a further page.
    pub has_more: bool,
    /// First id of this page. Null when it is empty.
    #[wire(nullable)]
    pub first_id: Option<String>,
    /// Last id of this page, for `after_id`. Null when it is empty.
    #[wire(nullable)]
    pub last_id: Option<String>,
}

/// One model, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelA")]
pub struct ModelA {
    /// `type`.
    #[wire(literal = "model")]
    pub r#type: &'static str,
    /// The name to send in `model`.
    pub id: String,
    /// A name for people.
    pub display_name: String,
    /// Time at which the model was offered first.
    pub created_at: String,
    /// `lifecycle`.
    #[wire(literal = "active")]
    pub lifecycle: &'static str,
    /// Tokens of prompt and output together.
    #[wire(min = 0)]
    pub max_input_tokens: i64,
    /// Largest `max_tokens` of a request.
    #[wire(min = 0)]
    pub max_tokens: i64,
    /// Capabilities of the model.
    pub capabilities: ModelCapabilitiesA,
}

/// Capabilities of a model, in format A. Unknown ones count as not supported.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelCapabilitiesA")]
pub struct ModelCapabilitiesA {
    /// Requests in batches.
    pub batch: CapabilityA,
    /// Citations in answers.
    pub citations: CapabilityA,
    /// Code that calls tools.
    pub code_execution: CapabilityA,
    /// Contexts that the provider makes shorter.
    pub context_management: CapabilityA,
    /// `output_config.effort`.
    pub effort: EffortCapabilityA,
    /// Pictures in requests.
    pub image_input: CapabilityA,
    /// PDF documents in requests.
    pub pdf_input: CapabilityA,
    /// Tools that the provider runs.
    pub server_tools: ServerToolsCapabilityA,
    /// Answers that keep to a JSON schema.
    pub structured_outputs: CapabilityA,
    /// Thinking before the answer.
    pub thinking: ThinkingCapabilityA,
}

/// A capability of a model, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: CapabilityA")]
pub struct CapabilityA {
    /// True if the model is known to support it.
    pub supported: bool,
}

/// Words for the effort that a model takes, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: EffortCapabilityA")]
pub struct EffortCapabilityA {
    /// True if the model takes any.
    pub supported: bool,
    /// `low`.
    pub low: CapabilityA,
    /// `medium`.
    pub medium: CapabilityA,
    /// `high`.
    pub high: CapabilityA,
    /// `max`.
    pub max: CapabilityA,
}

/// Tools that the provider of a model runs, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ServerToolsCapabilityA")]
pub struct ServerToolsCapabilityA {
    /// True if the model supports any.
    pub supported: bool,
    /// Searches of the web.
    pub web_search: CapabilityA,
    /// Code that is run.
    pub code_execution: CapabilityA,
}

/// Thinking of a model, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ThinkingCapabilityA")]
pub struct ThinkingCapabilityA {
    /// True if the model thinks.
    pub supported: bool,
    /// Types of `thinking` that it takes.
    pub types: ThinkingTypesA,
}

/// Types of `thinking` that a model takes, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ThinkingTypesA")]
pub struct ThinkingTypesA {
    /// `adaptive`: by effort.
    pub adaptive: CapabilityA,
    /// `enabled`: by a budget in tokens.
    pub enabled: CapabilityA,
    /// `disabled`: not at all.
    pub disabled: CapabilityA,
    /// `between_tools`: only between calls of tools.
    pub between_tools: CapabilityA,
}

/// A page of models, in format G.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelListG")]
pub struct ModelListG {
    /// May be empty.
    pub models: Vec<ModelG>,
    /// Sent while there are further pages.
    #[wire(name = "nextPageToken", optional)]
    pub next_page_token: Option<String>,
}

/// One model, in format G.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml: ModelG")]
pub struct ModelG {
    /// `models/` and the id.
    pub name: String,
    /// `version`.
    #[wire(literal = "001")]
    pub version: &'static str,
    /// A name for people.
    #[wire(name = "displayName")]
    pub display_name: String,
    /// Verbs of format G that the model takes, such as `generateContent`.
    #[wire(name = "supportedGenerationMethods")]
    pub supported_generation_methods: Vec<String>,
    /// Largest input. 0 when it is not known.
    #[wire(name = "inputTokenLimit", min = 0)]
    pub input_token_limit: i64,
    /// Largest output. 0 when it is not known.
    #[wire(name = "outputTokenLimit", min = 0)]
    pub output_token_limit: i64,
    /// True if the model thinks. Absent when that is not known.
    #[wire(optional)]
    pub thinking: Option<bool>,
}
