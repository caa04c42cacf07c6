//! Shared by the pages of things on offer: settings as JSON, and the last changes of one kind.

use serde::Serialize;

use crate::Admin;
use tollgate_api::generated::types::LoggedChange;
use tollgate_api::{Cx, OperatorCaller};

/// The lines of the log that are read for a page, and the most of them that it shows.
const READ: i64 = 100;
const SHOWN: usize = 20;

/// Settings as JSON, of which a form changes what it has fields for: what it has none for stays.
pub(super) fn settings_json(settings: &impl Serialize) -> String {
    serde_json::to_string(settings).expect("settings of the API have texts as names")
}

impl Admin {
    /// The last changes by acts of one kind, such as `price.`: a model and its price have one name. `None` where they cannot be
    /// read, which is logged.
    pub(super) async fn changes_of(
        &self,
        cx: &Cx,
        caller: OperatorCaller,
        acts: &str,
        name: String,
    ) -> Option<Vec<LoggedChange>> {
        let mut changes = self.last_changes(cx, caller, Some(name), READ).await?;
        changes.retain(|change| change.action.starts_with(acts));
        changes.truncate(SHOWN);
        Some(changes)
    }
}
