//! The limits of keys in a batch, on SQLite: what is loaded of them, and what is written.

use std::collections::HashMap;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Result, Row};

use crate::BudgetOwner;
use crate::backend::{BatchPlan, NewRate, Touched};
use crate::limits::{BudgetWindow, BudgetWindowId, CountedLimits, LoadedLimits, RateUsage};
use crate::loaded_key::LoadedKey;
use crate::pools::{self, LoadedPool};
use crate::rules::LoadedRows;
use tollgate_base::{AccountId, Usd};

/// With the numbers of the pools that it spends from.
const KEY: &str = "SELECT k.account_id, k.state = 'active', a.state = 'active', k.expires_at, k.budget_day, k.budget_week, \
        k.budget_month, k.budget_life, k.requests_per_minute, k.tokens_per_minute, k.in_flight_max, \
        (SELECT id FROM budget_pools WHERE account_id = k.account_id AND kind = 'organisation'), k.team_id, k.member_id \
    FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = ?1";
const POOL: &str = "SELECT kind, budget_day, budget_week, budget_month, budget_life, raised_by, raised_until \
    FROM budget_pools WHERE id = ?1";
const USED: &str = "SELECT at, requests, tokens, in_flight FROM key_rates WHERE key_id = ?1";
const WINDOW: &str =
    "SELECT budget, cap, spent, held FROM spend_windows WHERE key_id = ?1 AND period = ?2 AND starts_at = ?3";
/// With the budget as its pool has it, which may have changed since the last hold.
const POOL_WINDOW: &str = "SELECT w.budget, w.cap, w.spent, w.held, CASE w.period WHEN 'day' THEN p.budget_day \
        WHEN 'week' THEN p.budget_week WHEN 'month' THEN p.budget_month ELSE p.budget_life END, p.raised_by, p.raised_until \
    FROM pool_windows w JOIN budget_pools p ON p.id = w.pool_id \
    WHERE w.pool_id = ?1 AND w.period = ?2 AND w.starts_at = ?3";
/// The used part of a key's rates. Requests under way are counted with the holds.
const RATE: &str = "INSERT INTO key_rates (key_id, at, requests, tokens) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (key_id) DO UPDATE SET at = excluded.at, requests = excluded.requests, tokens = excluded.tokens";

/// Reads the keys that a batch touches, by themselves and by its holds, with what they have used.
pub(super) fn load(connection: &Connection, touched: &Touched, loaded: &mut LoadedRows) -> Result<()> {
    let of_holds = loaded.holds.values().filter_map(|hold| hold.counted).collect::<Vec<_>>();
    let pooled = loaded.holds.values().flat_map(|hold| hold.pooled.iter().copied()).collect::<Vec<_>>();
    // Many keys spend from the same.
    let mut pools = HashMap::new();
    for id in touched.keys.iter().chain(of_holds.iter().map(|counted| &counted.key)) {
        if loaded.keys.contains_key(id) {
            continue;
        }
        let found = connection.prepare_cached(KEY)?.query_row([id.0], key).optional()?;
        let Some((mut key, spends_from)) = found else {
            continue;
        };
        for pool in spends_from.into_iter().flatten() {
            key.pools.extend(load_pool(connection, pool, touched.now_ms, &mut pools)?);
        }
        if !key.limits.is_empty() {
            key.used = connection.prepare_cached(USED)?.query_row([id.0], used).optional()?.unwrap_or_default();
        }
        for (window, _) in key.windows(*id, touched.now_ms) {
            load_window(connection, window, touched.now_ms, loaded)?;
        }
        loaded.keys.insert(*id, key);
    }
    for window in of_holds.iter().flat_map(CountedLimits::windows).chain(pooled) {
        load_window(connection, window, touched.now_ms, loaded)?;
    }
    Ok(())
}

/// Writes the used part of the rates of keys. Rows of budgets and rates are there before, as the database counts with the
/// holds.
pub(super) fn write(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    for NewRate { key, used } in &plan.rates {
        connection.prepare_cached(RATE)?.execute((key.0, used.at_ms, used.requests, used.tokens))?;
    }
    Ok(())
}

fn load_window(connection: &Connection, id: BudgetWindowId, now_ms: i64, loaded: &mut LoadedRows) -> Result<()> {
    if loaded.windows.contains_key(&id) {
        return Ok(());
    }
    let asked = |number: i64| (number, id.period.as_str(), id.starts_at_ms);
    let found = match id.owner {
        BudgetOwner::Key(key) => connection.prepare_cached(WINDOW)?.query_row(asked(key.0), window).optional()?,
        BudgetOwner::Pool(pool) => {
            let of_pool = |row: &Row<'_>| {
                let budget = pools::in_force(row.get(4)?, row.get(5)?, row.get(6)?, now_ms);
                Ok(window(row)?.with_budget(budget.unwrap_or(Usd::MAX)))
            };
            connection.prepare_cached(POOL_WINDOW)?.query_row(asked(pool.0), of_pool).optional()?
        }
    };
    if let Some(found) = found {
        loaded.windows.insert(id, found);
    }
    Ok(())
}

/// A pool that was loaded before, or is now.
fn load_pool(
    connection: &Connection,
    id: i64,
    now_ms: i64,
    pools: &mut HashMap<i64, Option<LoadedPool>>,
) -> Result<Option<LoadedPool>> {
    if let Some(found) = pools.get(&id) {
        return Ok(*found);
    }
    let pool = |row: &Row<'_>| {
        let budgets = [row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
        let pool = LoadedPool::told(id, row.get_ref(0)?.as_str()?, budgets, (row.get(5)?, row.get(6)?), now_ms);
        json(0, pool)
    };
    let found = connection.prepare_cached(POOL)?.query_row([id], pool).optional()?;
    pools.insert(id, found);
    Ok(found)
}

/// A key without its pools, and their numbers.
fn key(row: &Row<'_>) -> Result<(LoadedKey, [Option<i64>; 3])> {
    let budget = |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Usd::from_nanos));
    let key = LoadedKey {
        account: AccountId(row.get(0)?),
        active: row.get(1)?,
        account_active: row.get(2)?,
        expires_at_ms: row.get(3)?,
        limits: LoadedLimits {
            budgets: [budget(4)?, budget(5)?, budget(6)?, budget(7)?],
            requests_per_minute: row.get(8)?,
            tokens_per_minute: row.get(9)?,
            in_flight: row.get(10)?,
        },
        used: RateUsage::default(),
        pools: Vec::new(),
    };
    Ok((key, [row.get(11)?, row.get(12)?, row.get(13)?]))
}

/// What was read from the JSON of a column.
pub(super) fn json<T>(column: usize, read: serde_json::Result<T>) -> Result<T> {
    read.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

fn used(row: &Row<'_>) -> Result<RateUsage> {
    Ok(RateUsage { at_ms: row.get(0)?, requests: row.get(1)?, tokens: row.get(2)?, in_flight: row.get(3)? })
}

fn window(row: &Row<'_>) -> Result<BudgetWindow> {
    let usd = |index| Ok::<_, rusqlite::Error>(Usd::from_nanos(row.get(index)?));
    Ok(BudgetWindow { budget: usd(0)?, cap: usd(1)?, spent: usd(2)?, held: usd(3)? })
}
