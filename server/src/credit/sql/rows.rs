//! The rows of a batch: what is loaded for it, and what it writes. Each statement is prepared once for a connection.

use rusqlite::{Connection, OptionalExtension, Result, Row};

use super::table::{Table, Values};
use super::{claims, limits};
use crate::base::{AccountId, HoldId, Usd};
use crate::credit::ledger::{NewHold, NewReceipt, Plan, Touched};
use crate::credit::rules::{Balance, Loaded, LoadedHold};
use crate::credit::{Fallback, Price, Resolved, ServiceClass, Tier, ToolUse};

const BALANCE: &str = "SELECT posted, held FROM balances WHERE account_id = ?1";
const HOLD: &str =
    "SELECT account_id, amount, state = 'held', expires_at, limits_id IS NOT NULL, request_id FROM holds WHERE id = ?1";
const LAST_HOLD: &str = "SELECT coalesce(max(id), 0) FROM holds";
const EPOCH: &str = "SELECT coalesce(max(epoch), 0) FROM nodes";
/// Not by the hold alone: the start of another server may have released it meanwhile.
const RECEIPT_IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM receipts \
    WHERE hold_id = ?1 AND state = ?2 AND cost = ?3 AND shortfall = ?4 AND rule = ?5 AND resolved_at = ?6)";
const HOLD_IS_THERE: &str = "SELECT EXISTS (SELECT 1 FROM holds WHERE id = ?1 AND account_id = ?2 AND request_id = ?3 AND amount = ?4 AND epoch = ?5)";
const RECEIPTS: Table = Table {
    name: "receipts",
    columns: "hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, upstream, \
        upstream_model, first_byte_ms, duration_ms, resolved_at, cache_write, cache_write_long, audio_prompt, image_prompt, \
        audio_completion, image_completion",
};
const HOLDS: Table = Table {
    name: "holds",
    columns: "id, account_id, key_id, request_id, amount, state, model, price_prompt, price_cached, price_completion, \
        price_version, expires_at, stream, epoch, created_at, price_cache_write, price_cache_write_long, kept, \
        limits_id, price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request, \
        price_reasoning, ratio_ppm",
};

const FALLBACKS: Table = Table {
    name: "fallbacks",
    columns: "hold_id, model, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, \
        price_version, price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, \
        price_request, price_reasoning",
};

const TIERS: Table = Table {
    name: "tiers",
    columns: "hold_id, above, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, \
        price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request, price_reasoning",
};

const SERVICE_CLASSES: Table = Table {
    name: "service_classes",
    columns: "hold_id, class, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, \
        price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request, price_reasoning",
};

const TOOL_USES: Table = Table { name: "tool_uses", columns: "hold_id, tool, uses, price" };

/// Reads what a batch touches. What is not there is left out.
pub(super) fn load(connection: &Connection, touched: &Touched) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    let mut find = connection.prepare_cached(BALANCE)?;
    for account in &touched.accounts {
        if let Some(found) = find.query_row([account.0], balance).optional()? {
            loaded.balances.insert(*account, found);
        }
    }
    let mut find = connection.prepare_cached(HOLD)?;
    for id in &touched.holds {
        if let Some((found, counts)) = find.query_row([id.0], hold).optional()? {
            let counted = if counts { Some(limits::counted(connection, *id)?) } else { None };
            loaded.holds.insert(*id, LoadedHold { counted, ..found });
        }
    }
    limits::load(connection, touched, &mut loaded)?;
    claims::load(connection, touched, &mut loaded)?;
    loaded.last_hold = connection.prepare_cached(LAST_HOLD)?.query_row([], |row| row.get(0))?;
    loaded.epoch = connection.prepare_cached(EPOCH)?.query_row([], |row| row.get(0))?;
    Ok(loaded)
}

/// Before the receipts that they are for: the database takes none after them.
pub(super) fn insert_fallbacks(connection: &Connection, plan: &Plan<'_>) -> Result<()> {
    let fallbacks = plan.receipts.iter().filter_map(|receipt| Some((receipt.hold, receipt.ending.fallback.as_ref()?)));
    let fallbacks: Vec<(HoldId, &Fallback)> = fallbacks.collect();
    FALLBACKS.insert(connection, &fallbacks, |row, (hold, Fallback { model, price })| {
        row.put(hold.0)?;
        row.put(model)?;
        put_first(row, price)?;
        row.put(&price.version)?;
        put_others(row, price)
    })
}

/// The same.
pub(super) fn insert_tiers(connection: &Connection, plan: &Plan<'_>) -> Result<()> {
    let tiers = plan.receipts.iter().filter_map(|receipt| Some((receipt.hold, receipt.ending.tier.as_deref()?)));
    let tiers: Vec<(HoldId, &Tier)> = tiers.collect();
    TIERS.insert(connection, &tiers, |row, (hold, Tier { above, price })| {
        row.put(hold.0)?;
        row.put(*above)?;
        put_first(row, price)?;
        put_others(row, price)
    })
}

/// The same.
pub(super) fn insert_services(connection: &Connection, plan: &Plan<'_>) -> Result<()> {
    let classes: Vec<(HoldId, &ServiceClass)> = plan.service_classes().collect();
    SERVICE_CLASSES.insert(connection, &classes, |row, (hold, ServiceClass { name, price })| {
        row.put(hold.0)?;
        row.put(name)?;
        put_first(row, price)?;
        put_others(row, price)
    })?;
    let uses: Vec<(HoldId, &ToolUse)> = plan.tool_uses().collect();
    TOOL_USES.insert(connection, &uses, |row, (hold, ToolUse { tool, uses, price })| {
        row.put(hold.0)?;
        row.put(tool)?;
        row.put(*uses)?;
        row.put(price.picos())
    })
}

