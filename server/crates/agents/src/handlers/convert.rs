//! Agents between the words of the spec and those of this room.

use crate::{Agent, AgentChange, AgentState};
use tollgate_api::generated::types::{self, AgentChain, AgentStatus, WalletAddress};
use tollgate_chains::ChainFamily;

/// The change of an agent that a request asks for.
pub(super) fn changed(body: types::AgentChange) -> AgentChange {
    AgentChange {
        label: body.label,
        cap_order: body.cap_order_usd,
        cap_day: body.cap_day_usd,
        cap_life: body.cap_usd,
        budget_day: body.budget_day_usd,
        budget_week: body.budget_week_usd,
        budget_month: body.budget_month_usd,
        budget_life: body.budget_usd,
    }
}

/// An agent in the words of the spec.
pub(super) fn agent_reply(agent: Agent) -> types::Agent {
    types::Agent {
        agent_id: agent.id.0,
        key_id: agent.key.0,
        agent_addr: WalletAddress::new(agent.wallet.to_string()).expect("every wallet has 32 to 44 characters"),
        chain: chain(agent.wallet.chain()),
        label: agent.label,
        status: match agent.state {
            AgentState::Active => AgentStatus::Active,
            AgentState::Revoked => AgentStatus::Revoked,
        },
        cap_order_usd: agent.caps.order,
        cap_day_usd: agent.caps.day,
        cap_usd: agent.caps.life,
        budget_day_usd: agent.budgets.day,
        budget_week_usd: agent.budgets.week,
        budget_month_usd: agent.budgets.month,
        budget_usd: agent.budgets.life,
        created_at: agent.created_at_ms / 1000,
    }
}

pub(super) fn chain(chain: ChainFamily) -> AgentChain {
    match chain {
        ChainFamily::Evm => AgentChain::Evm,
        ChainFamily::Solana => AgentChain::Solana,
    }
}
