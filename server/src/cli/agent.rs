//! `tollgate agent …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::AccountService;
use tollgate_agents::{Agent, AgentService};
use tollgate_base::{Clock, Usd, rfc3339};
use tollgate_store::Store;

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

pub(super) async fn list(settings: &Settings, account: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let (accounts, agents) = rooms(settings, store, clock);
    let agents = agents.of_account(accounts.find_account(account).await?.id).await?;
    let row = |agent: &Agent| {
        vec![
            agent.id.to_string(),
            agent.wallet.to_string(),
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
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn revoke(settings: &Settings, agent: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let revoked = rooms(settings, store, clock).1.revoke(agent, ACTOR).await?;
    let text = if revoked.was_active {
        format!("agent {} and its key are revoked; a running server refuses it within a second", revoked.agent.wallet)
    } else {
        format!("agent {} was revoked before", revoked.agent.wallet)
    };
    let mut value = described(&revoked.agent);
    value["was_active"] = json!(revoked.was_active);
    output.result(&text, &value);
    Ok(ExitCode::SUCCESS)
}

/// The rooms as they need to be to look and to revoke: nothing is registered here.
fn rooms(settings: &Settings, store: Store, clock: Clock) -> (AccountService, AgentService) {
    let accounts = AccountService::new(store.clone(), clock.clone());
    let agents = AgentService::new(store, clock, accounts.clone(), settings.agents.clone(), None);
    (accounts, agents)
}

fn described(agent: &Agent) -> Value {
    let mut value = json!({
        "id": agent.id.0,
        "key_id": agent.key.0,
        "wallet": agent.wallet.to_string(),
        "chain": agent.wallet.chain().as_str(),
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
fn limits(agent: &Agent) -> String {
    let words = amounts(agent).into_iter().filter_map(|(short, _, amount)| Some(format!("{short}={}", amount?)));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

/// The caps and budgets of an agent: a word for the table, the name on the wire, and the amount.
fn amounts(agent: &Agent) -> [(&'static str, &'static str, Option<Usd>); 6] {
    let (caps, budgets) = (agent.caps, agent.budgets);
    [
        ("topup/order", "cap_order_usd", caps.order),
        ("topup/day", "cap_day_usd", caps.day),
        ("topup", "cap_usd", caps.life),
        ("usd/day", "budget_day_usd", budgets.day),
        ("usd/month", "budget_month_usd", budgets.month),
        ("usd", "budget_usd", budgets.life),
    ]
}
