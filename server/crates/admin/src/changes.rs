//! `GET /api/admin/changes`.

use super::{Admin, unavailable};
use tollgate_api::generated::ops::admin_changes::{ListChanges, ListChangesError, ListChangesInput};
use tollgate_api::generated::types::{ChangeListReply, ChangePage, LoggedChange};
use tollgate_api::{Cx, PageLimit};
use tollgate_base::{Moment, rfc3339};
use tollgate_store::{ChangeFilter, changes};

impl ListChanges for Admin {
    async fn list_changes(&self, cx: &Cx, input: ListChangesInput) -> Result<ChangeListReply, ListChangesError> {
        let ListChangesInput { csv, limit, after, actor, action, subject, from, to, .. } = input;
        let limit = PageLimit::new(limit, csv);
        let filter = ChangeFilter {
            // A text that is no line is one behind all: a client that pages by it comes to an end.
            before: after.map_or(i64::MAX, |line| line.parse().unwrap_or(0)),
            since_ms: from.map_or(i64::MIN, Moment::unix_ms),
            until_ms: to.map_or(i64::MAX, Moment::unix_ms),
            actor: actor.as_deref().unwrap_or_default(),
            action: action.as_deref().unwrap_or_default(),
            subject: subject.as_deref().unwrap_or_default(),
            limit: limit.rows_to_read(),
        };
        let mut found = changes(self.store.readers(), &filter).await.map_err(|error| {
            unavailable(cx, &error);
            ListChangesError::LedgerUnavailable
        })?;
        let next = limit.next_page(&mut found, |last| last.id.to_string());
        let data = ChangePage { changes: found.into_iter().map(line).collect(), next };
        Ok(ChangeListReply { success: true, message: String::new(), data })
    }
}

fn line(change: tollgate_store::LoggedChange) -> LoggedChange {
    LoggedChange {
        change_id: change.id,
        at: rfc3339(change.at_ms),
        actor: change.actor,
        address: change.address,
        action: change.action,
        subject: change.subject,
        detail: change.detail,
        reason: change.reason,
        before: change.before,
        after: change.after,
    }
}
