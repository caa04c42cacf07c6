//! The rows that a batch writes, a column an array.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres, Row};

use crate::base::{HoldId, PicoUsd};
use crate::credit::ledger::Plan;
use crate::credit::sql::rows::state;
use crate::credit::{Fallback, Media, Price, ServiceClass, Tier, ToolUse, Usage};
use crate::store::storable;

const INSERT_RECEIPTS: &str = "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, \
        estimated, upstream, upstream_model, first_byte_ms, duration_ms, cache_write, cache_write_long, audio_prompt, image_prompt, \
        audio_completion, image_completion, resolved_at) \
    SELECT r.*, $21::bigint FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], \
        $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[], \
        $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[]) r";
const INSERT_HOLDS: &str = "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, price_version, expires_at, stream, kept, \
        limits_id, ratio_ppm, price_prompt, price_cached, price_cache_write, price_cache_write_long, price_completion, \
        price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, price_request, price_reasoning, \
        state, epoch, created_at) \
    SELECT h.*, 'held', $24::bigint, $25::bigint FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], \
        $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::smallint[], $11::bigint[], $12::bigint[], $13::bigint[], \
        $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], \
        $22::bigint[], $23::bigint[]) h";
const INSERT_FALLBACKS: &str = "INSERT INTO fallbacks (hold_id, model, price_version, price_prompt, price_cached, price_cache_write, \
        price_cache_write_long, price_completion, price_audio_prompt, price_image_prompt, price_audio_completion, \
        price_image_completion, price_request, price_reasoning) \
    SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], \
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])";
const INSERT_TIERS: &str = "INSERT INTO tiers (hold_id, above, price_prompt, price_cached, price_cache_write, price_cache_write_long, \
        price_completion, price_audio_prompt, price_image_prompt, price_audio_completion, price_image_completion, \
        price_request, price_reasoning) \
    SELECT * FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], \
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])";
const INSERT_SERVICE_CLASSES: &str = "INSERT INTO service_classes (hold_id, class, price_prompt, price_cached, price_cache_write, \
        price_cache_write_long, price_completion, price_audio_prompt, price_image_prompt, price_audio_completion, \
        price_image_completion, price_request, price_reasoning) \
    SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], \
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])";
const INSERT_TOOL_USES: &str = "INSERT INTO tool_uses (hold_id, tool, uses, price) \
    SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])";
/// Not by the hold alone: whoever took this start for gone may have released it meanwhile.
const RECEIPTS_THERE: &str = "SELECT count(*) FROM receipts r JOIN UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], \
        $5::text[]) AS written (hold_id, state, cost, shortfall, rule) USING (hold_id, state, cost, shortfall, rule) \
    WHERE r.resolved_at = $6";
const HOLDS_THERE: &str = "SELECT count(*) FROM holds h JOIN UNNEST($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) \
        AS written (id, account_id, request_id, amount) USING (id, account_id, request_id, amount) WHERE h.epoch = $5";

type Insert<'q> = Query<'q, Postgres, PgArguments>;

/// Before the receipts that they are for: the database takes none after them.
pub(super) async fn insert_fallbacks(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let fallbacks = plan.receipts.iter().filter_map(|receipt| Some((receipt.hold, receipt.ending.fallback.as_ref()?)));
    let rows: Vec<(HoldId, &Fallback)> = fallbacks.collect();
    if rows.is_empty() {
        return Ok(());
    }
    let prices: Vec<_> = rows.iter().map(|(_, fallback)| &fallback.price).collect();
    let insert = sqlx::query(INSERT_FALLBACKS)
        .bind(column(&rows, |(hold, _)| hold.0))
        .bind(column(&rows, |(_, fallback)| storable(&fallback.model)))
        .bind(column(&prices, |price| storable(&price.version)));
    bind_prices(insert, &prices).execute(connection).await.map(drop)
}

