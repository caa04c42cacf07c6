// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `account_usage`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// Columns by which rows of usage can be grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/account_usage.yaml: UsageGroup")]
pub enum UsageGroup {
    /// The day in UTC.
    #[wire(name = "day")]
    Day,
    /// The model, as the clients named it.
    #[wire(name = "model")]
    Model,
    /// The key.
    #[wire(name = "key")]
    Key,
    /// The team that the key is of now.
    #[wire(name = "team")]
    Team,
    /// The member that the key is of now.
    #[wire(name = "member")]
    Member,
    /// Each tag that the request carries: a request of several tags counts in the row of each.
    #[wire(name = "tag")]
    Tag,
}

/// Sums over the requests of an account.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/account_usage.yaml: UsageReport")]
pub struct UsageReport {
    /// First day.
    pub from: api::Day,
    /// The day after the last.
    pub to: api::Day,
    /// One for each group that has a request, in the order of day, key and model.
    pub rows: Vec<UsageRow>,
}

/// Sums over the requests of one group. All are whole numbers or exact decimals.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/account_usage.yaml: UsageRow")]
pub struct UsageRow {
    /// The day. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub day: Option<api::Day>,
    /// Number of the key. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub key_id: Option<i64>,
    /// The model. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub model: Option<String>,
    /// Requests that have ended, those that cost nothing included.
    #[wire(min = 0)]
    pub requests: i64,
    /// Requests among them whose hold was released whole.
    #[wire(min = 0)]
    pub released_requests: i64,
    /// Input, cached and written parts included.
    #[wire(min = 0)]
    pub prompt_tokens: i64,
    /// The part of the input that was charged at the cached price.
    #[wire(min = 0)]
    pub cached_tokens: i64,
    /// The part of the input that was written to a cache for five minutes.
    #[wire(min = 0)]
    pub cache_write_tokens: i64,
    /// The part of the input that was written to a cache for an hour.
    #[wire(min = 0)]
    pub cache_write_long_tokens: i64,
    /// Output, reasoning included; images and seconds of video as on their receipts.
    #[wire(min = 0)]
    pub completion_tokens: i64,
    /// The part of the output that was reasoning.
    #[wire(min = 0)]
    pub reasoning_tokens: i64,
    /// The part of the input that was sound and in no cache.
    #[wire(min = 0)]
    pub audio_prompt_tokens: i64,
    /// The part of the input that was pictures and in no cache.
    #[wire(min = 0)]
    pub image_prompt_tokens: i64,
    /// The part of the output that was sound.
    #[wire(min = 0)]
    pub audio_completion_tokens: i64,
    /// The part of the output that was pictures.
    #[wire(min = 0)]
    pub image_completion_tokens: i64,
    /// Amount that was charged.
    pub charged_usd: api::Usd,
    /// The part of the cost that the credit did not cover. It was not charged.
    pub shortfall_usd: api::Usd,
    /// Number of the team. Null where rows are not told apart by it and for keys that are of none.
    #[wire(nullable)]
    pub team_id: Option<i64>,
    /// Number of the member. Null where rows are not told apart by it and for keys that are of none.
    #[wire(nullable)]
    pub member_id: Option<i64>,
    /// The tag. Null where rows are not told apart by it and for requests that carry none.
    #[wire(nullable)]
    pub tag: Option<String>,
}

/// Answer of `usage.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/account_usage.yaml: UsageReply")]
pub struct UsageReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sums.
    pub data: UsageReport,
}
