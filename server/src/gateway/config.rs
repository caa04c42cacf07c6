//! What the gateway is told: upstreams with their keys, and models with their prices. Checked by `settings`, trusted here.

use std::collections::BTreeMap;
use std::time::Duration;

use indexmap::IndexMap;
use ipnet::IpNet;

use crate::base::{Group, PicoUsd, Ratio, Secret};
use crate::credit::{Media, Tariff};
use crate::generated::limits;

use super::exchange::{Capabilities, Format};
use super::inbound::members::MemberClasses;

/// The gateway's whole configuration; values are resolved and valid.
#[derive(Debug, Clone)]
pub struct Config {
    /// Providers by the name that models refer to.
    pub upstreams: IndexMap<String, UpstreamConfig>,
    /// Models by the name that clients ask for.
    pub models: IndexMap<String, ModelConfig>,
    /// Names with one `*`, and what is on offer under the names that they fit and that are not among the models.
    pub patterns: IndexMap<String, PatternConfig>,
    /// What the accounts of each group pay of all prices; a group that is not here is sold nothing.
    pub groups: BTreeMap<Group, Ratio>,
    /// The model that judges texts where the client names none; one of `models`.
    pub moderation_model: Option<String>,
    /// The model that films where the client names none; one of `models`.
    pub video_model: Option<String>,
    /// Bounds on what an upstream may take; the defaults are the spec's limits.
    pub patience: Patience,
    /// The memory that whole answers of providers may take together, in bytes.
    pub answers_in_flight_bytes: usize,
    /// Networks besides the open internet in which what a provider gives an address of may be fetched, also in the clear.
    pub fetch_allowed: Vec<IpNet>,
    /// What becomes of tools that a provider runs and that have no price.
    pub hosted_tools: HostedTools,
    /// What the operator says of members and kinds of requests, beside the spec.
    pub members: MemberClasses,
    /// Failures in a row after which a model is not asked at an upstream for a while; 0 for never.
    pub breaker_failures: u32,
}

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamConfig {
    /// Address up to and including the version segment: `https://api.example.com/v1`.
    pub base_url: String,
    /// What it does, and in which words it is asked.
    pub kind: Kind,
    /// Sent the way its kind sends keys; `None` for a provider that asks for none, or for a pair of them.
    pub api_key: Option<Secret>,
    /// What requests are signed with; there for [`Kind::VideoA`], and for no other.
    pub key_pair: Option<KeyPair>,
    /// The most requests under way at once; `None` for no bound of ours.
    pub concurrency_max: Option<usize>,
    /// How to speak to it.
    pub http: HttpVersion,
    /// The body field that bounds the output, where we have to write one.
    pub output_bound_field: OutputBoundField,
    /// Whether a provider of format O has `/completions` beside turns.
    pub completions: bool,
    /// What becomes of members and kinds that nobody knows.
    pub unknown_members: UnknownMembers,
}

/// What becomes of members and kinds of a request that neither the spec nor the operator knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownMembers {
    /// The request is refused by name.
    #[default]
    Refuse,
    /// The provider is sent them, unpriced.
    Forward,
}

/// What becomes of tools that a provider runs and that have no price at a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostedTools {
    /// They are taken out of the request and told, unless the request forces one.
    #[default]
    Drop,
    /// The request is refused by name.
    Refuse,
}

/// What a provider does. Each kind has its own paths, its own way to send a key and its own words for a no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Holds conversations in a format, and does what goes with that format beside them.
    Speaks(Format),
    /// Draws and changes pictures, asked in a body of messages with parameters. It does nothing else.
    Pictures,
    /// Does the same, but is asked with a prompt, and answers with the name of a task: what came of it is asked for until it
    /// is there. A kind of its own, because address, body and answer are others than those of [`Pictures`](Self::Pictures).
    PicturesLater,
    /// Films from a text or a picture, in the style of `/videoA`. It does nothing else.
    VideoA,
}

impl Kind {
    /// Whether what it answers at first is only the name of a task.
    #[must_use]
    pub const fn answers_later(self) -> bool {
        match self {
            Self::PicturesLater => true,
            Self::Speaks(_) | Self::Pictures | Self::VideoA => false,
        }
    }
}

/// A key in two parts: the one names us, the other signs and is never sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// Names us.
    pub access_key: Secret,
    /// Signs.
    pub secret_key: Secret,
}

