//! `tollgate serve`

use std::process::ExitCode;

use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};

use crate::app::{App, End};
use crate::base::Clock;
use crate::sandbox::MODEL;
use crate::settings::{LogFormat, Settings};
use crate::telemetry;

use super::CommandResult;
use super::output::Output;

pub(super) async fn serve(settings: Settings, output: Output) -> CommandResult {
    telemetry::start(&settings.log_filter, settings.log_format == LogFormat::Json)?;
    let data_dir = settings.data_dir.display().to_string();
    let ledger = settings.database.as_ref().map_or_else(|| data_dir.clone(), ToString::to_string);
    let app = App::start(settings, Clock::system()).await?;
    greet(&app, &ledger, &data_dir, output);
    let mut terminate = signal(SignalKind::terminate())?;
    let told = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        tracing::info!("told to stop: finishing the requests under way");
    };
    Ok(match app.run(told).await {
        End::Stopped => ExitCode::SUCCESS,
        End::LedgerLost => ExitCode::FAILURE,
    })
}

/// Tells a person what to do next, or a program where to find us.
fn greet(app: &App, ledger: &str, data_dir: &str, output: Output) {
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
             curl http://{address}/api/user/self/balance -H 'Authorization: Bearer {key}'\n",
            demo.available,
        ));
    }
    output.result(&text, &json!({"listening": format!("http://{address}"), "data": data_dir, "demo_key": key}));
}
