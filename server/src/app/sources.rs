//! What a server takes from the process that it runs in.

use std::fmt;
use std::sync::Arc;

use crate::settings::{Settings, SettingsLoadError};
use tollgate_telemetry::AlarmFeed;

/// Reads the settings anew.
pub type SettingsReader = Arc<dyn Fn() -> Result<Settings, SettingsLoadError> + Send + Sync>;

/// What a server takes from the process that it runs in.
#[derive(Clone)]
pub struct AppSources {
    /// The alarms of the log.
    pub alarms: AlarmFeed,
    /// Reads the settings anew.
    pub read: SettingsReader,
}

impl fmt::Debug for AppSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppSources").field("alarms", &self.alarms).finish_non_exhaustive()
    }
}
