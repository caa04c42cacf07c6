//! `tollgate ledger …`

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::settings::Settings;
use tollgate_base::YearMonth;
use tollgate_credit::LedgerStore;

use super::operator::open;
use super::output::{CommandOutput, CommandResult};

/// Puts a month of receipts into a file.
pub(super) async fn archive(
    settings: &Settings,
    month: YearMonth,
    file: Option<PathBuf>,
    drops: bool,
    output: CommandOutput,
) -> CommandResult {
    let file = file.unwrap_or_else(|| format!("receipts-{month}.csv.gz").into());
    let (store, clock) = open(settings).await?;
    let archived = LedgerStore::new(store, clock).archive(month, &file, drops).await?;
    let (seal, hash) = &archived.seal;
    let mut text = format!(
        "{} has the {} receipts of {month}\nSHA-256 of the CSV in it: {}\nsealed by {seal}: {hash}",
        file.display(),
        archived.receipts,
        archived.sha256,
    );
    if let Some(table) = &archived.table {
        text.push_str(&format!("\nthe table {table} is no part of the ledger any more: drop it when the file is safe"));
    }
    let value = json!({
        "month": month.to_string(), "file": file.display().to_string(), "receipts": archived.receipts, "sha256": archived.sha256,
        "seal": {"number": seal, "hash": hash}, "table": archived.table,
    });
    output.last_result(&text, &value, &text);
    Ok(ExitCode::SUCCESS)
}
