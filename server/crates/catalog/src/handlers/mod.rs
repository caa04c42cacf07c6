//! The operations of operators about what is on offer: a folder's file for each kind.

mod groups;
mod models;
mod price_list;
mod prices;
mod providers;
mod refusal;

use serde::Serialize;
use serde::de::DeserializeOwned;

use tollgate_api::generated::types::CatalogOrigin;
use tollgate_base::rfc3339;

use crate::entry::{CatalogEntry, EntryName};
use crate::live::LiveCatalog;

/// What is written of a thing, in the words of the spec or in those of the configuration: the keys are the same.
///
/// # Errors
/// When a value does not fit, as a number that is too large.
fn rewritten<T: DeserializeOwned>(written: &impl Serialize) -> Result<T, serde_json::Error> {
    serde_json::from_value(serde_json::to_value(written)?)
}

/// True if a name can be one: without line breaks, control characters and outer spaces.
fn is_fit(name: &str) -> bool {
    // Browsers read `.` and `..` in a path as ways elsewhere, however they are written.
    !matches!(name, "" | "." | "..") && name.trim() == name && !name.chars().any(char::is_control)
}

/// Where a thing comes from, what is wrong with it, and its last change.
struct Provenance {
    origin: CatalogOrigin,
    fault: Option<String>,
    changed_at: Option<String>,
    changed_by: Option<String>,
    version: String,
}

impl Provenance {
    /// Of a thing that operators added where `entry` is there, else of one of the configuration.
    fn of(live: &LiveCatalog, entry: Option<&CatalogEntry>) -> Self {
        match entry {
            None => Self {
                origin: CatalogOrigin::File,
                fault: None,
                changed_at: None,
                changed_by: None,
                version: "file".to_owned(),
            },
            Some(entry) => Self {
                origin: CatalogOrigin::Api,
                fault: fault(live, &entry.name),
                changed_at: Some(rfc3339(entry.created_at_ms)),
                changed_by: Some(entry.created_by.clone()),
                version: entry.tag(),
            },
        }
    }
}

/// Why a thing is left out.
fn fault(live: &LiveCatalog, name: &EntryName) -> Option<String> {
    live.merged.faults.get(name).map(|complaint| complaint.message.clone())
}

/// The names that a page of a list shows, sorted, from behind a place on.
fn after(mut names: Vec<String>, place: Option<&str>) -> Vec<String> {
    names.sort();
    names.dedup();
    names.retain(|name| place.is_none_or(|place| name.as_str() > place));
    names
}
