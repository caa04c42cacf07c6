//! The reads of an audit, each inside the one snapshot that its caller has opened.

use std::collections::BTreeMap;

use crate::{AccountBalance, AuditDifference, AuditTotals};
use tollgate_base::{AccountId, Usd};
use tollgate_store::{DatabaseRow, SqlText, StoreError, StoreTransaction, query};

/// The most rows of one kind of difference that are named.
const NAMED_MAX: i64 = 100;

/// Amounts are summed in two parts, so that no sum leaves 64 bits: the caller puts them together in 128.
const MOVED: &str = "SELECT account, CAST(sum(sign * (amount >> 30)) AS BIGINT), CAST(sum(sign * (amount & 1073741823)) AS BIGINT) \
    FROM (SELECT debit AS account, -1 AS sign, amount FROM transfers UNION ALL SELECT credit, 1, amount FROM transfers \
        UNION ALL SELECT account_id, -1, cost FROM receipts UNION ALL SELECT 1, 1, cost FROM receipts \
        UNION ALL SELECT account_id, -1, cost FROM carried UNION ALL SELECT 1, 1, cost FROM carried) moves \
    WHERE amount > 0 GROUP BY account";
const OPEN: &str = "SELECT account_id, CAST(sum(amount >> 30) AS BIGINT), CAST(sum(amount & 1073741823) AS BIGINT) FROM holds GROUP BY account_id";
const BALANCES: &str = "SELECT account_id, posted, held FROM balances";
const OWED: &str = "SELECT CAST(coalesce(sum((debt - collected) >> 30), 0) AS BIGINT), \
    CAST(coalesce(sum((debt - collected) & 1073741823), 0) AS BIGINT) FROM reversals";
/// The payments of each rail that were credited, less what went back.
const CLEARED: &str = "SELECT code, CAST(sum(sign * (amount >> 30)) AS BIGINT), CAST(sum(sign * (amount & 1073741823)) AS BIGINT) FROM (\
    SELECT 'clearing:' || rail AS code, 1 AS sign, amount FROM topup_order WHERE status = 'success' \
    UNION ALL SELECT 'clearing:' || o.rail, 1, p.resolved_amount FROM payments p JOIN topup_order o ON o.id = p.order_id \
        WHERE p.resolution = 'credit' \
    UNION ALL SELECT 'clearing:' || o.rail, -1, r.amount FROM reversals r JOIN payments p ON p.id = r.payment_id \
        JOIN topup_order o ON o.id = p.order_id) payments GROUP BY code";
const HOUSE: &str = "SELECT id, code FROM ledger_accounts WHERE kind <> 'user'";
const COUNTS: &str = "SELECT (SELECT count(*) FROM transfers), (SELECT count(*) FROM holds), \
    (SELECT count(*) FROM receipts), (SELECT count(*) FROM receipts WHERE state = 'settled'), \
    (SELECT CAST(coalesce(sum(receipts), 0) AS BIGINT) FROM carried), (SELECT CAST(coalesce(sum(settled), 0) AS BIGINT) FROM carried), \
    CAST(coalesce(sum(shortfall >> 30), 0) AS BIGINT), CAST(coalesce(sum(shortfall & 1073741823), 0) AS BIGINT) \
    FROM (SELECT shortfall FROM receipts UNION ALL SELECT shortfall FROM carried) short";

