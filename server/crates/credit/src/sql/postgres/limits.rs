//! The limits of keys in a batch: what is loaded of them, under the locks of their accounts, and what is written.

use std::collections::HashMap;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::columns::column;
use crate::BudgetOwner;
use crate::backend::{BatchPlan, Touched};
use crate::limits::{BudgetPeriod, BudgetWindow, BudgetWindowId, CountedLimits, LoadedLimits, RateUsage};
use crate::loaded_key::LoadedKey;
use crate::pools::{self, LoadedPool};
use crate::rules::LoadedRows;
use tollgate_base::{AccountId, KeyId, PoolId, Usd};

/// Keys of requests that ask for holds, and of holds that count against a key; with the numbers of the pools that they spend from.
pub(super) const KEYS: &str = "SELECT k.id, k.account_id, k.state = 'active', a.state = 'active', k.expires_at, k.budget_day, k.budget_week, \
        k.budget_month, k.budget_life, k.requests_per_minute, k.tokens_per_minute, k.in_flight_max, \
        (SELECT id FROM budget_pools WHERE account_id = k.account_id AND kind = 'organisation'), k.team_id, k.member_id \
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = ANY($1)";
macro_rules! pools {
    ($which:literal) => {
        concat!(
            "SELECT id, kind, budget_day, budget_week, budget_month, budget_life, raised_by, raised_until FROM budget_pools WHERE id ",
            $which
        )
    };
}
macro_rules! pool_windows {
    ($which:literal) => {
        concat!(
            "SELECT pool_id, period, starts_at, budget, cap, spent, held, CASE period WHEN 'day' THEN p.budget_day \
                WHEN 'week' THEN p.budget_week WHEN 'month' THEN p.budget_month ELSE p.budget_life END, p.raised_by, p.raised_until \
            FROM pool_windows w JOIN ",
            $which,
            " JOIN budget_pools p ON p.id = w.pool_id"
        )
    };
}
const POOLS: &str = pools!("= ANY($1)");
/// The pools of keys.
pub(super) const POOLS_OF_KEYS: &str = pools!(
    "IN (SELECT unnest(ARRAY[k.team_id, k.member_id, (SELECT o.id FROM budget_pools o WHERE o.account_id = k.account_id \
        AND o.kind = 'organisation')]) FROM api_keys k WHERE k.id = ANY($1))"
);
/// The windows that holds of keys would count against at a time, and those that holds do: as far as they were looked up since
/// their budgets changed.
pub(super) const WINDOWS_OF_SETS: &str = pool_windows!(
    "(SELECT m.window_id FROM api_keys k JOIN pool_sets s ON s.account_id = k.account_id AND s.team_id = coalesce(k.team_id, 0) \
            AND s.member_id = coalesce(k.member_id, 0) AND s.begins_at <= $3 AND s.ends_at > $3 \
        JOIN pool_set_windows m ON m.set_id = s.id WHERE k.id = ANY($1) \
    UNION SELECT m.window_id FROM (SELECT DISTINCT pools FROM holds WHERE id = ANY($2)) h \
        CROSS JOIN LATERAL (SELECT id FROM pool_sets WHERE pools = h.pools COLLATE \"C\" LIMIT 1) s \
        JOIN pool_set_windows m ON m.set_id = s.id) x ON x.window_id = w.id"
);
const USED: &str = "SELECT key_id, at, requests, tokens, in_flight FROM key_rates WHERE key_id = ANY($1)";
const WINDOWS: &str = "SELECT key_id, period, starts_at, budget, cap, spent, held FROM spend_windows \
    JOIN UNNEST($1::bigint[], $2::text[], $3::bigint[]) AS asked (key_id, period, starts_at) USING (key_id, period, starts_at)";
/// With the budget as its pool has it, which may have changed since the last hold.
const POOL_WINDOWS: &str = pool_windows!(
    "UNNEST($1::bigint[], $2::text[], $3::bigint[]) AS asked (pool_id, period, starts_at) USING (pool_id, period, starts_at)"
);
/// The used part of the rates of keys. Requests under way are counted with the holds.
const RATES: &str = "INSERT INTO key_rates (key_id, at, requests, tokens) \
    SELECT * FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) \
    ON CONFLICT (key_id) DO UPDATE SET at = excluded.at, requests = excluded.requests, tokens = excluded.tokens";

/// The pools that a batch has read, and the keys that spend from them.
#[derive(Debug, Default)]
pub(super) struct FoundPools {
    found: HashMap<i64, LoadedPool>,
    of_keys: Vec<(KeyId, [Option<i64>; 3])>,
}

