//! Agents: whether there are any, and what a new one may do.

use crate::agents::{Budgets, Caps, Config, MAINNET};
use crate::base::Usd;

use super::check::Found;
use super::file::{Agents, File, Mode};

/// As the database has it.
const MOST: Usd = Usd::from_nanos(1_000_000_000_000_000_000);

/// Reads the table `agents`.
pub(super) fn config(file: &File, found: &mut Vec<Found>) -> Config {
    let Agents { enabled, solana_network, .. } = &file.agents;
    // A proof that names no service could be used at another one.
    if *enabled == Some(true) && file.mode == Mode::Production && file.public_url.is_none() {
        let message = "a wallet signs for the address of the service: set public_url";
        found.push(Found::new(&["agents", "enabled"], message));
    }
    let mut amount = |key: &str, written: &Option<String>| {
        let written = written.as_ref()?;
        let amount = written.parse::<Usd>().ok().filter(|amount| (Usd::ZERO..=MOST).contains(amount));
        if amount.is_none() {
            found.push(Found::new(&["agents", key], "must be an amount from \"0\" to \"1000000000\""));
        }
        amount
    };
    let caps = Caps {
        order: amount("cap_order_usd", &file.agents.cap_order_usd),
        day: amount("cap_day_usd", &file.agents.cap_day_usd),
        life: amount("cap_usd", &file.agents.cap_usd),
    };
    let budgets = Budgets {
        day: amount("budget_day_usd", &file.agents.budget_day_usd),
        month: amount("budget_month_usd", &file.agents.budget_month_usd),
        life: amount("budget_usd", &file.agents.budget_usd),
    };
    let network = solana_network.as_deref().map_or(Some(MAINNET), |network| network.strip_prefix("solana:"));
    let network = network.filter(|network| {
        (1..=32).contains(&network.len()) && network.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if network.is_none() {
        let message = format!("must be the id of a network, as \"solana:{MAINNET}\"");
        found.push(Found::new(&["agents", "solana_network"], message));
    }
    Config { enabled: enabled.unwrap_or(true), solana_network: network.unwrap_or(MAINNET).to_owned(), caps, budgets }
}
