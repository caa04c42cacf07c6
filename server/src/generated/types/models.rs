// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `models`.

use tollgate_macros::{Wire, WireEnum};


/// All models, in format O. Not paged.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:61")]
pub struct ModelListO {
    /// `object`.
    #[wire(literal = "list")]
    pub object: &'static str,
    /// May be empty.
    pub data: Vec<ModelO>,
}

/// One model, in format O.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:68")]
pub struct ModelO {
    /// The name to send in `model`.
    pub id: String,
    /// `object`.
    #[wire(literal = "model")]
    pub object: &'static str,
    /// When the model was offered first.
    pub created: i64,
    /// Who makes the model.
    pub owned_by: String,
    /// Tokens of prompt and output together.
    #[wire(min = 0)]
    pub context_length: i64,
    /// Longest output of one answer, in tokens.
    #[wire(min = 0)]
    pub max_output_tokens: i64,
    /// What the account of the key pays. Absent when that is not known.
    #[wire(optional)]
    pub pricing: Option<ModelPricing>,
    /// What the model reads. Absent when that is not known.
    #[wire(optional)]
    pub input_modalities: Option<Vec<InputModality>>,
}

/// A kind of content that a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/models.yaml:81")]
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
#[wire(spec = "spec/operations/models.yaml:91")]
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
#[wire(spec = "spec/operations/models.yaml:103")]
pub struct ModelListA {
    /// May be empty.
    pub data: Vec<ModelA>,
    /// Whether there is a further page.
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
#[wire(spec = "spec/operations/models.yaml:112")]
pub struct ModelA {
    /// `type`.
    #[wire(literal = "model")]
    pub r#type: &'static str,
    /// The name to send in `model`.
    pub id: String,
    /// A name for people.
    pub display_name: String,
    /// When the model was offered first.
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
    /// What the model can do.
    pub capabilities: ModelCapabilitiesA,
}

/// What a model can do, in format A. What is not known counts as not supported.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:125")]
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

/// Whether a model can do something, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:140")]
pub struct CapabilityA {
    /// Whether it is known to.
    pub supported: bool,
}

/// Words for the effort that a model takes, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:146")]
pub struct EffortCapabilityA {
    /// Whether it takes any.
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
#[wire(spec = "spec/operations/models.yaml:156")]
pub struct ServerToolsCapabilityA {
    /// Whether there is any.
    pub supported: bool,
    /// Searches of the web.
    pub web_search: CapabilityA,
    /// Code that is run.
    pub code_execution: CapabilityA,
}

/// Whether and how a model thinks, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:164")]
pub struct ThinkingCapabilityA {
    /// Whether it thinks.
    pub supported: bool,
    /// Types of `thinking` that it takes.
    pub types: ThinkingTypesA,
}

/// Types of `thinking` that a model takes, in format A.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:171")]
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
#[wire(spec = "spec/operations/models.yaml:180")]
pub struct ModelListG {
    /// May be empty.
    pub models: Vec<ModelG>,
    /// Sent while there are further pages.
    #[wire(name = "nextPageToken", optional)]
    pub next_page_token: Option<String>,
}

/// One model, in format G.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/models.yaml:187")]
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
    /// Whether the model thinks. Absent when that is not known.
    #[wire(optional)]
    pub thinking: Option<bool>,
}
