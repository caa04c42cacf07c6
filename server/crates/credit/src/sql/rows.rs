//! The rows of a batch: what is loaded for it, and what it writes. Each statement is prepared once for a connection.

use std::sync::LazyLock;

use rusqlite::{Connection, OptionalExtension, Result, Row};

use super::table::{InsertStatements, InsertTarget, RowValues};
use super::terms::{outcome_columns, price_columns};
use super::{claims, limits};
use crate::backend::{BatchPlan, NewHold, NewPrice, NewReceipt, Touched};
use crate::limits::CountedLimits;
use crate::pools;
use crate::rules::{AccountBalance, LoadedHold, LoadedRows};
use crate::{BilledUsage, ResolutionKind};
use tollgate_base::{AccountId, KeyId, Usd};

const BALANCE: &str = "SELECT posted, held FROM balances WHERE account_id = ?1";
const HOLD: &str = "SELECT account_id, amount, expires_at, counted, request_id, key_id, day_at, week_at, month_at, life_at, tokens, in_flight, \
        pools FROM holds WHERE id = ?1";
const LAST_HOLD: &str =
    "SELECT max((SELECT coalesce(max(id), 0) FROM holds), (SELECT coalesce(max(hold_id), 0) FROM receipts))";
const EPOCH: &str = "SELECT coalesce(max(epoch), 0) FROM nodes";
/// Not by the hold alone: the start of another server may have released it meanwhile.
const RECEIPT_IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM receipts \
    WHERE hold_id = ?1 AND state = ?2 AND cost = ?3 AND shortfall = ?4 AND rule = ?5 AND resolved_at = ?6)";
/// It may have got its receipt meanwhile.
const HOLD_IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM holds WHERE id = ?1 AND account_id = ?2 AND request_id = ?3 AND amount = ?4 \
        UNION ALL SELECT 1 FROM receipts WHERE hold_id = ?1 AND account_id = ?2 AND request_id = ?3 AND held = ?4)";
static PRICES: LazyLock<InsertStatements> = LazyLock::new(|| {
    InsertTarget::Plain { into: "INSERT OR IGNORE INTO prices", columns: price_columns!() }.statements()
});
const HOLD_COLUMNS: &str = "id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at, \
    kept, counted, day_at, week_at, month_at, life_at, tokens, in_flight, pools, tags";
static HOLDS: LazyLock<InsertStatements> =
    LazyLock::new(|| InsertTarget::Plain { into: "INSERT INTO holds", columns: HOLD_COLUMNS }.statements());
static RECEIPTS: LazyLock<InsertStatements> =
    LazyLock::new(|| InsertTarget::Receipts { columns: concat!(outcome_columns!(), ", resolved_at") }.statements());

/// Reads what a batch touches. What is not there is left out.
pub(super) fn load(connection: &Connection, touched: &Touched) -> Result<LoadedRows> {
    let mut loaded = LoadedRows::default();
    let mut find = connection.prepare_cached(BALANCE)?;
    for account in &touched.accounts {
        if let Some(found) = find.query_row([account.0], balance).optional()? {
            loaded.balances.insert(*account, found);
        }
    }
    let mut find = connection.prepare_cached(HOLD)?;
    for id in &touched.holds {
        if let Some(found) = find.query_row([id.0], hold).optional()? {
            loaded.holds.insert(*id, found);
        }
    }
    limits::load(connection, touched, &mut loaded)?;
    claims::load(connection, touched, &mut loaded)?;
    loaded.last_hold = connection.prepare_cached(LAST_HOLD)?.query_row([], |row| row.get(0))?;
    loaded.epoch = connection.prepare_cached(EPOCH)?.query_row([], |row| row.get(0))?;
    Ok(loaded)
}

