//! `GET /api/user/self/usage`, and for operators `/api/admin/accounts/{account_id}/usage`.

use super::{unreadable, whole};
use crate::{KeySelection, Ledger, UsageGrouping, UsageSpan, UsageSumQuery, UsageSums};
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::admin_receipts::{SumAccountUsage, SumAccountUsageError, SumAccountUsageInput};
use tollgate_api::generated::ops::usage::{SumUsage, SumUsageError, SumUsageInput};
use tollgate_api::generated::types::{AccountUsageReply, UsageGroup, UsageReply, UsageReport, UsageRow};
use tollgate_base::{AccountId, Day, KeyId, PoolId};

impl SumUsage for Ledger {
    async fn sum_usage(&self, cx: &Cx, input: SumUsageInput) -> Result<UsageReply, SumUsageError> {
        let SumUsageInput { caller, from, to, group_by, key_id, team_id, member_id, tag, .. } = input;
        let keys = KeySelection { key: key_id.map(KeyId), team: team_id.map(PoolId), member: member_id.map(PoolId) };
        let seen = self.keys_seen_by(&caller).await.map_err(|error| {
            unreadable(cx, &error);
            SumUsageError::LedgerUnavailable
        })?;
        let of = (caller.account, keys.within(seen), tag.as_deref());
        let data = self.usage_report(cx, of, (from, to), group_by).await;
        let data = data.map_err(|refused| match refused {
            UsageRefusal::TooWide { from, to, reason } => SumUsageError::UsageTooWide { from, to, reason },
            UsageRefusal::Ledger => SumUsageError::LedgerUnavailable,
        })?;
        Ok(UsageReply { success: true, message: String::new(), data })
    }
}

impl SumAccountUsage for Ledger {
    async fn sum_account_usage(
        &self,
        cx: &Cx,
        input: SumAccountUsageInput,
    ) -> Result<AccountUsageReply, SumAccountUsageError> {
        let SumAccountUsageInput { account_id, from, to, group_by, .. } = input;
        let of = (AccountId(account_id), KeySelection::default(), None);
        let data = self.usage_report(cx, of, (from, to), group_by).await;
        let data = data.map_err(|refused| match refused {
            UsageRefusal::TooWide { from, to, reason } => SumAccountUsageError::UsageTooWide { from, to, reason },
            UsageRefusal::Ledger => SumAccountUsageError::LedgerUnavailable,
        })?;
        Ok(AccountUsageReply { success: true, message: String::new(), data })
    }
}

/// The reasons for which there are no sums.
enum UsageRefusal {
    TooWide { from: String, to: String, reason: String },
    Ledger,
}

impl Ledger {
    async fn usage_report(
        &self,
        cx: &Cx,
        (account, keys, tag): (AccountId, KeySelection, Option<&str>),
        (from, to): (Option<Day>, Option<Day>),
        group_by: Option<Vec<UsageGroup>>,
    ) -> Result<UsageReport, UsageRefusal> {
        let span = UsageSpan::asked(self.clock.now_ms(), from, to);
        let UsageSpan { from, to } = span;
        let too_wide = |reason: String| UsageRefusal::TooWide { from: from.to_string(), to: to.to_string(), reason };
        let groups = group_by.unwrap_or_default();
        let by = UsageGrouping {
            day: groups.contains(&UsageGroup::Day),
            key: groups.contains(&UsageGroup::Key),
            model: groups.contains(&UsageGroup::Model),
            team: groups.contains(&UsageGroup::Team),
            member: groups.contains(&UsageGroup::Member),
            tag: groups.contains(&UsageGroup::Tag),
        };
        let rows_max = limits::USAGE_ROWS;
        let ask = UsageSumQuery { account, keys, tag, from, to, by, rows_max };
        if let Some(fault) = if ask.reads_tags() { span.fault_by_tags() } else { span.fault() } {
            return Err(too_wide(fault));
        }
        let unread = |error| {
            unreadable(cx, &error);
            UsageRefusal::Ledger
        };
        let most = limits::USAGE_TAG_RECEIPTS;
        if ask.reads_tags() && self.has_more_receipts(account, span, most).await.map_err(unread)? {
            return Err(too_wide(format!("by tags, it is more than {most} receipts")));
        }
        let rows = self.sums(ask).await.map_err(unread)?;
        let rows = rows.ok_or_else(|| too_wide(format!("it is more than {rows_max} rows")))?;
        Ok(UsageReport { from, to, rows: rows.into_iter().map(usage_row).collect() })
    }
}

fn usage_row(sums: UsageSums) -> UsageRow {
    let UsageSums { day, key, model, team, member, tag, requests, released, charged, shortfall, usage } = sums;
    UsageRow {
        day,
        key_id: key.map(|key| key.0),
        model,
        team_id: team.map(|team| team.0),
        member_id: member.map(|member| member.0),
        tag,
        requests: whole(requests),
        released_requests: whole(released),
        prompt_tokens: whole(usage.prompt),
        cached_tokens: whole(usage.cached),
        cache_write_tokens: whole(usage.cache_write),
        cache_write_long_tokens: whole(usage.cache_write_long),
        completion_tokens: whole(usage.completion),
        reasoning_tokens: whole(usage.reasoning),
        audio_prompt_tokens: whole(usage.media.audio_prompt),
        image_prompt_tokens: whole(usage.media.image_prompt),
        audio_completion_tokens: whole(usage.media.audio_completion),
        image_completion_tokens: whole(usage.media.image_completion),
        charged_usd: charged,
        shortfall_usd: shortfall,
    }
}
