//! `tollgate relayer …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_chains::EvmAddress;
use tollgate_topup::x402::{NumberResetRequest, RelayerNumber};
use tollgate_topup::{Config, Topups};

use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

pub(super) async fn list(settings: &Settings, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let numbers = Topups::new(store, clock, Config::default()).relayer_numbers().await?;
    let row = |number: &RelayerNumber| {
        let RelayerNumber { network, relayer, next, on_their_way } = number;
        vec![network.clone(), relayer.clone(), next.to_string(), on_their_way.to_string()]
    };
    let described = |number: &RelayerNumber| {
        let RelayerNumber { network, relayer, next, on_their_way } = number;
        json!({"network": network, "relayer": relayer, "next_number": next, "on_their_way": on_their_way})
    };
    let rows: Vec<Vec<String>> = numbers.iter().map(row).collect();
    let values: Vec<Value> = numbers.iter().map(described).collect();
    output.result(&table(&["CHAIN", "ACCOUNT", "NEXT NUMBER", "ON THEIR WAY"], &rows), &json!({"relayers": values}));
    Ok(ExitCode::SUCCESS)
}

/// Has the next transaction number of an account asked of its chain again.
pub(super) async fn reset(
    settings: &Settings,
    network: &str,
    relayer: EvmAddress,
    reason: &str,
    output: CommandOutput,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    // Nodes of its chain are asked.
    tollgate_net::install_tls();
    let ask = NumberResetRequest { network, relayer: &relayer, actor: ACTOR, reason };
    let reset = Topups::new(store, clock, settings.topup.clone()).reset_relayer_number(ask).await?;
    let relayer = relayer.to_string();
    let done = match reset.before {
        Some(before) => format!("its next number was {before}"),
        None => "no number was kept any more".to_owned(),
    };
    output.last_result(
        &format!("{relayer} on {network}: {done}; the chain's nodes are asked for it with the next payment"),
        &json!({
            "network": network, "relayer": relayer, "number_before": reset.before, "repeated": reset.before.is_none(),
        }),
        &done,
    );
    Ok(ExitCode::SUCCESS)
}
