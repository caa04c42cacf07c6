//! `tollgate prices …`

mod entry_members;
mod lists;
mod price_list_text;
mod tiers;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tollgate_base::{Clock, rfc3339};

use super::output::{CommandOutput, CommandResult};
use lists::{ListEntry, UnknownPriceList};
use price_list_text::PriceListText;

/// No price list could be made.
#[derive(Debug, thiserror::Error)]
enum ImportError {
    #[error("reading {}", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    #[error("{} is no price list that we know", .0.display())]
    Unknown(PathBuf, #[source] UnknownPriceList),
    #[error("{} has no model {model:?}: names are taken as they stand there, with their provider where they have one", list.display())]
    NoModel { list: PathBuf, model: String },
    #[error("{model:?} cannot be priced: {why}")]
    LeftOut { model: String, why: String },
    #[error("{} has no model that can be priced", .0.display())]
    Nothing(PathBuf),
}

/// Prints the price list that a public one makes. Of the models that were asked for, all have to be there.
pub(super) fn import(
    list: &Path,
    only: &[String],
    (version, markup): (Option<String>, Option<u32>),
    output: CommandOutput,
) -> CommandResult {
    let at = || list.to_owned();
    let text = std::fs::read_to_string(list).map_err(|error| ImportError::Unreadable(at(), error))?;
    let mut entries = lists::read(&text).map_err(|error| ImportError::Unknown(at(), error))?;
    if let Some(name) = only.iter().find(|name| !entries.iter().any(|entry| entry.model == **name)) {
        return Err(ImportError::NoModel { list: at(), model: name.clone() }.into());
    }
    entries.retain(|entry| only.is_empty() || only.contains(&entry.model));
    if let Some(percent) = markup {
        entries.iter_mut().for_each(|entry| entry.mark_up(percent));
    }
    let left_out = entries.iter().find_map(|ListEntry { model, price, .. }| Some((model, price.as_ref().err()?)));
    if let Some((model, why)) = left_out.filter(|_| !only.is_empty()) {
        return Err(ImportError::LeftOut { model: model.clone(), why: why.clone() }.into());
    }
    if entries.iter().all(|entry| entry.price.is_err()) {
        return Err(ImportError::Nothing(at()).into());
    }
    let version = version.unwrap_or_else(|| named(list));
    let written = PriceListText { version: &version, entries: &entries };
    output.result(&written.toml(), &written.json());
    Ok(ExitCode::SUCCESS)
}

/// The name of the list and the day.
fn named(list: &Path) -> String {
    let now = rfc3339(Clock::system().now_ms());
    let (day, _) = now.split_once('T').unwrap_or((&now, ""));
    let stem = list.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem} {day}")
}
