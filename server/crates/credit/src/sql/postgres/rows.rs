//! The rows that a batch writes, a column an array.

use sqlx::{PgConnection, Row};

use super::claims::{self, end_claims, insert_claims};
use super::columns::{InsertQuery, column, counts, maybe_counts};
use crate::BilledUsage;
use crate::backend::{BatchPlan, NewPrice, NewReceipt};
use crate::pools;
use crate::sql::rows::state;
use crate::sql::terms::{hold_terms, outcome_columns, price_columns, receipt_terms};
use tollgate_store::storable;

const INSERT_PRICES: &str = concat!(
    "INSERT INTO prices (",
    price_columns!(),
    ") SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], \
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[]) ON CONFLICT (id) DO NOTHING"
);

/// Inserts receipts. One whose hold is not open is left out, which the number of rows tells.
macro_rules! insert_receipts {
    () => {
        concat!(
            "INSERT INTO receipts (",
            receipt_terms!(),
            ", ",
            outcome_columns!(),
            ", resolved_at) SELECT ",
            hold_terms!(),
            ", ",
            outcome_columns!(),
            ", $28::bigint FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], \
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], \
                $14::bigint[], $15::bigint[], $16::bigint[], $17::text[], $18::text[], $19::bigint[], $20::bigint[], \
                $21::text[], $22::bigint[], $23::bigint[], $24::bigint[], $25::text[], $26::bigint[], $27::text[]) r (hold, ",
            outcome_columns!(),
            ") JOIN holds h ON h.id = r.hold"
        )
    };
}

macro_rules! insert_holds {
    () => {
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, expires_at, kept, \
             counted, day_at, week_at, month_at, life_at, tokens, in_flight, pools, tags, epoch, created_at) \
         SELECT h.*, $21::bigint, $22::bigint FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], \
             $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], \
             $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::text[], $20::text[]) h"
    };
}

const INSERT_RECEIPTS: &str = insert_receipts!();
const INSERT_HOLDS: &str = insert_holds!();
/// With the rows of keys in one statement: each message more is a wait under the locks of accounts.
const INSERT_RECEIPTS_AND_END_CLAIMS: &str = concat!("WITH ended AS (", end_claims!(), ") ", insert_receipts!());
const INSERT_HOLDS_AND_CLAIMS: &str = concat!("WITH claimed AS (", insert_claims!(), ") ", insert_holds!());
/// Not by the hold alone: whoever took this start for gone may have released it meanwhile.
const RECEIPTS_THERE: &str = "SELECT count(*) FROM receipts r JOIN UNNEST($1::text[], $2::text[], $3::bigint[], $4::bigint[], \
        $5::text[]) AS written (request_id, state, cost, shortfall, rule) USING (request_id, state, cost, shortfall, rule) \
    WHERE r.resolved_at = $6";
/// The holds of a plan that are there, with or without their receipts.
const HOLDS_THERE: &str = "SELECT count(*) FROM UNNEST($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) \
        AS written (id, account_id, request_id, amount) \
    WHERE EXISTS (SELECT 1 FROM holds h WHERE h.id = written.id AND h.account_id = written.account_id \
            AND h.request_id = written.request_id AND h.amount = written.amount) \
        OR EXISTS (SELECT 1 FROM receipts r WHERE r.request_id = written.request_id AND r.account_id = written.account_id \
            AND r.hold_id = written.id AND r.held = written.amount)";

