//! The statements about orders.

pub(crate) mod caps;

use crate::{CreditOrder, OrderFailure, PaymentRail, ResolvedCredit};
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{AccountId, AgentId, OrderId, Usd};
use tollgate_store::{DatabaseRow, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

/// Whole rows, as [`read`] takes them. The receipt is that of the payment that is paid, or that an operator has credited, or else
/// of the newest one; the last two columns are what operators have credited.
macro_rules! orders {
    ($condition:literal) => {
        concat!(
            "SELECT o.id, o.trade_no, o.account_id, o.rail, o.amount, o.status, o.created_at, o.expires_at, o.settled_at, ",
            "o.failure_code, o.failure_detail, (SELECT p.receipt FROM payments p WHERE p.order_id = o.id ",
            "ORDER BY CASE WHEN p.state = 'paid' THEN 0 WHEN p.resolution = 'credit' THEN 1 ELSE 2 END, p.claimed_at DESC, p.id ",
            "LIMIT 1), o.agent_id, ",
            "(SELECT CAST(sum(p.resolved_amount) AS BIGINT) FROM payments p WHERE p.order_id = o.id AND p.resolution = 'credit'), ",
            "(SELECT max(p.resolved_at) FROM payments p WHERE p.order_id = o.id AND p.resolution = 'credit') FROM topup_order o ",
            $condition
        )
    };
}

const OPEN: &str = "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at, place, agent_id) \
    VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8, $9)";
const FIND: &str = orders!("WHERE o.id = $1");
const FIND_OWN: &str = orders!("WHERE o.account_id = $1 AND o.id = $2");
const FIND_BY_NAME: &str = orders!("WHERE o.account_id = $1 AND o.trade_no = $2");
const OPEN_OF: &str = orders!(
    "WHERE o.account_id = $1 AND (o.status = 'settling' OR o.status = 'pending' AND o.expires_at > $2 \
        AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.resolution = 'credit')) ORDER BY o.created_at, o.id LIMIT $3"
);
const LAPSED_OF: &str =
    orders!("WHERE o.account_id = $1 AND o.rail = 'x402' AND o.status = 'pending' AND o.expires_at <= $2");
/// Expired orders of the rails that have no provider to ask.
const LAPSED: &str = orders!(
    "WHERE o.status = 'pending' AND o.expires_at <= $1 AND o.rail <> 'ewallet' ORDER BY o.expires_at, o.id LIMIT $2"
);
const ANY_LAPSED: &str =
    "SELECT EXISTS (SELECT 1 FROM topup_order WHERE status = 'pending' AND expires_at <= $1 AND rail <> 'ewallet')";
/// The newest first, from before a place on, each as [`CreditOrder::state_at`] shows it.
macro_rules! listed {
    ($of:literal) => {
        concat!(
            orders!("WHERE (o.created_at, o.id) < ($1, $2) AND ($3 = '' OR o.rail = $3) AND ($4 = '' OR $4 = "),
            "CASE WHEN o.status <> 'settling' ",
            "AND EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id AND p.resolution = 'credit') THEN 'success' ",
            "WHEN o.status = 'pending' AND o.expires_at <= $5 THEN 'expired' ELSE o.status END) AND ",
            $of,
            " ORDER BY o.created_at DESC, o.id DESC LIMIT $7"
        )
    };
}

const LIST: &str = listed!("$6 = 0");
/// By an index of its own.
const LIST_OF: &str = listed!("o.account_id = $6");
const PLACES: &str = "SELECT place FROM topup_order WHERE account_id = $1 AND rail = 'x402' AND status = 'pending'";

/// Writes an order that is pending.
pub(super) async fn open(
    transaction: &mut StoreTransaction,
    order: &CreditOrder,
    place: Option<i64>,
) -> Result<(), StoreError> {
    let opened = query(OPEN)
        .bind(order.id.0)
        .bind(&order.trade_no)
        .bind(order.account.0)
        .bind(order.rail.as_str())
        .bind(order.amount.nanos())
        .bind(order.created_at_ms)
        .bind(order.expires_at_ms)
        .bind(place)
        .bind(order.agent.map(|agent| agent.0));
    opened.execute(transaction).await.map(drop).map_err(StoreError::write("an order"))
}

/// The orders that a list shows. Empty texts leave all through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderFilter {
    pub(crate) account: Option<AccountId>,
    pub(crate) rail: &'static str,
    pub(crate) status: &'static str,
    /// The time and the number of the order after which the page begins.
    pub(crate) after: (i64, i64),
    pub(crate) now_ms: i64,
    pub(crate) limit: i64,
}

