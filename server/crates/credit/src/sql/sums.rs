//! Reads of the sums that the database keeps.

use super::terms::{summed, tagged};
use crate::{BilledUsage, MediaTokens, UsageSpan, UsageSumQuery, UsageSums};
use tollgate_base::{AccountId, Day, KeyId, PoolId, Usd};
use tollgate_store::{BoundValue, DatabaseRow, ReadPool, SqlText, StoreError, query};

/// The columns that rows are grouped by, and the sums. A column that rows are not grouped by is NULL in all of them.
macro_rules! grouped {
    () => {
        concat!(
            "SELECT CASE WHEN $4 = 1 THEN day END, CASE WHEN $5 = 1 THEN key_id END, CASE WHEN $6 = 1 THEN model END, ",
            summed!(),
            ", CASE WHEN $9 = 1 THEN (SELECT k.team_id FROM api_keys k WHERE k.id = key_id) END, \
                CASE WHEN $10 = 1 THEN (SELECT k.member_id FROM api_keys k WHERE k.id = key_id) END"
        )
    };
}
/// The account, and the keys that are asked for.
macro_rules! of_keys {
    ($key:literal, $team:literal, $member:literal) => {
        concat!(
            " AND account_id = $1 AND (",
            $key,
            " IS NULL OR key_id = ",
            $key,
            ") AND (",
            $team,
            " IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.team_id = ",
            $team,
            ")) AND (",
            $member,
            " IS NULL OR key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = $1 AND k.member_id = ",
            $member,
            "))"
        )
    };
}
macro_rules! sums {
    ($from:expr) => {
        concat!(
            grouped!(),
            " FROM ",
            $from,
            of_keys!("$7", "$11", "$12"),
            " GROUP BY 1, 2, 3, 18, 19 ORDER BY 1, 2, 3, 18, 19 LIMIT $8"
        )
    };
}
/// One row more than asked for, where there are more.
macro_rules! rows {
    ($from:expr) => {
        concat!("SELECT count(*) FROM (SELECT 1 FROM ", $from, of_keys!("$4", "$5", "$6"), " LIMIT $7) r")
    };
}
/// A file keeps the rows by day, so that each day is looked up by itself: of those that are asked for, between the first and the last
/// that any account has.
macro_rules! days_on_file {
    () => {
        "(WITH RECURSIVE kept (first, last) AS (SELECT max($2, (SELECT min(day) FROM usage_days)), \
                    min($3 - 1, (SELECT max(day) FROM usage_days))), \
                days (n) AS (SELECT first FROM kept WHERE first <= last UNION ALL SELECT n + 1 FROM days WHERE n < (SELECT last FROM kept)) \
                SELECT n FROM days) \
            CROSS JOIN usage_days ON day = n WHERE true"
    };
}
macro_rules! days_on_server {
    () => {
        "usage_days WHERE day >= $2 AND day < $3"
    };
}
/// Each receipt is the row that it adds to the sums of its day: one for each of its tags, where rows are told apart by these.
macro_rules! tag_sums {
    ($tag:literal, $tags:literal) => {
        concat!(
            grouped!(),
            ", tag FROM (SELECT r.account_id, r.created_at / 86400000 AS day, r.key_id, r.model, 1 AS requests, \
                CASE WHEN r.state = 'released' THEN 1 ELSE 0 END AS released, r.cost AS charged, r.shortfall, \
                coalesce(r.prompt, 0) AS prompt, coalesce(r.cached, 0) AS cached, r.cache_write, r.cache_write_long, \
                coalesce(r.completion, 0) AS completion, coalesce(r.reasoning, 0) AS reasoning, r.audio_prompt, r.image_prompt, \
                r.audio_completion, r.image_completion, ",
            $tag,
            " AS tag FROM receipts r LEFT JOIN ",
            $tags,
            " ON true WHERE r.account_id = $1 AND r.created_at >= $2 * 86400000 AND r.created_at < $3 * 86400000 AND ",
            tagged!("r.tags", "$14"),
            ") r WHERE true",
            of_keys!("$7", "$11", "$12"),
            " GROUP BY 1, 2, 3, 18, 19, 20 ORDER BY 1, 2, 3, 18, 19, 20 NULLS LAST LIMIT $8"
        )
    };
}
const SUMS: SqlText = SqlText::of(sums!(days_on_file!()), sums!(days_on_server!()));
const ROWS: SqlText = SqlText::of(rows!(days_on_file!()), rows!(days_on_server!()));
/// Tags have no character that JSON would write in another way.
const TAG_SUMS: SqlText = SqlText::of(
    tag_sums!("t.value", "json_each(CASE WHEN $13 = 1 THEN '[\"' || replace(r.tags, ',', '\",\"') || '\"]' END) t"),
    tag_sums!(
        "t.value COLLATE \"C\"",
        "LATERAL unnest(CASE WHEN $13 = 1 THEN string_to_array(r.tags, ',') END) AS t (value)"
    ),
);

