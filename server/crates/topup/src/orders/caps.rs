//! The caps of an agent: per order, per day in UTC, and in all. An order counts from its payment on. The database adds up and
//! refuses (`store/migrations/sqlite/0003_top_ups.sql`); this file finds out which cap it was.

use crate::{CapExceeded, CreditOrder, TopupCaps, Topups};
use tollgate_base::{AgentId, Usd};
use tollgate_store::{StoreError, StoreTransaction};

use super::sql;

const DAY_MS: i64 = 86_400_000;

impl Topups {
    /// The caps of an agent, and how much of them is used now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn caps_of(&self, agent: AgentId) -> Result<TopupCaps, StoreError> {
        sql::caps::read(self.store.readers(), agent, day_of(self.now_ms())).await
    }
}

/// Checks that an agent could pay an order of this amount if it had used nothing yet today. Its real use is checked when it pays: a
/// day may begin before that.
pub(super) async fn could_fit(
    transaction: &mut StoreTransaction,
    agent: AgentId,
    amount: Usd,
    now_ms: i64,
) -> Result<Option<CapExceeded>, StoreError> {
    let caps = sql::caps::read(transaction, agent, day_of(now_ms)).await?;
    let fresh = |window: Option<(Usd, Usd)>| window.map(|(cap, _)| (cap, Usd::ZERO));
    // What is used of a life does not come back.
    Ok(TopupCaps { day: fresh(caps.day), ..caps }.exceeded(amount))
}

/// Counts an order that was just claimed against the caps of its agent, if it has one. Returns the cap that it exceeds.
pub(crate) async fn count(
    transaction: &mut StoreTransaction,
    order: &CreditOrder,
    now_ms: i64,
) -> Result<Option<CapExceeded>, StoreError> {
    let Some(agent) = order.agent else { return Ok(None) };
    let day = day_of(now_ms);
    let caps = sql::caps::read(&mut *transaction, agent, day).await?;
    if let Some(exceeded) = caps.exceeded(order.amount) {
        return Ok(Some(exceeded));
    }
    sql::caps::count(transaction, order.id, day).await?;
    Ok(None)
}

const fn day_of(now_ms: i64) -> i64 {
    now_ms - now_ms.rem_euclid(DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CapSpan;

    fn usd(text: &str) -> Usd {
        text.parse().expect("an amount")
    }

    #[test]
    fn the_narrowest_cap_that_does_not_hold_is_told() {
        let caps =
            TopupCaps { order: Some(usd("5")), day: Some((usd("8"), usd("4"))), life: Some((usd("9"), usd("8"))) };
        for (amount, told) in [("1", None), ("1.000000001", Some(CapSpan::Life)), ("4.5", Some(CapSpan::Day))] {
            assert_eq!(caps.exceeded(usd(amount)).map(|exceeded| exceeded.of), told, "{amount}");
        }
        assert_eq!(caps.exceeded(usd("5.1")), Some(CapExceeded { of: CapSpan::Order, cap: usd("5") }));
        assert_eq!(TopupCaps::default().exceeded(Usd::MAX), None);
        assert_eq!(day_of(1_800_000_000_001) % DAY_MS, 0);
    }
}