/// Orders of all accounts, the newest first.
pub(crate) async fn list(readers: &ReadPool, filter: &OrderFilter) -> Result<Vec<CreditOrder>, StoreError> {
    let OrderFilter { account, rail, status, after: (at_ms, id), now_ms, limit } = *filter;
    let list = query(if account.is_some() { LIST_OF } else { LIST }).bind(at_ms).bind(id).bind(rail).bind(status);
    let list = list.bind(now_ms).bind(account.map_or(0, |account| account.0)).bind(limit);
    let rows = list.fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The order of that number.
pub(crate) async fn find<'t>(
    reader: impl Into<StatementTarget<'t>>,
    id: OrderId,
) -> Result<Option<CreditOrder>, StoreError> {
    let row = query(FIND).bind(id.0).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The account's order of that number.
pub(super) async fn find_own(
    readers: &ReadPool,
    account: AccountId,
    id: OrderId,
) -> Result<Option<CreditOrder>, StoreError> {
    let row = query(FIND_OWN).bind(account.0).bind(id.0).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The account's order of that name.
pub(super) async fn find_by_name(
    readers: &ReadPool,
    account: AccountId,
    trade_no: &str,
) -> Result<Option<CreditOrder>, StoreError> {
    let row = query(FIND_BY_NAME).bind(account.0).bind(trade_no).fetch_optional(readers).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// Orders of the account that can be paid or are being settled.
pub(crate) async fn open_of(
    readers: &ReadPool,
    account: AccountId,
    now_ms: i64,
    limit: i64,
) -> Result<Vec<CreditOrder>, StoreError> {
    let asked = query(OPEN_OF).bind(account.0).bind(now_ms).bind(limit);
    asked.fetch_all(readers).await.map_err(reading)?.iter().map(read).collect()
}

/// Orders of the account on the `x402` rail whose time is over.
pub(super) async fn lapsed_of(
    transaction: &mut StoreTransaction,
    account: AccountId,
    now_ms: i64,
) -> Result<Vec<CreditOrder>, StoreError> {
    let asked = query(LAPSED_OF).bind(account.0).bind(now_ms);
    asked.fetch_all(transaction).await.map_err(reading)?.iter().map(read).collect()
}

/// Expired orders of all accounts, but for the e-wallet rail, whose provider has to be asked first.
pub(crate) async fn lapsed(
    transaction: &mut StoreTransaction,
    now_ms: i64,
    limit: i64,
) -> Result<Vec<CreditOrder>, StoreError> {
    let asked = query(LAPSED).bind(now_ms).bind(limit);
    asked.fetch_all(transaction).await.map_err(reading)?.iter().map(read).collect()
}

/// True if there are expired orders that [`lapsed`] would give.
pub(crate) async fn any_lapsed(readers: &ReadPool, now_ms: i64) -> Result<bool, StoreError> {
    let row = query(ANY_LAPSED).bind(now_ms).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The places of the account that are taken.
pub(crate) async fn places(transaction: &mut StoreTransaction, account: AccountId) -> Result<Vec<i64>, StoreError> {
    let rows = query(PLACES).bind(account.0).fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(reading)
}

fn read(row: &DatabaseRow) -> Result<CreditOrder, StoreError> {
    let (rail, state): (String, String) = (row.try_get(3).map_err(reading)?, row.try_get(5).map_err(reading)?);
    let code: Option<String> = row.try_get(9).map_err(reading)?;
    let detail: Option<String> = row.try_get(10).map_err(reading)?;
    let resolved: Option<i64> = row.try_get(13).map_err(reading)?;
    let resolved_at: Option<i64> = row.try_get(14).map_err(reading)?;
    let by_hand = |(nanos, at_ms)| ResolvedCredit { amount: Usd::from_nanos(nanos), at_ms };
    Ok(CreditOrder {
        id: OrderId(row.try_get(0).map_err(reading)?),
        trade_no: row.try_get(1).map_err(reading)?,
        account: AccountId(row.try_get(2).map_err(reading)?),
        agent: row.try_get::<Option<i64>>(12).map_err(reading)?.map(AgentId),
        rail: PaymentRail::read(&rail).ok_or(StoreError::Unreadable { what: "the rail of an order", found: rail })?,
        amount: Usd::from_nanos(row.try_get(4).map_err(reading)?),
        state: parsed(state)?,
        created_at_ms: row.try_get(6).map_err(reading)?,
        expires_at_ms: row.try_get(7).map_err(reading)?,
        settled_at_ms: row.try_get(8).map_err(reading)?,
        failed: code.zip(detail).map(|(code, detail)| OrderFailure { code, detail }),
        receipt: row.try_get(11).map_err(reading)?,
        resolved: resolved.zip(resolved_at).map(by_hand),
    })
}

fn parsed(found: String) -> Result<State, StoreError> {
    found.parse().map_err(|_: tollgate_api::machine::UnknownName| StoreError::Unreadable {
        what: "the state of an order",
        found,
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("an order")(error)
}

pub(crate) fn writing(error: sqlx::Error) -> StoreError {
    StoreError::write("an order")(error)
}
