//! What an account has spent in a span of days, by day and by something else.

use std::collections::BTreeMap;

use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::usage::{SumUsage, SumUsageError, SumUsageInput};
use tollgate_api::generated::types::{UsageGroup, UsageRow};
use tollgate_api::{Caller, Cx, Day, Usd};
use tollgate_pages::chart::BarChart;

/// The keys that are looked at: all, or those of a team, of a member, or of both.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct PoolSelection {
    pub(super) team: Option<i64>,
    pub(super) member: Option<i64>,
}

/// The spending of an account from a day on, up to another.
#[derive(Debug, Default)]
pub(super) struct Spending {
    /// Every day of the span.
    pub(super) days: Vec<SpentDay>,
    /// The models that were asked, the dearest first. Empty where there are too many.
    pub(super) models: Vec<SpentOn>,
    /// The keys that were used, the dearest first. Empty where there are too many.
    pub(super) keys: Vec<SpentOn>,
    pub(super) total: SpentSum,
}

/// A day's spending.
#[derive(Debug)]
pub(super) struct SpentDay {
    pub(super) day: Day,
    pub(super) sum: SpentSum,
}

/// The spending on a model, or by a key, a team or a member.
#[derive(Debug)]
pub(super) struct SpentOn {
    /// The name of the model, or the number of the key, the team or the member. Empty for keys that are of no team or no member.
    pub(super) name: String,
    pub(super) sum: SpentSum,
    /// The last day of the span on which there was any.
    pub(super) last: Option<Day>,
}

/// Requests and what they cost.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct SpentSum {
    pub(super) requests: i64,
    pub(super) prompt: i64,
    pub(super) completion: i64,
    pub(super) charged: Usd,
}

impl SpentSum {
    /// The sums of one row.
    pub(super) fn of(row: &UsageRow) -> Self {
        let mut sum = Self::default();
        sum.add(row);
        sum
    }

    fn add(&mut self, row: &UsageRow) {
        self.requests = self.requests.saturating_add(row.requests);
        self.prompt = self.prompt.saturating_add(row.prompt_tokens);
        self.completion = self.completion.saturating_add(row.completion_tokens);
        self.charged = Usd::from_nanos(self.charged.nanos().saturating_add(row.charged_usd.nanos()));
    }
}

impl Spending {
    /// The spending by day as a chart. None where there is nothing.
    pub(super) fn chart(&self) -> Option<String> {
        if self.total.requests == 0 {
            return None;
        }
        // Without the year.
        let words: Vec<String> = self.days.iter().map(|day| day.day.to_string().split_off(5)).collect();
        let values: Vec<i64> = self.days.iter().map(|day| day.sum.charged.nanos()).collect();
        let value = |nanos| Usd::from_nanos(nanos).to_string();
        Some(BarChart { values: &values, words: &words, value }.svg())
    }
}

impl AccountPages {
    /// The spending from a day up to, and without, another. `None` where the span is wider than sums are told of.
    pub(super) async fn spending(
        &self,
        cx: &Cx,
        caller: &Caller,
        [from, to]: [Day; 2],
        pools: PoolSelection,
    ) -> Result<Option<Spending>, Unreadable> {
        let by_all = [
            vec![UsageGroup::Day, UsageGroup::Key, UsageGroup::Model],
            // Where there are too many keys and models.
            vec![UsageGroup::Day],
        ];
        for group_by in by_all {
            if let Some(rows) = self.usage_rows(cx, caller, [from, to], (group_by, pools)).await? {
                return Ok(Some(summed([from, to], &rows)));
            }
        }
        Ok(None)
    }

    /// The spending by team and by member, the dearest first. Empty where there are too many.
    pub(super) async fn pool_spending(
        &self,
        cx: &Cx,
        caller: &Caller,
        days: [Day; 2],
        pools: PoolSelection,
    ) -> Result<[Vec<SpentOn>; 2], Unreadable> {
        let by = vec![UsageGroup::Team, UsageGroup::Member];
        let rows = self.usage_rows(cx, caller, days, (by, pools)).await?.unwrap_or_default();
        let (mut teams, mut members) = (BTreeMap::new(), BTreeMap::new());
        for row in &rows {
            add(&mut teams, row.team_id.map(|id| id.to_string()).unwrap_or_default(), row);
            add(&mut members, row.member_id.map(|id| id.to_string()).unwrap_or_default(), row);
        }
        Ok([teams, members].map(dearest_first))
    }

    /// The sums of a span. `None` where there are more than are told.
    pub(super) async fn usage_rows(
        &self,
        cx: &Cx,
        caller: &Caller,
        [from, to]: [Day; 2],
        (group_by, pools): (Vec<UsageGroup>, PoolSelection),
    ) -> Result<Option<Vec<UsageRow>>, Unreadable> {
        let span = SumUsageInput {
            caller: caller.clone(),
            csv: false,
            from: Some(from),
            to: Some(to),
            group_by: Some(group_by),
            key_id: None,
            team_id: pools.team,
            member_id: pools.member,
            tag: None,
        };
        match self.credit.sum_usage(cx, span).await {
            Ok(report) => Ok(Some(report.data.rows)),
            Err(SumUsageError::UsageTooWide { .. }) => Ok(None),
            // It is logged.
            Err(_) => Err(Unreadable),
        }
    }
}

fn summed([from, to]: [Day; 2], rows: &[UsageRow]) -> Spending {
    let days = (from.number()..to.number()).map(Day::from_number);
    let mut by_day: BTreeMap<Day, SpentSum> = days.map(|day| (day, SpentSum::default())).collect();
    let (mut models, mut keys) = (BTreeMap::new(), BTreeMap::new());
    let mut total = SpentSum::default();
    for row in rows {
        total.add(row);
        if let Some(day) = row.day {
            by_day.entry(day).or_default().add(row);
        }
        if let Some(model) = &row.model {
            add(&mut models, model.clone(), row);
        }
        if let Some(key) = row.key_id {
            add(&mut keys, key.to_string(), row);
        }
    }
    let days = by_day.into_iter().map(|(day, sum)| SpentDay { day, sum }).collect();
    Spending { days, models: dearest_first(models), keys: dearest_first(keys), total }
}

/// Rows come in the order of their days.
fn add(sums: &mut BTreeMap<String, (SpentSum, Option<Day>)>, name: String, row: &UsageRow) {
    let (sum, last) = sums.entry(name).or_default();
    sum.add(row);
    *last = row.day;
}

fn dearest_first(sums: BTreeMap<String, (SpentSum, Option<Day>)>) -> Vec<SpentOn> {
    let mut spent: Vec<SpentOn> = sums.into_iter().map(|(name, (sum, last))| SpentOn { name, sum, last }).collect();
    spent.sort_by_key(|on| (-on.sum.charged.nanos(), -on.sum.requests));
    spent
}
