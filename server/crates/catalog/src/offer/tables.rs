//! The keys of the configuration file that say what is served: providers, models, their prices, and groups of accounts.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use tollgate_formats::Format;
use tollgate_gateway::{HttpVersion, OutputBoundField, ProviderKind, UnknownMembers};

use super::capabilities::{ListedModel, WrittenCapabilities};

/// Providers, models with their prices, and groups, as they are written.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// The price list, as complaints name it.
    pub price_list: Option<PathBuf>,
    /// Beside `default`, which pays the prices as they are unless it stands here.
    pub groups: IndexMap<String, GroupTable>,
    /// Providers by the name that models refer to.
    pub upstreams: IndexMap<String, UpstreamTable>,
    /// Models by the name that clients ask for, which may have one `*`.
    pub models: IndexMap<String, ModelTable>,
    /// The model of moderation requests that name none.
    pub moderation_model: Option<String>,
    /// The model of video requests that name none.
    pub video_model: Option<String>,
}

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
    pub(in crate::offer) concurrency_max: Option<usize>,
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
    pub(in crate::offer) http: HttpVersion,
    #[serde(default)]
    pub(in crate::offer) output_bound_field: OutputBoundField,
    #[serde(default = "yes")]
    pub(in crate::offer) completions: bool,
    #[serde(default)]
    pub(in crate::offer) unknown_members: UnknownMembers,
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

impl UpstreamTable {
    /// The same at another address.
    pub(crate) fn at(self, base_url: String) -> Self {
        Self { base_url, ..self }
    }
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
    pub(in crate::offer) pattern: Option<String>,
    /// Of a pattern that is priced by the list: whether its names are in the lists of models.
    #[serde(default)]
    pub(in crate::offer) in_model_lists: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::offer) aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) owned_by: Option<String>,
    #[serde(default)]
    pub(in crate::offer) created: i64,
    /// Absent, like the next two: from the price list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) context_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) max_output_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "WrittenCapabilities::is_empty")]
    pub(in crate::offer) capabilities: WrittenCapabilities,
    /// The most uses of a tool in one request, where the client bounds them nowhere.
    #[serde(default = "tool_uses_max")]
    pub(in crate::offer) tool_uses_max: u64,
    /// Absent: from the price list. A model that has none there either is refused, so that it is never free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) price: Option<PriceTable>,
    /// Its name in the price list; absent: its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) listed_as: Option<String>,
    /// The lengths of a video that can be ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) video_seconds: Option<Vec<u32>>,
    pub(in crate::offer) candidates: Vec<CandidateEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::offer) fallback: Vec<String>,
}

impl ModelTable {
    /// The same without its price.
    pub(crate) fn without_price(self) -> Self {
        Self { price: None, ..self }
    }

    /// Its price, where it has one.
    pub(crate) const fn price(&self) -> Option<&PriceTable> {
        self.price.as_ref()
    }

    /// True if it goes by that alias.
    pub(crate) fn has_alias(&self, name: &str) -> bool {
        self.aliases.iter().any(|alias| alias == name)
    }

    /// Other names for it.
    pub(crate) fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// The pattern that has found its name in the price list, where one has.
    pub(crate) const fn pattern(&self) -> Option<&String> {
        self.pattern.as_ref()
    }

    /// Takes what is not written here from the price list.
    pub(in crate::offer) fn fill(&mut self, listed: &ListedModel) {
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
    pub version: Option<String>,
    /// The prices, by the names that models have them under.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub prices: IndexMap<String, PriceTable>,
    /// The facts about the models beside their prices, by the same names.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::offer) models: IndexMap<String, ListedModel>,
}

/// In USD per million tokens, written as text: binary floats cannot hold `0.15`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    pub(in crate::offer) prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cached: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cache_write: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cache_write_long: Option<String>,
    pub(in crate::offer) completion: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) audio_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) audio_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) image_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) image_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) reasoning: Option<String>,
    /// In USD for each request that is charged for, beside all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) per_request: Option<String>,
    /// In USD for each picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) image: Option<String>,
    /// In USD for each second of a video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) video_second: Option<String>,
    /// In USD for each second of a large video.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) video_second_large: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) version: Option<String>,
    /// In the place of these for longer prompts, the shortest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::offer) tiers: Vec<TierEntry>,
    /// In USD for each use of a tool that the provider runs, by its name in `spec/requests`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::offer) tools: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each service tier.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::offer) service_tiers: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each speed of format A.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::offer) speeds: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each region that format A answers in.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::offer) regions: IndexMap<String, String>,
    /// What the provider asks for the same, without tiers, tools and factors. It charges nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cost: Option<Box<Self>>,
}

/// Prices of a request whose prompt is longer than so many tokens. What is left out is as in [`PriceTable`], and no cheaper than
/// there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TierEntry {
    pub(in crate::offer) above: u64,
    pub(in crate::offer) prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cached: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cache_write: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) cache_write_long: Option<String>,
    pub(in crate::offer) completion: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) audio_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) audio_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) image_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) image_completion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) reasoning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) per_request: Option<String>,
}

impl PriceTable {
    /// The same without a version.
    pub(crate) fn without_version(self) -> Self {
        Self { version: None, ..self }
    }

    /// The same with this version.
    pub(crate) fn with_version(self, version: String) -> Self {
        Self { version: Some(version), ..self }
    }

    /// Its version, where it names one.
    pub(crate) const fn version(&self) -> Option<&String> {
        self.version.as_ref()
    }
}

impl TierEntry {
    /// The tier as a price that stands alone.
    pub(in crate::offer) fn as_price(&self, version: Option<&String>) -> PriceTable {
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
            cost: None,
        }
    }
}

/// The ratio of all prices that the accounts of a group pay, and the bounds of each of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GroupTable {
    /// As an exact decimal.
    pub ratio: String,
    /// Model requests that an account of it may begin in a minute, on each server. Absent: without bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// Model requests that an account of it may have in flight, on each server. Absent: without bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_in_flight: Option<u32>,
}

/// A provider that has a model, as it is written.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CandidateEntry {
    pub(in crate::offer) upstream: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) answers_as: Option<String>,
    /// Absent: its place in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) priority: Option<u32>,
    #[serde(default = "one")]
    pub(in crate::offer) weight: u32,
}

const fn yes() -> bool {
    true
}

const fn one() -> u32 {
    1
}
