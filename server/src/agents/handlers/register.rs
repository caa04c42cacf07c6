//! `POST /api/user/self/agents`: register.

use super::refusal::Refusal;
use super::shown::{chain, shown};
use crate::accounts::BadLimit;
use crate::agents::{Agents, NewAgent};
use crate::api::Cx;
use crate::generated::limits;
use crate::generated::ops::agents::{RegisterAgent, RegisterAgentError, RegisterAgentInput};
use crate::generated::types::{AgentCreated, AgentCreatedReply};

impl RegisterAgent for Agents {
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
        let registered = registered.map_err(|error| refused(Refusal::of(cx, error), agent_addr.get()))?;
        let data = AgentCreated {
            api_key: registered.secret.reveal().to_owned().into(),
            agent_addr,
            label: registered.agent.label.clone(),
            chain: chain(registered.agent.wallet.chain()),
            agent: shown(registered.agent),
        };
        Ok(AgentCreatedReply { success: true, message: String::new(), data })
    }
}

fn refused(refusal: Refusal, agent_addr: &str) -> RegisterAgentError {
    let agent_addr = agent_addr.to_owned();
    match refusal {
        Refusal::Field(BadLimit { field, expected, found }) => {
            RegisterAgentError::BadField { field, expected: expected.to_owned(), found }
        }
        Refusal::Disabled => RegisterAgentError::AgentsDisabled,
        Refusal::Limited => RegisterAgentError::KeyLimited,
        Refusal::SignedOut => RegisterAgentError::SessionInvalid,
        Refusal::Frozen => RegisterAgentError::KeyDisabled,
        Refusal::Keys(count) => RegisterAgentError::KeyLimit { count },
        Refusal::Agents(count) => RegisterAgentError::AgentLimit { count },
        Refusal::OffBy(off_seconds) => RegisterAgentError::IssuedAtOutOfRange {
            off_seconds,
            allowed_seconds: i64::try_from(limits::ISSUED_AT_AGE.as_secs()).expect("some minutes"),
        },
        Refusal::Unproven => RegisterAgentError::BadOwnershipSig { agent_addr },
        Refusal::NonceUsed => RegisterAgentError::NonceUsed,
        Refusal::Exists => RegisterAgentError::AgentExists { agent_addr },
        // There is no agent yet that could be missing or revoked.
        Refusal::NotFound | Refusal::Revoked | Refusal::Ledger => RegisterAgentError::LedgerUnavailable,
    }
}
