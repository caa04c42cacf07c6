//! `/api/admin/accounts/{account_id}/agents` and `/api/admin/agents/{agent_id}`: the agents of any account, for operators.

use super::convert::{agent_reply, changed};
use super::refusal::AgentManagementError;
use crate::{AgentError, AgentService};
use tollgate_accounts::BadLimit;
use tollgate_api::generated::ops::admin_agents::{
    ChangeAccountAgent, ChangeAccountAgentError, ChangeAccountAgentInput, ListAccountAgents, ListAccountAgentsError,
    ListAccountAgentsInput, RevokeAccountAgent, RevokeAccountAgentError, RevokeAccountAgentInput,
};
use tollgate_api::generated::types::{
    AccountAgentChangedReply, AccountAgentListReply, AccountAgentReply, AgentRevoked,
};
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

impl ChangeAccountAgent for AgentService {
    async fn change_account_agent(
        &self,
        cx: &Cx,
        input: ChangeAccountAgentInput,
    ) -> Result<AccountAgentChangedReply, ChangeAccountAgentError> {
        let agent_id = input.agent_id;
        let name = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &name, address: cx.client, reason: "" };
        let agent = self.change_any(AgentId(agent_id), changed(input.body), actor).await;
        let agent = agent.map_err(|error| match AgentManagementError::of(cx, error) {
            AgentManagementError::Field(BadLimit { field, expected, found }) => {
                ChangeAccountAgentError::BadField { field, expected: expected.to_owned(), found }
            }
            AgentManagementError::NotFound => ChangeAccountAgentError::AgentNotFound { agent_id },
            AgentManagementError::Revoked => ChangeAccountAgentError::AgentRevoked { agent_id },
            // An operator has neither a key with limits nor an account, and no agent is registered.
            AgentManagementError::Disabled
            | AgentManagementError::Limited
            | AgentManagementError::SignedOut
            | AgentManagementError::Frozen
            | AgentManagementError::Keys(_)
            | AgentManagementError::Agents(_)
            | AgentManagementError::OffBy(_)
            | AgentManagementError::Unproven
            | AgentManagementError::NonceUsed
            | AgentManagementError::Exists
            | AgentManagementError::Ledger => ChangeAccountAgentError::LedgerUnavailable,
        })?;
        Ok(AccountAgentChangedReply { success: true, message: String::new(), data: agent_reply(agent) })
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
