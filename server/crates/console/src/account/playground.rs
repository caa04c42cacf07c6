//! `GET /console/playground`.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{ShowPlayground, ShowPlaygroundError, ShowPlaygroundInput};
use tollgate_api::{Cx, ProxyReply};
use tollgate_pages::reply;

#[derive(Template)]
#[template(path = "account/playground.html")]
struct PlaygroundPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    models: Vec<String>,
    /// The server's time, in seconds: a key for an hour ends by it, whatever the browser's clock says.
    now: i64,
}

impl ShowPlayground for AccountPages {
    async fn show_playground(&self, cx: &Cx, input: ShowPlaygroundInput) -> Result<ProxyReply, ShowPlaygroundError> {
        let frame = self.frame(cx, &input.caller, ConsoleSection::Playground).await;
        let frame = frame.map_err(|Unreadable| ShowPlaygroundError::LedgerUnavailable)?;
        let models = self.chat_models(&frame);
        Ok(reply::page(&PlaygroundPage { t: frame.t, frame, models, now: self.clock.now_ms() / 1000 }))
    }
}