/// The same.
pub(super) async fn insert_tiers(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let tiers = plan.receipts.iter().filter_map(|receipt| Some((receipt.hold, receipt.ending.tier.as_deref()?)));
    let rows: Vec<(HoldId, &Tier)> = tiers.collect();
    if rows.is_empty() {
        return Ok(());
    }
    let prices: Vec<_> = rows.iter().map(|(_, tier)| &tier.price).collect();
    let insert =
        sqlx::query(INSERT_TIERS).bind(column(&rows, |(hold, _)| hold.0)).bind(counts(&rows, |(_, tier)| tier.above)?);
    bind_prices(insert, &prices).execute(connection).await.map(drop)
}

/// The same.
pub(super) async fn insert_services(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let rows: Vec<(HoldId, &ServiceClass)> = plan.service_classes().collect();
    if !rows.is_empty() {
        let prices: Vec<_> = rows.iter().map(|(_, class)| &class.price).collect();
        let insert = sqlx::query(INSERT_SERVICE_CLASSES)
            .bind(column(&rows, |(hold, _)| hold.0))
            .bind(column(&rows, |(_, class)| storable(&class.name)));
        bind_prices(insert, &prices).execute(&mut *connection).await?;
    }
    let rows: Vec<(HoldId, &ToolUse)> = plan.tool_uses().collect();
    if !rows.is_empty() {
        sqlx::query(INSERT_TOOL_USES)
            .bind(column(&rows, |(hold, _)| hold.0))
            .bind(column(&rows, |(_, line)| storable(&line.tool)))
            .bind(counts(&rows, |(_, line)| line.uses)?)
            .bind(column(&rows, |(_, line)| line.price.picos()))
            .execute(connection)
            .await?;
    }
    Ok(())
}

pub(super) async fn insert_receipts(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let rows = &plan.receipts;
    if rows.is_empty() {
        return Ok(());
    }
    let usage = |of: fn(&Usage) -> u64| maybe_counts(rows, |row| row.ending.usage.as_ref().map(of));
    let counts = |of: fn(&Usage) -> u64| counts(rows, |row| row.ending.usage.as_ref().map_or(0, of));
    sqlx::query(INSERT_RECEIPTS)
        .bind(column(rows, |row| row.hold.0))
        .bind(column(rows, state))
        .bind(column(rows, |row| row.charged.nanos()))
        .bind(column(rows, |row| row.shortfall.nanos()))
        .bind(column(rows, |row| row.ending.rule.as_str()))
        .bind(usage(|usage| usage.prompt)?)
        .bind(usage(|usage| usage.cached)?)
        .bind(usage(|usage| usage.completion)?)
        .bind(usage(|usage| usage.reasoning)?)
        .bind(usage(|usage| u64::from(usage.estimated))?)
        .bind(column(rows, |row| row.ending.delivery.upstream.as_deref().map(storable)))
        .bind(column(rows, |row| row.ending.delivery.upstream_model.as_deref().map(storable)))
        .bind(maybe_counts(rows, |row| row.ending.delivery.first_byte_ms)?)
        .bind(maybe_counts(rows, |row| row.ending.delivery.duration_ms)?)
        .bind(counts(|usage| usage.cache_write)?)
        .bind(counts(|usage| usage.cache_write_long)?)
        .bind(counts(|usage| usage.media.audio_prompt)?)
        .bind(counts(|usage| usage.media.image_prompt)?)
        .bind(counts(|usage| usage.media.audio_completion)?)
        .bind(counts(|usage| usage.media.image_completion)?)
        .bind(plan.now_ms)
        .execute(connection)
        .await
        .map(drop)
}

