//! `GET /console/settings`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{ShowOwnSettings, ShowOwnSettingsError, ShowOwnSettingsInput};
use tollgate_api::generated::ops::sessions::{ListSessions, ListSessionsInput};
use tollgate_api::generated::types::SessionInfo;
use tollgate_api::{Cx, ProxyReply};
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/settings.html")]
struct OwnSettingsPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    sessions: Vec<SessionInfo>,
}

impl ShowOwnSettings for AccountPages {
    async fn show_own_settings(
        &self,
        cx: &Cx,
        input: ShowOwnSettingsInput,
    ) -> Result<ProxyReply, ShowOwnSettingsError> {
        let frame = self.frame(cx, &input.caller, ConsoleSection::Settings).await;
        let frame = frame.map_err(|Unreadable| ShowOwnSettingsError::LedgerUnavailable)?;
        let sessions = self.accounts.list_sessions(cx, ListSessionsInput { caller: input.caller }).await;
        let sessions = sessions.map_err(|_| ShowOwnSettingsError::LedgerUnavailable)?.data;
        Ok(reply::page(&OwnSettingsPage { t: frame.t, frame, sessions }))
    }
}
