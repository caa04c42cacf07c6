//! `tollgate serve`

use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::app::{App, AppSources, RunOutcome, store_config};
use crate::settings::{LogFormat, Settings, SettingsLoadError};
use tollgate_base::{Clock, with_causes};
use tollgate_sandbox::MODEL;
use tollgate_store::{StoreError, check_clock};

use super::output::{CommandOutput, CommandResult};

/// Serves. `read` reads the settings, at the start and at each hangup.
pub(super) async fn serve(
    read: impl Fn() -> Result<Settings, SettingsLoadError> + Send + Sync + 'static,
    output: CommandOutput,
) -> CommandResult {
    let settings = read()?;
    // From the first moment: the usual end of a process that hears of a hangup is its own.
    let (mut terminate, mut hangup) = (signal(SignalKind::terminate())?, signal(SignalKind::hangup())?);
    let clock = Clock::system();
    let alarms = tollgate_telemetry::start(&settings.log_filter, settings.log_format == LogFormat::Json, &clock)?;
    let data_dir = settings.data_dir.display().to_string();
    let ledger = settings.database.as_ref().map_or_else(|| data_dir.clone(), ToString::to_string);
    // Whatever else keeps the database from being asked is told by the start.
    if let Err(error @ StoreError::ClockDiffers { .. }) = check_clock(&store_config(&settings), &clock).await {
        tracing::error!("{error}");
    }
    let app = App::start(settings, clock, AppSources { alarms, read: Arc::new(read) }).await?;
    greet(&app, &ledger, &data_dir, output);
    let service = app.service().clone();
    let told = async {
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = tokio::signal::ctrl_c() => break,
                _ = hangup.recv() => match service.reloader.reload().await {
                    Ok(told) => tracing::info!("{told}"),
                    Err(error) => {
                        let error = with_causes(error.as_ref());
                        tracing::error!(error, "the settings cannot be used; models, prices and providers stay as they were");
                    }
                },
            }
        }
        tracing::info!("told to stop: finishing the requests under way");
    };
    Ok(match app.run(told).await {
        RunOutcome::Stopped => ExitCode::SUCCESS,
        RunOutcome::LedgerLost => ExitCode::FAILURE,
    })
}

/// Tells a person what to do next, or a program where to find us.
fn greet(app: &App, ledger: &str, data_dir: &str, output: CommandOutput) {
    let address = app.address();
    let key = app.demo().map(|demo| demo.key.reveal());
    let mut text = format!("Tollgate listens on http://{address}\nledger: {ledger}");
    if let (Some(demo), Some(key)) = (app.demo(), key) {
        text.push_str(&format!(
            "\n\nSANDBOX: a deterministic model answers, and the credit is not real money.\n\
             The demo account has {} USD. Its key for this start:\n\n  {key}\n\nTry it:\n\n  \
             curl http://{address}/v1/chat/completions -H 'Authorization: Bearer {key}' \
             -H 'Content-Type: application/json' \
             -d '{{\"model\":\"{MODEL}\",\"messages\":[{{\"role\":\"user\",\"content\":\"Hello\"}}]}}'\n\n\
             Add \"stream\":true to see it arrive in pieces; see the balance with\n\n  \
             curl http://{address}/api/user/self/balance -H 'Authorization: Bearer {key}'\n\n\
             Top it up on the checkout page of a SANDBOX payment provider, where no money moves: open the checkout_url of\n\n  \
             curl http://{address}/api/user/topup/ewallet/orders -H 'Authorization: Bearer {key}' \
             -H 'Content-Type: application/json' -d '{{\"amount_usd\":5,\"wallet\":\"GCASH\"}}'\n",
            demo.available,
        ));
    }
    let operators = app.operator_address().map(|address| format!("http://{address}"));
    if let Some(operators) = &operators {
        text.push_str(&format!("\noperators: {operators}/admin"));
    }
    output.result(
        &text,
        &json!({"listening": format!("http://{address}"), "operators": operators, "data": data_dir, "demo_key": key}),
    );
}
