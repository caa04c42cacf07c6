// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_models`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// The way in which a model is told to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_models.yaml: ModelThinking")]
pub enum ModelThinking {
    /// By effort.
    #[wire(name = "adaptive")]
    Adaptive,
    /// By a budget in tokens.
    #[wire(name = "budget")]
    Budget,
    /// It does not think.
    #[wire(name = "none")]
    None,
}

/// Capabilities of a model; absent ones are not known.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: CapabilitySettings")]
pub struct CapabilitySettings {
    /// The way in which it is told to think.
    #[wire(optional)]
    pub thinking: Option<ModelThinking>,
    /// True if it takes a temperature and the like.
    #[wire(optional)]
    pub sampling: Option<bool>,
    /// Kinds of input that it reads.
    #[wire(optional)]
    pub input: Option<Vec<super::InputModality>>,
    /// True if its answers keep to a JSON schema.
    #[wire(optional)]
    pub structured_output: Option<bool>,
    /// True if it calls tools.
    #[wire(optional)]
    pub tools: Option<bool>,
}

/// A provider that has a model.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: ModelCandidateSettings")]
pub struct ModelCandidateSettings {
    /// The provider.
    #[wire(min_len = 1, max_len = 128)]
    pub upstream: String,
    /// Its name there. Absent means the name on offer.
    #[wire(optional, min_len = 1, max_len = 256)]
    pub model: Option<String>,
    /// The name in its answers, where that is no version of the name that it is asked by.
    #[wire(optional, min_len = 1, max_len = 256)]
    pub answers_as: Option<String>,
    /// The lower the earlier it is asked. Absent means its place in the list.
    #[wire(optional, min = 0, max = 1000000)]
    pub priority: Option<i64>,
    /// Its share of the requests among candidates of one priority. Absent means 1.
    #[wire(optional, min = 0, max = 1000000)]
    pub weight: Option<i64>,
}

/// A model, with the keys of the configuration file.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: ModelSettings")]
pub struct ModelSettings {
    /// Other names for it.
    #[wire(optional, max_items = 100)]
    pub aliases: Option<Vec<String>>,
    /// The name for people. Absent means its name.
    #[wire(optional, min_len = 1, max_len = 200)]
    pub display_name: Option<String>,
    /// Its maker. Absent means `tollgate`.
    #[wire(optional, min_len = 1, max_len = 200)]
    pub owned_by: Option<String>,
    /// Time at which it was offered first, in Unix seconds. Absent means 0.
    #[wire(optional)]
    pub created: Option<i64>,
    /// Tokens of prompt and output together. Absent: as the price list has them.
    #[wire(optional, min = 1)]
    pub context_tokens: Option<i64>,
    /// Longest output of one answer, in tokens. Absent: as the price list has it.
    #[wire(optional, min = 1)]
    pub max_output_tokens: Option<i64>,
    /// Its capabilities.
    #[wire(optional)]
    pub capabilities: Option<CapabilitySettings>,
    /// The most uses of a tool in one request, where the client bounds them nowhere. Absent means 10.
    #[wire(optional, min = 1, max = 1000)]
    pub tool_uses_max: Option<i64>,
    /// The name of its price. Absent means its own.
    #[wire(optional, min_len = 1, max_len = 128)]
    pub listed_as: Option<String>,
    /// The lengths of its videos, in seconds; the first is the usual one.
    #[wire(optional, max_items = 100)]
    pub video_seconds: Option<Vec<i64>>,
    /// Of a name with a `*` that is priced by the list: true if its names are in the lists of models.
    #[wire(optional)]
    pub in_model_lists: Option<bool>,
    /// The providers that have it.
    #[wire(min_items = 1, max_items = 100)]
    pub candidates: Vec<ModelCandidateSettings>,
    /// Models that take its place when all of these fail, in order.
    #[wire(optional, max_items = 100)]
    pub fallback: Option<Vec<String>>,
}

/// A new model on offer.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelRequest")]
pub struct OfferedModelRequest {
    /// The name that clients ask for: no line breaks, no outer spaces. It may have one `*`.
    #[wire(min_len = 1, max_len = 128)]
    pub name: String,
    /// Its settings.
    pub settings: ModelSettings,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// New settings of a model.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelUpdate")]
pub struct OfferedModelUpdate {
    /// Its settings from now on.
    pub settings: ModelSettings,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// One page of the list of models.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelPage")]
pub struct OfferedModelPage {
    /// The models.
    pub models: Vec<OfferedModel>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// A model on offer.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModel")]
pub struct OfferedModel {
    /// The name that clients ask for.
    pub name: String,
    /// Origin: the configuration file, or operators.
    pub origin: super::CatalogOrigin,
    /// Reason that it is not sold. Null where it is.
    #[wire(nullable)]
    pub fault: Option<String>,
    /// Its settings.
    pub settings: ModelSettings,
    /// Its price. Null where it is not sold, and of a name with a `*` that is priced by the list.
    #[wire(nullable)]
    pub price: Option<super::PriceSettings>,
    /// The version of its price, as receipts tell it. Null where it has none.
    #[wire(nullable)]
    pub price_version: Option<String>,
    /// Time of its last change. Null where the file has it.
    #[wire(nullable)]
    pub changed_at: Option<String>,
    /// Actor of its last change, as in the log of changes. Null where the file has it.
    #[wire(nullable)]
    pub changed_by: Option<String>,
    /// Changes with its settings; for `If-Match`.
    pub version: String,
}

/// A request whose cost is asked for. Absent numbers are 0.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: QuoteRequest")]
pub struct QuoteRequest {
    /// Tokens of the prompt, those from a cache included.
    #[wire(optional, min = 0, max = 1000000000)]
    pub prompt_tokens: Option<i64>,
    /// Those of them that are read from a cache.
    #[wire(optional, min = 0, max = 1000000000)]
    pub cached_tokens: Option<i64>,
    /// Tokens of the output.
    #[wire(optional, min = 0, max = 1000000000)]
    pub completion_tokens: Option<i64>,
    /// The group that pays. Absent means `default`.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub group: Option<String>,
}

/// The cost of a request that is not sent.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: Quote")]
pub struct Quote {
    /// The cost, rounded up as receipts are.
    pub cost_usd: api::Usd,
    /// The ratio of all prices that the group pays, as an exact decimal.
    pub ratio: String,
    /// The tokens above which the prices of long prompts count, where they do. Null for those of short ones.
    #[wire(nullable)]
    pub tier_above_tokens: Option<i64>,
    /// The version of the price, as receipts tell it.
    pub price_version: String,
}

/// Answer of `admin_models.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelListReply")]
pub struct OfferedModelListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: OfferedModelPage,
}

/// Answer of `admin_models.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelReply")]
pub struct OfferedModelReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The model.
    pub data: OfferedModel,
}

/// Answer of `admin_models.remove`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: OfferedModelRemovedReply")]
pub struct OfferedModelRemovedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The entry that was taken off.
    pub data: super::CatalogRemoved,
}

/// Answer of `admin_models.quote`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_models.yaml: QuoteReply")]
pub struct QuoteReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The cost.
    pub data: Quote,
}
