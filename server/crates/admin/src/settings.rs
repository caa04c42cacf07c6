//! `GET /api/admin/settings`.

use super::Admin;
use tollgate_api::Cx;
use tollgate_api::generated::ops::admin_service::{ListSettings, ListSettingsError, ListSettingsInput};
use tollgate_api::generated::types::SettingListReply;

impl ListSettings for Admin {
    async fn list_settings(&self, _: &Cx, _: ListSettingsInput) -> Result<SettingListReply, ListSettingsError> {
        Ok(SettingListReply { success: true, message: String::new(), data: self.settings.now() })
    }
}
