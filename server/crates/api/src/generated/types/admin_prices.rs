// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_prices`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// The prices of a request whose prompt is longer than so many tokens. What is absent is no cheaper than for a
/// short one.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceTierSettings")]
pub struct PriceTierSettings {
    /// Tokens of the prompt above which it counts.
    #[wire(min = 1)]
    pub above: i64,
    /// A million tokens of the prompt, in USD.
    #[wire(max_len = 40)]
    pub prompt: String,
    /// A million tokens of the output, in USD.
    #[wire(max_len = 40)]
    pub completion: String,
    /// A million tokens that are read from a cache.
    #[wire(optional, max_len = 40)]
    pub cached: Option<String>,
    /// A million tokens that are written to a cache for five minutes.
    #[wire(optional, max_len = 40)]
    pub cache_write: Option<String>,
    /// A million tokens that are written to a cache for an hour.
    #[wire(optional, max_len = 40)]
    pub cache_write_long: Option<String>,
    /// A million tokens of sound in the prompt.
    #[wire(optional, max_len = 40)]
    pub audio_prompt: Option<String>,
    /// A million tokens of sound in the output.
    #[wire(optional, max_len = 40)]
    pub audio_completion: Option<String>,
    /// A million tokens of pictures in the prompt.
    #[wire(optional, max_len = 40)]
    pub image_prompt: Option<String>,
    /// A million tokens of pictures in the output.
    #[wire(optional, max_len = 40)]
    pub image_completion: Option<String>,
    /// A million tokens of thinking.
    #[wire(optional, max_len = 40)]
    pub reasoning: Option<String>,
    /// A request, beside all else.
    #[wire(optional, max_len = 40)]
    pub per_request: Option<String>,
}

/// The prices of a model in USD, as exact decimals in texts, with the keys of the configuration file: tokens by
/// the million, all else by the piece.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceSettings")]
pub struct PriceSettings {
    /// A million tokens of the prompt, as in `0.15`.
    #[wire(max_len = 40)]
    pub prompt: String,
    /// A million tokens of the output.
    #[wire(max_len = 40)]
    pub completion: String,
    /// A million tokens that are read from a cache. Absent: as the prompt.
    #[wire(optional, max_len = 40)]
    pub cached: Option<String>,
    /// A million tokens that are written to a cache for five minutes. Absent: as is usual at the providers of the
    /// model, at least as the prompt.
    #[wire(optional, max_len = 40)]
    pub cache_write: Option<String>,
    /// A million tokens that are written to a cache for an hour. Absent: as is usual, at least as for five minutes.
    #[wire(optional, max_len = 40)]
    pub cache_write_long: Option<String>,
    /// A million tokens of sound in the prompt. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub audio_prompt: Option<String>,
    /// A million tokens of sound in the output. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub audio_completion: Option<String>,
    /// A million tokens of pictures in the prompt. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub image_prompt: Option<String>,
    /// A million tokens of pictures in the output. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub image_completion: Option<String>,
    /// A million tokens of thinking. Absent: as the output.
    #[wire(optional, max_len = 40)]
    pub reasoning: Option<String>,
    /// A request, beside all else. Absent: nothing.
    #[wire(optional, max_len = 40)]
    pub per_request: Option<String>,
    /// A picture.
    #[wire(optional, max_len = 40)]
    pub image: Option<String>,
    /// A second of a video.
    #[wire(optional, max_len = 40)]
    pub video_second: Option<String>,
    /// A second of a large video.
    #[wire(optional, max_len = 40)]
    pub video_second_large: Option<String>,
    /// The prices of longer prompts, the shortest first.
    #[wire(optional, max_items = 20)]
    pub tiers: Option<Vec<PriceTierSettings>>,
    /// A use of each tool that the provider runs.
    #[wire(optional)]
    pub tools: Option<api::Map<String>>,
    /// The factors on the prices of tokens for each service tier.
    #[wire(optional)]
    pub service_tiers: Option<api::Map<String>>,
    /// The factors on the prices of tokens for each speed of format A.
    #[wire(optional)]
    pub speeds: Option<api::Map<String>>,
    /// The factors on the prices of tokens for each region that format A answers in.
    #[wire(optional)]
    pub regions: Option<api::Map<String>>,
    /// The provider's own price for the same, which only operators see. Absent: the cost is not known, and no margin
    /// is reckoned.
    #[wire(optional)]
    pub cost: Option<PriceCost>,
}