/// No more of them than asked for, and one.
const RECEIPTS_OF_DAYS: &str = "SELECT count(*) FROM (SELECT 1 FROM receipts WHERE account_id = $1 \
    AND created_at >= $2 * 86400000 AND created_at < $3 * 86400000 LIMIT $4) r";

/// True if an account has more receipts of some days than `most`.
pub(crate) async fn has_more_receipts(
    readers: &ReadPool,
    account: AccountId,
    UsageSpan { from, to }: UsageSpan,
    most: u32,
) -> Result<bool, StoreError> {
    let asked = query(RECEIPTS_OF_DAYS).bind(account.0).bind(from.number()).bind(to.number());
    let found = asked.bind(i64::from(most) + 1).fetch_one(readers).await.map_err(StoreError::read("receipts"))?;
    Ok(found.try_get::<i64>(0).map_err(StoreError::read("receipts"))? > i64::from(most))
}

/// True if the database keeps more rows of what is asked for than are told, where each of them is a row of the answer.
pub(crate) async fn has_more_rows(readers: &ReadPool, ask: UsageSumQuery<'_>) -> Result<bool, StoreError> {
    let asked = query(ROWS)
        .bind(ask.account.0)
        .bind(ask.from.number())
        .bind(ask.to.number())
        .bind(ask.keys.key.map(|key| key.0))
        .bind(ask.keys.team.map(|team| team.0))
        .bind(ask.keys.member.map(|member| member.0))
        .bind(i64::from(ask.rows_max) + 1);
    let found = asked.fetch_one(readers).await.map_err(StoreError::read("usage"))?;
    Ok(found.try_get::<i64>(0).map_err(StoreError::read("usage"))? > i64::from(ask.rows_max))
}

/// One row more than asked for, where there are more.
pub(crate) async fn sums(readers: &ReadPool, ask: UsageSumQuery<'_>) -> Result<Vec<UsageSums>, StoreError> {
    let asked = query(if ask.reads_tags() { TAG_SUMS } else { SUMS })
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
    let asked =
        if ask.reads_tags() { asked.bind(i64::from(ask.by.tag)).bind(BoundValue::Text(ask.tag)) } else { asked };
    let rows = asked.fetch_all(readers).await.map_err(StoreError::read("usage"))?;
    let whole = |found: &DatabaseRow| {
        let pool = |index| Ok(found.try_get::<Option<i64>>(index).map_err(StoreError::read("usage"))?.map(PoolId));
        let tag = if ask.by.tag { found.try_get(19).map_err(StoreError::read("usage"))? } else { None };
        Ok(UsageSums { team: pool(17)?, member: pool(18)?, tag, ..row(found)? })
    };
    let mut sums: Vec<UsageSums> = rows.iter().map(whole).collect::<Result<_, StoreError>>()?;
    sums.sort_by(|one, other| one.place().cmp(&other.place()));
    Ok(sums)
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
        tag: None,
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
