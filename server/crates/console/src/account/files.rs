//! `GET /console/files/{file}`.

use bytes::Bytes;

use super::AccountPages;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::console::{ShowPageFile, ShowPageFileError, ShowPageFileInput};
use tollgate_api::{Cx, ProxyReply, raise};
use tollgate_pages::{SCRIPT, reply, styled};

const ACCOUNT_STYLE: &str = include_str!("../../templates/account/account.css");
const TOPUP: &str = include_str!("../../templates/account/topup.js");
const WALLET: &str =
    concat!(include_str!("../../templates/wallets.js"), include_str!("../../templates/account/wallet.js"));
const OIDC: &str = include_str!("../../templates/account/oidc.js");
const PLAYGROUND: &str = include_str!("../../templates/account/playground.js");

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

impl ShowPageFile for AccountPages {
    async fn show_page_file(&self, _cx: &Cx, input: ShowPageFileInput) -> Result<ProxyReply, ShowPageFileError> {
        let text = |kind, text: &'static str| Some(reply::file(kind, Bytes::from_static(text.as_bytes())));
        let file = match input.file.as_str() {
            "console.css" => Some(reply::file(CSS, styled(self.branding.accent))),
            "account.css" => text(CSS, ACCOUNT_STYLE),
            "console.js" => text(JAVASCRIPT, SCRIPT),
            "topup.js" => text(JAVASCRIPT, TOPUP),
            "wallet.js" => text(JAVASCRIPT, WALLET),
            "oidc.js" => text(JAVASCRIPT, OIDC),
            "playground.js" => text(JAVASCRIPT, PLAYGROUND),
            "logo" => self.branding.logo.as_ref().map(reply::logo),
            _ => None,
        };
        let path = format!("/console/files/{}", input.file);
        file.ok_or_else(|| raise(code::RouteNotFound { method: "GET".to_owned(), path }))
    }
}