/// Charges beside what their usage costs, which is the same sum that a settlement makes, in the words of a database. Its parts
/// stay in 64 bits where the sum does, which SQLite would go on with as a binary float: a ratio is taken of the billions and of
/// the rest apart. PostgreSQL divides these numbers with decimals: what is divided is a multiple first.
macro_rules! charged {
    ($tools:literal, $than:literal) => {
        concat!(
            "SELECT hold_id FROM (SELECT *, picos % 1000000000 * ratio AS part FROM (SELECT r.hold_id, r.cost + r.shortfall AS cost, \
                r.estimated, r.ratio_ppm AS ratio, \
        CAST(r.prompt - r.cached - r.cache_write - r.cache_write_long - r.audio_prompt - r.image_prompt AS NUMERIC) * p.prompt \
        + CAST(r.cached AS NUMERIC) * p.cached + CAST(r.cache_write AS NUMERIC) * p.cache_write \
        + CAST(r.cache_write_long AS NUMERIC) * p.cache_write_long \
        + CAST(r.audio_prompt AS NUMERIC) * p.audio_prompt + CAST(r.image_prompt AS NUMERIC) * p.image_prompt \
        + CAST(r.completion - r.audio_completion - r.image_completion - r.thought AS NUMERIC) * p.completion \
        + CAST(r.thought AS NUMERIC) * p.reasoning + CAST(r.audio_completion AS NUMERIC) * p.audio_completion \
        + CAST(r.image_completion AS NUMERIC) * p.image_completion + p.request + coalesce(",
            $tools,
            ", 0) AS picos \
    FROM (SELECT *, CASE WHEN reasoning > completion - audio_completion - image_completion \
            THEN completion - audio_completion - image_completion ELSE reasoning END AS thought FROM receipts) r \
        JOIN prices p ON p.id = coalesce(r.class_price_id, r.tier_price_id, r.fallback_price_id, r.price_id) \
    WHERE r.state = 'settled') summed) priced \
    WHERE ",
            $than,
            " (picos - picos % 1000000000) / 1000000000 * ratio + (part + 999999999 - (part + 999999999) % 1000000000) / 1000000000 LIMIT $1"
        )
    };
}
macro_rules! charged_on_both {
    ($than:literal) => {
        SqlText::of(
            charged!("(SELECT sum(CAST(u.value ->> 1 AS NUMERIC) * (u.value ->> 2)) FROM json_each(r.tools) u)", $than),
            charged!(
                "(SELECT sum((u ->> 1)::numeric * (u ->> 2)::numeric) FROM json_array_elements(r.tools::json) u)",
                $than
            ),
        )
    };
}

/// The JSON of a row with windows of pools as rows of their own.
macro_rules! pooled_spent {
    ($each:literal, $pool:literal, $period:literal, $starts_at:literal) => {
        concat!(
            "SELECT w.pool_id FROM pool_windows w LEFT JOIN (\
                SELECT pool_id, period, starts_at, sum(cost) AS spent, sum(amount) AS held FROM (\
                    SELECT ", $pool, " AS pool_id, ", $period, " AS period, ", $starts_at, " AS starts_at, x.cost, x.amount \
                    FROM (SELECT pools, 0 AS cost, amount FROM holds UNION ALL SELECT pools, cost, 0 FROM receipts) x, ", $each, " j \
                    WHERE x.pools IS NOT NULL \
                    UNION ALL SELECT pool_id, 'life', 0, cost, 0 FROM carried_pools) counted GROUP BY pool_id, period, starts_at) c \
                ON c.pool_id = w.pool_id AND c.period = w.period AND c.starts_at = w.starts_at \
                WHERE (w.spent <> coalesce(c.spent, 0) OR w.held <> coalesce(c.held, 0)) \
                    AND (w.period = 'life' OR w.starts_at >= (SELECT coalesce(max(ends_at), 0) FROM archived_months)) LIMIT $1"
        )
    };
}
const POOLED_SPENT: SqlText = SqlText::of(
    pooled_spent!("json_each(x.pools)", "(j.value ->> 0)", "(j.value ->> 1)", "(j.value ->> 2)"),
    pooled_spent!("json_array_elements(x.pools::json)", "(j ->> 0)::bigint", "(j ->> 1)", "(j ->> 2)::bigint"),
);

const ABOVE_ITS_PRICE: SqlText = charged_on_both!("cost >");
/// An estimated charge may be less: no more is charged for it than was held.
const BELOW_ITS_PRICE: SqlText = charged_on_both!("estimated = 0 AND cost <");

