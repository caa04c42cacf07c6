//! The keys of the configuration file that say what is served: providers, models, their prices, and groups of accounts.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use tollgate_formats::Format;
use tollgate_gateway::{HttpVersion, OutputBoundField, ProviderKind, UnknownMembers};

use super::capabilities::{ListedModel, WrittenCapabilities};

/// A provider, as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UpstreamTable {
    /// The address up to and including the version segment.
    pub base_url: String,
    /// Its kind.
    #[serde(default)]
    pub format: UpstreamFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) concurrency_max: Option<usize>,
    /// The variable that holds its key; of the file alone, as the five that follow.
    #[serde(skip_serializing)]
    pub api_key_env: Option<String>,
    /// The file that holds its key.
    #[serde(skip_serializing)]
    pub api_key_file: Option<PathBuf>,
    /// The variable that holds the public half of its pair of keys.
    #[serde(skip_serializing)]
    pub access_key_env: Option<String>,
    /// The file that holds the public half of its pair of keys.
    #[serde(skip_serializing)]
    pub access_key_file: Option<PathBuf>,
    /// The variable that holds the secret half of its pair of keys.
    #[serde(skip_serializing)]
    pub secret_key_env: Option<String>,
    /// The file that holds the secret half of its pair of keys.
    #[serde(skip_serializing)]
    pub secret_key_file: Option<PathBuf>,
    #[serde(default)]
    pub(crate) http: HttpVersion,
    #[serde(default)]
    pub(crate) output_bound_field: OutputBoundField,
    #[serde(default = "yes")]
    pub(crate) completions: bool,
    #[serde(default)]
    pub(crate) unknown_members: UnknownMembers,
}

/// The kind of a provider: its format, or the media that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UpstreamFormat {
    /// Format O, chat-completions.
    #[default]
    Chat,
    /// Format R.
    Responses,
    /// Format A.
    Messages,
    /// Format G.
    Generate,
    /// Images at once.
    Pictures,
    /// Images by tasks.
    PicturesLater,
    /// Videos.
    VideoA,
}

impl UpstreamFormat {
    /// The protocol that is spoken to it.
    #[must_use]
    pub const fn kind(self) -> ProviderKind {
        match self {
            Self::Chat => ProviderKind::Speaks(Format::Chat),
            Self::Responses => ProviderKind::Speaks(Format::Responses),
            Self::Messages => ProviderKind::Speaks(Format::Messages),
            Self::Generate => ProviderKind::Speaks(Format::Generate),
            Self::Pictures => ProviderKind::Pictures,
            Self::PicturesLater => ProviderKind::PicturesLater,
            Self::VideoA => ProviderKind::VideoA,
        }
    }
}

/// A model, as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ModelTable {
    /// The pattern in whose place it stands, priced by the list: never written.
    #[serde(skip)]
    pub(crate) pattern: Option<String>,
    /// Of a pattern that is priced by the list: whether its names are in the lists of models.
    #[serde(default)]
    pub(crate) in_model_lists: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owned_by: Option<String>,
    #[serde(default)]
    pub(crate) created: i64,
    /// Absent, like the next two: from the price list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "WrittenCapabilities::is_empty")]
    pub(crate) capabilities: WrittenCapabilities,
    /// The most uses of a tool in one request, where the client bounds them nowhere.
    #[serde(default = "tool_uses_max")]
    pub(crate) tool_uses_max: u64,
    /// Absent: from the price list. A model that has none there either is refused, so that it is never free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) price: Option<PriceTable>,
    /// Its name in the price list; absent: its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) listed_as: Option<String>,
    /// The lengths of a video that can be ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) video_seconds: Option<Vec<u32>>,
    pub(crate) candidates: Vec<CandidateEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fallback: Vec<String>,
}

impl ModelTable {
    /// Takes what is not written here from the price list.
    pub(crate) fn fill(&mut self, listed: &ListedModel) {
        self.context_tokens = self.context_tokens.or(listed.context_tokens);
        self.max_output_tokens = self.max_output_tokens.or(listed.max_output_tokens);
        self.capabilities.fill(&listed.capabilities);
    }
}

const fn tool_uses_max() -> u64 {
    10
}

/// Prices of many models, in a file of their own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceListFile {
    /// The version of each price that has none of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) prices: IndexMap<String, PriceTable>,
    /// The facts about the models beside their prices, by the same names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) models: IndexMap<String, ListedModel>,
}

/// In USD per million tokens, written as text: binary floats cannot hold `0.15`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    pub(crate) prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cached: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_write: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_write_long: Option<String>,
    pub(crate) completion: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) audio_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) audio_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<String>,
    /// In USD for each request that is charged for, beside all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) per_request: Option<String>,
    /// In USD for each picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image: Option<String>,
    /// In USD for each second of a video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) video_second: Option<String>,
    /// In USD for each second of a large video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) video_second_large: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    /// In the place of these for longer prompts, the shortest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tiers: Vec<TierEntry>,
    /// In USD for each use of a tool that the provider runs, by its name in `spec/requests`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) tools: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each service tier.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) service_tiers: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each speed of format A.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) speeds: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each region that format A answers in.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(crate) regions: IndexMap<String, String>,
}

/// Prices of a request whose prompt is longer than so many tokens. What is left out is as in [`PriceTable`], and no cheaper than
/// there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TierEntry {
    pub(crate) above: u64,
    pub(crate) prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cached: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_write: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cache_write_long: Option<String>,
    pub(crate) completion: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) audio_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) audio_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) image_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) per_request: Option<String>,
}

impl TierEntry {
    /// The tier as a price that stands alone.
    pub(crate) fn as_price(&self, version: Option<&String>) -> PriceTable {
        let tier = self.clone();
        PriceTable {
            prompt: tier.prompt,
            cached: tier.cached,
            cache_write: tier.cache_write,
            cache_write_long: tier.cache_write_long,
            completion: tier.completion,
            audio_prompt: tier.audio_prompt,
            audio_completion: tier.audio_completion,
            image_prompt: tier.image_prompt,
            image_completion: tier.image_completion,
            reasoning: tier.reasoning,
            per_request: tier.per_request,
            image: None,
            video_second: None,
            video_second_large: None,
            version: version.cloned(),
            tiers: Vec::new(),
            tools: IndexMap::new(),
            service_tiers: IndexMap::new(),
            speeds: IndexMap::new(),
            regions: IndexMap::new(),
        }
    }
}

/// The ratio of all prices that the accounts of a group pay.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GroupTable {
    pub(crate) ratio: String,
}

/// A provider that has a model, as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateEntry {
    pub(crate) upstream: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answers_as: Option<String>,
    /// Absent: its place in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) priority: Option<u32>,
    #[serde(default = "one")]
    pub(crate) weight: u32,
}

const fn yes() -> bool {
    true
}

const fn one() -> u32 {
    1
}
