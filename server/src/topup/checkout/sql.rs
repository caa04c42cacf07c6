//! The statements about checkouts and notices.

use crate::base::{AccountId, OrderId, draw_id};
use crate::store::{Readers, Row, StoreError, Transaction, query};

use super::super::ewallet::Session;

const OPEN: &str = "INSERT INTO checkouts (order_id, provider, request_id, wallet, ask_at) VALUES ($1, $2, $3, $4, $5)";
const WAITING: &str = "SELECT count(*) FROM topup_order \
    WHERE account_id = $1 AND rail = 'ewallet' AND status = 'pending' AND expires_at > $2";
const KEEP_PAGE: &str = "UPDATE checkouts SET session = $2, url = $3 WHERE order_id = $1 AND session IS NULL AND gives_up = 0 \
    AND NOT EXISTS (SELECT 1 FROM topup_order WHERE id = $1 AND status IN ('failed', 'expired'))";
const OF_REQUEST: &str = "SELECT order_id FROM checkouts WHERE provider = $1 AND request_id = $2";
const DUE: &str = "SELECT order_id, request_id, ask_at FROM checkouts \
    WHERE provider = $1 AND ask_at IS NOT NULL AND ask_at <= $2 ORDER BY ask_at, order_id LIMIT $3";
const MOVE_ON: &str = "UPDATE checkouts SET ask_at = $3 WHERE order_id = $1 AND ask_at = $2 RETURNING url IS NOT NULL";
const GIVE_UP: &str = "UPDATE checkouts SET gives_up = 1 WHERE order_id = $1";
const ASK_NOW: &str = "UPDATE checkouts SET ask_at = $2 WHERE order_id = $1 AND gives_up = 1";
const CLOSE: &str = "UPDATE checkouts SET ask_at = NULL WHERE order_id = $1 AND ask_at IS NOT NULL";
const KEEP: &str = "INSERT INTO notices (id, provider, sha256, body, received_at, parked) VALUES ($1, $2, $3, $4, $5, $6) \
    ON CONFLICT (provider, sha256) DO NOTHING";
const KEPT: &str =
    "SELECT id, body, received_at, acted_at IS NOT NULL, parked FROM notices WHERE provider = $1 AND sha256 = $2";
const NOT_ACTED_ON: &str = "SELECT id, body, received_at, acted_at IS NOT NULL, parked FROM notices \
    WHERE provider = $1 AND acted_at IS NULL AND parked IS NULL AND received_at <= $2 AND id > $3 ORDER BY id LIMIT 100";
const ACTED: &str = "UPDATE notices SET acted_at = $2 WHERE id = $1 AND acted_at IS NULL AND parked IS NULL";
const PARK: &str = "UPDATE notices SET parked = $2 WHERE id = $1 AND acted_at IS NULL AND parked IS NULL";

/// A checkout that the provider is to be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) order: OrderId,
    pub(super) request_id: String,
    pub(super) ask_at_ms: i64,
}

/// A question that is about to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asking {
    /// Whether somebody was given the page by now.
    pub(super) has_page: bool,
}

/// A notice that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) id: i64,
    pub(super) body: Vec<u8>,
    pub(super) received_at_ms: i64,
    pub(super) is_acted_on: bool,
    pub(super) parked: Option<String>,
}

/// What is to be kept of a notice, beside when it came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrived<'a> {
    pub(super) provider: &'a str,
    pub(super) sha256: &'a [u8; 32],
    pub(super) body: &'a [u8],
    /// Why nothing can be done with it.
    pub(super) parked: Option<&'a str>,
}

/// Notes what the provider will know an order by.
pub(super) async fn open(
    transaction: &mut Transaction,
    order: OrderId,
    provider: &str,
    request_id: &str,
    wallet: &str,
    ask_at_ms: i64,
) -> Result<(), StoreError> {
    let opened = query(OPEN).bind(order.0).bind(provider).bind(request_id).bind(wallet).bind(ask_at_ms);
    opened.execute(transaction).await.map(drop).map_err(writing)
}

/// How many orders of the account wait on a page.
pub(super) async fn waiting(transaction: &mut Transaction, account: AccountId, now_ms: i64) -> Result<i64, StoreError> {
    let row = query(WAITING).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Keeps the page of an order; whether nobody has given it up meanwhile.
pub(super) async fn keep_page(
    transaction: &mut Transaction,
    order: OrderId,
    session: &Session,
) -> Result<bool, StoreError> {
    let kept = query(KEEP_PAGE).bind(order.0).bind(&session.provider_ref).bind(&session.url);
    Ok(kept.execute(transaction).await.map_err(writing)? == 1)
}

/// The order that a provider knows by that name.
pub(super) async fn order_of(
    transaction: &mut Transaction,
    provider: &str,
    request_id: &str,
) -> Result<Option<OrderId>, StoreError> {
    let row = query(OF_REQUEST).bind(provider).bind(request_id).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| row.try_get(0).map(OrderId).map_err(reading)).transpose()
}

