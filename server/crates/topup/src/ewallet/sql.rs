//! The statements about checkouts and notices.

use tollgate_base::{AccountId, OrderId, draw_id};
use tollgate_store::{DatabaseRow, ReadPool, StoreError, StoreTransaction, query};

use super::provider::CheckoutPage;

const OPEN: &str = "INSERT INTO checkouts (order_id, provider, request_id, wallet, ask_at, token_sha256) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const TOKEN_OF: &str =
    "SELECT o.id, c.token_sha256 FROM topup_order o JOIN checkouts c ON c.order_id = o.id WHERE o.trade_no = $1";
const WAITING: &str = "SELECT count(*) FROM topup_order \
    WHERE account_id = $1 AND rail = 'ewallet' AND status = 'pending' AND expires_at > $2";
const KEEP_PAGE: &str = "UPDATE checkouts SET session = $2, url = $3 WHERE order_id = $1 AND session IS NULL AND gives_up = 0 \
    AND NOT EXISTS (SELECT 1 FROM topup_order WHERE id = $1 AND status IN ('failed', 'expired'))";
const OF_REQUEST: &str = "SELECT order_id FROM checkouts WHERE provider = $1 AND request_id = $2";
const DUE: &str = "SELECT order_id, request_id, ask_at FROM checkouts \
    WHERE provider = $1 AND ask_at IS NOT NULL AND ask_at <= $2 ORDER BY ask_at, order_id LIMIT $3";
const MOVE_ON: &str = "UPDATE checkouts SET ask_at = CASE WHEN gives_up = 1 AND $3 < $4 THEN CAST($4 AS BIGINT) ELSE CAST($3 AS BIGINT) END \
    WHERE order_id = $1 AND ask_at = $2 RETURNING ask_at, url IS NOT NULL";
const GIVE_UP: &str = "UPDATE checkouts SET gives_up = 1, ask_at = CASE WHEN ask_at < $3 THEN $3 ELSE ask_at END \
    WHERE order_id = $1 AND ask_at = $2 AND (url IS NULL OR $4 = 1)";
const ASK_AGAIN: &str = "UPDATE checkouts SET ask_at = $2 WHERE order_id = $1 AND gives_up = 1";
const GIVEN_UP_SINCE: &str = "SELECT EXISTS (SELECT 1 FROM checkouts \
    WHERE order_id = $1 AND gives_up = 1 AND (ask_at IS NULL OR ask_at <> $2))";
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
pub(super) struct DueCheckout {
    pub(super) order: OrderId,
    pub(super) request_id: String,
    pub(super) ask_at_ms: i64,
}

/// A question that is about to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScheduledQuestion {
    /// The time of the next question, in unix milliseconds. While it is unchanged in the row, nobody has given the order up since.
    pub(super) next_ms: i64,
    /// True if the client was given the page by now.
    pub(super) has_page: bool,
}

/// A notice as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredNotice {
    pub(super) id: i64,
    pub(super) body: Vec<u8>,
    pub(super) received_at_ms: i64,
    pub(super) is_acted_on: bool,
    pub(super) parked: Option<String>,
}

/// A notice to be kept, without the time at which it came.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewNotice<'a> {
    pub(super) provider: &'a str,
    pub(super) sha256: &'a [u8; 32],
    pub(super) body: &'a [u8],
    /// The reason for which nothing can be done with it.
    pub(super) parked: Option<&'a str>,
}

/// A checkout to be written before its page is opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewCheckout<'a> {
    pub(super) provider: &'a str,
    /// The name under which the provider will know the order.
    pub(super) request_id: &'a str,
    pub(super) wallet: &'a str,
    pub(super) ask_at_ms: i64,
    pub(super) token_sha256: &'a [u8; 32],
}

/// An order that is paid on a page, and the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckoutToken {
    pub(super) order: OrderId,
    /// None of an order that was made before there were tokens.
    pub(super) token_sha256: Option<Vec<u8>>,
}

/// Writes the name under which the provider will know an order.
pub(super) async fn open(
    transaction: &mut StoreTransaction,
    order: OrderId,
    new: NewCheckout<'_>,
) -> Result<(), StoreError> {
    let NewCheckout { provider, request_id, wallet, ask_at_ms, token_sha256 } = new;
    let opened = query(OPEN).bind(order.0).bind(provider).bind(request_id).bind(wallet).bind(ask_at_ms);
    let opened = opened.bind(&token_sha256[..]);
    opened.execute(transaction).await.map(drop).map_err(writing)
}

/// The order of that name, where it is paid on a page.
pub(super) async fn token_of(readers: &ReadPool, trade_no: &str) -> Result<Option<CheckoutToken>, StoreError> {
    let row = query(TOKEN_OF).bind(trade_no).fetch_optional(readers).await.map_err(reading)?;
    let read = |row: DatabaseRow| -> Result<CheckoutToken, StoreError> {
        Ok(CheckoutToken {
            order: OrderId(row.try_get(0).map_err(reading)?),
            token_sha256: row.try_get(1).map_err(reading)?,
        })
    };
    row.map(read).transpose()
}

