//! The SQL of the gateway: stored responses, and the server's own keys.

use tollgate_base::AccountId;
use tollgate_store::{ReadPool, SqlText, StoreError, StoreTransaction, query};

use super::row::StoredResponseRow;

/// The insertion of a response. Providers of format R choose the ids, and of two responses with one id the newer stays.
const INSERT: &str = "INSERT INTO stored_responses (account_id, id, created_at, expires_at, model, input, response, hidden, bytes) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (account_id, id) DO UPDATE SET created_at = excluded.created_at, \
    expires_at = excluded.expires_at, model = excluded.model, input = excluded.input, response = excluded.response, \
    hidden = excluded.hidden, bytes = excluded.bytes";
/// The deletion of the oldest responses above the quota. The new one is excluded, whose time may be that of another.
const DROP_OLDEST: &str = "DELETE FROM stored_responses WHERE account_id = $1 AND id IN (\
    SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY created_at, id) - bytes AS before FROM (\
        SELECT id, created_at, bytes FROM stored_responses WHERE account_id = $1 AND id <> $2 ORDER BY created_at, id LIMIT $4) oldest\
    ) counted WHERE before < (SELECT bytes FROM stored_bytes WHERE account_id = $1) - $3)";
const FIND: &str = "SELECT id, model, input, response, hidden FROM stored_responses \
    WHERE account_id = $1 AND id = $2 AND expires_at > $3";
const RESPONSE: &str = "SELECT response FROM stored_responses WHERE account_id = $1 AND id = $2 AND expires_at > $3";
const INPUT: &str = "SELECT input FROM stored_responses WHERE account_id = $1 AND id = $2 AND expires_at > $3";
const HOLDS: &str = "SELECT 1 FROM stored_responses WHERE account_id = $1 AND id = $2 AND expires_at > $3";
const DELETE: &str = "DELETE FROM stored_responses WHERE account_id = $1 AND id = $2 AND expires_at > $3";
const DELETE_EXPIRED: &str = "DELETE FROM stored_responses WHERE (account_id, id) IN \
    (SELECT account_id, id FROM stored_responses WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
/// The insertion of items, ordered by id, so that two concurrent ones do not deadlock.
const INDEX: SqlText = SqlText::of(
    "INSERT INTO stored_items (account_id, id, response_id) SELECT $1, value, $2 FROM json_each($3) WHERE true ORDER BY value \
        ON CONFLICT (account_id, id) DO UPDATE SET response_id = excluded.response_id",
    "INSERT INTO stored_items (account_id, id, response_id) \
        SELECT $1, value, $2 FROM jsonb_array_elements_text(CAST($3 AS text)::jsonb) AS ids (value) ORDER BY value \
        ON CONFLICT (account_id, id) DO UPDATE SET response_id = excluded.response_id",
);
const HOLDERS: SqlText = SqlText::of(
    "SELECT DISTINCT response_id FROM stored_items WHERE account_id = $1 AND id IN (SELECT value FROM json_each($2))",
    "SELECT DISTINCT response_id FROM stored_items \
        WHERE account_id = $1 AND id IN (SELECT jsonb_array_elements_text(CAST($2 AS text)::jsonb))",
);
const INSERT_KEY: &str =
    "INSERT INTO server_keys (name, secret, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
const KEY: &str = "SELECT secret FROM server_keys WHERE name = $1";
/// The name of the key for compacted conversations.
const COMPACTION: &str = "compaction";

pub(super) async fn insert(
    transaction: &mut StoreTransaction,
    account: AccountId,
    row: &StoredResponseRow,
    created_at_ms: i64,
    expires_at_ms: i64,
) -> Result<(), StoreError> {
    let asked = query(INSERT).bind(account.0).bind(&row.id).bind(created_at_ms).bind(expires_at_ms);
    let asked = asked.bind(&row.model).bind(&row.input).bind(&row.response).bind(&row.hidden);
    let asked = asked.bind(number(row.bytes()));
    asked.execute(transaction).await.map(drop).map_err(StoreError::write("a response"))
}

/// Records `id` as the response that has these items; `items` is a JSON list of distinct ids.
pub(super) async fn index(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: &str,
    items: &str,
) -> Result<(), StoreError> {
    let asked = query(INDEX).bind(account.0).bind(id).bind(items);
    asked.execute(transaction).await.map(drop).map_err(StoreError::write("the items of a response"))
}

/// The ids of the responses that have these items; `items` is a JSON list of ids.
pub(super) async fn holders(readers: &ReadPool, account: AccountId, items: &str) -> Result<Vec<String>, StoreError> {
    let rows = query(HOLDERS).bind(account.0).bind(items).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(reading)
}

