//! The statements of a comparison.

use std::collections::BTreeSet;

use tollgate_api::generated::machines::payment::State;
use tollgate_base::{AccountId, OrderId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, query};

macro_rules! payments {
    ($condition:literal) => {
        concat!(
            "SELECT p.id, p.reference, p.state, p.asset, p.amount, p.payer, p.receipt, p.order_id, o.account_id, p.decided_at, ",
            "CASE WHEN p.resolution = 'credit' THEN 1 = 1 ELSE 1 = 0 END, ",
            "CASE p.state WHEN 'paid' THEN o.amount ELSE coalesce(p.resolved_amount, 0) END, ",
            "CAST(coalesce((SELECT sum(b.amount) FROM reversals b WHERE b.payment_id = p.id), 0) AS BIGINT), ",
            "CASE WHEN c.closed = 0 THEN 1 = 1 ELSE 1 = 0 END, p.claimed_at, ",
            "CAST(coalesce((SELECT sum(b.amount) FROM reversals b WHERE b.payment_id = p.id AND b.kind = 'chargeback'), 0) AS BIGINT) ",
            "FROM payments p JOIN topup_order o ON o.id = p.order_id LEFT JOIN chain_payments c ON c.payment_id = p.id ",
            $condition
        )
    };
}
const SINCE: &str = payments!(
    "WHERE p.source = $1 AND (p.state = 'claimed' OR (p.state = 'void' AND c.closed = 0) OR p.claimed_at >= $2 OR p.decided_at >= $2) AND p.id > $3 \
        ORDER BY p.id LIMIT 1000"
);
const CAME: &str =
    payments!("WHERE p.source = $1 AND p.state IN ('paid', 'surplus') AND p.id > $2 ORDER BY p.id LIMIT 1000");
const OLDEST_OPEN: &str = "SELECT min(p.claimed_at) FROM payments p LEFT JOIN chain_payments c ON c.payment_id = p.id \
    WHERE p.source = $1 AND (p.state = 'claimed' OR (p.state = 'void' AND c.closed = 0) \
        OR (p.state = 'surplus' AND p.receipt IS NULL AND p.decided_at >= $2))";
const NAMED: &str = payments!("WHERE p.source = $1 AND p.reference = $2");
const CHECKOUTS: &str = "SELECT c.order_id, c.request_id, c.ask_at, o.account_id \
    FROM checkouts c JOIN topup_order o ON o.id = c.order_id WHERE c.provider = $1 AND c.order_id > $3 \
        AND (o.created_at >= $2 OR EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.decided_at >= $2)) \
    ORDER BY c.order_id LIMIT 1000";
const CHECKOUT_NAMED: &str = "SELECT c.order_id, c.request_id, c.ask_at, o.account_id \
    FROM checkouts c JOIN topup_order o ON o.id = c.order_id WHERE c.provider = $1 AND c.request_id = $2";
const SENT_FOR: &str = "SELECT hash FROM chain_sends WHERE payment_id = $1";
const BOOKED: &str = "SELECT EXISTS (SELECT 1 FROM transfers WHERE idem = $1)";
const CREDITED_BY_SOURCE: &str =
    "SELECT source, count(*) FROM payments WHERE state = 'paid' AND decided_at >= $1 GROUP BY source ORDER BY source";
const COMPARED_LAST: &str =
    "SELECT at FROM audit_log WHERE action = 'reconciliation.compared' AND subject = $1 ORDER BY id DESC LIMIT 1";
const COMPARED_AT_ALL: &str = "SELECT at FROM audit_log \
    WHERE action IN ('reconciliation.compared', 'reconciliation.partly') AND subject = $1 ORDER BY id DESC LIMIT 1";
const UNDER_WAY: &str = "SELECT detail FROM audit_log \
    WHERE action = 'reconciliation.under_way' AND subject = $1 AND at >= $2 ORDER BY id DESC LIMIT 1";
const TOLD_SINCE: &str =
    "SELECT subject FROM audit_log WHERE action = 'reconciliation.finding' AND at > $1 ORDER BY id";

/// The prefix of a grant's idempotency key in the ledger.
const GRANT: &str = "grant:";

/// A payment as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LedgerPayment {
    pub(super) id: i64,
    pub(super) reference: String,
    pub(super) state: State,
    pub(super) asset: String,
    /// In the smallest units of the asset; none where it is no number.
    pub(super) amount: Option<u128>,
    pub(super) payer: Option<String>,
    pub(super) receipt: Option<String>,
    pub(super) order: OrderId,
    pub(super) account: AccountId,
    pub(super) claimed_at_ms: i64,
    pub(super) decided_at_ms: Option<i64>,
    /// True where a person has had it credited.
    pub(super) is_resolved_as_credit: bool,
    pub(super) credited: Usd,
    /// The part of the credit that has gone back since.
    pub(super) reversed: Usd,
    /// The part that a chain or a provider has taken back, by an operator's word.
    pub(super) charged_back: Usd,
    /// True where the service still looks for it on its chain.
    pub(super) is_looked_for: bool,
}

