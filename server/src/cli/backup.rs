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
/// something to copy again. The copy of a ledger that an earlier version wrote is for that version, so it is not opened, which
/// would upgrade it.
pub(super) async fn backup(settings: &Settings, path: Option<&Path>, output: CommandOutput) -> CommandResult {
    let path = path.ok_or(NoFile)?;
    back_up(&store_config(settings), path)?;
    let (clock, config) = (Clock::system(), StoreConfig::Sqlite { path: path.to_owned() });
    if !Store::is_current(&config).await? {
        report_unaudited(path, output);
        return Ok(ExitCode::FAILURE);
    }
    let store = Store::open(&config, &clock).await?;
    let report = LedgerStore::new(store.clone(), clock).audit().await;
    // The last one to close a file takes what SQLite keeps beside it into it.
    store.close().await;
    let report = report?;
    let text = format!("{} is a copy of the ledger; its audit:\n{report}", path.display());
    output.result(&text, &json!({"path": path.display().to_string(), "audit": report.to_json()}));
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn report_unaudited(path: &Path, output: CommandOutput) {
    let path = path.display().to_string();
    let text = format!(
        "{path} is a copy of the ledger as an earlier version wrote it. It is not audited, as that would upgrade it: back up with \
         the program that serves the ledger, or audit the copy with it"
    );
    output.result(&text, &json!({"path": path, "audit": null}));
}
