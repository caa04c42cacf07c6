// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `keys`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// A model by the name or alias that clients ask for.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyModel", min_len = 1, max_len = 256)]
pub struct KeyModel(String);

/// An operation that takes a key, by its name in the reference, `chat.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyOperation", min_len = 1, max_len = 64)]
pub struct KeyOperation(String);

/// An address or a range of addresses, IPv4 or IPv6. `192.0.2.7` or `10.0.0.0/8`
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyAddress", min_len = 2, max_len = 64)]
pub struct KeyAddress(String);

/// A new key: its name and its limits. An absent limit means unlimited.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyRequest")]
pub struct KeyRequest {
    /// Time at which it ends. It must lie in the future.
    #[wire(optional, max = 253402300799)]
    pub expires_at: Option<i64>,
    /// True if its answers tell their cost beside the counts of tokens, as with the header x-tollgate-include-cost.
    /// Absent means false.
    #[wire(optional)]
    pub include_cost: Option<bool>,
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub label: String,
    /// The models that it may use. One that answers in the place of another must be among them too.
    #[wire(optional, min_items = 1, max_items = 100)]
    pub models: Option<Vec<KeyModel>>,
    /// The operations that it may be used for.
    #[wire(optional, min_items = 1, max_items = 100)]
    pub operations: Option<Vec<KeyOperation>>,
    /// The ranges of addresses that it may be used from.
    #[wire(optional, min_items = 1, max_items = 100)]
    pub addresses: Option<Vec<KeyAddress>>,
    /// Model requests that it may begin in a minute.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_per_minute: Option<i64>,
    /// Tokens that its model requests may use in a minute.
    #[wire(optional, min = 1, max = 1000000000000)]
    pub tokens_per_minute: Option<i64>,
    /// Model requests that it may have under way at the same time.
    #[wire(optional, min = 1, max = 1000000)]
    pub in_flight: Option<i64>,
    /// The member that it is of, whose budgets it spends from.
    #[wire(optional, min = 1, max = 9007199254740991)]
    pub member_id: Option<i64>,
    /// The team that it is of, whose budgets it spends from.
    #[wire(optional, min = 1, max = 9007199254740991)]
    pub team_id: Option<i64>,
    /// The most that the key may spend in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most that the key may spend in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most that the key may spend in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most that the key may ever spend, from when it is first given such a budget.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
}

/// Changes. Absent members stay as they are, null means without limit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyChange")]
pub struct KeyChange {
    /// True if its answers tell their cost beside the counts of tokens.
    #[wire(optional)]
    pub include_cost: Option<bool>,
    /// A name for people. No line breaks.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub label: Option<String>,
    /// The models that it may use. One that answers in the place of another must be among them too.
    #[wire(optional, nullable, min_items = 1, max_items = 100)]
    pub models: Option<Option<Vec<KeyModel>>>,
    /// The operations that it may be used for.
    #[wire(optional, nullable, min_items = 1, max_items = 100)]
    pub operations: Option<Option<Vec<KeyOperation>>>,
    /// The ranges of addresses that it may be used from.
    #[wire(optional, nullable, min_items = 1, max_items = 100)]
    pub addresses: Option<Option<Vec<KeyAddress>>>,
    /// Model requests that it may begin in a minute.
    #[wire(optional, nullable, min = 1, max = 1000000000)]
    pub requests_per_minute: Option<Option<i64>>,
    /// Tokens that its model requests may use in a minute.
    #[wire(optional, nullable, min = 1, max = 1000000000000)]
    pub tokens_per_minute: Option<Option<i64>>,
    /// Model requests that it may have under way at the same time.
    #[wire(optional, nullable, min = 1, max = 1000000)]
    pub in_flight: Option<Option<i64>>,
    /// The member that it is of, whose budgets it spends from.
    #[wire(optional, nullable, min = 1, max = 9007199254740991)]
    pub member_id: Option<Option<i64>>,
    /// The team that it is of, whose budgets it spends from.
    #[wire(optional, nullable, min = 1, max = 9007199254740991)]
    pub team_id: Option<Option<i64>>,
    /// The most that the key may spend in a day in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<Option<api::Usd>>,
    /// The most that the key may spend in a week in UTC that begins on a Monday.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<Option<api::Usd>>,
    /// The most that the key may spend in a month in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<Option<api::Usd>>,
    /// The most that the key may ever spend, from when it is first given such a budget.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_usd: Option<Option<api::Usd>>,
}

/// A key, without its secret. A limit that is absent is none.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: Key")]
pub struct Key {
    /// Number of the key; it never changes.
    pub key_id: i64,
    /// The beginning and the end of the key, `sk-AbCdE…wxyz`.
    pub prefix: String,
    /// Its state.
    pub status: KeyStatus,
    /// The models that it may use.
    #[wire(optional)]
    pub models: Option<Vec<String>>,
    /// The operations that it may be used for.
    #[wire(optional)]
    pub operations: Option<Vec<String>>,
    /// The ranges of addresses that it may be used from.
    #[wire(optional)]
    pub addresses: Option<Vec<String>>,
    /// True if its answers tell their cost beside the counts of tokens.
    pub include_cost: bool,
    /// Time at which it was made.
    pub created_at: i64,
    /// Time at which it ends. Absent means never.
    #[wire(optional)]
    pub expires_at: Option<i64>,
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub label: String,
    /// Model requests that it may begin in a minute.
    #[wire(optional, min = 1, max = 1000000000)]
    pub requests_per_minute: Option<i64>,
    /// Tokens that its model requests may use in a minute.
    #[wire(optional, min = 1, max = 1000000000000)]
    pub tokens_per_minute: Option<i64>,
    /// Model requests that it may have under way at the same time.
    #[wire(optional, min = 1, max = 1000000)]
    pub in_flight: Option<i64>,
    /// The member that it is of, whose budgets it spends from.
    #[wire(optional, min = 1, max = 9007199254740991)]
    pub member_id: Option<i64>,
    /// The team that it is of, whose budgets it spends from.
    #[wire(optional, min = 1, max = 9007199254740991)]
    pub team_id: Option<i64>,
    /// The most that the key may spend in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most that the key may spend in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most that the key may spend in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most that the key may ever spend, from when it is first given such a budget.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
}

/// State of a key, from the machine `api_key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/keys.yaml: KeyStatus")]
pub enum KeyStatus {
    /// It may be used until it expires.
    #[wire(name = "active")]
    Active,
    /// It may not be used any more.
    #[wire(name = "revoked")]
    Revoked,
}

/// A new key.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyCreated")]
pub struct KeyCreated {
    /// The key. Shown here only, and stored as a hash.
    pub api_key: api::ShownOnce,
    /// The key without its secret, as in the list.
    pub key: Key,
}

/// Answer of `keys.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyCreatedReply")]
pub struct KeyCreatedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The key with its secret.
    pub data: KeyCreated,
}

/// Answer of `keys.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyListReply")]
pub struct KeyListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The keys, revoked ones included.
    pub data: Vec<Key>,
}

/// Answer of `keys.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/keys.yaml: KeyReply")]
pub struct KeyReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The key as it stands now.
    pub data: Key,
}