/// The HTTP version spoken to an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HttpVersion {
    /// Over TLS whatever the peer prefers, else HTTP/1.1.
    #[default]
    Auto,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only; in the clear this is "prior knowledge".
    Http2,
}

/// The name of the output bound in a provider's request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputBoundField {
    /// The current name in format O.
    #[default]
    MaxCompletionTokens,
    /// The older name, which many compatible providers still want.
    MaxTokens,
}

impl OutputBoundField {
    /// Whether it is the older name.
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
    /// The pattern that it is on offer by, where it is by one.
    pub pattern: Option<String>,
    /// Whether it is left out of the lists of models.
    pub unlisted: bool,
    /// Other names that clients may use for it.
    pub aliases: Vec<String>,
    /// Shown in the model list.
    pub display_name: String,
    /// Shown in the format-O model list.
    pub owned_by: String,
    /// Unix seconds, shown in the model lists.
    pub created: i64,
    /// Tokens of prompt and output together.
    pub context_tokens: u64,
    /// The longest output of one choice; the bound where the client gives none.
    pub max_output_tokens: u64,
    /// The most uses of a tool in one request, where the client bounds them nowhere.
    pub tool_uses_max: u64,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Whether providers that cache only where they are asked are asked: what is written to a cache has a price, and what is
    /// read from one costs less than other input.
    pub asks_for_cache: bool,
    /// What it costs.
    pub tariff: Tariff,
    /// What a picture costs that is drawn, where each has a price.
    pub image_price: Option<PicoUsd>,
    /// What it films, and at what price; a model without it films nothing.
    pub video: Option<VideoTerms>,
    /// Which tokens of sound and pictures have prices of their own; the others cost what text costs.
    pub media_prices: Media<bool>,
    /// Where it can be had, tried in this order.
    pub candidates: Vec<CandidateConfig>,
    /// Other keys of [`Config::models`]: asked in this order when all candidates have failed.
    pub fallback: Vec<String>,
}

/// What is on offer under the names that a pattern fits.
#[derive(Debug, Clone)]
pub enum PatternConfig {
    /// The same under each; a `*` in a candidate's name for the model stands for what the pattern's does.
    Any(Box<ModelConfig>),
    /// Nothing but what stands among the models under a name of its own, because a price list has it.
    Listed,
}

/// What a model films.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoTerms {
    /// What a second costs.
    pub second: PicoUsd,
    /// What a second of a large video costs; without it none is filmed.
    pub large_second: Option<PicoUsd>,
    /// The lengths that can be ordered, in seconds; the first is meant where a client gives none. Never empty.
    pub lengths: Vec<u32>,
}

/// One place where a model can be had.
#[derive(Debug, Clone)]
pub struct CandidateConfig {
    /// A key of [`Config::upstreams`].
    pub upstream: String,
    /// The model's name there.
    pub model: String,
    /// The name that its answers have, where that is no version of the one that it is asked by.
    pub answers_as: Option<String>,
    /// The lower the earlier it is asked.
    pub priority: u32,
    /// Its share among candidates of the same priority.
    pub weight: u32,
}

/// How long the gateway waits for an upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// To open a connection.
    pub connect: Duration,
    /// From asking for a stream to its first event.
    pub first_event: Duration,
    /// From there to the first piece of the answer: so long the status is held back. Then the client is sent it, and a sign
    /// of life each time as much has passed again.
    pub first_content: Duration,
    /// Between two reads of a stream that has begun.
    pub idle: Duration,
    /// For the whole answer, all providers tried included.
    pub total: Duration,
    /// For the rest of an answer whose client has gone.
    pub abandoned: Duration,
    /// From the request for pictures to the first question what came of it, where a provider answers later.
    pub poll_first: Duration,
    /// Between two such questions at the most; the pauses grow from the first on.
    pub poll_most: Duration,
    /// How much longer than all that a hold lasts.
    pub hold_margin: Duration,
    /// The longest single event of a stream, or refusal, in bytes.
    pub answer_bytes: usize,
    /// The longest whole answer to a turn, in bytes.
    pub turn_bytes: usize,
    /// The longest other whole answer, in bytes: pictures and vectors.
    pub whole_bytes: usize,
}

impl Default for Patience {
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
