//! Budgets of keys.

use crate::{BudgetUsage, KeyBudgets};
use tollgate_base::{KeyId, Usd};
use tollgate_store::{ReadPool, StoreError, query};

const BUDGETS: &str = "SELECT budget_day, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'day' AND starts_at = $2), 0), budget_month, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'month' AND starts_at = $3), 0), budget_life, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'life' AND starts_at = 0), 0) \
    FROM api_keys WHERE id = $1";

pub(crate) async fn budgets(
    readers: &ReadPool,
    key: KeyId,
    day_ms: i64,
    month_ms: i64,
) -> Result<KeyBudgets, StoreError> {
    let reading = StoreError::read("the budgets of a key");
    let row = query(BUDGETS).bind(key.0).bind(day_ms).bind(month_ms).fetch_one(readers).await.map_err(reading)?;
    let budget = |index| {
        let reading = StoreError::read("the budgets of a key");
        let read = row.try_get::<Option<i64>>(index).and_then(|most| Ok((most, row.try_get(index + 1)?)));
        let (most, taken): (Option<i64>, i64) = read.map_err(reading)?;
        Ok(most.map(|most| BudgetUsage { most: Usd::from_nanos(most), taken: Usd::from_nanos(taken) }))
    };
    Ok(KeyBudgets { day: budget(0)?, month: budget(2)?, life: budget(4)? })
}