/// An order as its payment provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LedgerCheckout {
    pub(super) order: OrderId,
    pub(super) request_id: String,
    /// The time of the service's next question about it, in unix milliseconds; none if it does not ask any more.
    pub(super) ask_at_ms: Option<i64>,
    pub(super) account: AccountId,
}

impl LedgerPayment {
    /// The transaction by which it came, or the provider's number of it.
    pub(super) fn transaction(&self) -> &str {
        let named = self.receipt.as_deref().unwrap_or(&self.reference);
        named.split_once('/').map_or(named, |(transaction, _)| transaction)
    }

    /// True where a person has decided on it, and no transaction is known to be it.
    pub(super) fn is_by_hand(&self) -> bool {
        self.state == State::Surplus && self.receipt.is_none()
    }

    /// The position of a payment by arrival: a transfer backs the first of several.
    pub(super) fn order_of_coming(&self) -> (Option<i64>, i64) {
        (self.decided_at_ms, self.id)
    }

    /// True where its account has credit by it, of which not all has gone back.
    pub(super) fn is_credited(&self) -> bool {
        self.was_credited() && self.reversed < self.credited
    }

    /// True where its account had credit by it, and all of that was charged back: its money must not be there.
    pub(super) fn is_charged_back(&self) -> bool {
        self.was_credited() && self.charged_back >= self.credited
    }

    fn was_credited(&self) -> bool {
        match self.state {
            State::Paid => true,
            State::Surplus => self.is_resolved_as_credit,
            State::Claimed | State::Void => false,
        }
    }

    /// True where the service may still credit it by itself.
    pub(super) fn is_open(&self) -> bool {
        match self.state {
            State::Claimed => true,
            State::Void => self.is_looked_for,
            State::Paid | State::Surplus => false,
        }
    }
}

/// Payments of a source that were named or decided since a time, and those that are open.
pub(super) async fn payments_since(
    readers: &ReadPool,
    source: &str,
    since_ms: i64,
) -> Result<Vec<LedgerPayment>, StoreError> {
    let mut all: Vec<LedgerPayment> = Vec::new();
    loop {
        let after = all.last().map_or(0, |last| last.id);
        let rows = query(SINCE).bind(source).bind(since_ms).bind(after).fetch_all(readers).await.map_err(reading)?;
        if rows.is_empty() {
            return Ok(all);
        }
        for row in &rows {
            all.push(read_payment(row)?);
        }
    }
}

/// All payments of a source that came by one of these transactions, in the order in which they came.
pub(super) async fn payments_by(
    readers: &ReadPool,
    source: &str,
    transactions: &BTreeSet<&str>,
) -> Result<Vec<LedgerPayment>, StoreError> {
    let (mut all, mut after) = (Vec::new(), 0);
    while !transactions.is_empty() {
        let rows = query(CAME).bind(source).bind(after).fetch_all(readers).await.map_err(reading)?;
        let Some(last) = rows.last() else { break };
        after = last.try_get(0).map_err(reading)?;
        for row in &rows {
            let payment = read_payment(row)?;
            if transactions.contains(payment.transaction()) {
                all.push(payment);
            }
        }
    }
    all.sort_by_key(LedgerPayment::order_of_coming);
    Ok(all)
}

/// The time at which the oldest open payment was named. Those are included that an operator has decided on since `since_ms` without
/// a transaction.
pub(super) async fn oldest_open(readers: &ReadPool, source: &str, since_ms: i64) -> Result<Option<i64>, StoreError> {
    let row = query(OLDEST_OPEN).bind(source).bind(since_ms).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The payment of that name.
pub(super) async fn payment_named(
    readers: &ReadPool,
    source: &str,
    reference: &str,
) -> Result<Option<LedgerPayment>, StoreError> {
    let row = query(NAMED).bind(source).bind(reference).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(read_payment).transpose()
}

/// Orders of a provider that were made or decided since a time.
pub(super) async fn checkouts_since(
    readers: &ReadPool,
    provider: &str,
    since_ms: i64,
) -> Result<Vec<LedgerCheckout>, StoreError> {
    let mut all: Vec<LedgerCheckout> = Vec::new();
    loop {
        let after = all.last().map_or(0, |last| last.order.0);
        let asked = query(CHECKOUTS).bind(provider).bind(since_ms).bind(after);
        let rows = asked.fetch_all(readers).await.map_err(reading)?;
        if rows.is_empty() {
            return Ok(all);
        }
        for row in &rows {
            all.push(read_checkout(row)?);
        }
    }
}

/// The order that a provider knows by that name.
pub(super) async fn checkout_named(
    readers: &ReadPool,
    provider: &str,
    request_id: &str,
) -> Result<Option<LedgerCheckout>, StoreError> {
    let row = query(CHECKOUT_NAMED).bind(provider).bind(request_id).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(read_checkout).transpose()
}

/// The transactions that our account has signed for a payment.
pub(super) async fn sent_for(readers: &ReadPool, payment: i64) -> Result<Vec<String>, StoreError> {
    let rows = query(SENT_FOR).bind(payment).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map_err(reading)).collect()
}

