//! The rows of requests that carry an Idempotency-Key. Each statement runs inside its caller's transaction.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use tollgate_api::{IdempotentRequest, KeptAnswer};
use tollgate_base::{AccountId, RequestId};
use tollgate_store::{DatabaseRow, StatementTarget, StoreError, StoreTransaction, query};

const FIND: &str = "SELECT request_sha256, request_id, epoch, state, created_at, status, headers, answer FROM idempotency \
    WHERE account_id = $1 AND idem_key = $2";
const GIVE: &str = "INSERT INTO idempotency (account_id, idem_key, request_sha256, request_id, epoch, state, created_at) \
    VALUES ($1, $2, $3, $4, $5, 'running', $6) \
    ON CONFLICT (account_id, idem_key) DO UPDATE SET request_sha256 = excluded.request_sha256, request_id = excluded.request_id, \
        epoch = excluded.epoch, state = 'running', status = NULL, headers = NULL, answer = NULL, created_at = excluded.created_at \
    WHERE idempotency.request_id = $7";
const DONE: &str = "UPDATE idempotency SET state = 'done' WHERE account_id = $1 AND idem_key = $2 AND request_id = $3 AND state = 'running'";
const ANSWERED: &str = "UPDATE idempotency SET state = 'done', status = $4, headers = $5, answer = $6 \
    WHERE account_id = $1 AND idem_key = $2 AND request_id = $3 AND state = 'running'";
const TAKE: &str =
    "DELETE FROM idempotency WHERE account_id = $1 AND idem_key = $2 AND request_id = $3 AND state = 'running'";
const HOLD: &str = "SELECT CASE kept WHEN 1 THEN 'kept' ELSE 'held' END FROM holds WHERE request_id = $1 AND account_id = $2 \
    UNION ALL SELECT state FROM receipts WHERE request_id = $1 AND account_id = $2";
const ANSWERS: &str = "SELECT count(*) FROM idempotency WHERE account_id = $1 AND answer IS NOT NULL";
const IS_UP: &str = "SELECT 1 FROM nodes WHERE epoch = $1 AND state = 'up'";
/// Makes the row one of a server that is gone.
const LET_GO: &str = "UPDATE idempotency SET epoch = 0 \
    WHERE account_id = $1 AND idem_key = $2 AND request_id = $3 AND state = 'running'";
/// Removes rows of requests that have ended. By a clock that was set, age says nothing of a stream that goes on. Asked of the
/// row itself as well: it may have been given to another request meanwhile.
const PURGE: &str = "DELETE FROM idempotency WHERE state = 'done' AND created_at <= $1 AND (account_id, idem_key) IN \
    (SELECT i.account_id, i.idem_key FROM idempotency i WHERE i.state = 'done' AND i.created_at <= $1 AND NOT EXISTS \
        (SELECT 1 FROM holds h WHERE h.request_id = i.request_id AND h.kept = 0) \
    ORDER BY i.created_at LIMIT 500)";
/// Rows of requests that run. Another server's work is left out, and requests whose hold it gives back in a moment.
const LEFT: &str = "SELECT i.account_id, i.idem_key, i.request_id FROM idempotency i \
    WHERE i.state = 'running' AND i.created_at <= $1 \
        AND (i.epoch = $2 OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.epoch = i.epoch AND n.state = 'up')) AND NOT EXISTS \
        (SELECT 1 FROM holds h WHERE h.request_id = i.request_id AND h.kept = 0) \
    ORDER BY i.created_at LIMIT 500";

/// The row of an Idempotency-Key.
#[derive(Debug)]
pub(crate) struct IdempotencyRow {
    pub(crate) sha256: Vec<u8>,
    pub(crate) request: RequestId,
    pub(crate) epoch: i64,
    pub(crate) running: bool,
    pub(crate) created_at_ms: i64,
    pub(crate) answer: Option<KeptAnswer>,
}

/// The row of a key while a request has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyOf {
    pub(crate) account: AccountId,
    pub(crate) key: String,
    pub(crate) request: RequestId,
}

impl From<&IdempotentRequest> for KeyOf {
    fn from(IdempotentRequest { account, key, request, sha256: _, is_paid_for: _ }: &IdempotentRequest) -> Self {
        Self { account: *account, key: key.clone(), request: *request }
    }
}

/// The state of the hold of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoldState {
    /// There is none.
    None,
    /// It is open.
    Held,
    /// It is open for something that outlives the request.
    Kept,
    Settled,
    Released,
}

pub(crate) async fn find_key(
    at: impl Into<StatementTarget<'_>>,
    account: AccountId,
    key: &str,
) -> Result<Option<IdempotencyRow>, StoreError> {
    let row = query(FIND).bind(account.0).bind(key).fetch_optional(at).await.map_err(reading)?;
    row.map(|row| read(&row)).transpose()
}

/// Writes down that a request has its key from now on, in the place of another one where that is named; answers whether it has.
pub(crate) async fn give_key(
    transaction: &mut StoreTransaction,
    request: &IdempotentRequest,
    instead_of: Option<RequestId>,
    epoch: i64,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let given = query(GIVE).bind(request.account.0).bind(&request.key).bind(request.sha256.as_slice());
    let given = given.bind(request.request.as_str()).bind(epoch).bind(now_ms);
    // No request has an empty id.
    let given = given.bind(instead_of.as_ref().map_or("", RequestId::as_str)).execute(transaction).await;
    Ok(given.map_err(writing)? == 1)
}

