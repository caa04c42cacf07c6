//! `GET /api/user/self/usage`.

use super::{unreadable, whole};
use crate::{Ledger, UsageGrouping, UsageSumQuery, UsageSums};
use tollgate_api::Cx;
use tollgate_api::generated::limits;
use tollgate_api::generated::ops::usage::{SumUsage, SumUsageError, SumUsageInput};
use tollgate_api::generated::types::{UsageGroup, UsageReply, UsageReport, UsageRow};
use tollgate_base::Day;

/// The number of days that are told where no first one is named.
const DAYS: i64 = 30;

impl SumUsage for Ledger {
    async fn sum_usage(&self, cx: &Cx, input: SumUsageInput) -> Result<UsageReply, SumUsageError> {
        let to = input.to.unwrap_or_else(|| Day::of_ms(self.clock.now_ms()).plus(1));
        let from = input.from.unwrap_or_else(|| to.plus(-DAYS));
        let too_wide =
            |reason: String| SumUsageError::UsageTooWide { from: from.to_string(), to: to.to_string(), reason };
        let days = i64::from(limits::USAGE_DAYS);
        if !(1..=days).contains(&(to.number() - from.number())) {
            return Err(too_wide(format!("it is not 1 to {days} days")));
        }
        let groups = input.group_by.unwrap_or_default();
        let by = UsageGrouping {
            day: groups.contains(&UsageGroup::Day),
            key: groups.contains(&UsageGroup::Key),
            model: groups.contains(&UsageGroup::Model),
        };
        let rows_max = limits::USAGE_ROWS;
        let ask = UsageSumQuery { account: input.caller.account, key: None, from, to, by, rows_max };
        let rows = self.sums(ask).await.map_err(|error| {
            unreadable(cx, &error);
            SumUsageError::LedgerUnavailable
        })?;
        let rows = rows.ok_or_else(|| too_wide(format!("it is more than {rows_max} rows")))?;
        let data = UsageReport { from, to, rows: rows.into_iter().map(usage_row).collect() };
        Ok(UsageReply { success: true, message: String::new(), data })
    }
}

fn usage_row(sums: UsageSums) -> UsageRow {
    let UsageSums { day, key, model, requests, released, charged, shortfall, usage } = sums;
    UsageRow {
        day,
        key_id: key.map(|key| key.0),
        model,
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
