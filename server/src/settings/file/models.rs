//! The keys of the configuration file that say what is served: providers, models, their prices, and groups of accounts.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Deserialize;

use tollgate_formats::Format;
use tollgate_gateway::{HttpVersion, OutputBoundField, ProviderKind, UnknownMembers};

use super::super::capabilities::{ListedModel, WrittenCapabilities};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct UpstreamTable {
    pub(in crate::settings) base_url: String,
    #[serde(default)]
    pub(in crate::settings) format: UpstreamFormat,
    pub(in crate::settings) concurrency_max: Option<usize>,
    pub(in crate::settings) api_key_env: Option<String>,
    pub(in crate::settings) api_key_file: Option<PathBuf>,
    pub(in crate::settings) access_key_env: Option<String>,
    pub(in crate::settings) access_key_file: Option<PathBuf>,
    pub(in crate::settings) secret_key_env: Option<String>,
    pub(in crate::settings) secret_key_file: Option<PathBuf>,
    #[serde(default)]
    pub(in crate::settings) http: HttpVersion,
    #[serde(default)]
    pub(in crate::settings) output_bound_field: OutputBoundField,
    #[serde(default = "yes")]
    pub(in crate::settings) completions: bool,
    #[serde(default)]
    pub(in crate::settings) unknown_members: UnknownMembers,
}

/// A client format, by its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(in crate::settings) enum MemberFormat {
    A,
    G,
    O,
    R,
}

impl MemberFormat {
    pub(in crate::settings) const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::G => 'G',
            Self::O => 'O',
            Self::R => 'R',
        }
    }
}

/// The kind of a provider: its format, or the media that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::settings) enum UpstreamFormat {
    #[default]
    Chat,
    Responses,
    Messages,
    Generate,
    Pictures,
    PicturesLater,
    VideoA,
}

impl UpstreamFormat {
    pub(in crate::settings) const fn kind(self) -> ProviderKind {
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

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct ModelTable {
    /// The pattern in whose place it stands, priced by the list: never written.
    #[serde(skip)]
    pub(in crate::settings) pattern: Option<String>,
    /// Of a pattern that is priced by the list: whether its names are in the lists of models.
    #[serde(default)]
    pub(in crate::settings) in_model_lists: bool,
    #[serde(default)]
    pub(in crate::settings) aliases: Vec<String>,
    pub(in crate::settings) display_name: Option<String>,
    pub(in crate::settings) owned_by: Option<String>,
    #[serde(default)]
    pub(in crate::settings) created: i64,
    /// Absent, like the next two: from the price list.
    pub(in crate::settings) context_tokens: Option<u64>,
    pub(in crate::settings) max_output_tokens: Option<u64>,
    #[serde(default)]
    pub(in crate::settings) capabilities: WrittenCapabilities,
    /// The most uses of a tool in one request, where the client bounds them nowhere.
    #[serde(default = "tool_uses_max")]
    pub(in crate::settings) tool_uses_max: u64,
    /// Absent: from the price list. A model that has none there either is refused, so that it is never free.
    pub(in crate::settings) price: Option<PriceTable>,
    /// Its name in the price list; absent: its own.
    pub(in crate::settings) listed_as: Option<String>,
    /// The lengths of a video that can be ordered.
    pub(in crate::settings) video_seconds: Option<Vec<u32>>,
    pub(in crate::settings) candidates: Vec<CandidateEntry>,
    #[serde(default)]
    pub(in crate::settings) fallback: Vec<String>,
}

impl ModelTable {
    /// Takes what is not written here from the price list.
    pub(in crate::settings) fn fill(&mut self, listed: &ListedModel) {
        self.context_tokens = self.context_tokens.or(listed.context_tokens);
        self.max_output_tokens = self.max_output_tokens.or(listed.max_output_tokens);
        self.capabilities.fill(&listed.capabilities);
    }
}

const fn tool_uses_max() -> u64 {
    10
}

/// Prices of many models, in a file of their own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct PriceListFile {
    /// The version of each price that has none of its own.
    pub(in crate::settings) version: Option<String>,
    #[serde(default)]
    pub(in crate::settings) prices: IndexMap<String, PriceTable>,
    /// The facts about the models beside their prices, by the same names.
    #[serde(default)]
    pub(in crate::settings) models: IndexMap<String, ListedModel>,
}

/// In USD per million tokens, written as text: binary floats cannot hold `0.15`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct PriceTable {
    pub(in crate::settings) prompt: String,
    pub(in crate::settings) cached: Option<String>,
    pub(in crate::settings) cache_write: Option<String>,
    pub(in crate::settings) cache_write_long: Option<String>,
    pub(in crate::settings) completion: String,
    pub(in crate::settings) audio_prompt: Option<String>,
    pub(in crate::settings) audio_completion: Option<String>,
    pub(in crate::settings) image_prompt: Option<String>,
    pub(in crate::settings) image_completion: Option<String>,
    pub(in crate::settings) reasoning: Option<String>,
    /// In USD for each request that is charged for, beside all else.
    pub(in crate::settings) per_request: Option<String>,
    /// In USD for each picture.
    pub(in crate::settings) image: Option<String>,
    /// In USD for each second of a video.
    pub(in crate::settings) video_second: Option<String>,
    /// In USD for each second of a large video.
    pub(in crate::settings) video_second_large: Option<String>,
    pub(in crate::settings) version: Option<String>,
    /// In the place of these for longer prompts, the shortest first.
    #[serde(default)]
    pub(in crate::settings) tiers: Vec<TierEntry>,
    /// In USD for each use of a tool that the provider runs, by its name in `spec/requests`.
    #[serde(default)]
    pub(in crate::settings) tools: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each service tier.
    #[serde(default)]
    pub(in crate::settings) service_tiers: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each speed of format A.
    #[serde(default)]
    pub(in crate::settings) speeds: IndexMap<String, String>,
    /// The factors for the prices of tokens, for each region that format A answers in.
    #[serde(default)]
    pub(in crate::settings) regions: IndexMap<String, String>,
}

/// Prices of a request whose prompt is longer than so many tokens. What is left out is as in [`PriceTable`], and no cheaper than
/// there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct TierEntry {
    pub(in crate::settings) above: u64,
    pub(in crate::settings) prompt: String,
    pub(in crate::settings) cached: Option<String>,
    pub(in crate::settings) cache_write: Option<String>,
    pub(in crate::settings) cache_write_long: Option<String>,
    pub(in crate::settings) completion: String,
    pub(in crate::settings) audio_prompt: Option<String>,
    pub(in crate::settings) audio_completion: Option<String>,
    pub(in crate::settings) image_prompt: Option<String>,
    pub(in crate::settings) image_completion: Option<String>,
    pub(in crate::settings) reasoning: Option<String>,
    pub(in crate::settings) per_request: Option<String>,
}

impl TierEntry {
    /// The tier as a price that stands alone.
    pub(in crate::settings) fn as_price(&self, version: Option<&String>) -> PriceTable {
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct GroupTable {
    pub(in crate::settings) ratio: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::settings) struct CandidateEntry {
    pub(in crate::settings) upstream: String,
    pub(in crate::settings) model: Option<String>,
    pub(in crate::settings) answers_as: Option<String>,
    /// Absent: its place in the list.
    pub(in crate::settings) priority: Option<u32>,
    #[serde(default = "one")]
    pub(in crate::settings) weight: u32,
}

const fn yes() -> bool {
    true
}

const fn one() -> u32 {
    1
}