/// Writes down that a request has ended, and its answer where it can be given again.
pub(crate) async fn keep_answer(
    transaction: &mut StoreTransaction,
    request: &IdempotentRequest,
    answer: Option<&KeptAnswer>,
) -> Result<(), StoreError> {
    let named = |sql| query(sql).bind(request.account.0).bind(&request.key).bind(request.request.as_str());
    let kept = match answer {
        None => named(DONE).execute(transaction).await,
        Some(answer) => {
            let headers = written(&answer.headers);
            let whole = named(ANSWERED).bind(i64::from(answer.status.as_u16())).bind(&headers).bind(&answer.body[..]);
            whole.execute(transaction).await
        }
    };
    kept.map(drop).map_err(writing)
}

/// Takes its key from a request that nothing came of, and answers how many rows that changed.
pub(crate) async fn take_key(transaction: &mut StoreTransaction, of: &KeyOf) -> Result<u64, StoreError> {
    change(transaction, TAKE, of).await
}

/// Writes down that nobody is at work on a request any more, where its row says otherwise.
pub(crate) async fn let_go(transaction: &mut StoreTransaction, of: &KeyOf) -> Result<u64, StoreError> {
    change(transaction, LET_GO, of).await
}

async fn change(transaction: &mut StoreTransaction, sql: &'static str, of: &KeyOf) -> Result<u64, StoreError> {
    let changed = query(sql).bind(of.account.0).bind(&of.key).bind(of.request.as_str());
    changed.execute(transaction).await.map_err(writing)
}

pub(crate) async fn hold_stands(
    transaction: &mut StoreTransaction,
    account: AccountId,
    request: RequestId,
) -> Result<HoldState, StoreError> {
    let asked = query(HOLD).bind(request.as_str()).bind(account.0);
    let Some(row) = asked.fetch_optional(transaction).await.map_err(reading)? else { return Ok(HoldState::None) };
    let state: String = row.try_get(0).map_err(reading)?;
    match state.as_str() {
        "settled" => Ok(HoldState::Settled),
        "released" => Ok(HoldState::Released),
        "kept" => Ok(HoldState::Kept),
        _ => Ok(HoldState::Held),
    }
}

/// The number of kept answers of an account.
pub(crate) async fn answers_kept(at: impl Into<StatementTarget<'_>>, account: AccountId) -> Result<i64, StoreError> {
    let row = query(ANSWERS).bind(account.0).fetch_one(at).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// True if a start has not been taken for gone.
pub(crate) async fn is_up(transaction: &mut StoreTransaction, epoch: i64) -> Result<bool, StoreError> {
    let found = query(IS_UP).bind(epoch).fetch_optional(transaction).await.map_err(reading)?;
    Ok(found.is_some())
}

/// Removes some of the rows of requests that are over which were made at that moment or before, and answers how many.
pub(crate) async fn purge_keys(transaction: &mut StoreTransaction, until_ms: i64) -> Result<u64, StoreError> {
    query(PURGE).bind(until_ms).execute(transaction).await.map_err(writing)
}

/// Some of the rows of requests that run which were made at that moment or before: of this start, and of those that are gone.
pub(crate) async fn left_keys(
    transaction: &mut StoreTransaction,
    until_ms: i64,
    epoch: i64,
) -> Result<Vec<KeyOf>, StoreError> {
    let rows = query(LEFT).bind(until_ms).bind(epoch).fetch_all(transaction).await.map_err(reading)?;
    rows.iter().map(key_of).collect()
}

fn key_of(row: &DatabaseRow) -> Result<KeyOf, StoreError> {
    let account = AccountId(row.try_get(0).map_err(reading)?);
    let request = request_of(row.try_get(2).map_err(reading)?)?;
    Ok(KeyOf { account, key: row.try_get(1).map_err(reading)?, request })
}

fn read(row: &DatabaseRow) -> Result<IdempotencyRow, StoreError> {
    let request = request_of(row.try_get(1).map_err(reading)?)?;
    let state: String = row.try_get(3).map_err(reading)?;
    Ok(IdempotencyRow {
        sha256: row.try_get(0).map_err(reading)?,
        request,
        epoch: row.try_get(2).map_err(reading)?,
        running: state == "running",
        created_at_ms: row.try_get(4).map_err(reading)?,
        answer: answer(row, request)?,
    })
}

fn request_of(text: String) -> Result<RequestId, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { what: "a request id", found: text })
}

fn answer(row: &DatabaseRow, first: RequestId) -> Result<Option<KeptAnswer>, StoreError> {
    let status: Option<i64> = row.try_get(5).map_err(reading)?;
    let Some(status) = status else { return Ok(None) };
    let unreadable = |what, found: &str| StoreError::Unreadable { what, found: found.to_owned() };
    let known = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let headers: String = row.try_get(6).map_err(reading)?;
    let body: Vec<u8> = row.try_get(7).map_err(reading)?;
    Ok(Some(KeptAnswer {
        first,
        status: known.ok_or_else(|| unreadable("a status", &status.to_string()))?,
        headers: headers_of(&headers).ok_or_else(|| unreadable("headers", &headers))?,
        body: Bytes::from(body),
    }))
}

/// Headers as JSON. One that is no text says nothing that a client could need twice.
pub(super) fn written(headers: &HeaderMap) -> String {
    let pairs = headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    serde_json::to_string(&pairs.collect::<Vec<_>>()).expect("pairs of texts are JSON")
}

fn headers_of(json: &str) -> Option<HeaderMap> {
    let pairs: Vec<(String, String)> = serde_json::from_str(json).ok()?;
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(name.parse::<HeaderName>().ok()?, HeaderValue::try_from(value).ok()?);
    }
    Some(headers)
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "a key", source: source.into() }
}

fn writing(source: sqlx::Error) -> StoreError {
    StoreError::Write { what: "a key", source: source.into() }
}
