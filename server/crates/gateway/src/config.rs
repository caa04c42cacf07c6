//! The configuration of the gateway: upstreams with their keys, and models with their prices. `settings` has checked it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use indexmap::IndexMap;
use ipnet::IpNet;

use crate::members::MemberClasses;
use tollgate_api::generated::limits;
use tollgate_base::{AccountGroup, PicoUsd, PriceRatio, Secret};
use tollgate_credit::{MediaTokens, Tariff, TokenPrices};
use tollgate_formats::{Format, ModelCapabilities};

/// The gateway's whole configuration; values are resolved and valid.
#[derive(Debug, Clone)]
pub struct Config {
    /// Providers by the name that models refer to.
    pub upstreams: IndexMap<String, UpstreamConfig>,
    /// Models by the name that clients ask for.
    pub models: IndexMap<String, ModelConfig>,
    /// Name patterns with one `*`, for the names that fit and are not keys of `models`.
    pub patterns: IndexMap<String, PatternConfig>,
    /// The ratio of all prices that the accounts of each group pay. A group that is not here is sold nothing.
    pub groups: BTreeMap<AccountGroup, PriceRatio>,
    /// The model of moderation requests that name none; one of `models`.
    pub moderation_model: Option<String>,
    /// The model of video requests that name none; one of `models`.
    pub video_model: Option<String>,
    /// Timeouts and size limits for upstreams; the defaults are the spec's limits.
    pub patience: UpstreamLimits,
    /// The memory that all whole answers of providers may use together, in bytes.
    pub answers_in_flight_bytes: usize,
    /// Networks besides the open internet from which addresses that a provider named may be fetched, also over plain
    /// HTTP.
    pub fetch_allowed: Vec<IpNet>,
    /// The treatment of tools that a provider runs and that have no price.
    pub hosted_tools: HostedTools,
    /// The operator's classes of members and kinds of requests, beside the spec's.
    pub members: MemberClasses,
    /// Providers that are sent no new requests. What they have begun goes on.
    pub draining: BTreeSet<String>,
    /// Failures in a row after which the breaker stops requests for a model at an upstream; 0 for never.
    pub breaker_failures: u32,
}

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamConfig {
    /// The address up to and including the version segment: `https://api.example.com/v1`.
    pub base_url: String,
    /// The services that it has, and their protocol.
    pub kind: ProviderKind,
    /// The API key, sent in the header that the kind uses. `None` where no key or a key pair is used.
    pub api_key: Option<Secret>,
    /// The key pair that signs requests; present for [`ProviderKind::VideoA`], and for no other.
    pub key_pair: Option<KeyPair>,
    /// The most requests under way at once; `None` for no limit.
    pub concurrency_max: Option<usize>,
    /// The HTTP version spoken to it.
    pub http: HttpVersion,
    /// The member of the body that bounds the output, used where the gateway has to write one.
    pub output_bound_field: OutputBoundField,
    /// True if a provider of format O has `/completions` beside chat.
    pub completions: bool,
    /// The treatment of members and kinds that neither the spec nor the operator lists.
    pub unknown_members: UnknownMembers,
    /// The addresses at which it may be.
    pub reach: ProviderReach,
}

/// The addresses at which a provider may be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ProviderReach {
    /// Anywhere: whoever can write the configuration file can reach what the server can.
    #[default]
    Anywhere,
    /// The open internet over https, and these networks, over plain HTTP too.
    OpenInternet {
        /// The networks besides.
        allowed: Vec<IpNet>,
    },
}

/// The treatment of members and kinds of a request that neither the spec nor the operator lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownMembers {
    /// The request is refused, and the error names the member or kind.
    #[default]
    Refuse,
    /// The provider is sent them, unpriced.
    Forward,
}

/// The treatment of tools that a provider runs and that have no price at a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostedTools {
    /// They are removed from the request and named to the client, unless the request forces one.
    #[default]
    Drop,
    /// The request is refused, and the error names the tool.
    Refuse,
}

/// The protocol of a provider. Each kind has its own paths, its own way to send a key and its own error bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderKind {
    /// Conversations in a format, and the services that belong to that format.
    Speaks(Format),
    /// Generation and editing of images alone, by a body of messages with parameters, answered at once.
    Pictures,
    /// Generation and editing of images alone, by a body with a prompt that starts a task, which is polled.
    /// A kind of its own, because address, body and answer differ from those of [`Pictures`](Self::Pictures).
    PicturesLater,
    /// Videos alone, from a text or an image, in the style of `/videoA`.
    VideoA,
}

impl ProviderKind {
    /// True if its first answer holds only the id of a task.
    #[must_use]
    pub const fn answers_with_task(self) -> bool {
        match self {
            Self::PicturesLater => true,
            Self::Speaks(_) | Self::Pictures | Self::VideoA => false,
        }
    }

    /// True if the paths of its services name the model.
    #[must_use]
    pub const fn names_model_in_path(self) -> bool {
        match self {
            Self::Speaks(Format::Generate) => true,
            Self::Speaks(Format::Chat | Format::Completions | Format::Responses | Format::Messages)
            | Self::Pictures
            | Self::PicturesLater
            | Self::VideoA => false,
        }
    }
}

/// A key in two parts: one identifies us, the other signs and is never sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// The public part, which identifies us.
    pub access_key: Secret,
    /// The secret part, which signs.
    pub secret_key: Secret,
}

/// The HTTP version spoken to an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HttpVersion {
    /// Over TLS the version that the peer prefers, else HTTP/1.1.
    #[default]
    Auto,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only; in the clear this is "prior knowledge".
    Http2,
}

