//! Sums over the requests of an account: what is asked for, and a row of the answer.

use super::{BilledUsage, KeySelection};
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Day, KeyId, PoolId, Usd};

/// The number of days that are told where no first one is named.
const DAYS: i64 = 30;

/// A request for sums.
#[derive(Debug, Clone, Copy)]
pub struct UsageSumQuery<'t> {
    /// The account.
    pub account: AccountId,
    /// Only requests with these keys.
    pub keys: KeySelection,
    /// Only requests that carry this tag.
    pub tag: Option<&'t str>,
    /// The first day.
    pub from: Day,
    /// The day after the last.
    pub to: Day,
    /// The columns that rows are grouped by.
    pub by: UsageGrouping,
    /// At most so many rows.
    pub rows_max: u32,
}

/// The columns that rows are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsageGrouping {
    /// The day.
    pub day: bool,
    /// The key.
    pub key: bool,
    /// The model.
    pub model: bool,
    /// The team that the key is of now.
    pub team: bool,
    /// The member that the key is of now.
    pub member: bool,
    /// Each tag that the request carries.
    pub tag: bool,
}

impl UsageSumQuery<'_> {
    /// True if it is told from receipts: nothing else has tags.
    pub(super) fn reads_tags(&self) -> bool {
        self.by.tag || self.tag.is_some()
    }

    /// True if each row that the database keeps is one of the answer: those are by day, key and model, and a key is of one team and
    /// one member.
    pub(super) fn is_by_each_row(&self) -> bool {
        self.by.day && self.by.key && self.by.model && !self.reads_tags()
    }
}

/// The sums of one group of requests. A request is counted when it has ended, on the day of its hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageSums {
    /// The day, where rows are grouped by it.
    pub day: Option<Day>,
    /// The key, where rows are grouped by it.
    pub key: Option<KeyId>,
    /// The model that was asked for, where rows are grouped by it.
    pub model: Option<String>,
    /// The team of the key, where rows are grouped by it and the key is of one.
    pub team: Option<PoolId>,
    /// The member of the key, where rows are grouped by it and the key is of one.
    pub member: Option<PoolId>,
    /// The tag, where rows are grouped by it and the requests carry one.
    pub tag: Option<String>,
    /// The number of requests.
    pub requests: u64,
    /// The number of requests that were given back whole.
    pub released: u64,
    /// The sum of the charges.
    pub charged: Usd,
    /// The sum that the account could not pay.
    pub shortfall: Usd,
    /// The sum of the usage; whether a part of it was estimated is not told.
    pub usage: BilledUsage,
}

impl UsageSums {
    /// The place of a row: by day, key and model, team and member, and last what has no tag. Databases sort texts by the rules of one
    /// language or another.
    pub(super) fn place(&self) -> impl Ord + '_ {
        let (key, model) = (self.key.map(|key| key.0), self.model.as_deref());
        let (team, member) = (self.team.map(|team| team.0), self.member.map(|member| member.0));
        (self.day, key, model, team, member, self.tag.is_none(), self.tag.as_deref())
    }
}

/// The days that are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageSpan {
    /// The first day.
    pub from: Day,
    /// The day after the last.
    pub to: Day,
}

impl UsageSpan {
    /// The days that were asked for, or the last ones.
    #[must_use]
    pub fn asked(now_ms: i64, from: Option<Day>, to: Option<Day>) -> Self {
        let to = to.unwrap_or_else(|| Day::of_ms(now_ms).plus(1));
        Self { from: from.unwrap_or_else(|| to.plus(-DAYS)), to }
    }

    /// The reason that these are no days to be summed up together. None where they are.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let days = limits::USAGE_DAYS;
        (!self.has_days(days)).then(|| format!("it is not 1 to {days} days"))
    }

    /// The reason that these are no days to be summed up by tags, from receipts. None where they are.
    #[must_use]
    pub fn fault_by_tags(&self) -> Option<String> {
        let days = limits::USAGE_TAG_DAYS;
        (!self.has_days(days)).then(|| format!("by tags, it is not 1 to {days} days"))
    }

    fn has_days(&self, most: u32) -> bool {
        (1..=i64::from(most)).contains(&(self.to.number() - self.from.number()))
    }
}
