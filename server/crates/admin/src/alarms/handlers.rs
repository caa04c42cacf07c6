//! `/api/admin/alarms`.

use super::guide;
use super::sql::{self, AlarmFilter, KeptAlarm};
use crate::{Admin, unavailable};
use tollgate_api::generated::ops::admin_alarms::{
    AcknowledgeAlarm, AcknowledgeAlarmError, AcknowledgeAlarmInput, ListAlarms, ListAlarmsError, ListAlarmsInput,
};
use tollgate_api::generated::types::{Alarm, AlarmAcknowledgement, AlarmListReply, AlarmPage, AlarmReply, AlarmState};
use tollgate_api::{Cx, OperatorCaller, PageLimit};
use tollgate_base::{Actor, rfc3339};
use tollgate_store::{AuditEntry, StoreError, record};

impl ListAlarms for Admin {
    async fn list_alarms(&self, cx: &Cx, input: ListAlarmsInput) -> Result<AlarmListReply, ListAlarmsError> {
        let ListAlarmsInput { csv, limit, after, state, alarm, .. } = input;
        let limit = PageLimit::new(limit, csv);
        let filter = AlarmFilter {
            // A text that is no place is one behind all: a client that pages by it comes to an end.
            before: after.map_or((i64::MAX, i64::MAX), |text| place(&text).unwrap_or((i64::MIN, 0))),
            alarm: alarm.as_deref().unwrap_or_default(),
            state: state.map(|state| state.as_str()).unwrap_or_default(),
            limit: limit.rows_to_read(),
        };
        let mut found = sql::list(self.store.readers(), &filter).await.map_err(|error| {
            unavailable(cx, &error);
            ListAlarmsError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| format!("{}:{}", last.last_at_ms, last.id));
        let data = AlarmPage { alarms: found.into_iter().map(alarm_reply).collect(), next };
        Ok(AlarmListReply { success: true, message: String::new(), data })
    }
}

impl AcknowledgeAlarm for Admin {
    async fn acknowledge_alarm(
        &self,
        cx: &Cx,
        input: AcknowledgeAlarmInput,
    ) -> Result<AlarmReply, AcknowledgeAlarmError> {
        let alarm_id = input.alarm_id;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let AlarmAcknowledgement { occurrences, reason } = input.body;
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let found = self.acknowledge(alarm_id, occurrences.unwrap_or(i64::MAX), actor).await.map_err(|error| {
            unavailable(cx, &error);
            AcknowledgeAlarmError::LedgerUnavailable
        })?;
        let alarm = found.ok_or(AcknowledgeAlarmError::AlarmNotFound { alarm_id })?;
        if alarm.acknowledged.is_none() {
            return Err(AcknowledgeAlarmError::AlarmRangAgain { alarm_id, occurrences: alarm.occurrences });
        }
        Ok(AlarmReply { success: true, message: String::new(), data: alarm_reply(alarm) })
    }
}

impl Admin {
    /// Acknowledges an alarm, where it is open and has rung no more often, and answers it as it is then. `None` where there is none of
    /// this number.
    async fn acknowledge(&self, id: i64, occurrences: i64, actor: Actor<'_>) -> Result<Option<KeptAlarm>, StoreError> {
        let (mut transaction, now_ms) = (self.store.begin().await?, self.clock.now_ms());
        let acknowledged = sql::acknowledge(&mut transaction, (id, occurrences), now_ms, actor.name).await?;
        let found = sql::find(&mut transaction, id).await?;
        if let Some(alarm) = found.as_ref().filter(|_| acknowledged) {
            let (subject, detail) = (id.to_string(), format!("{} {}", alarm.identity.alarm, alarm.identity.subject));
            let entry = AuditEntry::new(now_ms, actor, "alarm.acknowledge", &subject).detail(detail.trim_end());
            record(&mut transaction, &entry).await?;
        }
        transaction.commit().await.map_err(StoreError::commit("the acknowledgement of an alarm"))?;
        Ok(found)
    }
}

/// A place in the list: the time of the last ring, and the number.
fn place(text: &str) -> Option<(i64, i64)> {
    let (at, id) = text.split_once(':')?;
    Some((at.parse().ok()?, id.parse().ok()?))
}

/// An alarm in the words of the spec.
fn alarm_reply(kept: KeptAlarm) -> Alarm {
    let KeptAlarm { id, identity, fields, node, occurrences, first_at_ms, last_at_ms, acknowledged } = kept;
    let (acknowledged_at, acknowledged_by) = acknowledged.map(|(at_ms, by)| (rfc3339(at_ms), by)).unzip();
    Alarm {
        alarm_id: id,
        state: if acknowledged_at.is_some() { AlarmState::Acknowledged } else { AlarmState::Open },
        remedy: guide::remedy(&identity.alarm),
        alarm: identity.alarm,
        subject: identity.subject,
        message: identity.message,
        fields,
        server: node,
        occurrences,
        first_at: rfc3339(first_at_ms),
        last_at: rfc3339(last_at_ms),
        acknowledged_at,
        acknowledged_by,
    }
}