/// Deletes the account's oldest rows except `kept`, at most `rows`, until they fit into `quota` bytes; returns their
/// number.
pub(super) async fn drop_oldest(
    transaction: &mut StoreTransaction,
    account: AccountId,
    kept: &str,
    quota: usize,
    rows: i64,
) -> Result<u64, StoreError> {
    let asked = query(DROP_OLDEST).bind(account.0).bind(kept).bind(number(quota)).bind(rows);
    let done = asked.execute(transaction).await.map_err(StoreError::write("room for a response"))?;
    Ok(done)
}

fn number(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

pub(super) async fn find(
    readers: &ReadPool,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<Option<StoredResponseRow>, StoreError> {
    let asked = query(FIND).bind(account.0).bind(id).bind(now_ms);
    let Some(row) = asked.fetch_optional(readers).await.map_err(reading)? else { return Ok(None) };
    Ok(Some(StoredResponseRow {
        id: row.try_get(0).map_err(reading)?,
        model: row.try_get(1).map_err(reading)?,
        input: row.try_get(2).map_err(reading)?,
        response: row.try_get(3).map_err(reading)?,
        hidden: row.try_get(4).map_err(reading)?,
    }))
}

/// One of the two long columns of a row. Each may be as large as a request, so neither is read without need.
#[derive(Debug, Clone, Copy)]
pub(super) enum LongColumn {
    Input,
    Response,
}

pub(super) async fn find_half(
    readers: &ReadPool,
    half: LongColumn,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    let text = match half {
        LongColumn::Input => INPUT,
        LongColumn::Response => RESPONSE,
    };
    let asked = query(text).bind(account.0).bind(id).bind(now_ms);
    let row = asked.fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| row.try_get(0)).transpose().map_err(reading)
}

/// True if the account has that response.
pub(super) async fn holds(readers: &ReadPool, account: AccountId, id: &str, now_ms: i64) -> Result<bool, StoreError> {
    let asked = query(HOLDS).bind(account.0).bind(id).bind(now_ms);
    asked.fetch_optional(readers).await.map(|row| row.is_some()).map_err(reading)
}

/// Deletes a response; returns true if there was one.
pub(super) async fn delete(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let asked = query(DELETE).bind(account.0).bind(id).bind(now_ms);
    let done = asked.execute(transaction).await.map_err(StoreError::write("a deletion"))?;
    Ok(done > 0)
}

/// Deletes at most `rows` expired responses; returns their number.
pub(super) async fn delete_expired(
    transaction: &mut StoreTransaction,
    now_ms: i64,
    rows: i64,
) -> Result<u64, StoreError> {
    let asked = query(DELETE_EXPIRED).bind(now_ms).bind(rows);
    let done = asked.execute(transaction).await.map_err(StoreError::write("a sweep of responses"))?;
    Ok(done)
}

/// The stored key; stores `fresh` where there was none.
pub(super) async fn key(
    transaction: &mut StoreTransaction,
    fresh: &[u8; 32],
    now_ms: i64,
) -> Result<[u8; 32], StoreError> {
    let asked = query(INSERT_KEY).bind(COMPACTION).bind(fresh.as_slice()).bind(now_ms);
    asked.execute(&mut *transaction).await.map_err(StoreError::write("a server key"))?;
    let row = query(KEY).bind(COMPACTION).fetch_one(transaction).await.map_err(reading)?;
    let secret: &[u8] = row.try_get(0).map_err(reading)?;
    // The table checks the length. The error must not hold the secret itself.
    let wrong = |_| StoreError::Unreadable { what: "a key of 32 bytes", found: format!("{} bytes", secret.len()) };
    secret.try_into().map_err(wrong)
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "responses and server keys", source: source.into() }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The bytes that the database has counted for an account.
    pub(in super::super) async fn counted(readers: &ReadPool, account: AccountId) -> i64 {
        let text = "SELECT coalesce((SELECT bytes FROM stored_bytes WHERE account_id = $1), 0), \
            CAST(coalesce(sum(octet_length(id || model || input || response || hidden)), 0) AS BIGINT) FROM stored_responses WHERE account_id = $1";
        let row = query(text).bind(account.0).fetch_one(readers).await.expect("a row");
        let (counted, there): (i64, i64) = (row.try_get(0).expect("a number"), row.try_get(1).expect("a number"));
        assert_eq!(counted, there, "what is counted is there");
        counted
    }

    /// The number of items that can be found, over all accounts.
    pub(in super::super) async fn items(readers: &ReadPool) -> i64 {
        let row = query("SELECT count(*) FROM stored_items").fetch_one(readers).await.expect("a row");
        row.try_get(0).expect("a number")
    }

    /// An account that may own rows.
    pub(in super::super) async fn account(transaction: &mut StoreTransaction, id: AccountId, name: &str) {
        let text = "INSERT INTO accounts (id, name, state, created_at) VALUES ($1, $2, 'active', 1)";
        query(text).bind(id.0).bind(name).execute(transaction).await.expect("a fresh ledger");
    }
}