/// Queries for rows that the rules of the schema make impossible. Each has a name for the kind of row, and finds the rows'
/// numbers.
const IMPOSSIBLE: &[(&str, SqlText)] = &[
    (
        "account without a balance",
        SqlText::same(
            "SELECT a.id FROM accounts a LEFT JOIN ledger_accounts l ON l.account_id = a.id LEFT JOIN balances b ON b.account_id = l.id \
            WHERE b.account_id IS NULL LIMIT $1",
        ),
    ),
    (
        "kept hold that is open for nothing",
        SqlText::same(
            "SELECT h.id FROM holds h WHERE h.kept = 1 AND NOT EXISTS (\
            SELECT 1 FROM video_task v WHERE v.hold_id = h.id AND v.status IN ('queued', 'in_progress')) LIMIT $1",
        ),
    ),
    (
        "video that ended otherwise than its hold",
        SqlText::same(
            "SELECT v.hold_id FROM video_task v LEFT JOIN holds h ON h.id = v.hold_id LEFT JOIN receipts r ON r.hold_id = v.hold_id \
            WHERE ((h.id IS NOT NULL) <> (v.receipt_id IS NULL)) \
            OR (v.receipt_id IS NOT NULL AND r.id IS NULL AND v.ended_at >= (SELECT coalesce(max(ends_at), 0) FROM archived_months)) \
            OR (r.state IS NOT NULL AND r.state IS DISTINCT FROM \
            CASE v.status WHEN 'completed' THEN 'settled' WHEN 'failed' THEN 'released' END) LIMIT $1",
        ),
    ),
    (
        "receipt of a hold that has not ended",
        SqlText::same("SELECT r.hold_id FROM receipts r JOIN holds h ON h.id = r.hold_id LIMIT $1"),
    ),
    (
        "receipt without its prices",
        SqlText::same(
            "SELECT r.hold_id FROM receipts r WHERE NOT EXISTS (SELECT 1 FROM prices p WHERE p.id = r.price_id) OR NOT EXISTS (\
            SELECT 1 FROM prices p WHERE p.id = coalesce(r.class_price_id, r.tier_price_id, r.fallback_price_id, r.price_id)) LIMIT $1",
        ),
    ),
    ("charge above the price of its usage", ABOVE_ITS_PRICE),
    ("charge below the price of its usage", BELOW_ITS_PRICE),
    (
        "budget that is not what was spent and held of it",
        SqlText::same(
            "SELECT w.key_id FROM spend_windows w LEFT JOIN (\
            SELECT key_id, period, starts_at, sum(cost) AS spent, sum(amount) AS held FROM (\
                SELECT c.key_id, p.period, CASE p.period WHEN 'day' THEN c.day_at WHEN 'week' THEN c.week_at \
                    WHEN 'month' THEN c.month_at ELSE c.life_at END AS starts_at, c.cost, c.amount \
                FROM (SELECT key_id, day_at, week_at, month_at, life_at, 0 AS cost, amount FROM holds WHERE counted = 1 \
                    UNION ALL SELECT key_id, day_at, week_at, month_at, life_at, cost, 0 FROM receipts \
                        WHERE coalesce(day_at, week_at, month_at, life_at) IS NOT NULL \
                    UNION ALL SELECT key_id, NULL, NULL, NULL, 0, life_cost, 0 FROM carried) c \
                    CROSS JOIN (SELECT 'day' AS period UNION ALL SELECT 'week' UNION ALL SELECT 'month' UNION ALL SELECT 'life') p) counted \
            WHERE starts_at IS NOT NULL GROUP BY key_id, period, starts_at) c \
            ON c.key_id = w.key_id AND c.period = w.period AND c.starts_at = w.starts_at \
            WHERE (w.spent <> coalesce(c.spent, 0) OR w.held <> coalesce(c.held, 0)) \
                AND (w.period = 'life' OR w.starts_at >= (SELECT coalesce(max(ends_at), 0) FROM archived_months)) LIMIT $1",
        ),
    ),
    ("pooled budget that is not what was spent and held of it", POOLED_SPENT),
    (
        "requests under way that are not counted right",
        SqlText::same(
            "SELECT k.key_id FROM key_rates k LEFT JOIN (\
            SELECT key_id, sum(in_flight) AS in_flight FROM holds GROUP BY key_id) c ON c.key_id = k.key_id \
            WHERE k.in_flight <> coalesce(c.in_flight, 0) LIMIT $1",
        ),
    ),
    (
        "day of usage that is not the sum of its receipts",
        SqlText::same(
            "SELECT DISTINCT account_id FROM (SELECT account_id FROM (SELECT account_id, day, key_id, model, requests, \
            released, charged, shortfall, prompt, cached, cache_write, cache_write_long, completion, reasoning, \
            audio_prompt, image_prompt, audio_completion, image_completion FROM usage_days UNION ALL SELECT \
            account_id, created_at / 86400000, key_id, model, -1, CASE state WHEN 'released' THEN -1 ELSE 0 END, \
            -cost, -shortfall, -coalesce(prompt, 0), -coalesce(cached, 0), -cache_write, -cache_write_long, \
            -coalesce(completion, 0), -coalesce(reasoning, 0), -audio_prompt, -image_prompt, -audio_completion, \
            -image_completion FROM receipts) used WHERE day >= (SELECT coalesce(max(ends_at), 0) / 86400000 FROM \
            archived_months) GROUP BY account_id, day, key_id, model HAVING sum(requests) <> 0 OR sum(released) <> 0 \
            OR sum(charged) <> 0 OR sum(shortfall) <> 0 OR sum(prompt) <> 0 OR sum(cached) <> 0 OR sum(cache_write) <> \
            0 OR sum(cache_write_long) <> 0 OR sum(completion) <> 0 OR sum(reasoning) <> 0 OR sum(audio_prompt) <> 0 \
            OR sum(image_prompt) <> 0 OR sum(audio_completion) <> 0 OR sum(image_completion) <> 0) days LIMIT $1",
        ),
    ),
    (
        "order that succeeded without its credit",
        SqlText::same(
            "SELECT o.id FROM topup_order o LEFT JOIN transfers t ON t.order_id = o.id WHERE o.status = 'success' \
            AND (t.amount IS DISTINCT FROM o.amount OR t.credit IS DISTINCT FROM o.account_id) LIMIT $1",
        ),
    ),
    (
        "payment that came and was not credited",
        SqlText::same(
            "SELECT p.id FROM payments p JOIN topup_order o ON o.id = p.order_id WHERE p.state = 'paid' AND o.status <> 'success' LIMIT $1",
        ),
    ),
    (
        "order that succeeded without a payment",
        SqlText::same(
            "SELECT o.id FROM topup_order o LEFT JOIN payments p ON p.order_id = o.id AND p.state = 'paid' \
            WHERE o.status = 'success' AND p.id IS NULL LIMIT $1",
        ),
    ),
    (
        "cap of an agent that is not what it has topped up",
        SqlText::same(
            "SELECT w.agent_id FROM agent_windows w LEFT JOIN (\
            SELECT agent_id, period, CASE period WHEN 'life' THEN 0 ELSE day END AS starts_at, \
                sum(CASE status WHEN 'success' THEN amount ELSE 0 END) AS spent, sum(CASE status WHEN 'success' THEN 0 ELSE amount END) AS held \
            FROM (SELECT agent_id, status, amount, coalesce(counted_day, settled_at - settled_at % 86400000) AS day FROM topup_order \
                WHERE agent_id IS NOT NULL AND (status = 'success' OR counted_day IS NOT NULL)) o \
                CROSS JOIN (SELECT 'day' AS period UNION ALL SELECT 'life') p GROUP BY 1, 2, 3) c \
            ON c.agent_id = w.agent_id AND c.period = w.period AND c.starts_at = w.starts_at \
            WHERE w.spent <> coalesce(c.spent, 0) OR w.held <> coalesce(c.held, 0) LIMIT $1",
        ),
    ),
    (
        "top-up without its order",
        SqlText::same(
            "SELECT t.id FROM transfers t LEFT JOIN topup_order o ON o.id = t.order_id WHERE t.kind = 'topup' \
            AND (o.status IS DISTINCT FROM 'success' OR o.amount IS DISTINCT FROM t.amount OR o.account_id IS DISTINCT FROM t.credit) LIMIT $1",
        ),
    ),
    (
        "reversal that was not posted",
        SqlText::same(
            "SELECT r.id FROM reversals r LEFT JOIN transfers t ON t.idem = 'reversal:' || r.id WHERE coalesce(t.amount, 0) <> r.taken \
            OR (r.taken > 0 AND (t.debit IS DISTINCT FROM r.account_id OR t.credit IS DISTINCT FROM r.counter)) LIMIT $1",
        ),
    ),
    (
        "debt that was not posted",
        SqlText::same(
            "SELECT r.id FROM reversals r LEFT JOIN transfers t ON t.idem = 'debt:' || r.id WHERE coalesce(t.amount, 0) <> r.debt \
            OR (r.debt > 0 AND (t.debit IS DISTINCT FROM 8 OR t.credit IS DISTINCT FROM r.counter)) LIMIT $1",
        ),
    ),
    (
        "debt that was not paid by its payments",
        SqlText::same(
            "SELECT r.id FROM reversals r LEFT JOIN (SELECT reversal_id, sum(amount) AS paid FROM debt_payments GROUP BY reversal_id) p \
            ON p.reversal_id = r.id WHERE r.collected <> coalesce(p.paid, 0) LIMIT $1",
        ),
    ),
    (
        "payment of a debt that was not posted",
        SqlText::same(
            "SELECT p.id FROM debt_payments p JOIN reversals r ON r.id = p.reversal_id LEFT JOIN transfers t ON t.idem = 'debt-payment:' || p.id \
            WHERE t.amount IS DISTINCT FROM p.amount OR t.debit IS DISTINCT FROM r.account_id OR t.credit IS DISTINCT FROM 8 LIMIT $1",
        ),
    ),
    (
        "payment of which more went back than it was credited with",
        SqlText::same(
            "SELECT p.id FROM payments p JOIN topup_order o ON o.id = p.order_id \
            JOIN (SELECT payment_id, sum(amount) AS amount FROM reversals WHERE payment_id IS NOT NULL GROUP BY payment_id) b \
            ON b.payment_id = p.id WHERE b.amount > coalesce(CASE p.state WHEN 'paid' THEN o.amount ELSE p.resolved_amount END, 0) LIMIT $1",
        ),
    ),
    (
        "resolved payment that was not credited",
        SqlText::same(
            "SELECT p.id FROM payments p JOIN topup_order o ON o.id = p.order_id LEFT JOIN transfers t ON t.idem = 'payment:' || p.id \
            WHERE p.resolution = 'credit' AND (t.amount IS DISTINCT FROM p.resolved_amount OR t.credit IS DISTINCT FROM o.account_id) LIMIT $1",
        ),
    ),
    (
        "refund without its reversal",
        SqlText::same(
            "SELECT t.id FROM transfers t WHERE t.kind = 'refund' AND NOT EXISTS (\
            SELECT 1 FROM reversals r WHERE t.idem IN ('reversal:' || r.id, 'debt:' || r.id)) LIMIT $1",
        ),
    ),
];

