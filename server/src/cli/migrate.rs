//! `tollgate migrate`

use std::process::ExitCode;

use serde_json::json;

use crate::settings::Settings;

use super::operator::open;
use super::output::{CommandOutput, CommandResult};

pub(super) async fn migrate(settings: &Settings, output: CommandOutput) -> CommandResult {
    // Opening brings the schema up to date: there is no other way to open it.
    let (store, _) = open(settings).await?;
    let place = store.to_string();
    store.close().await;
    let text = format!("{place} has this version's schema");
    output.result(&text, &json!({"path": place, "migrated": true}));
    Ok(ExitCode::SUCCESS)
}
