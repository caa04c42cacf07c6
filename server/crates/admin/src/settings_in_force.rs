//! The settings in force at this server, as operators are told them.

use std::sync::{Arc, PoisonError, RwLock};

use tollgate_api::generated::types::Setting;

/// Settings beside those of what is on offer that a reload takes over, by the start of their keys.
const RELOADED: [&str; 6] = ["breaker.", "hosted_tools", "members.", "moderation.", "price_list", "video.model"];

/// The settings in force, by their keys. Clones are one list.
#[derive(Debug, Clone)]
pub struct SettingsInForce(Arc<RwLock<Vec<Setting>>>);

impl SettingsInForce {
    /// The settings of the start.
    #[must_use]
    pub fn new(settings: Vec<Setting>) -> Self {
        Self(Arc::new(RwLock::new(settings)))
    }

    /// Takes over those settings that a reload changes.
    pub fn reload(&self, read: Vec<Setting>) {
        let is_reloaded = |setting: &Setting| RELOADED.iter().any(|start| setting.key.starts_with(start));
        // A list is whole whoever panicked.
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        list.retain(|setting| !is_reloaded(setting));
        list.extend(read.into_iter().filter(is_reloaded));
        list.sort_by(|a, b| a.key.cmp(&b.key));
    }

    pub(crate) fn now(&self) -> Vec<Setting> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
