//! `tollgate audit`

use std::process::ExitCode;

use crate::credit::Books;
use crate::settings::Settings;

use super::output::Output;
use super::{CommandResult, open};

pub(super) async fn audit(settings: &Settings, output: Output) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let report = Books::new(store, clock).audit().await?;
    output.result(&report.to_string(), &report.to_json());
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