/// True where a person has granted credit under that idempotency key.
pub(super) async fn is_granted(readers: &ReadPool, key: &str) -> Result<bool, StoreError> {
    let key = format!("{GRANT}{key}");
    let row = query(BOOKED).bind(&key).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The number of payments of each source that were credited since a time.
pub(super) async fn credited_by_source(readers: &ReadPool, since_ms: i64) -> Result<Vec<(String, i64)>, StoreError> {
    let rows = query(CREDITED_BY_SOURCE).bind(since_ms).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, _>>().map_err(reading)
}

/// The time at which a source was last compared whole, in unix milliseconds.
pub(super) async fn compared_last(readers: &ReadPool, source: &str) -> Result<Option<i64>, StoreError> {
    let row = query(COMPARED_LAST).bind(source).fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| row.try_get(0).map_err(reading)).transpose()
}

/// The time at which a source was last compared, whole or with some of its nodes alone, in unix milliseconds.
pub(super) async fn compared_at_all(readers: &ReadPool, source: &str) -> Result<Option<i64>, StoreError> {
    let row = query(COMPARED_AT_ALL).bind(source).fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| row.try_get(0).map_err(reading)).transpose()
}

/// The time at which the oldest payment was named that was under way in the comparison of a time.
pub(super) async fn under_way_at(readers: &ReadPool, source: &str, at_ms: i64) -> Result<Option<i64>, StoreError> {
    let row = query(UNDER_WAY).bind(source).bind(at_ms).fetch_optional(readers).await.map_err(reading)?;
    let detail: Option<String> = row.map(|row| row.try_get(0).map_err(reading)).transpose()?;
    Ok(detail.and_then(|detail| detail.parse().ok()))
}

/// The findings that an operator was told of since a time.
pub(super) async fn told_since(readers: &ReadPool, since_ms: i64) -> Result<Vec<String>, StoreError> {
    let rows = query(TOLD_SINCE).bind(since_ms).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map_err(reading)).collect()
}

fn read_payment(row: &DatabaseRow) -> Result<LedgerPayment, StoreError> {
    let (found, amount): (String, String) = (row.try_get(2).map_err(reading)?, row.try_get(4).map_err(reading)?);
    let Ok(state) = found.parse() else { return Err(StoreError::Unreadable { what: "the state of a payment", found }) };
    Ok(LedgerPayment {
        id: row.try_get(0).map_err(reading)?,
        reference: row.try_get(1).map_err(reading)?,
        state,
        asset: row.try_get(3).map_err(reading)?,
        amount: amount.parse().ok(),
        payer: row.try_get(5).map_err(reading)?,
        receipt: row.try_get(6).map_err(reading)?,
        order: OrderId(row.try_get(7).map_err(reading)?),
        account: AccountId(row.try_get(8).map_err(reading)?),
        decided_at_ms: row.try_get(9).map_err(reading)?,
        is_resolved_as_credit: row.try_get(10).map_err(reading)?,
        credited: Usd::from_nanos(row.try_get(11).map_err(reading)?),
        reversed: Usd::from_nanos(row.try_get(12).map_err(reading)?),
        is_looked_for: row.try_get(13).map_err(reading)?,
        claimed_at_ms: row.try_get(14).map_err(reading)?,
        charged_back: Usd::from_nanos(row.try_get(15).map_err(reading)?),
    })
}

fn read_checkout(row: &DatabaseRow) -> Result<LedgerCheckout, StoreError> {
    Ok(LedgerCheckout {
        order: OrderId(row.try_get(0).map_err(reading)?),
        request_id: row.try_get(1).map_err(reading)?,
        ask_at_ms: row.try_get(2).map_err(reading)?,
        account: AccountId(row.try_get(3).map_err(reading)?),
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("what payments are compared with")(error)
}
