//! Budgets of keys.

use crate::{BudgetUsage, KeyBudgets};
use tollgate_base::{KeyId, Usd};
use tollgate_store::{BoundStatement, ReadPool, StoreError, query};

const BUDGETS: &str = "SELECT budget_day, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'day' AND starts_at = $2), 0), budget_week, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'week' AND starts_at = $3), 0), budget_month, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'month' AND starts_at = $4), 0), budget_life, \
    coalesce((SELECT spent + held FROM spend_windows WHERE key_id = $1 AND period = 'life' AND starts_at = $5), 0) \
    FROM api_keys WHERE id = $1";

/// The budgets of a key, with what is taken of those periods that begin then: a day, a week, a month and all time.
pub(crate) async fn budgets(readers: &ReadPool, key: KeyId, starts_at_ms: [i64; 4]) -> Result<KeyBudgets, StoreError> {
    let reading = StoreError::read("the budgets of a key");
    let asked = starts_at_ms.into_iter().fold(query(BUDGETS).bind(key.0), BoundStatement::bind);
    let row = asked.fetch_one(readers).await.map_err(reading)?;
    let budget = |index| {
        let reading = StoreError::read("the budgets of a key");
        let read = row.try_get::<Option<i64>>(index).and_then(|most| Ok((most, row.try_get(index + 1)?)));
        let (most, taken): (Option<i64>, i64) = read.map_err(reading)?;
        Ok(most.map(|most| BudgetUsage { most: Usd::from_nanos(most), taken: Usd::from_nanos(taken) }))
    };
    Ok(KeyBudgets { day: budget(0)?, week: budget(2)?, month: budget(4)?, life: budget(6)? })
}
