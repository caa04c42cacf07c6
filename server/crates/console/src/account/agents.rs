//! `GET /console/agents`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::agents::{ListAgents, ListAgentsInput};
use tollgate_api::generated::ops::console::{ShowOwnAgents, ShowOwnAgentsError, ShowOwnAgentsInput};
use tollgate_api::generated::types::{Agent, AgentStatus};
use tollgate_api::{Cx, ProxyReply};
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/agents.html")]
struct OwnAgentsPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    agents: Vec<Agent>,
}

impl ShowOwnAgents for AccountPages {
    async fn show_own_agents(&self, cx: &Cx, input: ShowOwnAgentsInput) -> Result<ProxyReply, ShowOwnAgentsError> {
        let frame = self.frame(cx, &input.caller, ConsoleSection::Agents).await;
        let frame = frame.map_err(|Unreadable| ShowOwnAgentsError::LedgerUnavailable)?;
        let agents = self.agents.list_agents(cx, ListAgentsInput { caller: input.caller }).await;
        let agents = agents.map_err(|_| ShowOwnAgentsError::LedgerUnavailable)?.data;
        Ok(reply::page(&OwnAgentsPage { t: frame.t, frame, agents }))
    }
}
