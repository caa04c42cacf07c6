//! `tollgate backup`

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::app::store_config;
use crate::settings::Settings;
use tollgate_base::Clock;
use tollgate_credit::LedgerStore;
use tollgate_store::{Store, StoreConfig, back_up};

use super::output::{CommandOutput, CommandResult};

/// No file is named for the copy.
#[derive(Debug, thiserror::Error)]
#[error("name the file of the copy: `tollgate backup FILE`")]
struct NoFile;

/// Copies the ledger, opens the copy as a server would and audits it: a copy is known to be one while there is still
/// something to copy again.
pub(super) async fn backup(settings: &Settings, path: Option<&Path>, output: CommandOutput) -> CommandResult {
    let path = path.ok_or(NoFile)?;
    back_up(&store_config(settings), path)?;
    let (clock, config) = (Clock::system(), StoreConfig::Sqlite { path: path.to_owned() });
    let store = Store::open(&config, &clock).await?;
    let report = LedgerStore::new(store.clone(), clock).audit().await;
    // The last one to close a file takes what SQLite keeps beside it into it.
    store.close().await;
    let report = report?;
    let text = format!("{} is a copy of the ledger; its audit:\n{report}", path.display());
    output.result(&text, &json!({"path": path.display().to_string(), "audit": report.to_json()}));
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
