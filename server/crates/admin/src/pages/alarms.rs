//! `GET /admin/alarms`.

use askama::Template;

use super::frame::{Frame, Section};
use super::link::link;
use super::reply;
use super::texts::Texts;
use crate::Admin;
use tollgate_api::generated::ops::admin_alarms::{ListAlarms, ListAlarmsInput};
use tollgate_api::generated::ops::admin_console::{ShowAlarms, ShowAlarmsError, ShowAlarmsInput};
use tollgate_api::generated::types::{Alarm, AlarmState};
use tollgate_api::{Cx, ProxyReply};

const STATES: [AlarmState; 2] = [AlarmState::Open, AlarmState::Acknowledged];

#[derive(Template)]
#[template(path = "alarms.html")]
struct AlarmsPage {
    t: &'static Texts,
    frame: Frame,
    state: AlarmState,
    alarm: String,
    alarms: Vec<Alarm>,
    /// The next page; empty on the last one.
    next: String,
    /// The same list as CSV.
    csv: String,
}

impl ShowAlarms for Admin {
    async fn show_alarms(&self, cx: &Cx, input: ShowAlarmsInput) -> Result<ProxyReply, ShowAlarmsError> {
        let ShowAlarmsInput { caller, after, state, alarm } = input;
        let frame = self.frame(&caller, Section::Alarms);
        // A word that is none stands for what is usual.
        let state = state.and_then(|word| word.parse().ok()).unwrap_or(AlarmState::Open);
        let alarm = alarm.unwrap_or_default();
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let after = after.filter(|after| !after.is_empty());
        let list = ListAlarmsInput { caller, csv: false, limit: None, after, state: Some(state), alarm: given(&alarm) };
        let found = self.list_alarms(cx, list).await.map_err(|_| ShowAlarmsError::LedgerUnavailable)?.data;
        let with = |path: &str, more: &[(&str, &str)]| {
            link(path, &[&[("state", state.as_str()), ("alarm", alarm.as_str())][..], more].concat())
        };
        let next = found.next.map(|after| with("/admin/alarms", &[("after", &after)])).unwrap_or_default();
        let csv = with("/api/admin/alarms", &[("format", "csv")]);
        Ok(reply::page(&AlarmsPage { t: frame.t, frame, state, alarm, alarms: found.alarms, next, csv }))
    }
}