/// The lock that an audit begins with. It sees the months that are there when nobody takes one out any more.
const LOCK: SqlText = SqlText::of("SELECT 1", "LOCK TABLE ONLY receipts IN ACCESS SHARE MODE");

/// Waits until no month is being taken out, before the snapshot sees anything.
pub(crate) async fn hold_months(snapshot: &mut StoreTransaction) -> Result<(), StoreError> {
    query(LOCK).execute(snapshot).await.map(drop).map_err(auditing)
}

/// The sum that each account was moved by, over all transfers and receipts: credits less debits.
pub(crate) async fn moved(snapshot: &mut StoreTransaction) -> Result<BTreeMap<i64, i128>, StoreError> {
    let rows = query(MOVED).fetch_all(snapshot).await.map_err(auditing)?;
    sums(&rows)
}

/// The sum that the open holds of each account reserve.
pub(crate) async fn reserved(snapshot: &mut StoreTransaction) -> Result<BTreeMap<i64, i128>, StoreError> {
    let rows = query(OPEN).fetch_all(snapshot).await.map_err(auditing)?;
    sums(&rows)
}

pub(crate) async fn balances(
    snapshot: &mut StoreTransaction,
) -> Result<BTreeMap<AccountId, AccountBalance>, StoreError> {
    let rows = query(BALANCES).fetch_all(snapshot).await.map_err(auditing)?;
    let balance = |row: &DatabaseRow| {
        let balance =
            AccountBalance { posted: Usd::from_nanos(row.try_get(1)?), held: Usd::from_nanos(row.try_get(2)?) };
        Ok((AccountId(row.try_get(0)?), balance))
    };
    rows.iter().map(balance).collect::<Result<_, _>>().map_err(auditing)
}