/// Inserts prices before the rows that refer to them.
pub(super) fn insert_prices(connection: &Connection, prices: &[NewPrice<'_>]) -> Result<()> {
    PRICES.insert(connection, prices, |row, NewPrice { id, price }| {
        row.put(id)?;
        row.put(&price.version)?;
        price.picos().into_iter().try_for_each(|picos| row.put(picos))
    })
}

pub(super) fn insert_receipts(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    RECEIPTS.insert(connection, &plan.receipts, |row, receipt| {
        let NewReceipt { hold, charged, shortfall, ending, .. } = receipt;
        let delivery = &ending.delivery;
        row.put(hold.0)?;
        row.put(state(receipt))?;
        row.put(charged.nanos())?;
        row.put(shortfall.nanos())?;
        row.put(ending.rule.as_str())?;
        put_usage(row, ending.usage.as_ref())?;
        row.put(&delivery.upstream)?;
        row.put(&delivery.upstream_model)?;
        row.put(delivery.first_byte_ms)?;
        row.put(delivery.duration_ms)?;
        let (fallback, tier) = (ending.fallback.as_ref(), ending.tier.as_deref());
        row.put(fallback.map(|fallback| &fallback.model))?;
        row.put(fallback.map(|fallback| fallback.price.id()))?;
        row.put(tier.map(|tier| tier.above))?;
        row.put(tier.map(|tier| tier.price.id()))?;
        let class = receipt.class();
        row.put(class.map(|class| &class.name))?;
        row.put(class.map(|class| class.price.id()))?;
        row.put(receipt.tools())?;
        row.put(plan.now_ms)
    })
}

fn put_usage(row: &mut RowValues<'_, '_>, usage: Option<&BilledUsage>) -> Result<()> {
    row.put(usage.map(|usage| usage.prompt))?;
    row.put(usage.map(|usage| usage.cached))?;
    row.put(usage.map_or(0, |usage| usage.cache_write))?;
    row.put(usage.map_or(0, |usage| usage.cache_write_long))?;
    row.put(usage.map(|usage| usage.completion))?;
    row.put(usage.map(|usage| usage.reasoning))?;
    let media = usage.map(|usage| usage.media).unwrap_or_default();
    row.put(media.audio_prompt)?;
    row.put(media.image_prompt)?;
    row.put(media.audio_completion)?;
    row.put(media.image_completion)?;
    row.put(usage.map(|usage| usage.estimated))
}

pub(super) fn insert_holds(connection: &Connection, plan: &BatchPlan<'_>) -> Result<()> {
    HOLDS.insert(connection, &plan.holds, |row, hold| {
        let NewHold { id, price_id, amount, ask, rider, counted, pooled } = hold;
        row.put(id.0)?;
        row.put(ask.account.0)?;
        row.put(ask.key.0)?;
        row.put(ask.request.as_str())?;
        row.put(amount.nanos())?;
        row.put(&ask.model)?;
        row.put(ask.stream)?;
        row.put(price_id)?;
        row.put(ask.price.ratio.millionths())?;
        row.put(plan.epoch)?;
        row.put(plan.now_ms)?;
        row.put(ask.expires_at_ms)?;
        row.put(!rider.is_empty())?;
        row.put(counted.is_some())?;
        let starts_at_ms = counted.map(|counted| counted.starts_at_ms).unwrap_or_default();
        starts_at_ms.into_iter().try_for_each(|starts_at| row.put(starts_at))?;
        row.put(counted.map_or(0, |counted| counted.tokens))?;
        row.put(counted.is_some_and(|counted| counted.in_flight))?;
        row.put(pools::written(pooled))?;
        row.put(ask.tags.stored())
    })
}

/// The number of rows of a plan that are there as they were to be written.
pub(super) fn written(connection: &Connection, plan: &BatchPlan<'_>) -> Result<usize> {
    let mut found = 0;
    let mut find = connection.prepare_cached(RECEIPT_IS_THERE)?;
    for receipt in &plan.receipts {
        let NewReceipt { hold, charged, shortfall, ending, .. } = receipt;
        let row = (hold.0, state(receipt), charged.nanos(), shortfall.nanos(), ending.rule.as_str(), plan.now_ms);
        found += usize::from(find.query_row(row, |row| row.get::<_, bool>(0))?);
    }
    let mut find = connection.prepare_cached(HOLD_IS_THERE)?;
    for NewHold { id, amount, ask, .. } in &plan.holds {
        let row = (id.0, ask.account.0, ask.request.as_str(), amount.nanos());
        found += usize::from(find.query_row(row, |row| row.get::<_, bool>(0))?);
    }
    Ok(found)
}

pub(super) fn state(receipt: &NewReceipt<'_>) -> &'static str {
    if receipt.ending.usage.is_some() { ResolutionKind::Settled } else { ResolutionKind::Released }.as_str()
}

/// Numbers as the JSON that `json_each` takes.
pub(super) fn list(numbers: impl Iterator<Item = i64>) -> String {
    serde_json::to_string(&numbers.collect::<Vec<_>>()).expect("numbers are JSON")
}

fn balance(row: &Row<'_>) -> Result<AccountBalance> {
    Ok(AccountBalance { posted: Usd::from_nanos(row.get(0)?), held: Usd::from_nanos(row.get(1)?) })
}

fn hold(row: &Row<'_>) -> Result<LoadedHold> {
    Ok(LoadedHold {
        account: AccountId(row.get(0)?),
        request: row.get_ref(4)?.as_str()?.parse().ok(),
        amount: Usd::from_nanos(row.get(1)?),
        open: true,
        expires_at_ms: row.get(2)?,
        counted: if row.get(3)? { Some(counted(row)?) } else { None },
        pooled: row
            .get_ref(12)?
            .as_str_or_null()?
            .map_or(Ok(Vec::new()), |text| limits::json(12, pools::read_windows(text)))?,
    })
}

/// The limits of its key that a hold counts against, beside the balance of its account.
fn counted(row: &Row<'_>) -> Result<CountedLimits> {
    Ok(CountedLimits {
        key: KeyId(row.get(5)?),
        starts_at_ms: [row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?],
        tokens: row.get(10)?,
        in_flight: row.get(11)?,
    })
}
