//! `tollgate agent …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::AccountService;
use tollgate_agents::{Agent, AgentBudgets, AgentCaps, AgentService, AgentState};
use tollgate_api::generated::types::AgentStatus;
use tollgate_base::{Clock, Usd, rfc3339};
use tollgate_store::Store;

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

pub(super) async fn list(settings: &Settings, account: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let (accounts, agents) = rooms(settings, store, clock);
    let agents = agents.of_account(accounts.find_account(account).await?.id).await?;
    let agents: Vec<AgentReport> = agents.into_iter().map(AgentReport::from).collect();
    report_list(&agents, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_list(agents: &[AgentReport], output: CommandOutput) {
    let row = |agent: &AgentReport| {
        vec![
            agent.id.to_string(),
            agent.wallet.clone(),
            agent.label.clone(),
            agent.state.as_str().to_owned(),
            rfc3339(agent.created_at_ms),
            limits(agent),
        ]
    };
    let rows: Vec<Vec<String>> = agents.iter().map(row).collect();
    let values: Vec<Value> = agents.iter().map(described).collect();
    let head = ["ID", "WALLET", "LABEL", "STATE", "CREATED", "LIMITS"];
    output.result(&table(&head, &rows), &json!({"agents": values}));
}

pub(super) async fn revoke(settings: &Settings, agent: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let revoked = rooms(settings, store, clock).1.revoke(agent, ACTOR).await?;
    report_revoked(&revoked.agent.into(), revoked.was_active, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_revoked(agent: &AgentReport, was_active: bool, output: CommandOutput) {
    let text = if was_active {
        format!("agent {} and its key are revoked; a running server refuses it within a second", agent.wallet)
    } else {
        format!("agent {} was revoked before", agent.wallet)
    };
    let mut value = described(agent);
    value["was_active"] = json!(was_active);
    output.result(&text, &value);
}

/// The rooms as they need to be to look and to revoke: nothing is registered here.
fn rooms(settings: &Settings, store: Store, clock: Clock) -> (AccountService, AgentService) {
    let accounts = AccountService::new(store.clone(), clock.clone());
    let agents = AgentService::new(store, clock, accounts.clone(), settings.agents.clone(), None);
    (accounts, agents)
}

/// An agent, without the secret of its key.
pub(super) struct AgentReport {
    pub(super) id: i64,
    pub(super) key: i64,
    pub(super) wallet: String,
    pub(super) chain: &'static str,
    pub(super) label: String,
    pub(super) state: AgentStatus,
    pub(super) created_at_ms: i64,
    pub(super) caps: AgentCaps,
    pub(super) budgets: AgentBudgets,
}

impl From<Agent> for AgentReport {
    fn from(agent: Agent) -> Self {
        Self {
            id: agent.id.0,
            key: agent.key.0,
            wallet: agent.wallet.to_string(),
            chain: agent.wallet.chain().as_str(),
            label: agent.label,
            state: match agent.state {
                AgentState::Active => AgentStatus::Active,
                AgentState::Revoked => AgentStatus::Revoked,
            },
            created_at_ms: agent.created_at_ms,
            caps: agent.caps,
            budgets: agent.budgets,
        }
    }
}

fn described(agent: &AgentReport) -> Value {
    let mut value = json!({
        "id": agent.id,
        "key_id": agent.key,
        "wallet": agent.wallet,
        "chain": agent.chain,
        "label": agent.label,
        "state": agent.state.as_str(),
        "created_at": rfc3339(agent.created_at_ms),
    });
    for (_, name, amount) in amounts(agent) {
        value[name] = json!(amount);
    }
    value
}

/// The limits in one cell of a table.
fn limits(agent: &AgentReport) -> String {
    let words = amounts(agent).into_iter().filter_map(|(short, _, amount)| Some(format!("{short}={}", amount?)));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// The caps and budgets of an agent: a word for the table, the name on the wire, and the amount.
fn amounts(agent: &AgentReport) -> [(&'static str, &'static str, Option<Usd>); 7] {
    let (caps, budgets) = (agent.caps, agent.budgets);
    [
        ("topup/order", "cap_order_usd", caps.order),
        ("topup/day", "cap_day_usd", caps.day),
        ("topup", "cap_usd", caps.life),
        ("usd/day", "budget_day_usd", budgets.day),
        ("usd/week", "budget_week_usd", budgets.week),
        ("usd/month", "budget_month_usd", budgets.month),
        ("usd", "budget_usd", budgets.life),
    ]
}