/// The ledger's own accounts.
pub(crate) async fn own_accounts(snapshot: &mut StoreTransaction) -> Result<BTreeMap<i64, String>, StoreError> {
    let rows = query(HOUSE).fetch_all(snapshot).await.map_err(auditing)?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, _>>().map_err(auditing)
}

/// The sum of the payments of each rail, by the code of its clearing account.
pub(crate) async fn cleared(snapshot: &mut StoreTransaction) -> Result<BTreeMap<String, i128>, StoreError> {
    let rows = query(CLEARED).fetch_all(snapshot).await.map_err(auditing)?;
    let sum = |row: &DatabaseRow| Ok((row.try_get(0)?, joined(row.try_get(1)?, row.try_get(2)?)));
    rows.iter().map(sum).collect::<Result<_, _>>().map_err(auditing)
}

/// The sum that all accounts together owe.
pub(crate) async fn owed(snapshot: &mut StoreTransaction) -> Result<i128, StoreError> {
    let row = query(OWED).fetch_one(snapshot).await.map_err(auditing)?;
    Ok(joined(row.try_get(0).map_err(auditing)?, row.try_get(1).map_err(auditing)?))
}

pub(crate) async fn totals(snapshot: &mut StoreTransaction) -> Result<AuditTotals, StoreError> {
    let row = query(COUNTS).fetch_one(snapshot).await.map_err(auditing)?;
    let totals = || {
        Ok(AuditTotals {
            transfers: row.try_get(0)?,
            holds: row.try_get::<i64>(1)? + row.try_get::<i64>(2)? + row.try_get::<i64>(4)?,
            holds_open: row.try_get(1)?,
            settled: row.try_get::<i64>(3)? + row.try_get::<i64>(5)?,
            shortfall: joined(row.try_get(6)?, row.try_get(7)?),
        })
    };
    totals().map_err(auditing)
}