/// Checkouts that are to be asked about, those that wait longest first.
pub(super) async fn due(readers: &Readers, provider: &str, now_ms: i64, limit: i64) -> Result<Vec<Due>, StoreError> {
    let rows = query(DUE).bind(provider).bind(now_ms).bind(limit).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read_due).collect()
}

/// Moves the time to ask on from what it was; none where somebody else did.
pub(super) async fn move_on(
    transaction: &mut Transaction,
    due: &Due,
    next_ms: i64,
) -> Result<Option<Asking>, StoreError> {
    let moved = query(MOVE_ON).bind(due.order.0).bind(due.ask_at_ms).bind(next_ms);
    let row = moved.fetch_optional(transaction).await.map_err(writing)?;
    row.map(|row| Ok(Asking { has_page: row.try_get(0).map_err(reading)? })).transpose()
}

/// The provider is to be told to cancel it.
pub(super) async fn give_up(transaction: &mut Transaction, order: OrderId) -> Result<(), StoreError> {
    query(GIVE_UP).bind(order.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Has one asked about at once that was given up; whether it was.
pub(super) async fn ask_again(transaction: &mut Transaction, order: OrderId, now_ms: i64) -> Result<bool, StoreError> {
    let asked = query(ASK_NOW).bind(order.0).bind(now_ms).execute(transaction).await;
    Ok(asked.map_err(writing)? == 1)
}

/// It needs not be asked about any more.
pub(super) async fn close(transaction: &mut Transaction, order: OrderId) -> Result<(), StoreError> {
    query(CLOSE).bind(order.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Keeps a notice, unless it came before.
pub(super) async fn keep(transaction: &mut Transaction, arrived: Arrived<'_>, now_ms: i64) -> Result<bool, StoreError> {
    let Arrived { provider, sha256, body, parked } = arrived;
    let kept = query(KEEP).bind(draw_id(1)).bind(provider).bind(&sha256[..]).bind(body).bind(now_ms).bind(parked);
    Ok(kept.execute(transaction).await.map_err(writing)? == 1)
}

/// The notice of these bytes.
pub(super) async fn kept(transaction: &mut Transaction, provider: &str, sha256: &[u8; 32]) -> Result<Kept, StoreError> {
    let row = query(KEPT).bind(provider).bind(&sha256[..]).fetch_one(transaction).await.map_err(reading)?;
    read_kept(&row)
}

/// Notices that came until then and were not acted on, behind one of them.
pub(super) async fn not_acted_on(
    readers: &Readers,
    provider: &str,
    until_ms: i64,
    after: i64,
) -> Result<Vec<Kept>, StoreError> {
    let asked = query(NOT_ACTED_ON).bind(provider).bind(until_ms).bind(after);
    asked.fetch_all(readers).await.map_err(reading)?.iter().map(read_kept).collect()
}

/// A notice is acted on; whether nobody had done so.
pub(super) async fn acted(transaction: &mut Transaction, notice: i64, now_ms: i64) -> Result<bool, StoreError> {
    let acted = query(ACTED).bind(notice).bind(now_ms).execute(transaction).await;
    Ok(acted.map_err(writing)? == 1)
}

/// A notice is for a person; whether nobody had acted on it.
pub(super) async fn park(transaction: &mut Transaction, notice: i64, why: &str) -> Result<bool, StoreError> {
    let parked = query(PARK).bind(notice).bind(why).execute(transaction).await;
    Ok(parked.map_err(writing)? == 1)
}

fn read_due(row: &Row) -> Result<Due, StoreError> {
    Ok(Due {
        order: OrderId(row.try_get(0).map_err(reading)?),
        request_id: row.try_get(1).map_err(reading)?,
        ask_at_ms: row.try_get(2).map_err(reading)?,
    })
}

fn read_kept(row: &Row) -> Result<Kept, StoreError> {
    Ok(Kept {
        id: row.try_get(0).map_err(reading)?,
        body: row.try_get(1).map_err(reading)?,
        received_at_ms: row.try_get(2).map_err(reading)?,
        is_acted_on: row.try_get(3).map_err(reading)?,
        parked: row.try_get(4).map_err(reading)?,
    })
}

fn reading(error: sqlx::Error) -> StoreError {
    StoreError::read("a checkout")(error)
}

fn writing(error: sqlx::Error) -> StoreError {
    StoreError::write("a checkout")(error)
}