/// The number of the account's orders that wait on a page.
pub(super) async fn waiting(
    transaction: &mut StoreTransaction,
    account: AccountId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(WAITING).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Keeps the page of an order. False if the order was given up meanwhile.
pub(super) async fn keep_page(
    transaction: &mut StoreTransaction,
    order: OrderId,
    session: &CheckoutPage,
) -> Result<bool, StoreError> {
    let kept = query(KEEP_PAGE).bind(order.0).bind(&session.provider_ref).bind(&session.url);
    Ok(kept.execute(transaction).await.map_err(writing)? == 1)
}

/// The order that a provider knows by that name.
pub(super) async fn order_of(
    transaction: &mut StoreTransaction,
    provider: &str,
    request_id: &str,
) -> Result<Option<OrderId>, StoreError> {
    let row = query(OF_REQUEST).bind(provider).bind(request_id).fetch_optional(transaction).await.map_err(reading)?;
    row.map(|row| row.try_get(0).map(OrderId).map_err(reading)).transpose()
}

/// Checkouts that are to be asked about, those that wait longest first.
pub(super) async fn due(
    readers: &ReadPool,
    provider: &str,
    now_ms: i64,
    limit: i64,
) -> Result<Vec<DueCheckout>, StoreError> {
    let rows = query(DUE).bind(provider).bind(now_ms).bind(limit).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read_due).collect()
}

/// Moves the time of the next question on from the one that was read; none if another server did. For an order that was given up it
/// is `settled_ms` at least.
pub(super) async fn move_on(
    transaction: &mut StoreTransaction,
    due: &DueCheckout,
    next_ms: i64,
    settled_ms: i64,
) -> Result<Option<ScheduledQuestion>, StoreError> {
    let moved = query(MOVE_ON).bind(due.order.0).bind(due.ask_at_ms).bind(next_ms).bind(settled_ms);
    let row = moved.fetch_optional(transaction).await.map_err(writing)?;
    let read = |row: DatabaseRow| -> Result<ScheduledQuestion, StoreError> {
        Ok(ScheduledQuestion { next_ms: row.try_get(0).map_err(reading)?, has_page: row.try_get(1).map_err(reading)? })
    };
    row.map(read).transpose()
}

/// Records that the provider is to be told to cancel, and is asked again not before `settled_ms`. False if something happened to
/// the order since it was asked about, or if the client has its page and its time is not over (`is_over`).
pub(super) async fn give_up(
    transaction: &mut StoreTransaction,
    order: OrderId,
    asking: ScheduledQuestion,
    settled_ms: i64,
    is_over: bool,
) -> Result<bool, StoreError> {
    let given_up = query(GIVE_UP).bind(order.0).bind(asking.next_ms).bind(settled_ms).bind(i64::from(is_over));
    Ok(given_up.execute(transaction).await.map_err(writing)? == 1)
}

/// Has an order that was given up asked about again at this time. True if it was given up.
pub(super) async fn ask_again(
    transaction: &mut StoreTransaction,
    order: OrderId,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let asked = query(ASK_AGAIN).bind(order.0).bind(at_ms).execute(transaction).await;
    Ok(asked.map_err(writing)? == 1)
}

/// True if an order was given up, and something happened to it since it was asked about.
pub(super) async fn given_up_since(
    transaction: &mut StoreTransaction,
    order: OrderId,
    asking: ScheduledQuestion,
) -> Result<bool, StoreError> {
    let asked = query(GIVEN_UP_SINCE).bind(order.0).bind(asking.next_ms);
    asked.fetch_one(transaction).await.map_err(reading)?.try_get(0).map_err(reading)
}

/// Marks a checkout as one that is not asked about any more.
pub(super) async fn close(transaction: &mut StoreTransaction, order: OrderId) -> Result<(), StoreError> {
    query(CLOSE).bind(order.0).execute(transaction).await.map(drop).map_err(writing)
}

/// Keeps a notice, unless it came before. True if it is new.
pub(super) async fn keep(
    transaction: &mut StoreTransaction,
    arrived: NewNotice<'_>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let NewNotice { provider, sha256, body, parked } = arrived;
    let kept = query(KEEP).bind(draw_id(1)).bind(provider).bind(&sha256[..]).bind(body).bind(now_ms).bind(parked);
    Ok(kept.execute(transaction).await.map_err(writing)? == 1)
}

/// The notice of these bytes.
pub(super) async fn kept(
    transaction: &mut StoreTransaction,
    provider: &str,
    sha256: &[u8; 32],
) -> Result<StoredNotice, StoreError> {
    let row = query(KEPT).bind(provider).bind(&sha256[..]).fetch_one(transaction).await.map_err(reading)?;
    read_kept(&row)
}

/// Notices that came until `until_ms` and were not acted on, with larger ids than `after`.
pub(super) async fn not_acted_on(
    readers: &ReadPool,
    provider: &str,
    until_ms: i64,
    after: i64,
) -> Result<Vec<StoredNotice>, StoreError> {
    let asked = query(NOT_ACTED_ON).bind(provider).bind(until_ms).bind(after);
    asked.fetch_all(readers).await.map_err(reading)?.iter().map(read_kept).collect()
}

/// Marks a notice as acted on. True if nobody had done so.
pub(super) async fn acted(transaction: &mut StoreTransaction, notice: i64, now_ms: i64) -> Result<bool, StoreError> {
    let acted = query(ACTED).bind(notice).bind(now_ms).execute(transaction).await;
    Ok(acted.map_err(writing)? == 1)
}

/// Leaves a notice to an operator, for this reason. True if nobody had acted on it.
pub(super) async fn park(transaction: &mut StoreTransaction, notice: i64, why: &str) -> Result<bool, StoreError> {
    let parked = query(PARK).bind(notice).bind(why).execute(transaction).await;
    Ok(parked.map_err(writing)? == 1)
}

fn read_due(row: &DatabaseRow) -> Result<DueCheckout, StoreError> {
    Ok(DueCheckout {
        order: OrderId(row.try_get(0).map_err(reading)?),
        request_id: row.try_get(1).map_err(reading)?,
        ask_at_ms: row.try_get(2).map_err(reading)?,
    })
}

fn read_kept(row: &DatabaseRow) -> Result<StoredNotice, StoreError> {
    Ok(StoredNotice {
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
