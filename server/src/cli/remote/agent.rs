//! `tollgate agent … --server`

use std::process::ExitCode;

use http::Method;
use serde::Deserialize;

use tollgate_agents::{AgentBudgets, AgentCaps};
use tollgate_api::generated::types::{AgentChain, AgentStatus};
use tollgate_base::Usd;
use tollgate_chains::ChainFamily;

use super::client::{AdminClient, AdminRequest};
use super::values::{by_number, milliseconds};
use crate::cli::agent::{self, AgentReport};
use crate::cli::args::AgentCommand;
use crate::cli::output::{CommandOutput, CommandResult};

/// An agent, as the admin API tells of it.
#[derive(Debug, Deserialize)]
struct RemoteAgent {
    agent_id: i64,
    key_id: i64,
    agent_addr: String,
    chain: AgentChain,
    status: AgentStatus,
    #[serde(deserialize_with = "milliseconds")]
    created_at: i64,
    label: String,
    cap_order_usd: Option<Usd>,
    cap_day_usd: Option<Usd>,
    cap_usd: Option<Usd>,
    budget_day_usd: Option<Usd>,
    budget_week_usd: Option<Usd>,
    budget_month_usd: Option<Usd>,
    budget_usd: Option<Usd>,
}

#[derive(Deserialize)]
struct RemoteRevokedAgent {
    agent: RemoteAgent,
    was_active: bool,
}

pub(super) async fn run(server: &AdminClient, command: AgentCommand, output: CommandOutput) -> CommandResult {
    match command {
        AgentCommand::List { account } => {
            let account = super::account::find(server, &account).await?.id.to_string();
            let agents: Vec<RemoteAgent> = server.get(&["accounts", &account, "agents"], &[]).await?;
            let agents: Vec<AgentReport> = agents.into_iter().map(AgentReport::from).collect();
            agent::report_list(&agents, output);
        }
        AgentCommand::Revoke { agent } => {
            by_number(&agent, "agents", "agent list")?;
            let revoked: RemoteRevokedAgent =
                server.send(AdminRequest::bare(Method::DELETE, &["agents", &agent])).await?;
            agent::report_revoked(&revoked.agent.into(), revoked.was_active, output);
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl From<RemoteAgent> for AgentReport {
    fn from(agent: RemoteAgent) -> Self {
        let chain = match agent.chain {
            AgentChain::Evm => ChainFamily::Evm,
            AgentChain::Solana => ChainFamily::Solana,
        };
        Self {
            id: agent.agent_id,
            key: agent.key_id,
            wallet: agent.agent_addr,
            chain: chain.as_str(),
            label: agent.label,
            state: agent.status,
            created_at_ms: agent.created_at,
            caps: AgentCaps { order: agent.cap_order_usd, day: agent.cap_day_usd, life: agent.cap_usd },
            budgets: AgentBudgets {
                day: agent.budget_day_usd,
                week: agent.budget_week_usd,
                month: agent.budget_month_usd,
                life: agent.budget_usd,
            },
        }
    }
}