/// The name of the member that bounds the output in a provider's request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputBoundField {
    /// The current name in format O.
    #[default]
    MaxCompletionTokens,
    /// The older name, which many compatible providers still want.
    MaxTokens,
}

impl OutputBoundField {
    /// True for the older name, `max_tokens`.
    #[must_use]
    pub const fn is_older(self) -> bool {
        match self {
            Self::MaxTokens => true,
            Self::MaxCompletionTokens => false,
        }
    }

    /// The name as it stands in the body.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// One model on offer.
#[derive(Debug, Clone)]
pub struct ModelConfig {
    /// The pattern that offers it; `None` where it is configured by its own name.
    pub pattern: Option<String>,
    /// True if the lists of models leave it out.
    pub unlisted: bool,
    /// Other names that clients may use for it.
    pub aliases: Vec<String>,
    /// The name for people in the model list.
    pub display_name: String,
    /// The owner in the model list of format O.
    pub owned_by: String,
    /// The creation time in the model lists, in Unix seconds.
    pub created: i64,
    /// The context window: the most tokens of prompt and output together.
    pub context_tokens: u64,
    /// The most output tokens of one choice; the bound where the client gives none.
    pub max_output_tokens: u64,
    /// The most uses of a tool in one request, where the client bounds them nowhere.
    pub tool_uses_max: u64,
    /// The capabilities that are known, which decide how requests are converted.
    pub capabilities: ModelCapabilities,
    /// True if providers that cache only on request are asked to. Set where writing to a cache has a price and reading
    /// from one costs less than other input.
    pub asks_for_cache: bool,
    /// The prices of its tokens and services.
    pub tariff: Tariff,
    /// What its provider asks for a unit of usage. It charges nobody, and customers are never told; `None` where it is not known.
    pub cost: Option<TokenPrices>,
    /// The price of a generated image, where each has one.
    pub image_price: Option<PicoUsd>,
    /// The terms of its videos; a model without them makes none.
    pub video: Option<VideoTerms>,
    /// True for each kind of audio and image tokens with a price of its own. The others cost what text costs.
    pub media_prices: MediaTokens<bool>,
    /// The upstreams that have it, tried by priority and weight.
    pub candidates: Vec<CandidateConfig>,
    /// Other keys of [`Config::models`], tried in this order when all candidates have failed.
    pub fallback: Vec<String>,
}

/// The models that are offered under the names that a pattern fits.
#[derive(Debug, Clone)]
pub enum PatternConfig {
    /// One model under every name. A `*` in a candidate's name of the model stands for the part that the pattern's `*`
    /// fits.
    Any(Box<ModelConfig>),
    /// Only models with a key of their own in `models`, which a price list gave them.
    Listed,
}

/// The prices and lengths of a model's videos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoTerms {
    /// The price of a second.
    pub second: PicoUsd,
    /// The price of a second of a large video; `None` where no large ones are made.
    pub large_second: Option<PicoUsd>,
    /// The lengths that can be ordered, in seconds; the first is the default. Never empty.
    pub lengths: Vec<u32>,
}

/// An upstream that has a model, with its name of the model.
#[derive(Debug, Clone)]
pub struct CandidateConfig {
    /// A key of [`Config::upstreams`].
    pub upstream: String,
    /// The model's name there.
    pub model: String,
    /// The model name in its answers, where that is no version of the requested name.
    pub answers_as: Option<String>,
    /// Its priority; lower numbers are tried first.
    pub priority: u32,
    /// Its share of the requests among candidates of one priority.
    pub weight: u32,
}

/// Timeouts and size limits of one request to an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpstreamLimits {
    /// The most time to open a connection.
    pub connect: Duration,
    /// The most time from the request for a stream to its first event.
    pub first_event: Duration,
    /// The most time from there during which the status is held back for the first content. Afterwards the client is sent
    /// the status, and a keep-alive each time this duration has passed again.
    pub first_content: Duration,
    /// The most time between two reads of a stream that has begun.
    pub idle: Duration,
    /// The most time for the whole answer, all attempts included.
    pub total: Duration,
    /// The most time for reading the rest of an answer whose client has disconnected.
    pub abandoned: Duration,
    /// The time from the request for images to the first poll, at providers that answer with a task.
    pub poll_first: Duration,
    /// The longest pause between two polls; pauses grow from the first on.
    pub poll_most: Duration,
    /// The time that a hold lasts beyond `total` and `abandoned`.
    pub hold_margin: Duration,
    /// The largest event of a stream, or error body, in bytes.
    pub answer_bytes: usize,
    /// The largest whole answer to a turn, in bytes.
    pub turn_bytes: usize,
    /// The largest other whole answer (images, embeddings), in bytes.
    pub whole_bytes: usize,
}

impl Default for UpstreamLimits {
    /// The spec's limits.
    fn default() -> Self {
        Self {
            connect: limits::UPSTREAM_CONNECT,
            first_event: limits::UPSTREAM_FIRST_EVENT,
            first_content: limits::UPSTREAM_FIRST_CONTENT,
            idle: limits::UPSTREAM_IDLE,
            total: limits::UPSTREAM_TOTAL,
            abandoned: limits::ABANDONED_STREAM,
            poll_first: limits::PICTURE_POLL_FIRST,
            poll_most: limits::PICTURE_POLL_MOST,
            hold_margin: limits::HOLD_EXPIRY_MARGIN,
            answer_bytes: limits::UPSTREAM_LINE,
            turn_bytes: limits::UPSTREAM_TURN_ANSWER,
            whole_bytes: limits::UPSTREAM_ANSWER,
        }
    }
}
