//! The spending of an account in a span of days, by the tags that its requests carry.

use super::spending::{PoolSelection, SpentSum};
use super::{AccountPages, Unreadable};
use tollgate_api::generated::types::{UsageGroup, UsageRow};
use tollgate_api::{Caller, Cx, Day};

/// The most tags on a page. The CSV has all of them.
const SHOWN: usize = 50;

/// The spending on a tag.
#[derive(Debug)]
pub(super) struct SpentOnTag {
    /// None for requests that carry none.
    pub(super) tag: Option<String>,
    pub(super) sum: SpentSum,
}

impl AccountPages {
    /// The spending on each tag from a day up to, and without, another, the dearest first. Empty where no request carries one, and
    /// absent where there are more days, receipts or tags than are told.
    pub(super) async fn tag_spending(
        &self,
        cx: &Cx,
        caller: &Caller,
        [from, to]: [Day; 2],
        pools: PoolSelection,
    ) -> Result<Option<Vec<SpentOnTag>>, Unreadable> {
        let rows = self.usage_rows(cx, caller, [from, to], (vec![UsageGroup::Tag], pools)).await?;
        Ok(rows.map(dearest_first))
    }
}

fn dearest_first(rows: Vec<UsageRow>) -> Vec<SpentOnTag> {
    if rows.iter().all(|row| row.tag.is_none()) {
        return Vec::new();
    }
    let spent = rows.into_iter().map(|row| SpentOnTag { sum: SpentSum::of(&row), tag: row.tag });
    let mut spent: Vec<SpentOnTag> = spent.collect();
    spent.sort_by_key(|on| (-on.sum.charged.nanos(), -on.sum.requests));
    spent.truncate(SHOWN);
    spent
}