pub(super) async fn insert_holds(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<()> {
    let rows = &plan.holds;
    if rows.is_empty() {
        return Ok(());
    }
    let prices: Vec<_> = rows.iter().map(|row| &row.ask.price).collect();
    let requests: Vec<String> = rows.iter().map(|row| row.ask.request.as_str().to_owned()).collect();
    let insert = sqlx::query(INSERT_HOLDS)
        .bind(column(rows, |row| row.id.0))
        .bind(column(rows, |row| row.ask.account.0))
        .bind(column(rows, |row| row.ask.key.0))
        .bind(requests)
        .bind(column(rows, |row| row.amount.nanos()))
        .bind(column(rows, |row| storable(&row.ask.model)))
        .bind(column(&prices, |price| storable(&price.version)))
        .bind(column(rows, |row| row.ask.expires_at_ms))
        .bind(column(rows, |row| i64::from(row.ask.stream)))
        .bind(column(rows, |row| i16::from(!row.rider.is_empty())))
        .bind(column(rows, |row| row.counted.map(|_| row.id.0)))
        .bind(column(&prices, |price| price.ratio.millionths()));
    bind_prices(insert, &prices).bind(plan.epoch).bind(plan.now_ms).execute(connection).await.map(drop)
}

/// The eleven prices, in the order of the statements above.
fn bind_prices<'q>(insert: Insert<'q>, prices: &[&Price]) -> Insert<'q> {
    let picos = |of: fn(&Price) -> PicoUsd| column(prices, |price| of(price).picos());
    let media = |of: fn(&Media<PicoUsd>) -> PicoUsd| column(prices, |price| of(&price.media).picos());
    insert
        .bind(picos(|price| price.prompt))
        .bind(picos(|price| price.cached))
        .bind(picos(|price| price.cache_write))
        .bind(picos(|price| price.cache_write_long))
        .bind(picos(|price| price.completion))
        .bind(media(|media| media.audio_prompt))
        .bind(media(|media| media.image_prompt))
        .bind(media(|media| media.audio_completion))
        .bind(media(|media| media.image_completion))
        .bind(picos(|price| price.request))
        .bind(picos(|price| price.reasoning))
}

/// How many of the rows of a plan are there as they were to be written.
pub(super) async fn written(connection: &mut PgConnection, plan: &Plan<'_>) -> sqlx::Result<usize> {
    let (receipts, holds) = (&plan.receipts, &plan.holds);
    let requests: Vec<String> = holds.iter().map(|row| row.ask.request.as_str().to_owned()).collect();
    let receipts = sqlx::query(RECEIPTS_THERE)
        .bind(column(receipts, |row| row.hold.0))
        .bind(column(receipts, state))
        .bind(column(receipts, |row| row.charged.nanos()))
        .bind(column(receipts, |row| row.shortfall.nanos()))
        .bind(column(receipts, |row| row.ending.rule.as_str()))
        .bind(plan.now_ms);
    let receipts: i64 = receipts.fetch_one(&mut *connection).await?.try_get(0)?;
    let holds = sqlx::query(HOLDS_THERE)
        .bind(column(holds, |row| row.id.0))
        .bind(column(holds, |row| row.ask.account.0))
        .bind(requests)
        .bind(column(holds, |row| row.amount.nanos()))
        .bind(plan.epoch);
    let holds: i64 = holds.fetch_one(connection).await?.try_get(0)?;
    usize::try_from(receipts + holds).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// One column of all rows.
pub(super) fn column<'r, R, T>(rows: &'r [R], of: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// The same of counts, which a column may be too small for: refused before the database could.
fn counts<'r, R>(rows: &'r [R], of: impl Fn(&'r R) -> u64) -> sqlx::Result<Vec<i64>> {
    rows.iter().map(|row| fits(of(row))).collect()
}

fn maybe_counts<'r, R>(rows: &'r [R], of: impl Fn(&'r R) -> Option<u64>) -> sqlx::Result<Vec<Option<i64>>> {
    rows.iter().map(|row| of(row).map(fits).transpose()).collect()
}

fn fits(count: u64) -> sqlx::Result<i64> {
    i64::try_from(count).map_err(|error| sqlx::Error::Encode(error.into()))
}
