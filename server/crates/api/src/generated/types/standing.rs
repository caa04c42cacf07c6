// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `standing`.

use tollgate_macros::Wire;

use crate::api;

/// Status of the caller.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfStatus")]
pub struct SelfStatus {
    /// The credit of the account.
    pub balance: super::Balance,
    /// Budgets of the key for requests.
    pub budgets: SelfBudgets,
    /// The agents that act, each with what is left of its caps. With the key of an agent, that agent alone.
    pub agents: Vec<SelfAgent>,
    /// Orders of the account that wait for payment or are being settled, the oldest first.
    pub orders: Vec<SelfOrder>,
    /// Bounds of a top-up by x402 now.
    pub topup: SelfTopup,
    /// Share of the prices that the account pays, as a decimal: `0.8` is four fifths.
    pub ratio: String,
    /// The models that the key may use, and what they cost before the ratio.
    pub prices: Vec<SelfPrice>,
}

/// Budgets of a key for requests. An absent one is without bound; credit that requests under way hold is not
/// left.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfBudgets")]
pub struct SelfBudgets {
    /// In this day in UTC.
    #[wire(optional)]
    pub day: Option<SelfCap>,
    /// In this week in UTC, from Monday.
    #[wire(optional)]
    pub week: Option<SelfCap>,
    /// In this month in UTC.
    #[wire(optional)]
    pub month: Option<SelfCap>,
    /// Ever.
    #[wire(optional)]
    pub life: Option<SelfCap>,
}

/// A bound, and what is left of it.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfCap")]
pub struct SelfCap {
    /// The bound.
    pub cap_usd: api::Usd,
    /// Rest of it now; never below zero.
    pub left_usd: api::Usd,
}

/// An agent and its caps. What is absent is not bounded.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfAgent")]
pub struct SelfAgent {
    /// Number of the agent.
    pub agent_id: i64,
    /// Its name for people.
    pub label: String,
    /// Its wallet, from which it pays.
    pub agent_addr: super::WalletAddress,
    /// The most that one top-up may be.
    #[wire(optional)]
    pub cap_order_usd: Option<api::Usd>,
    /// Cap for this day in UTC. Orders that are being settled count.
    #[wire(optional)]
    pub day: Option<SelfCap>,
    /// Cap for ever. Orders that are being settled count.
    #[wire(optional)]
    pub life: Option<SelfCap>,
}

/// An order that is open.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfOrder")]
pub struct SelfOrder {
    /// Rail on which it is paid.
    pub rail: super::Rail,
    /// `pending` or `settling`.
    pub status: super::TopupStatus,
    /// The agent that has to pay it.
    #[wire(optional)]
    pub agent_id: Option<i64>,
    /// Number of the order.
    #[wire(min = 1)]
    pub order_id: i64,
    /// Name of the order; it is polled by its name or its number.
    pub trade_no: String,
    /// Amount that it was made for.
    pub amount_usd: api::Usd,
    /// Until when it can be paid, ten minutes after creation.
    pub expires_at: i64,
}

/// Bounds of a top-up by x402.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfTopup")]
pub struct SelfTopup {
    /// True if orders can be made now.
    pub enabled: bool,
    /// The least order.
    pub min_usd: api::Usd,
    /// Null means no bound.
    #[wire(nullable)]
    pub max_usd: Option<api::Usd>,
}

/// Prices of a model, in pico-USD for a token, a picture or a second, and for a request.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfPrice")]
pub struct SelfPrice {
    /// The name to send in `model`.
    pub model: String,
    /// For a token of the prompt.
    #[wire(min = 0)]
    pub prompt_picousd: i64,
    /// For a token of the prompt that came from a cache.
    #[wire(min = 0)]
    pub cached_picousd: i64,
    /// For a token of the answer.
    #[wire(min = 0)]
    pub completion_picousd: i64,
    /// For a request, beside all else.
    #[wire(min = 0)]
    pub request_picousd: i64,
    /// For a picture. Absent where it draws none at a price for each.
    #[wire(optional, min = 0)]
    pub image_picousd: Option<i64>,
    /// For a second of video. Absent where it films nothing.
    #[wire(optional, min = 0)]
    pub second_picousd: Option<i64>,
    /// Prompts that are longer than this have other prices.
    #[wire(optional, min = 0)]
    pub dearer_above_tokens: Option<i64>,
}

/// Answer of `standing.get`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/standing.yaml: SelfStatusReply")]
pub struct SelfStatusReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// Status of the caller.
    pub data: SelfStatus,
}
