//! `GET /api/admin/changes`.

use super::{Admin, unavailable};
use tollgate_api::Cx;
use tollgate_api::generated::ops::admin_changes::{ListChanges, ListChangesError, ListChangesInput};
use tollgate_api::generated::types::{ChangeListReply, ChangePage, LoggedChange};
use tollgate_base::{Moment, rfc3339};
use tollgate_store::{ChangeFilter, changes};

/// The most lines on a page where no limit is asked for.
const LIMIT: i64 = 50;
const LIMIT_AS_CSV: i64 = 1_000;

impl ListChanges for Admin {
    async fn list_changes(&self, cx: &Cx, input: ListChangesInput) -> Result<ChangeListReply, ListChangesError> {
        let ListChangesInput { csv, limit, after, actor, action, subject, from, to, .. } = input;
        let limit = limit.unwrap_or(if csv { LIMIT_AS_CSV } else { LIMIT });
        let filter = ChangeFilter {
            // A text that is no line is one behind all: a client that pages by it comes to an end.
            before: after.map_or(i64::MAX, |line| line.parse().unwrap_or(0)),
            since_ms: from.map_or(i64::MIN, Moment::unix_ms),
            until_ms: to.map_or(i64::MAX, Moment::unix_ms),
            actor: actor.as_deref().unwrap_or_default(),
            action: action.as_deref().unwrap_or_default(),
            subject: subject.as_deref().unwrap_or_default(),
            // One more tells that there is a next page.
            limit: limit.saturating_add(1),
        };
        let mut found = changes(self.store.readers(), &filter).await.map_err(|error| {
            unavailable(cx, &error);
            ListChangesError::LedgerUnavailable
        })?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|last| last.id.to_string());
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