/// Inserts prices before the rows that refer to them. Another server may write the same.
pub(super) async fn insert_prices(connection: &mut PgConnection, prices: &[NewPrice<'_>]) -> sqlx::Result<()> {
    if prices.is_empty() {
        return Ok(());
    }
    let rows: Vec<[i64; 11]> = prices.iter().map(|new| new.price.picos()).collect();
    let insert = sqlx::query(INSERT_PRICES)
        .bind(column(prices, |new| new.id))
        .bind(column(prices, |new| storable(&new.price.version)));
    let insert = (0..11).fold(insert, |insert, index| insert.bind(column(&rows, |row| row[index])));
    insert.execute(connection).await.map(drop)
}

pub(super) async fn insert_receipts(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    let rows = &plan.receipts;
    if rows.is_empty() {
        return Ok(());
    }
    let usage = |of: fn(&BilledUsage) -> u64| maybe_counts(rows, |row| row.ending.usage.as_ref().map(of));
    let counts = |of: fn(&BilledUsage) -> u64| counts(rows, |row| row.ending.usage.as_ref().map_or(0, of));
    let ended = claims::ended(plan);
    let insert = sqlx::query(if ended.is_empty() { INSERT_RECEIPTS } else { INSERT_RECEIPTS_AND_END_CLAIMS })
        .bind(column(rows, |row| row.hold.0))
        .bind(column(rows, state))
        .bind(column(rows, |row| row.charged.nanos()))
        .bind(column(rows, |row| row.shortfall.nanos()))
        .bind(column(rows, |row| row.ending.rule.as_str()))
        .bind(usage(|usage| usage.prompt)?)
        .bind(usage(|usage| usage.cached)?)
        .bind(counts(|usage| usage.cache_write)?)
        .bind(counts(|usage| usage.cache_write_long)?)
        .bind(usage(|usage| usage.completion)?)
        .bind(usage(|usage| usage.reasoning)?)
        .bind(counts(|usage| usage.media.audio_prompt)?)
        .bind(counts(|usage| usage.media.image_prompt)?)
        .bind(counts(|usage| usage.media.audio_completion)?)
        .bind(counts(|usage| usage.media.image_completion)?)
        .bind(usage(|usage| u64::from(usage.estimated))?);
    let insert = bind_delivery(insert, rows)?.bind(plan.now_ms);
    let insert = if ended.is_empty() { insert } else { claims::bind_ended(insert, &ended) };
    let inserted = insert.execute(connection).await?.rows_affected();
    if usize::try_from(inserted).is_ok_and(|inserted| inserted == rows.len()) {
        Ok(())
    } else {
        Err(sqlx::Error::RowNotFound)
    }
}

/// Binds the upstream that answered, and the charges beside the usual prices.
fn bind_delivery<'q>(insert: InsertQuery<'q>, rows: &[NewReceipt<'_>]) -> sqlx::Result<InsertQuery<'q>> {
    Ok(insert
        .bind(column(rows, |row| row.ending.delivery.upstream.as_deref().map(owned)))
        .bind(column(rows, |row| row.ending.delivery.upstream_model.as_deref().map(owned)))
        .bind(maybe_counts(rows, |row| row.ending.delivery.first_byte_ms)?)
        .bind(maybe_counts(rows, |row| row.ending.delivery.duration_ms)?)
        .bind(column(rows, |row| row.ending.fallback.as_ref().map(|fallback| owned(&fallback.model))))
        .bind(column(rows, |row| row.ending.fallback.as_ref().map(|fallback| fallback.price.id())))
        .bind(maybe_counts(rows, |row| row.ending.tier.as_deref().map(|tier| tier.above))?)
        .bind(column(rows, |row| row.ending.tier.as_deref().map(|tier| tier.price.id())))
        .bind(column(rows, |row| row.class().map(|class| owned(&class.name))))
        .bind(column(rows, |row| row.class().map(|class| class.price.id())))
        .bind(column(rows, |row| row.tools().map(|tools| owned(&tools)))))
}

pub(super) async fn insert_holds(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<()> {
    let rows = &plan.holds;
    if rows.is_empty() {
        return Ok(());
    }
    let starts = |index: usize| column(rows, |row| row.counted.and_then(|counted| counted.starts_at_ms[index]));
    let insert = sqlx::query(if plan.claims.is_empty() { INSERT_HOLDS } else { INSERT_HOLDS_AND_CLAIMS })
        .bind(column(rows, |row| row.id.0))
        .bind(column(rows, |row| row.ask.account.0))
        .bind(column(rows, |row| row.ask.key.0))
        .bind(column(rows, |row| row.ask.request.as_str().to_owned()))
        .bind(column(rows, |row| row.amount.nanos()))
        .bind(column(rows, |row| storable(&row.ask.model)))
        .bind(column(rows, |row| i64::from(row.ask.stream)))
        .bind(column(rows, |row| row.price_id))
        .bind(column(rows, |row| row.ask.price.ratio.millionths()))
        .bind(column(rows, |row| row.ask.expires_at_ms))
        .bind(column(rows, |row| i64::from(!row.rider.is_empty())))
        .bind(column(rows, |row| i64::from(row.counted.is_some())))
        .bind(starts(0))
        .bind(starts(1))
        .bind(starts(2))
        .bind(starts(3))
        .bind(column(rows, |row| row.counted.map_or(0, |counted| counted.tokens)))
        .bind(column(rows, |row| row.counted.map_or(0, |counted| i64::from(counted.in_flight))))
        .bind(column(rows, |row| pools::written(&row.pooled)))
        .bind(column(rows, |row| row.ask.tags.stored()))
        .bind(plan.epoch)
        .bind(plan.now_ms);
    let insert = if plan.claims.is_empty() { insert } else { claims::bind_new(insert, plan) };
    insert.execute(connection).await.map(drop)
}

/// The number of rows of a plan that are there as they were to be written.
pub(super) async fn written(connection: &mut PgConnection, plan: &BatchPlan<'_>) -> sqlx::Result<usize> {
    let (receipts, holds) = (&plan.receipts, &plan.holds);
    let requests: Vec<String> = holds.iter().map(|row| row.ask.request.as_str().to_owned()).collect();
    let receipts = sqlx::query(RECEIPTS_THERE)
        .bind(column(receipts, |row| row.request.map(|request| request.as_str().to_owned())))
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
        .bind(column(holds, |row| row.amount.nanos()));
    let holds: i64 = holds.fetch_one(connection).await?.try_get(0)?;
    usize::try_from(receipts + holds).map_err(|error| sqlx::Error::Decode(error.into()))
}

fn owned(text: &str) -> String {
    storable(text).into_owned()
}
