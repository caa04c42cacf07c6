//! The settings in force, as operators are told them.

use std::sync::{Arc, PoisonError, RwLock};

use crate::settings::{SettingInForce, SettingOrigin};
use tollgate_admin::SettingsInForce;
use tollgate_api::generated::types::{self, Setting};

/// Settings beside those of what is on offer that a reload takes over, by the start of their keys.
const RELOADED: [&str; 6] = ["breaker.", "hosted_tools", "members.", "moderation.", "price_list", "video.model"];

/// The settings in force. Clones are one list.
#[derive(Debug, Clone)]
pub(super) struct InForce(Arc<RwLock<Arc<[Setting]>>>);

impl InForce {
    pub(super) fn new(settings: &[SettingInForce]) -> Self {
        Self(Arc::new(RwLock::new(settings.iter().map(told).collect())))
    }

    /// Takes over those settings that a reload changes.
    pub(super) fn replace(&self, settings: &[SettingInForce]) {
        let is_reloaded = |key: &str| RELOADED.iter().any(|start| key.starts_with(start));
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let kept = list.iter().filter(|setting| !is_reloaded(&setting.key)).cloned();
        let read = settings.iter().filter(|setting| is_reloaded(&setting.key)).map(told);
        let mut all: Vec<Setting> = kept.chain(read).collect();
        all.sort_by(|a, b| a.key.cmp(&b.key));
        *list = all.into();
    }

    /// The list for those who show it.
    pub(super) fn reader(&self) -> SettingsInForce {
        let list = self.0.clone();
        SettingsInForce::new(move || list.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// A setting in the words of the spec.
fn told(setting: &SettingInForce) -> Setting {
    Setting {
        key: setting.key.clone(),
        value: setting.value.clone(),
        origin: match setting.origin {
            SettingOrigin::Default => types::SettingOrigin::Default,
            SettingOrigin::File => types::SettingOrigin::File,
            SettingOrigin::Environment => types::SettingOrigin::Environment,
            SettingOrigin::CommandLine => types::SettingOrigin::CommandLine,
        },
    }
}
