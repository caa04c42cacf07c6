//! `GET /admin/settings`.

use askama::Template;

use super::frame::{Frame, Section};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_console::{ShowSettings, ShowSettingsError, ShowSettingsInput};
use tollgate_api::generated::ops::admin_service::{ListServers, ListServersInput};
use tollgate_api::generated::types::{Server, Setting};
use tollgate_api::{Cx, ProxyReply};

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    t: &'static Texts,
    frame: Frame,
    servers: Vec<Server>,
    settings: Vec<Setting>,
}

impl ShowSettings for Admin {
    async fn show_settings(&self, cx: &Cx, input: ShowSettingsInput) -> Result<ProxyReply, ShowSettingsError> {
        let frame = self.frame(&input.caller, Section::Settings);
        let servers = self.credit.list_servers(cx, ListServersInput { caller: input.caller }).await;
        let servers = servers.map_err(|_| ShowSettingsError::LedgerUnavailable)?.data;
        Ok(reply::page(&SettingsPage { t: frame.t, frame, servers, settings: self.settings.now() }))
    }
}
