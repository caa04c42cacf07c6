//! `GET /admin/changes`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::{link, start_of};
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_changes::{ListChanges, ListChangesInput};
use tollgate_api::generated::ops::admin_console::{ShowChanges, ShowChangesError, ShowChangesInput};
use tollgate_api::generated::types::LoggedChange;
use tollgate_api::{Cx, Day, ProxyReply};

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage {
    t: &'static Texts,
    frame: Frame,
    actor: String,
    action: String,
    subject: String,
    from: String,
    to: String,
    changes: Vec<LoggedChange>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV.
    csv: String,
}

impl ShowChanges for Admin {
    async fn show_changes(&self, cx: &Cx, input: ShowChangesInput) -> Result<ProxyReply, ShowChangesError> {
        let frame = self.frame(&input.caller, Section::Changes);
        // A text that is no day leaves all through.
        let day = |text: Option<String>| text.filter(|text| text.parse::<Day>().is_ok()).unwrap_or_default();
        let (from, to) = (day(input.from), day(input.to));
        let [after, actor, action, subject] =
            [input.after, input.actor, input.action, input.subject].map(Option::unwrap_or_default);
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let (since, until) = (start_of(&from), start_of(&to));
        let list = ListChangesInput {
            caller: input.caller,
            csv: false,
            limit: None,
            after: given(&after),
            actor: given(&actor),
            action: given(&action),
            subject: given(&subject),
            from: since.parse().ok(),
            to: until.parse().ok(),
        };
        let found = self.list_changes(cx, list).await.map_err(|_| ShowChangesError::LedgerUnavailable)?.data;
        let words = [("actor", actor.as_str()), ("action", action.as_str()), ("subject", subject.as_str())];
        let next = found.next.unwrap_or_default();
        let days = [("from", from.as_str()), ("to", to.as_str()), ("after", next.as_str())];
        let times = [("from", since.as_str()), ("to", until.as_str()), ("format", "csv")];
        let csv = link("/api/admin/changes", &[&words[..], &times].concat());
        let next = if next.is_empty() { String::new() } else { link("/admin/changes", &[&words[..], &days].concat()) };
        let page =
            ChangesPage { t: frame.t, frame, changes: found.changes, next, csv, actor, action, subject, from, to };
        Ok(reply::page(&page))
    }
}
