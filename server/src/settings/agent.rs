//! Agents: whether there are any, and what a new one may do.

use tollgate_agents::{AgentBudgets, AgentCaps, Config, MAINNET};
use tollgate_base::Usd;

use super::file::{AgentsTable, ConfigFile, ServerMode};
use tollgate_catalog::UnplacedComplaint;

/// The most that the database takes for an amount.
const MOST: Usd = Usd::from_nanos(1_000_000_000_000_000_000);

/// Reads the table `agents`.
pub(super) fn config(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) -> Config {
    let AgentsTable { enabled, solana_network, .. } = &file.agents;
    // A proof that names no service could be used at another one.
    if *enabled == Some(true) && file.mode == ServerMode::Production && file.public_url.is_none() {
        let message = "a wallet signs for the address of the service: set public_url";
        found.push(UnplacedComplaint::new(&["agents", "enabled"], message));
    }
    let mut amount = |key: &str, written: &Option<String>| {
        let written = written.as_ref()?;
        let amount = written.parse::<Usd>().ok().filter(|amount| (Usd::ZERO..=MOST).contains(amount));
        if amount.is_none() {
            found.push(UnplacedComplaint::new(&["agents", key], "must be an amount from \"0\" to \"1000000000\""));
        }
        amount
    };
    let caps = AgentCaps {
        order: amount("cap_order_usd", &file.agents.cap_order_usd),
        day: amount("cap_day_usd", &file.agents.cap_day_usd),
        life: amount("cap_usd", &file.agents.cap_usd),
    };
    let budgets = AgentBudgets {
        day: amount("budget_day_usd", &file.agents.budget_day_usd),
        week: amount("budget_week_usd", &file.agents.budget_week_usd),
        month: amount("budget_month_usd", &file.agents.budget_month_usd),
        life: amount("budget_usd", &file.agents.budget_usd),
    };
    let network = solana_network.as_deref().map_or(Some(MAINNET), |network| network.strip_prefix("solana:"));
    let network = network.filter(|network| {
        (1..=32).contains(&network.len()) && network.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if network.is_none() {
        let message = format!("must be the id of a network, as \"solana:{MAINNET}\"");
        found.push(UnplacedComplaint::new(&["agents", "solana_network"], message));
    }
    Config { enabled: enabled.unwrap_or(true), solana_network: network.unwrap_or(MAINNET).to_owned(), caps, budgets }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::complaints::placed;

    /// The configuration, and the keys that are complained about.
    fn read(text: &str) -> (Config, Vec<String>) {
        let mut found = Vec::new();
        let config = config(&toml::from_str(text).expect("a file"), &mut found);
        (config, placed(Path::new("x"), found, text).into_iter().map(|complaint| complaint.key).collect())
    }

    #[test]
    fn nothing_is_the_default_and_all_may_be_set() {
        assert_eq!(read(""), (Config::default(), Vec::new()));
        let usd = |text: &str| Some(text.parse::<Usd>().expect("an amount"));
        let text = "[agents]\nenabled = false\nsolana_network = \"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1\"\n\
            cap_order_usd = \"5\"\ncap_day_usd = \"0\"\ncap_usd = \"1000000000\"\nbudget_day_usd = \"0.000000001\"\n\
            budget_week_usd = \"1\"\nbudget_month_usd = \"2\"\nbudget_usd = \"3\"\n";
        let expected = Config {
            enabled: false,
            solana_network: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1".to_owned(),
            caps: AgentCaps { order: usd("5"), day: usd("0"), life: usd("1000000000") },
            budgets: AgentBudgets { day: usd("0.000000001"), week: usd("1"), month: usd("2"), life: usd("3") },
        };
        assert_eq!(read(text), (expected, Vec::new()));
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (line, key) in [
            ("cap_order_usd = \"-1\"", "agents.cap_order_usd"),
            ("cap_day_usd = \"1000000000.000000001\"", "agents.cap_day_usd"),
            ("budget_usd = \"much\"", "agents.budget_usd"),
            ("solana_network = \"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\"", "agents.solana_network"),
            ("solana_network = \"solana:a\\nb\"", "agents.solana_network"),
        ] {
            assert_eq!(read(&format!("[agents]\n{line}\n")).1, [key], "{line}");
        }
    }

    #[test]
    fn in_production_a_service_that_registers_says_where_it_is() {
        let production = "mode = \"production\"\n";
        assert_eq!(read(&format!("{production}[agents]\nenabled = true\n")).1, ["agents.enabled"]);
        let reached = format!("{production}public_url = \"https://api.example.com\"\n[agents]\nenabled = true\n");
        assert_eq!(read(&reached).1, [""; 0]);
        // Where nothing is said, nothing is registered: see `app`.
        assert_eq!(read(production).1, [""; 0]);
    }
}
