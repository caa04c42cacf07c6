//! Reads of the sums that the database keeps.

use super::terms::summed;
use crate::{BilledUsage, MediaTokens, UsageSumQuery, UsageSums};
use tollgate_base::{Day, KeyId, PoolId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, SqlText, StoreError, query};

/// The statement for sums. A column that rows are not grouped by is NULL in all of them.
macro_rules! sums {
    ($from:literal) => {
        concat!(
            "SELECT CASE WHEN $4 = 1 THEN day END, CASE WHEN $5 = 1 THEN key_id END, CASE WHEN $6 = 1 THEN model END, ",
            summed!(),
            ", CASE WHEN $9 = 1 THEN (SELECT k.team_id FROM api_keys k WHERE k.id = key_id) END, \
                CASE WHEN $10 = 1 THEN (SELECT k.member_id FROM api_keys k WHERE k.id = key_id) END FROM ",
            $from,
            " AND account_id = $1 AND ($7 IS NULL OR key_id = $7) \
                AND ($11 IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.team_id = $11)) \
                AND ($12 IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.member_id = $12)) \
                GROUP BY 1, 2, 3, 18, 19 ORDER BY 1, 2, 3, 18, 19 LIMIT $8"
        )
    };
}
/// A file keeps the rows by day, so that each day is looked up by itself: of those that are asked for, between the first and the last
/// that any account has.
const SUMS: SqlText = SqlText::of(
    sums!(
        "(WITH RECURSIVE kept (first, last) AS (SELECT max($2, (SELECT min(day) FROM usage_days)), \
                    min($3 - 1, (SELECT max(day) FROM usage_days))), \
                days (n) AS (SELECT first FROM kept WHERE first <= last UNION ALL SELECT n + 1 FROM days WHERE n < (SELECT last FROM kept)) \
                SELECT n FROM days) \
            CROSS JOIN usage_days ON day = n WHERE true"
    ),
    sums!("usage_days WHERE day >= $2 AND day < $3"),
);

/// One row more than asked for, where there are more.
pub(crate) async fn sums(readers: &ReadPool, ask: UsageSumQuery) -> Result<Vec<UsageSums>, StoreError> {
    let asked = query(SUMS)
        .bind(ask.account.0)
        .bind(ask.from.number())
        .bind(ask.to.number())
        .bind(i64::from(ask.by.day))
        .bind(i64::from(ask.by.key))
        .bind(i64::from(ask.by.model))
        .bind(ask.keys.key.map(|key| key.0))
        .bind(i64::from(ask.rows_max) + 1)
        .bind(i64::from(ask.by.team))
        .bind(i64::from(ask.by.member))
        .bind(ask.keys.team.map(|team| team.0))
        .bind(ask.keys.member.map(|member| member.0));
    let rows = asked.fetch_all(readers).await.map_err(StoreError::read("usage"))?;
    let with_pools = |found: &DatabaseRow| {
        let pool = |index| Ok(found.try_get::<Option<i64>>(index).map_err(StoreError::read("usage"))?.map(PoolId));
        Ok(UsageSums { team: pool(17)?, member: pool(18)?, ..row(found)? })
    };
    rows.iter().map(with_pools).collect()
}

/// The sums of a row: day, key and model, then what is [`summed`].
pub(super) fn row(row: &DatabaseRow) -> Result<UsageSums, StoreError> {
    let maybe = |index| row.try_get::<Option<i64>>(index).map_err(StoreError::read("usage"));
    let number = |index| row.try_get::<i64>(index).map_err(StoreError::read("usage"));
    let count = |index| {
        let found = number(index)?;
        u64::try_from(found).map_err(|_| StoreError::Unreadable { what: "a count", found: found.to_string() })
    };
    Ok(UsageSums {
        day: maybe(0)?.map(Day::from_number),
        key: maybe(1)?.map(KeyId),
        model: row.try_get(2).map_err(StoreError::read("usage"))?,
        team: None,
        member: None,
        requests: count(3)?,
        released: count(4)?,
        charged: Usd::from_nanos(number(5)?),
        shortfall: Usd::from_nanos(number(6)?),
        usage: BilledUsage {
            prompt: count(7)?,
            cached: count(8)?,
            cache_write: count(9)?,
            cache_write_long: count(10)?,
            completion: count(11)?,
            reasoning: count(12)?,
            media: MediaTokens {
                audio_prompt: count(13)?,
                image_prompt: count(14)?,
                audio_completion: count(15)?,
                image_completion: count(16)?,
            },
            estimated: false,
        },
    })
}