impl FoundPools {
    /// Takes a row of [`KEYS`].
    pub(super) fn take_key(&mut self, row: &PgRow, loaded: &mut LoadedRows) -> sqlx::Result<()> {
        let id = KeyId(row.try_get(0)?);
        loaded.keys.insert(id, key(row)?);
        self.of_keys.push((id, [row.try_get(12)?, row.try_get(13)?, row.try_get(14)?]));
        Ok(())
    }

    /// Takes a row of [`POOLS_OF_KEYS`].
    pub(super) fn take(&mut self, row: &PgRow, now_ms: i64) -> sqlx::Result<()> {
        let id = row.try_get(0)?;
        let budgets = [row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get(5)?];
        let raise = (row.try_get(6)?, row.try_get(7)?);
        self.found.insert(id, json(LoadedPool::told(id, row.try_get(1)?, budgets, raise, now_ms))?);
        Ok(())
    }

    /// Gives the keys their pools, those that were not read yet too.
    async fn give(mut self, connection: &mut PgConnection, now_ms: i64, loaded: &mut LoadedRows) -> sqlx::Result<()> {
        let asked = self.of_keys.iter().flat_map(|(_, pools)| pools.iter().copied().flatten());
        let mut missing: Vec<i64> = asked.filter(|pool| !self.found.contains_key(pool)).collect();
        missing.sort_unstable();
        missing.dedup();
        if !missing.is_empty() {
            for row in sqlx::query(POOLS).bind(missing).fetch_all(connection).await? {
                self.take(&row, now_ms)?;
            }
        }
        for (id, pools) in self.of_keys {
            let pools = pools.into_iter().flatten().filter_map(|pool| self.found.get(&pool).copied()).collect();
            loaded.keys.entry(id).and_modify(|key| key.pools = pools);
        }
        Ok(())
    }
}

/// Reads what the loaded keys and holds count against, and the keys of such holds where they are not loaded yet.
pub(super) async fn load(
    connection: &mut PgConnection,
    touched: &Touched,
    mut pools: FoundPools,
    loaded: &mut LoadedRows,
) -> sqlx::Result<()> {
    let of_holds: Vec<CountedLimits> = loaded.holds.values().filter_map(|hold| hold.counted).collect();
    let further = of_holds.iter().map(|counted| counted.key).filter(|key| !loaded.keys.contains_key(key));
    let mut further: Vec<i64> = further.map(|key| key.0).collect();
    further.sort_unstable();
    further.dedup();
    if !further.is_empty() {
        for row in sqlx::query(KEYS).bind(further).fetch_all(&mut *connection).await? {
            pools.take_key(&row, loaded)?;
        }
    }
    pools.give(&mut *connection, touched.now_ms, loaded).await?;
    let limited: Vec<_> = loaded.keys.iter().filter(|(_, key)| !key.limits.is_empty()).map(|(id, _)| id.0).collect();
    if !limited.is_empty() {
        for row in sqlx::query(USED).bind(limited).fetch_all(&mut *connection).await? {
            let used = used(&row)?;
            loaded.keys.entry(KeyId(row.try_get(0)?)).and_modify(|key| key.used = used);
        }
    }
    let of_keys = loaded.keys.iter().flat_map(|(id, key)| key.windows(*id, touched.now_ms).map(|(window, _)| window));
    let of_holds = of_holds.iter().flat_map(CountedLimits::windows);
    let pooled = loaded.holds.values().flat_map(|hold| hold.pooled.iter().copied());
    let mut windows: Vec<BudgetWindowId> = of_keys.chain(of_holds).chain(pooled).collect();
    windows.sort_unstable();
    windows.dedup();
    // Keys come before pools.
    let mut pooled = windows.split_off(windows.partition_point(|window| matches!(window.owner, BudgetOwner::Key(_))));
    pooled.retain(|window| !loaded.windows.contains_key(window));
    load_windows(connection, WINDOWS, &windows, touched.now_ms, loaded).await?;
    load_windows(connection, POOL_WINDOWS, &pooled, touched.now_ms, loaded).await
}

