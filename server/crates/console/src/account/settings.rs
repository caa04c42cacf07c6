//! `GET /console/settings`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{ShowOwnSettings, ShowOwnSettingsError, ShowOwnSettingsInput};
use tollgate_api::generated::ops::identities::{ListIdentities, ListIdentitiesInput};
use tollgate_api::generated::ops::sessions::{ListSessions, ListSessionsInput};
use tollgate_api::generated::types::{Identity, SessionInfo};
use tollgate_api::{Cx, ProxyReply};
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/settings.html")]
struct OwnSettingsPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    sessions: Vec<SessionInfo>,
    identities: Vec<Identity>,
    takes_wallets: bool,
    /// True where there is a present password to ask for.
    has_password: bool,
    providers: Vec<(String, String)>,
}

impl ShowOwnSettings for AccountPages {
    async fn show_own_settings(
        &self,
        cx: &Cx,
        input: ShowOwnSettingsInput,
    ) -> Result<ProxyReply, ShowOwnSettingsError> {
        let frame = self.frame(cx, &input.caller, ConsoleSection::Settings).await;
        let frame = frame.map_err(|Unreadable| ShowOwnSettingsError::LedgerUnavailable)?;
        let caller = input.caller;
        let sessions = self.accounts.list_sessions(cx, ListSessionsInput { caller: caller.clone() }).await;
        let sessions = sessions.map_err(|_| ShowOwnSettingsError::LedgerUnavailable)?.data;
        let has_password = self.accounts.signs_in_by_password(caller.person()).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "whether there is a password could not be read");
            ShowOwnSettingsError::LedgerUnavailable
        })?;
        let identities = self.identities.list_identities(cx, ListIdentitiesInput { caller }).await;
        let identities = identities.map_err(|_| ShowOwnSettingsError::LedgerUnavailable)?.data;
        let takes_wallets = self.identities.takes_wallets();
        let (t, providers) = (frame.t, self.sign_in_providers());
        Ok(reply::page(&OwnSettingsPage { t, frame, sessions, identities, takes_wallets, has_password, providers }))
    }
}