pub(super) fn insert_receipts(connection: &Connection, plan: &Plan<'_>) -> Result<()> {
    RECEIPTS.insert(connection, &plan.receipts, |row, receipt| {
        let NewReceipt { hold, charged, shortfall, ending } = receipt;
        let usage = ending.usage.as_ref();
        let delivery = &ending.delivery;
        row.put(hold.0)?;
        row.put(state(receipt))?;
        row.put(charged.nanos())?;
        row.put(shortfall.nanos())?;
        row.put(ending.rule.as_str())?;
        row.put(usage.map(|usage| usage.prompt))?;
        row.put(usage.map(|usage| usage.cached))?;
        row.put(usage.map(|usage| usage.completion))?;
        row.put(usage.map(|usage| usage.reasoning))?;
        row.put(usage.map(|usage| usage.estimated))?;
        row.put(&delivery.upstream)?;
        row.put(&delivery.upstream_model)?;
        row.put(delivery.first_byte_ms)?;
        row.put(delivery.duration_ms)?;
        row.put(plan.now_ms)?;
        row.put(usage.map_or(0, |usage| usage.cache_write))?;
        row.put(usage.map_or(0, |usage| usage.cache_write_long))?;
        let media = usage.map(|usage| usage.media).unwrap_or_default();
        row.put(media.audio_prompt)?;
        row.put(media.image_prompt)?;
        row.put(media.audio_completion)?;
        row.put(media.image_completion)
    })
}

pub(super) fn insert_holds(connection: &Connection, plan: &Plan<'_>) -> Result<()> {
    HOLDS.insert(connection, &plan.holds, |row, hold| {
        let NewHold { id, amount, ask, rider, counted } = hold;
        let price = &ask.price;
        row.put(id.0)?;
        row.put(ask.account.0)?;
        row.put(ask.key.0)?;
        row.put(ask.request.as_str())?;
        row.put(amount.nanos())?;
        row.put("held")?;
        row.put(&ask.model)?;
        row.put(price.prompt.picos())?;
        row.put(price.cached.picos())?;
        row.put(price.completion.picos())?;
        row.put(&price.version)?;
        row.put(ask.expires_at_ms)?;
        row.put(ask.stream)?;
        row.put(plan.epoch)?;
        row.put(plan.now_ms)?;
        row.put(price.cache_write.picos())?;
        row.put(price.cache_write_long.picos())?;
        row.put(!rider.is_empty())?;
        row.put(counted.map(|_| id.0))?;
        put_others(row, price)?;
        row.put(price.ratio.millionths())
    })
}

fn put_first(row: &mut Values<'_, '_>, price: &Price) -> Result<()> {
    row.put(price.prompt.picos())?;
    row.put(price.cached.picos())?;
    row.put(price.cache_write.picos())?;
    row.put(price.cache_write_long.picos())?;
    row.put(price.completion.picos())
}

/// The prices that came later than the first five.
fn put_others(row: &mut Values<'_, '_>, price: &Price) -> Result<()> {
    row.put(price.media.audio_prompt.picos())?;
    row.put(price.media.image_prompt.picos())?;
    row.put(price.media.audio_completion.picos())?;
    row.put(price.media.image_completion.picos())?;
    row.put(price.request.picos())?;
    row.put(price.reasoning.picos())
}

/// How many of the rows of a plan are there as they were to be written.
pub(super) fn written(connection: &Connection, plan: &Plan<'_>) -> Result<usize> {
    let mut found = 0;
    let mut find = connection.prepare_cached(RECEIPT_IS_THERE)?;
    for receipt in &plan.receipts {
        let NewReceipt { hold, charged, shortfall, ending } = receipt;
        let row = (hold.0, state(receipt), charged.nanos(), shortfall.nanos(), ending.rule.as_str(), plan.now_ms);
        found += usize::from(find.query_row(row, |row| row.get::<_, bool>(0))?);
    }
    let mut find = connection.prepare_cached(HOLD_IS_THERE)?;
    for NewHold { id, amount, ask, .. } in &plan.holds {
        let row = (id.0, ask.account.0, ask.request.as_str(), amount.nanos(), plan.epoch);
        found += usize::from(find.query_row(row, |row| row.get::<_, bool>(0))?);
    }
    Ok(found)
}

pub(super) fn state(receipt: &NewReceipt<'_>) -> &'static str {
    if receipt.ending.usage.is_some() { Resolved::Settled } else { Resolved::Released }.as_str()
}

/// Numbers as the JSON that `json_each` takes.
pub(super) fn list(numbers: impl Iterator<Item = i64>) -> String {
    serde_json::to_string(&numbers.collect::<Vec<_>>()).expect("numbers are JSON")
}

fn balance(row: &Row<'_>) -> Result<Balance> {
    Ok(Balance { posted: Usd::from_nanos(row.get(0)?), held: Usd::from_nanos(row.get(1)?) })
}

/// And whether it counts against limits.
fn hold(row: &Row<'_>) -> Result<(LoadedHold, bool)> {
    let hold = LoadedHold {
        account: AccountId(row.get(0)?),
        request: row.get_ref(5)?.as_str()?.parse().ok(),
        amount: Usd::from_nanos(row.get(1)?),
        open: row.get(2)?,
        expires_at_ms: row.get(3)?,
        counted: None,
    };
    Ok((hold, row.get(4)?))
}