async fn load_windows(
    connection: &mut PgConnection,
    find: &'static str,
    windows: &[BudgetWindowId],
    now_ms: i64,
    loaded: &mut LoadedRows,
) -> sqlx::Result<()> {
    let Some(first) = windows.first() else { return Ok(()) };
    let number = |window: &BudgetWindowId| match window.owner {
        BudgetOwner::Key(key) => key.0,
        BudgetOwner::Pool(pool) => pool.0,
    };
    let asked = sqlx::query(find)
        .bind(column(windows, number))
        .bind(column(windows, |window| window.period.as_str()))
        .bind(column(windows, |window| window.starts_at_ms));
    for row in asked.fetch_all(connection).await? {
        match first.owner {
            BudgetOwner::Key(_) => {
                let (id, window) = window(&row, BudgetOwner::Key(KeyId(row.try_get(0)?)))?;
                loaded.windows.insert(id, window);
            }
            BudgetOwner::Pool(_) => take_pool_window(&row, now_ms, loaded)?,
        }
    }
    Ok(())
}

/// Takes a row of [`WINDOWS_OF_SETS`].
pub(super) fn take_pool_window(row: &PgRow, now_ms: i64, loaded: &mut LoadedRows) -> sqlx::Result<()> {
    let (id, window) = window(row, BudgetOwner::Pool(PoolId(row.try_get(0)?)))?;
    let budget = pools::in_force(row.try_get(7)?, row.try_get(8)?, row.try_get(9)?, now_ms);
    loaded.windows.insert(id, window.with_budget(budget.unwrap_or(Usd::MAX)));
    Ok(())
}

/// The budgets of pools that a hold counts against, from its row.
pub(super) fn pooled(row: &PgRow) -> sqlx::Result<Vec<BudgetWindowId>> {
    row.try_get::<Option<&str>, _>(13)?.map_or(Ok(Vec::new()), |text| json(pools::read_windows(text)))
}

fn json<T>(read: serde_json::Result<T>) -> sqlx::Result<T> {
    read.map_err(|error| sqlx::Error::Decode(error.into()))
}

/// The limits of its key that a hold counts against, from its row.
pub(super) fn counted(row: &PgRow) -> sqlx::Result<Option<CountedLimits>> {
    if row.try_get::<i64, _>(4)? == 0 {
        return Ok(None);
    }
    Ok(Some(CountedLimits {
        key: KeyId(row.try_get(5)?),
        starts_at_ms: [row.try_get(6)?, row.try_get(7)?, row.try_get(8)?, row.try_get(9)?],
        tokens: row.try_get(10)?,
        in_flight: row.try_get::<i64, _>(11)? == 1,
    }))
}

/// Whatever holds count is there before.
pub(super) async fn write(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    if plan.rates.is_empty() {
        return Ok(());
    }
    let write = sqlx::query(RATES)
        .bind(column(&plan.rates, |rate| rate.key.0))
        .bind(column(&plan.rates, |rate| rate.used.at_ms))
        .bind(column(&plan.rates, |rate| rate.used.requests))
        .bind(column(&plan.rates, |rate| rate.used.tokens));
    write.execute(connection).await.map(drop)
}

fn key(row: &PgRow) -> sqlx::Result<LoadedKey> {
    let budget = |index| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(index)?.map(Usd::from_nanos));
    Ok(LoadedKey {
        account: AccountId(row.try_get(1)?),
        active: row.try_get(2)?,
        account_active: row.try_get(3)?,
        expires_at_ms: row.try_get(4)?,
        limits: LoadedLimits {
            budgets: [budget(5)?, budget(6)?, budget(7)?, budget(8)?],
            requests_per_minute: row.try_get(9)?,
            tokens_per_minute: row.try_get(10)?,
            in_flight: row.try_get(11)?,
        },
        used: RateUsage::default(),
        pools: Vec::new(),
    })
}

fn used(row: &PgRow) -> sqlx::Result<RateUsage> {
    Ok(RateUsage {
        at_ms: row.try_get(1)?,
        requests: row.try_get(2)?,
        tokens: row.try_get(3)?,
        in_flight: row.try_get(4)?,
    })
}

fn window(row: &PgRow, owner: BudgetOwner) -> sqlx::Result<(BudgetWindowId, BudgetWindow)> {
    let period: &str = row.try_get(1)?;
    let unknown = || sqlx::Error::Decode(format!("there is no period {period}").into());
    let id = BudgetWindowId {
        owner,
        period: BudgetPeriod::from_text(period).ok_or_else(unknown)?,
        starts_at_ms: row.try_get(2)?,
    };
    let usd = |index| Ok::<_, sqlx::Error>(Usd::from_nanos(row.try_get(index)?));
    Ok((id, BudgetWindow { budget: usd(3)?, cap: usd(4)?, spent: usd(5)?, held: usd(6)? }))
}
