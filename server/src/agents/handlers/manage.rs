//! `/api/user/self/agents`: list, change and revoke.

use super::refusal::Refusal;
use super::shown::{changed, shown};
use crate::accounts::BadLimit;
use crate::agents::Agents;
use crate::api::Cx;
use crate::base::AgentId;
use crate::generated::ops::agents::{
    ChangeAgent, ChangeAgentError, ChangeAgentInput, ListAgents, ListAgentsError, ListAgentsInput, RevokeAgent,
    RevokeAgentError, RevokeAgentInput,
};
use crate::generated::types::{AgentListReply, AgentReply};

impl ListAgents for Agents {
    async fn list_agents(&self, cx: &Cx, input: ListAgentsInput) -> Result<AgentListReply, ListAgentsError> {
        let agents = self.own(&input.caller).await.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => ListAgentsError::KeyLimited,
            Refusal::SignedOut => ListAgentsError::SessionInvalid,
            Refusal::Frozen => ListAgentsError::KeyDisabled,
            _ => ListAgentsError::LedgerUnavailable,
        })?;
        Ok(AgentListReply { success: true, message: String::new(), data: agents.into_iter().map(shown).collect() })
    }
}

impl ChangeAgent for Agents {
    async fn change_agent(&self, cx: &Cx, input: ChangeAgentInput) -> Result<AgentReply, ChangeAgentError> {
        let agent_id = input.agent_id;
        let agent = self.change(&input.caller, AgentId(agent_id), changed(input.body)).await;
        let agent = agent.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Field(BadLimit { field, expected, found }) => {
                ChangeAgentError::BadField { field, expected: expected.to_owned(), found }
            }
            Refusal::Limited => ChangeAgentError::KeyLimited,
            Refusal::SignedOut => ChangeAgentError::SessionInvalid,
            Refusal::Frozen => ChangeAgentError::KeyDisabled,
            Refusal::NotFound => ChangeAgentError::AgentNotFound { agent_id },
            Refusal::Revoked => ChangeAgentError::AgentRevoked { agent_id },
            _ => ChangeAgentError::LedgerUnavailable,
        })?;
        Ok(AgentReply { success: true, message: String::new(), data: shown(agent) })
    }
}

impl RevokeAgent for Agents {
    async fn revoke_agent(&self, cx: &Cx, input: RevokeAgentInput) -> Result<AgentReply, RevokeAgentError> {
        let agent_id = input.agent_id;
        let agent = self.revoke_own(&input.caller, AgentId(agent_id)).await;
        let agent = agent.map_err(|error| match Refusal::of(cx, error) {
            Refusal::Limited => RevokeAgentError::KeyLimited,
            Refusal::SignedOut => RevokeAgentError::SessionInvalid,
            Refusal::Frozen => RevokeAgentError::KeyDisabled,
            Refusal::NotFound => RevokeAgentError::AgentNotFound { agent_id },
            _ => RevokeAgentError::LedgerUnavailable,
        })?;
        Ok(AgentReply { success: true, message: String::new(), data: shown(agent) })
    }
}