/// The price that a provider asks of the operator, in USD as exact decimals in texts: tokens by the million, all
/// else by the piece. It charges nobody.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceCost")]
pub struct PriceCost {
    /// A million tokens of the prompt.
    #[wire(max_len = 40)]
    pub prompt: String,
    /// A million tokens of the output.
    #[wire(max_len = 40)]
    pub completion: String,
    /// A million tokens that are read from a cache. Absent: as the prompt.
    #[wire(optional, max_len = 40)]
    pub cached: Option<String>,
    /// A million tokens that are written to a cache for five minutes. Absent: as is usual at the providers of the
    /// model, at least as the prompt.
    #[wire(optional, max_len = 40)]
    pub cache_write: Option<String>,
    /// A million tokens that are written to a cache for an hour. Absent: as is usual, at least as for five minutes.
    #[wire(optional, max_len = 40)]
    pub cache_write_long: Option<String>,
    /// A million tokens of sound in the prompt. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub audio_prompt: Option<String>,
    /// A million tokens of sound in the output. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub audio_completion: Option<String>,
    /// A million tokens of pictures in the prompt. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub image_prompt: Option<String>,
    /// A million tokens of pictures in the output. Absent: as text.
    #[wire(optional, max_len = 40)]
    pub image_completion: Option<String>,
    /// A million tokens of thinking. Absent: as the output.
    #[wire(optional, max_len = 40)]
    pub reasoning: Option<String>,
    /// A request that is charged, beside all else. Absent: nothing.
    #[wire(optional, max_len = 40)]
    pub per_request: Option<String>,
    /// A picture, of a price that has `image`. Absent: the cost of pictures is not known.
    #[wire(optional, max_len = 40)]
    pub image: Option<String>,
    /// A second of a video, of a price that has `video_second`. Absent: the cost of videos is not known.
    #[wire(optional, max_len = 40)]
    pub video_second: Option<String>,
}

/// A new price.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceRequest")]
pub struct PriceRequest {
    /// Its name, most often that of the model: no line breaks, no outer spaces.
    #[wire(min_len = 1, max_len = 128)]
    pub name: String,
    /// Its settings.
    pub settings: PriceSettings,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A new version of a price.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceUpdate")]
pub struct PriceUpdate {
    /// Its settings from now on.
    pub settings: PriceSettings,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// One page of the list of prices.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PricePage")]
pub struct PricePage {
    /// The prices, without the versions before.
    pub prices: Vec<Price>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// A version of a price that was replaced.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceVersion")]
pub struct PriceVersion {
    /// The version, as receipts tell it.
    pub price_version: String,
    /// Its settings. Null where the price was taken away then.
    #[wire(nullable)]
    pub settings: Option<PriceSettings>,
    /// Time from which it counted.
    pub changed_at: String,
    /// Actor of the change, as in the log of changes.
    pub changed_by: String,
}

/// A price.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: Price")]
pub struct Price {
    /// Its name.
    pub name: String,
    /// Origin: the configuration file, or operators.
    pub origin: super::CatalogOrigin,
    /// Reason that it cannot be used. Null where it can.
    #[wire(nullable)]
    pub fault: Option<String>,
    /// Its settings.
    pub settings: PriceSettings,
    /// Its version, as receipts tell it.
    pub price_version: String,
    /// The models that cost so.
    pub models: Vec<String>,
    /// The versions before, the newest first, at most 100. Empty in lists.
    pub before: Vec<PriceVersion>,
    /// Time from which it counts. Null where the file has it.
    #[wire(nullable)]
    pub changed_at: Option<String>,
    /// Actor of its last change, as in the log of changes. Null where the file has it.
    #[wire(nullable)]
    pub changed_by: Option<String>,
    /// Changes with its settings; for `If-Match`.
    pub version: String,
}

/// A price list.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceListRequest")]
pub struct PriceListRequest {
    /// The list, as `tollgate prices` writes it: TOML with a table `prices`.
    #[wire(min_len = 1, max_len = 1000000)]
    pub list: String,
    /// Only these prices of it. Absent means all.
    #[wire(optional, max_items = 10000)]
    pub names: Option<Vec<String>>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// The kind of a difference between a list and the prices of now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceDifferenceKind")]
pub enum PriceDifferenceKind {
    /// There is no such price yet.
    #[wire(name = "new")]
    New,
    /// It is another one, and takes its place.
    #[wire(name = "changed")]
    Changed,
    /// The configuration has it, and it stays as it is.
    #[wire(name = "configured")]
    Configured,
}

/// A price that a list changes.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceDifference")]
pub struct PriceDifference {
    /// Its name.
    pub name: String,
    /// The kind of the change.
    pub kind: PriceDifferenceKind,
    /// The settings of now. Null where there are none.
    #[wire(nullable)]
    pub before: Option<PriceSettings>,
    /// The settings of the list.
    pub after: PriceSettings,
    /// The models that cost so.
    pub models: Vec<String>,
}

/// The differences between a list and the prices of now.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceListComparison")]
pub struct PriceListComparison {
    /// The prices that are changed, by name.
    pub differences: Vec<PriceDifference>,
    /// Number of prices of the list that are as they are.
    pub same: i64,
    /// Changes with the list and the prices of now; for `If-Match` of the import.
    pub version: String,
}

/// Answer of `admin_prices.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceListReply")]
pub struct PriceListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: PricePage,
}

/// Answer of `admin_prices.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceReply")]
pub struct PriceReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The price.
    pub data: Price,
}

/// Answer of `admin_prices.remove`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceRemovedReply")]
pub struct PriceRemovedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The entry that was taken away.
    pub data: super::CatalogRemoved,
}

/// Answer of `admin_prices.compare`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceListComparisonReply")]
pub struct PriceListComparisonReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The differences.
    pub data: PriceListComparison,
}

/// Answer of `admin_prices.take`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_prices.yaml: PriceListImportReply")]
pub struct PriceListImportReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The differences that were taken.
    pub data: PriceListComparison,
}
