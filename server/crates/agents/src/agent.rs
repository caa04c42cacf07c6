//! The types of this room: agents, with their caps and budgets.

use tollgate_accounts::{ApiKey, KeyLimits};
use tollgate_base::{AccountId, AgentId, KeyId, Secret, Usd};
use tollgate_chains::WalletAddress;

/// A wallet that acts for an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its number.
    pub id: AgentId,
    /// The account that it acts for.
    pub account: AccountId,
    /// The wallet that it pays from.
    pub wallet: WalletAddress,
    /// The label that its owner gave it.
    pub label: String,
    /// Its state: active or revoked.
    pub state: AgentState,
    /// The caps on its top-ups.
    pub caps: AgentCaps,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Its key.
    pub key: KeyId,
    /// The budgets of its key.
    pub budgets: AgentBudgets,
}

/// The caps on an agent's top-ups; what is absent is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AgentCaps {
    /// The most that one top-up may be.
    pub order: Option<Usd>,
    /// The most that it may top up in a UTC day.
    pub day: Option<Usd>,
    /// The most that it may ever top up.
    pub life: Option<Usd>,
}

/// The budgets of an agent's key for requests; what is absent is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AgentBudgets {
    /// The most in a UTC day.
    pub day: Option<Usd>,
    /// The most in a UTC week, from Monday.
    pub week: Option<Usd>,
    /// The most in a UTC month.
    pub month: Option<Usd>,
    /// The most ever.
    pub life: Option<Usd>,
}

/// The state of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentState {
    /// It acts for its account.
    Active,
    /// It never acts again.
    Revoked,
}

/// A wallet that is to become an agent, as its holder asks and signs.
#[derive(Debug, Clone)]
pub struct NewAgent {
    /// The label that its owner gives it: 1 to 64 characters without control characters.
    pub label: String,
    /// The wallet, in any way that it may be written.
    pub agent_addr: String,
    /// Its signature.
    pub ownership_sig: String,
    /// The text that is used once: 8 to 128 letters, digits, `-` and `_`.
    pub nonce: String,
    /// The time of the signature, in unix seconds.
    pub issued_at: i64,
}

/// A change of an agent. Absent stays as it is; an absent cap inside takes the cap away.
#[derive(Debug, Clone, Default)]
pub struct AgentChange {
    /// The label that its owner gives it.
    pub label: Option<String>,
    /// The most that one top-up may be.
    pub cap_order: Option<Option<Usd>>,
    /// The most that it may top up in a UTC day.
    pub cap_day: Option<Option<Usd>>,
    /// The most that it may ever top up.
    pub cap_life: Option<Option<Usd>>,
    /// The most that its key may spend in a UTC day.
    pub budget_day: Option<Option<Usd>>,
    /// The most that its key may spend in a UTC week, from Monday.
    pub budget_week: Option<Option<Usd>>,
    /// The most that its key may spend in a UTC month.
    pub budget_month: Option<Option<Usd>>,
    /// The most that its key may ever spend.
    pub budget_life: Option<Option<Usd>>,
}

/// An agent that was just registered: the one time the secret of its key is at hand.
#[derive(Debug)]
pub struct RegisteredAgent {
    /// The agent.
    pub agent: Agent,
    /// The secret of its key. It cannot be shown again.
    pub secret: Secret,
}

/// The result of a revocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevokedAgent {
    /// The agent, now revoked.
    pub agent: Agent,
    /// True if this call revoked it; false where it was revoked before.
    pub was_active: bool,
}

impl AgentBudgets {
    /// The budgets as limits of a key.
    #[must_use]
    pub fn limits(self) -> KeyLimits {
        let Self { day, week, month, life } = self;
        KeyLimits { budget_day: day, budget_week: week, budget_month: month, budget_life: life, ..KeyLimits::default() }
    }

    /// The budgets of a key.
    #[must_use]
    pub fn of(key: &ApiKey) -> Self {
        let KeyLimits { budget_day, budget_week, budget_month, budget_life, .. } = key.limits;
        Self { day: budget_day, week: budget_week, month: budget_month, life: budget_life }
    }
}

impl AgentState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked => "revoked",
        }
    }

    /// Reads a stored state.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Revoked].into_iter().find(|state| state.as_str() == text)
    }
}
