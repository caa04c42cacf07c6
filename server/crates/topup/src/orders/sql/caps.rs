//! The statements about the caps of agents, which their orders count against.

use crate::orders::cap::TopupCaps;
use tollgate_base::{AgentId, OrderId, Usd};
use tollgate_store::{StatementTarget, StoreError, StoreTransaction, query};

const READ: &str = "SELECT cap_order, cap_day, \
    coalesce((SELECT spent + held FROM agent_windows WHERE agent_id = $1 AND period = 'day' AND starts_at = $2), 0), cap_life, \
    coalesce((SELECT spent + held FROM agent_windows WHERE agent_id = $1 AND period = 'life' AND starts_at = 0), 0) \
    FROM agents WHERE id = $1";
const COUNT: &str = "UPDATE topup_order SET counted_day = $2 WHERE id = $1 AND counted_day IS NULL";
const UNCOUNT: &str = "UPDATE topup_order SET counted_day = NULL WHERE id = $1 AND counted_day IS NOT NULL";

/// The caps of an agent, and how much of them is used on a day.
pub(in crate::orders) async fn read<'t>(
    reader: impl Into<StatementTarget<'t>>,
    agent: AgentId,
    day: i64,
) -> Result<TopupCaps, StoreError> {
    let row = query(READ).bind(agent.0).bind(day).fetch_one(reader).await.map_err(reading)?;
    let cap = |index| row.try_get::<Option<i64>>(index).map(|cap| cap.map(Usd::from_nanos)).map_err(reading);
    let taken = |index| row.try_get(index).map(Usd::from_nanos).map_err(reading);
    let (day_taken, life_taken) = (taken(2)?, taken(4)?);
    Ok(TopupCaps {
        order: cap(0)?,
        day: cap(1)?.map(|cap| (cap, day_taken)),
        life: cap(3)?.map(|cap| (cap, life_taken)),
    })
}

/// Counts an order that is settling against the caps of its agent.
pub(in crate::orders) async fn count(
    transaction: &mut StoreTransaction,
    order: OrderId,
    day: i64,
) -> Result<(), StoreError> {
    let counted = query(COUNT).bind(order.0).bind(day).execute(transaction).await;
    counted.map(drop).map_err(StoreError::write("the caps of an agent"))
}

/// Counts an order against the caps of its agent no more, if it was counted.
pub(crate) async fn uncount(transaction: &mut StoreTransaction, order: OrderId) -> Result<(), StoreError> {
    let uncounted = query(UNCOUNT).bind(order.0).execute(transaction).await;
    uncounted.map(drop).map_err(StoreError::write("the caps of an agent"))
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("the caps of an agent")(error)
}
