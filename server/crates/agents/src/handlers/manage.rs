//! `/api/user/self/agents`: list, change and revoke.

use super::convert::{agent_reply, changed};
use super::refusal::AgentManagementError;
use crate::AgentService;
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::agents::{
    ChangeAgent, ChangeAgentError, ChangeAgentInput, ListAgents, ListAgentsError, ListAgentsInput, RevokeAgent,
    RevokeAgentError, RevokeAgentInput,
};
use tollgate_api::generated::types::{AgentListReply, AgentReply};
use tollgate_base::AgentId;

impl ListAgents for AgentService {
    async fn list_agents(&self, cx: &Cx, input: ListAgentsInput) -> Result<AgentListReply, ListAgentsError> {
        let agents = self.own(&input.caller).await.map_err(|error| match AgentManagementError::of(cx, error) {
            AgentManagementError::Limited => ListAgentsError::KeyLimited,
            AgentManagementError::SignedOut => ListAgentsError::SessionInvalid,
            AgentManagementError::Frozen => ListAgentsError::KeyDisabled,
            _ => ListAgentsError::LedgerUnavailable,
        })?;
        Ok(AgentListReply {
            success: true,
            message: String::new(),
            data: agents.into_iter().map(agent_reply).collect(),
        })
    }
}

impl ChangeAgent for AgentService {
    async fn change_agent(&self, cx: &Cx, input: ChangeAgentInput) -> Result<AgentReply, ChangeAgentError> {
        let agent_id = input.agent_id;
        let agent = self.change(&input.caller, AgentId(agent_id), changed(input.body)).await;
        let agent = agent.map_err(|error| match AgentManagementError::of(cx, error) {
            AgentManagementError::Field(BadLimit { field, expected, found }) => {
                ChangeAgentError::BadField { field, expected: expected.to_owned(), found }
            }
            AgentManagementError::Limited => ChangeAgentError::KeyLimited,
            AgentManagementError::SignedOut => ChangeAgentError::SessionInvalid,
            AgentManagementError::Frozen => ChangeAgentError::KeyDisabled,
            AgentManagementError::NotFound => ChangeAgentError::AgentNotFound { agent_id },
            AgentManagementError::Revoked => ChangeAgentError::AgentRevoked { agent_id },
            _ => ChangeAgentError::LedgerUnavailable,
        })?;
        Ok(AgentReply { success: true, message: String::new(), data: agent_reply(agent) })
    }
}

impl RevokeAgent for AgentService {
    async fn revoke_agent(&self, cx: &Cx, input: RevokeAgentInput) -> Result<AgentReply, RevokeAgentError> {
        let agent_id = input.agent_id;
        let agent = self.revoke_own(&input.caller, AgentId(agent_id)).await;
        let agent = agent.map_err(|error| match AgentManagementError::of(cx, error) {
            AgentManagementError::Limited => RevokeAgentError::KeyLimited,
            AgentManagementError::SignedOut => RevokeAgentError::SessionInvalid,
            AgentManagementError::Frozen => RevokeAgentError::KeyDisabled,
            AgentManagementError::NotFound => RevokeAgentError::AgentNotFound { agent_id },
            _ => RevokeAgentError::LedgerUnavailable,
        })?;
        Ok(AgentReply { success: true, message: String::new(), data: agent_reply(agent) })
    }
}
