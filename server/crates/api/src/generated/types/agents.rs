// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `agents`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// The wallet, and the proof that it is the caller's.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentRegistration")]
pub struct AgentRegistration {
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub label: String,
    /// The wallet that is to become an agent.
    pub agent_addr: WalletAddress,
    /// Signature of the ownership message by that wallet.
    #[wire(min_len = 64, max_len = 4096)]
    pub ownership_sig: String,
    /// Letters, digits, `-` and `_`. Used once for ever.
    #[wire(min_len = 8, max_len = 128)]
    pub nonce: String,
    /// Time at which the message was signed, within 300 seconds of the service's time.
    pub issued_at: i64,
}

/// An EVM address with 0x, or a Solana address in base58.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: WalletAddress", min_len = 32, max_len = 44)]
pub struct WalletAddress(String);

/// The agent that was registered.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentCreated")]
pub struct AgentCreated {
    /// The agent's key. Shown here only, and stored as a hash.
    pub api_key: api::ShownOnce,
    /// Its wallet, as it was sent.
    pub agent_addr: WalletAddress,
    /// Its name for people, as it was sent.
    pub label: String,
    /// The family of chains that the wallet is of.
    pub chain: AgentChain,
    /// The agent without its key, as in the list.
    pub agent: Agent,
}

/// A family of chains, whose wallets sign in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/agents.yaml: AgentChain")]
pub enum AgentChain {
    /// Ethereum and those like it. A wallet is the same on each.
    #[wire(name = "evm")]
    Evm,
    /// Solana.
    #[wire(name = "solana")]
    Solana,
}

/// Changes. Absent members stay as they are, null means without limit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentChange")]
pub struct AgentChange {
    /// A name for people. No line breaks.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub label: Option<String>,
    /// The most that one top-up of the agent may be.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub cap_order_usd: Option<Option<api::Usd>>,
    /// The most it may top up in a day in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub cap_day_usd: Option<Option<api::Usd>>,
    /// The most it may ever top up, from when it is first given such a cap.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub cap_usd: Option<Option<api::Usd>>,
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

/// An agent, without the secret of its key. A cap or budget that is absent is none.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: Agent")]
pub struct Agent {
    /// Number of the agent; it never changes.
    pub agent_id: i64,
    /// Number of its key, under which receipts and the list of keys have it.
    pub key_id: i64,
    /// Its wallet: of an EVM chain in small letters, of Solana in base58.
    pub agent_addr: WalletAddress,
    /// The family of chains that the wallet is of.
    pub chain: AgentChain,
    /// Its state.
    pub status: AgentStatus,
    /// Time at which it was registered.
    pub created_at: i64,
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub label: String,
    /// The most that one top-up of the agent may be.
    #[wire(optional, min = 0, max = 1000000000)]
    pub cap_order_usd: Option<api::Usd>,
    /// The most it may top up in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub cap_day_usd: Option<api::Usd>,
    /// The most it may ever top up, from when it is first given such a cap.
    #[wire(optional, min = 0, max = 1000000000)]
    pub cap_usd: Option<api::Usd>,
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

/// State of an agent, from the machine `agent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/agents.yaml: AgentStatus")]
pub enum AgentStatus {
    /// It may act by its key and pay by its wallet.
    #[wire(name = "active")]
    Active,
    /// It may not any more.
    #[wire(name = "revoked")]
    Revoked,
}

/// Answer of `agents.register`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentCreatedReply")]
pub struct AgentCreatedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agent and its key.
    pub data: AgentCreated,
}

/// Answer of `agents.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentListReply")]
pub struct AgentListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agents, revoked ones included.
    pub data: Vec<Agent>,
}

/// Answer of `agents.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/agents.yaml: AgentReply")]
pub struct AgentReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agent as it stands now.
    pub data: Agent,
}
