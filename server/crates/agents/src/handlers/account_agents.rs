//! `/api/admin/accounts/{account_id}/agents` and `/api/admin/agents/{agent_id}`: the agents of any account, for operators.

use super::convert::agent_reply;
use crate::{AgentError, AgentService};
use tollgate_api::generated::ops::admin_agents::{
    ListAccountAgents, ListAccountAgentsError, ListAccountAgentsInput, RevokeAccountAgent, RevokeAccountAgentError,
    RevokeAccountAgentInput,
};
use tollgate_api::generated::types::{AccountAgentListReply, AccountAgentReply, AgentRevoked};
use tollgate_api::{Cx, OperatorCaller};
use tollgate_base::{AccountId, Actor, AgentId};

impl ListAccountAgents for AgentService {
    async fn list_account_agents(
        &self,
        cx: &Cx,
        input: ListAccountAgentsInput,
    ) -> Result<AccountAgentListReply, ListAccountAgentsError> {
        let agents = self.of_account(AccountId(input.account_id)).await.map_err(|error| {
            unavailable(cx, &error);
            ListAccountAgentsError::LedgerUnavailable
        })?;
        let data = agents.into_iter().map(agent_reply).collect();
        Ok(AccountAgentListReply { success: true, message: String::new(), data })
    }
}

impl RevokeAccountAgent for AgentService {
    async fn revoke_account_agent(
        &self,
        cx: &Cx,
        input: RevokeAccountAgentInput,
    ) -> Result<AccountAgentReply, RevokeAccountAgentError> {
        let agent_id = input.agent_id;
        let name = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &name, address: cx.client, reason: "" };
        let revoked = self.revoke_any(AgentId(agent_id), actor).await.map_err(|error| match error {
            AgentError::NoSuchAgent => RevokeAccountAgentError::AgentNotFound { agent_id },
            error => {
                unavailable(cx, &error);
                RevokeAccountAgentError::LedgerUnavailable
            }
        })?;
        let data = AgentRevoked { agent: agent_reply(revoked.agent), was_active: revoked.was_active };
        Ok(AccountAgentReply { success: true, message: String::new(), data })
    }
}

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &AgentError) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error = error as &dyn std::error::Error, "agents could not be read or written");
}
