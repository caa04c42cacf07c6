// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_service`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// The state of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_service.yaml: ServerState")]
pub enum ServerState {
    /// It has been heard of within the last seconds.
    #[wire(name = "up")]
    Up,
    /// It has ended, or was taken for gone; what it held was given back.
    #[wire(name = "gone")]
    Gone,
}

/// A start of a server on this ledger.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: Server")]
pub struct Server {
    /// Its name, which is that of its data folder.
    pub name: String,
    /// Number of the start.
    pub start: i64,
    /// Its state.
    pub state: ServerState,
    /// True for the server that answers.
    pub answers: bool,
    /// Time of the start.
    pub started_at: String,
    /// Time at which it last wrote that it is there.
    pub seen_at: String,
}

/// One page of the chain of seals.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: SealPage")]
pub struct SealPage {
    /// The seals, the newest first.
    pub seals: Vec<Seal>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// A seal over rows of the ledger.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: Seal")]
pub struct Seal {
    /// Number of the seal.
    pub seal: i64,
    /// Its hash, in hexadecimal digits.
    pub hash: String,
    /// The rows that it covers.
    pub rows: i64,
    /// Time at which it was made.
    pub created_at: String,
}

/// Columns by which rows of usage of all accounts can be grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_service.yaml: ServiceUsageGroup")]
pub enum ServiceUsageGroup {
    /// The day in UTC.
    #[wire(name = "day")]
    Day,
    /// The account.
    #[wire(name = "account")]
    Account,
    /// The model, as the clients named it.
    #[wire(name = "model")]
    Model,
}

/// Sums over the requests of all accounts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ServiceUsageReport")]
pub struct ServiceUsageReport {
    /// First day.
    pub from: api::Day,
    /// The day after the last.
    pub to: api::Day,
    /// One for each group that has a request, in the order of day, account and model.
    pub rows: Vec<ServiceUsageRow>,
}

/// Sums over the requests of one group.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ServiceUsageRow")]
pub struct ServiceUsageRow {
    /// The day. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub day: Option<api::Day>,
    /// Number of the account. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub account_id: Option<i64>,
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
    /// Output, reasoning included.
    #[wire(min = 0)]
    pub completion_tokens: i64,
    /// Sum of the charges.
    pub charged_usd: api::Usd,
    /// Sum of what accounts could not pay.
    pub shortfall_usd: api::Usd,
}

/// Columns by which margins can be grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_service.yaml: MarginGroup")]
pub enum MarginGroup {
    /// The day in UTC.
    #[wire(name = "day")]
    Day,
    /// The model, as the clients named it.
    #[wire(name = "model")]
    Model,
}

/// Charges and costs over the requests of all accounts.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: MarginReport")]
pub struct MarginReport {
    /// First day.
    pub from: api::Day,
    /// The day after the last.
    pub to: api::Day,
    /// The models whose cost is not known, as the clients named them. Their charges are in no margin.
    pub models_without_cost: Vec<String>,
    /// One for each group that has a request, in the order of day and model.
    pub rows: Vec<MarginRow>,
}

/// Charges and costs over the requests of one group.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: MarginRow")]
pub struct MarginRow {
    /// The day. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub day: Option<api::Day>,
    /// The model. Null where rows are not told apart by it.
    #[wire(nullable)]
    pub model: Option<String>,
    /// Requests that have ended, those that cost nothing included.
    #[wire(min = 0)]
    pub requests: i64,
    /// Sum of the charges, those of models whose cost is not known included.
    pub charged_usd: api::Usd,
    /// The part of the charges that is of models whose cost is known.
    pub reckoned_usd: api::Usd,
    /// The cost of the tokens of these models, by today's costs. Null where none of them has a known cost.
    #[wire(nullable)]
    pub cost_usd: Option<api::Usd>,
    /// `reckoned_usd` less `cost_usd`; below zero where providers ask for more than was charged. Null where none of
    /// the models has a known cost.
    #[wire(nullable)]
    pub margin_usd: Option<api::Usd>,
}

/// The place that a setting comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_service.yaml: SettingOrigin")]
pub enum SettingOrigin {
    /// Nothing sets it.
    #[wire(name = "default")]
    Default,
    /// The configuration file.
    #[wire(name = "file")]
    File,
    /// A variable of the environment.
    #[wire(name = "environment")]
    Environment,
    /// An option of the command line.
    #[wire(name = "command_line")]
    CommandLine,
}

/// A setting in force.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: Setting")]
pub struct Setting {
    /// Its key, as `listener.requests_in_flight`.
    pub key: String,
    /// Its value, as the configuration file has it.
    pub value: String,
    /// The place that it comes from.
    pub origin: SettingOrigin,
}

/// A request to read the configuration again.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ReloadRequest")]
pub struct ReloadRequest {
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// The outcome of reading the configuration again.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: Reload")]
pub struct Reload {
    /// What was done, in words.
    pub message: String,
}

/// Answer of `admin_service.servers`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ServerListReply")]
pub struct ServerListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The servers, at most a hundred of them.
    pub data: Vec<Server>,
}

/// Answer of `admin_service.seals`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: SealListReply")]
pub struct SealListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: SealPage,
}

/// Answer of `admin_service.usage`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ServiceUsageReply")]
pub struct ServiceUsageReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sums.
    pub data: ServiceUsageReport,
}

/// Answer of `admin_service.margin`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: MarginReply")]
pub struct MarginReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sums.
    pub data: MarginReport,
}

/// Answer of `admin_service.settings`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: SettingListReply")]
pub struct SettingListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The settings, by their keys.
    pub data: Vec<Setting>,
}

/// Answer of `admin_service.reload`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_service.yaml: ReloadReply")]
pub struct ReloadReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// What was done.
    pub data: Reload,
}