/// Rows that cannot be, and the damages that the database finds in itself.
pub(crate) async fn impossible(snapshot: &mut StoreTransaction) -> Result<Vec<AuditDifference>, StoreError> {
    let mut found = Vec::new();
    for (sign, text) in IMPOSSIBLE {
        let rows = query(*text).bind(NAMED_MAX).fetch_all(&mut *snapshot).await.map_err(auditing)?;
        for row in &rows {
            found.push(AuditDifference::Impossible { sign, row: row.try_get(0).map_err(auditing)? });
        }
    }
    if let StoreTransaction::Sqlite(..) = snapshot {
        damages(snapshot, &mut found).await?;
    }
    Ok(found)
}

/// Adds the damages that SQLite finds in its file. PostgreSQL is asked by its own tools, at the server.
async fn damages(snapshot: &mut StoreTransaction, found: &mut Vec<AuditDifference>) -> Result<(), StoreError> {
    for row in query("PRAGMA integrity_check").fetch_all(&mut *snapshot).await.map_err(auditing)? {
        let said: String = row.try_get(0).map_err(auditing)?;
        if said != "ok" {
            found.push(AuditDifference::Damaged { said });
        }
    }
    for row in query("PRAGMA foreign_key_check").fetch_all(&mut *snapshot).await.map_err(auditing)? {
        let (table, row): (String, Option<i64>) =
            (row.try_get(0).map_err(auditing)?, row.try_get(1).map_err(auditing)?);
        found.push(AuditDifference::Damaged { said: format!("row {row:?} of {table} refers to nothing") });
    }
    Ok(())
}

fn sums(rows: &[DatabaseRow]) -> Result<BTreeMap<i64, i128>, StoreError> {
    let sum = |row: &DatabaseRow| Ok((row.try_get(0)?, joined(row.try_get(1)?, row.try_get(2)?)));
    rows.iter().map(sum).collect::<Result<_, _>>().map_err(auditing)
}

fn joined(high: i64, low: i64) -> i128 {
    (i128::from(high) << 30) + i128::from(low)
}

fn auditing(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "the books", source: source.into() }
}
