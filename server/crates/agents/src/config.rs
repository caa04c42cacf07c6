//! The configuration of this room.

use super::{AgentBudgets, AgentCaps};

/// The CAIP-2 reference of Solana's main network.
pub const MAINNET: &str = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

/// The configuration of this room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// True if agents are registered.
    pub enabled: bool,
    /// The Solana network that a proof names, the part of its CAIP-2 id after `solana:`.
    pub solana_network: String,
    /// The caps of a new agent.
    pub caps: AgentCaps,
    /// The budgets of a new agent's key.
    pub budgets: AgentBudgets,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            solana_network: MAINNET.to_owned(),
            caps: AgentCaps::default(),
            budgets: AgentBudgets::default(),
        }
    }
}
