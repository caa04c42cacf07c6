//! `POST /api/user/self/agents`: register.

use super::convert::{agent_reply, chain};
use super::refusal::AgentManagementError;
use crate::{AgentService, NewAgent};
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::agents::{RegisterAgent, RegisterAgentError, RegisterAgentInput};
use tollgate_api::generated::types::{AgentCreated, AgentCreatedReply};

impl RegisterAgent for AgentService {
    async fn register_agent(
        &self,
        cx: &Cx,
        input: RegisterAgentInput,
    ) -> Result<AgentCreatedReply, RegisterAgentError> {
        let body = input.body;
        let agent_addr = body.agent_addr.clone();
        let new = NewAgent {
            label: body.label,
            agent_addr: body.agent_addr.into_inner(),
            ownership_sig: body.ownership_sig,
            nonce: body.nonce,
            issued_at: body.issued_at,
        };
        let registered = self.register(&input.caller, new).await;
        let registered = registered.map_err(|error| refused(AgentManagementError::of(cx, error), agent_addr.get()))?;
        let data = AgentCreated {
            api_key: registered.secret.reveal().to_owned().into(),
            agent_addr,
            label: registered.agent.label.clone(),
            chain: chain(registered.agent.wallet.chain()),
            agent: agent_reply(registered.agent),
        };
        Ok(AgentCreatedReply { success: true, message: String::new(), data })
    }
}

fn refused(refusal: AgentManagementError, agent_addr: &str) -> RegisterAgentError {
    let agent_addr = agent_addr.to_owned();
    match refusal {
        AgentManagementError::Field(BadLimit { field, expected, found }) => {
            RegisterAgentError::BadField { field, expected: expected.to_owned(), found }
        }
        AgentManagementError::Disabled => RegisterAgentError::AgentsDisabled,
        AgentManagementError::Limited => RegisterAgentError::KeyLimited,
        AgentManagementError::SignedOut => RegisterAgentError::SessionInvalid,
        AgentManagementError::Frozen => RegisterAgentError::KeyDisabled,
        AgentManagementError::Keys(count) => RegisterAgentError::KeyLimit { count },
        AgentManagementError::Agents(count) => RegisterAgentError::AgentLimit { count },
        AgentManagementError::OffBy(off_seconds) => RegisterAgentError::IssuedAtOutOfRange {
            off_seconds,
            allowed_seconds: i64::try_from(limits::ISSUED_AT_AGE.as_secs()).expect("some minutes"),
        },
        AgentManagementError::Unproven => RegisterAgentError::BadOwnershipSig { agent_addr },
        AgentManagementError::NonceUsed => RegisterAgentError::NonceUsed,
        AgentManagementError::Exists => RegisterAgentError::AgentExists { agent_addr },
        // There is no agent yet that could be missing or revoked.
        AgentManagementError::NotFound | AgentManagementError::Revoked | AgentManagementError::Ledger => {
            RegisterAgentError::LedgerUnavailable
        }
    }
}
