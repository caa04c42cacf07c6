//! The SQL of the gateway: stored responses, and the server's own keys.
//!
//! Each write locks its accounts first, in their order, so that servers that share a database do not deadlock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use tollgate_base::AccountId;
use tollgate_store::{DatabaseRow, ReadPool, SqlText, StoreError, StoreTransaction, query};

use super::row::{InsertedRow, RowName, StoredConversation, StoredResponseRow};

/// Numbers of rows that one statement inserts, largest first: each number is a text that databases keep prepared.
const INSERTED_AT_ONCE: [usize; 4] = [64, 16, 4, 1];
const COLUMNS: usize = 12;
const ADD_BYTES: SqlText = SqlText::of(
    "INSERT INTO stored_bytes (account_id, bytes) SELECT value->>0, value->>1 FROM json_each($1) WHERE true \
        ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes RETURNING account_id, bytes",
    "INSERT INTO stored_bytes AS counted (account_id, bytes) SELECT (value->>0)::bigint, (value->>1)::bigint \
        FROM jsonb_array_elements(CAST($1 AS text)::jsonb) AS added (value) ORDER BY 1 \
        ON CONFLICT (account_id) DO UPDATE SET bytes = counted.bytes + excluded.bytes RETURNING account_id, bytes",
);
const LOCK: SqlText = SqlText::of(
    "SELECT account_id, bytes FROM stored_bytes WHERE account_id IN (SELECT value FROM json_each($1))",
    "SELECT account_id, bytes FROM stored_bytes WHERE account_id IN \
        (SELECT value::bigint FROM jsonb_array_elements_text(CAST($1 AS text)::jsonb)) ORDER BY account_id FOR UPDATE",
);
const PARENTS: SqlText = SqlText::of(
    "SELECT seq, account_id, id FROM stored_responses WHERE seq IN (SELECT value FROM json_each($1))",
    "SELECT seq, account_id, id FROM stored_responses WHERE seq IN \
        (SELECT value::bigint FROM jsonb_array_elements_text(CAST($1 AS text)::jsonb))",
);
const INDEX: SqlText = SqlText::of(
    "INSERT INTO stored_items (account_id, id, seq) SELECT value->>0, value->>1, value->>2 FROM json_each($1) WHERE true \
        ON CONFLICT (account_id, id) DO UPDATE SET seq = excluded.seq",
    "INSERT INTO stored_items (account_id, id, seq) \
        SELECT (value->>0)::bigint, value->>1, (value->>2)::bigint FROM jsonb_array_elements(CAST($1 AS text)::jsonb) AS items (value) \
        ON CONFLICT (account_id, id) DO UPDATE SET seq = excluded.seq",
);
const UNINDEX: SqlText = SqlText::of(
    "DELETE FROM stored_items WHERE account_id = $1 AND id IN (SELECT value FROM json_each($2)) \
        AND seq IN (SELECT value FROM json_each($3))",
    "DELETE FROM stored_items WHERE account_id = $1 AND id IN (SELECT jsonb_array_elements_text(CAST($2 AS text)::jsonb)) \
        AND seq IN (SELECT value::bigint FROM jsonb_array_elements_text(CAST($3 AS text)::jsonb))",
);
const FORGET_ID: &str = "UPDATE stored_responses SET forgotten = 1 \
    WHERE account_id = $1 AND id = $2 AND forgotten = 0 AND expires_at > $3 RETURNING seq";
const FORGET: SqlText = SqlText::of(
    "UPDATE stored_responses SET forgotten = 1 WHERE forgotten = 0 AND seq IN (SELECT value FROM json_each($1))",
    "UPDATE stored_responses SET forgotten = 1 WHERE forgotten = 0 AND seq IN \
        (SELECT value::bigint FROM jsonb_array_elements_text(CAST($1 AS text)::jsonb))",
);
/// The deletion of forgotten rows that nobody goes on from, each with those before it up to a branch.
const PRUNE: SqlText = SqlText::of(
    "WITH RECURSIVE gone (seq, parent) AS (SELECT seq, parent FROM stored_responses leaf WHERE forgotten = 1 AND seq IN \
            (SELECT value FROM json_each($1)) \
            AND NOT EXISTS (SELECT 1 FROM stored_responses child WHERE child.parent = leaf.seq) \
        UNION ALL SELECT earlier.seq, earlier.parent FROM gone JOIN stored_responses earlier ON earlier.seq = gone.parent \
            WHERE earlier.forgotten = 1 AND NOT EXISTS \
                (SELECT 1 FROM stored_responses child WHERE child.parent = earlier.seq AND child.seq <> gone.seq)) \
        DELETE FROM stored_responses WHERE seq IN (SELECT seq FROM gone) RETURNING account_id, bytes, seq, items, parent",
    "WITH RECURSIVE gone (seq, parent) AS (SELECT seq, parent FROM stored_responses leaf WHERE forgotten = 1 AND seq IN \
            (SELECT value::bigint FROM jsonb_array_elements_text(CAST($1 AS text)::jsonb)) \
            AND NOT EXISTS (SELECT 1 FROM stored_responses child WHERE child.parent = leaf.seq) \
        UNION ALL SELECT earlier.seq, earlier.parent FROM gone JOIN stored_responses earlier ON earlier.seq = gone.parent \
            WHERE earlier.forgotten = 1 AND NOT EXISTS \
                (SELECT 1 FROM stored_responses child WHERE child.parent = earlier.seq AND child.seq <> gone.seq)) \
        DELETE FROM stored_responses WHERE seq IN (SELECT seq FROM gone) RETURNING account_id, bytes, seq, items, parent",
);
const TAKE_BYTES: &str = "UPDATE stored_bytes SET bytes = bytes - $2 WHERE account_id = $1";
/// The oldest responses whose deletion makes room for so many bytes.
const OLDEST: &str = "SELECT seq FROM (SELECT seq, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM (\
        SELECT seq, bytes FROM stored_responses WHERE account_id = $1 AND forgotten = 0 AND id <> $2 ORDER BY seq LIMIT $4) oldest\
    ) counted WHERE before < $3";
const AFTER: &str =
    "SELECT seq, account_id, expires_at FROM stored_responses WHERE seq > $1 AND forgotten = 0 ORDER BY seq LIMIT $2";
/// A response with those that it goes on from, oldest first.
const CONVERSATION: &str = "WITH RECURSIVE conversation (seq, parent, turn, bytes) AS (\
        SELECT seq, parent, 0, conversation_bytes FROM stored_responses \
            WHERE account_id = $1 AND id = $2 AND forgotten = 0 AND expires_at > $3 \
        UNION ALL SELECT earlier.seq, earlier.parent, turn + 1, conversation.bytes \
            FROM conversation JOIN stored_responses earlier ON earlier.seq = conversation.parent AND earlier.account_id = $1) \
    SELECT stored.seq, input, response, hidden, conversation.bytes \
    FROM conversation JOIN stored_responses stored ON stored.seq = conversation.seq ORDER BY turn DESC";
const RESPONSE: &str =
    "SELECT response FROM stored_responses WHERE account_id = $1 AND id = $2 AND forgotten = 0 AND expires_at > $3";
const HOLDS: &str =
    "SELECT 1 FROM stored_responses WHERE account_id = $1 AND id = $2 AND forgotten = 0 AND expires_at > $3";
const HOLDERS: SqlText = SqlText::of(
    "SELECT DISTINCT seq FROM stored_items WHERE account_id = $1 AND id IN (SELECT value FROM json_each($2)) ORDER BY seq",
    "SELECT DISTINCT seq FROM stored_items \
        WHERE account_id = $1 AND id IN (SELECT jsonb_array_elements_text(CAST($2 AS text)::jsonb)) ORDER BY seq",
);
const ROW: &str = "SELECT seq, input, response, hidden FROM stored_responses \
    WHERE account_id = $1 AND seq = $2 AND (forgotten = 1 OR expires_at > $3)";
const INSERT_KEY: &str =
    "INSERT INTO server_keys (name, secret, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
const KEY: &str = "SELECT secret FROM server_keys WHERE name = $1";
/// The name of the key for compacted conversations.
const COMPACTION: &str = "compaction";

/// The insertions, as many rows each as [`INSERTED_AT_ONCE`] says. A row whose account has its id is left out.
static INSERT: LazyLock<[&'static str; INSERTED_AT_ONCE.len()]> = LazyLock::new(|| INSERTED_AT_ONCE.map(insertion));

fn insertion(rows: usize) -> &'static str {
    let row = |row: usize| {
        let values: Vec<String> = (1..=COLUMNS).map(|column| format!("${}", row * COLUMNS + column)).collect();
        format!("({})", values.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    let text = format!(
        "INSERT INTO stored_responses (account_id, id, parent, created_at, expires_at, bytes, conversation_bytes, model, items, \
         hidden, input, response) VALUES {} ON CONFLICT (account_id, id) WHERE forgotten = 0 DO NOTHING \
         RETURNING seq, account_id, id",
        rows.join(", ")
    );
    text.leak()
}

/// Inserts rows; returns their numbers by account and id. A row is left out where its account has one of its id.
pub(super) async fn insert(
    transaction: &mut StoreTransaction,
    rows: &[InsertedRow<'_>],
) -> Result<BTreeMap<(i64, String), i64>, StoreError> {
    let mut numbers = BTreeMap::new();
    let mut rest = rows;
    while !rest.is_empty() {
        let which =
            INSERTED_AT_ONCE.iter().position(|count| *count <= rest.len()).unwrap_or(INSERTED_AT_ONCE.len() - 1);
        let (some, others) = rest.split_at(INSERTED_AT_ONCE[which]);
        let asked = some.iter().fold(query(INSERT[which]), |asked, row| {
            let asked = asked.bind(row.account.0).bind(row.id).bind(row.parent);
            let asked =
                asked.bind(row.created_at_ms).bind(row.expires_at_ms).bind(row.bytes).bind(row.conversation_bytes);
            asked.bind(row.model).bind(row.items).bind(row.hidden).bind(row.input).bind(row.response)
        });
        let found = asked.fetch_all(&mut *transaction).await.map_err(StoreError::write("responses"))?;
        for row in &found {
            numbers.insert((number(row, 1)?, row.try_get(2).map_err(reading)?), number(row, 0)?);
        }
        rest = others;
    }
    Ok(numbers)
}

/// Adds to what is counted of accounts, and locks them; returns what is counted then.
pub(super) async fn add_bytes(
    transaction: &mut StoreTransaction,
    added: &BTreeMap<i64, i64>,
) -> Result<BTreeMap<i64, i64>, StoreError> {
    let added = json(&added.iter().collect::<Vec<_>>());
    let rows = query(ADD_BYTES).bind(&added).fetch_all(transaction).await.map_err(StoreError::write("responses"))?;
    counts(&rows)
}

/// Locks accounts; returns what is counted of each.
pub(super) async fn lock(
    transaction: &mut StoreTransaction,
    accounts: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, i64>, StoreError> {
    counts(&query(LOCK).bind(&json(accounts)).fetch_all(transaction).await.map_err(reading)?)
}

fn counts(rows: &[DatabaseRow]) -> Result<BTreeMap<i64, i64>, StoreError> {
    rows.iter().map(|row| Ok((number(row, 0)?, number(row, 1)?))).collect()
}

/// The rows of these numbers that are there.
pub(super) async fn present(
    transaction: &mut StoreTransaction,
    rows: &BTreeSet<RowName>,
) -> Result<BTreeSet<RowName>, StoreError> {
    let numbers: Vec<i64> = rows.iter().map(|(seq, ..)| *seq).collect();
    let found = query(PARENTS).bind(&json(&numbers)).fetch_all(transaction).await.map_err(reading)?;
    found.iter().map(|row| Ok((number(row, 0)?, number(row, 1)?, row.try_get(2).map_err(reading)?))).collect()
}

/// Records the rows that items are found in from now on: accounts, ids and numbers.
pub(super) async fn index(transaction: &mut StoreTransaction, items: &[(i64, &str, i64)]) -> Result<(), StoreError> {
    let done = query(INDEX).bind(&json(items)).execute(transaction).await;
    done.map(drop).map_err(StoreError::write("the items of responses"))
}

/// Forgets the account's response of that id; returns its row, if there was one.
pub(super) async fn forget_id(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<Option<i64>, StoreError> {
    let asked = query(FORGET_ID).bind(account.0).bind(id).bind(now_ms);
    let row = asked.fetch_optional(transaction).await.map_err(StoreError::write("a deletion"))?;
    row.map(|row| number(&row, 0)).transpose()
}

/// Forgets rows.
pub(super) async fn forget(transaction: &mut StoreTransaction, rows: &BTreeSet<i64>) -> Result<(), StoreError> {
    let done = query(FORGET).bind(&json(rows)).execute(transaction).await;
    done.map(drop).map_err(StoreError::write("a deletion"))
}

/// Deletes those of these rows that are forgotten and that nobody goes on from, with their items and the rows before them of
/// which the same is true then; returns their number.
pub(super) async fn prune(transaction: &mut StoreTransaction, rows: BTreeSet<i64>) -> Result<usize, StoreError> {
    let (mut rows, mut deleted) = (rows, BTreeMap::<i64, DeletedRows>::new());
    while !rows.is_empty() {
        let found = query(PRUNE).bind(&json(&rows)).fetch_all(&mut *transaction).await;
        let found = found.map_err(StoreError::write("a deletion"))?;
        let (mut gone, mut before) = (BTreeSet::new(), BTreeSet::new());
        for row in &found {
            let seq = number(row, 2)?;
            let unreadable =
                |_| StoreError::Unreadable { what: "a list of ids", found: format!("another value in row {seq}") };
            let items = row.try_get::<&str>(3).map_err(reading)?;
            let of_account = deleted.entry(number(row, 0)?).or_default();
            of_account.bytes += number(row, 1)?;
            of_account.items.extend(serde_json::from_str::<Vec<String>>(items).map_err(unreadable)?);
            of_account.rows.insert(seq);
            gone.insert(seq);
            before.extend(row.try_get::<Option<i64>>(4).map_err(reading)?);
        }
        // What is left of them is a branch, whose last one may have gone with this statement.
        rows = &before - &gone;
    }
    for (account, deleted) in &deleted {
        let (items, rows) = (json(&deleted.items), json(&deleted.rows));
        let unindexed = query(UNINDEX).bind(*account).bind(&items).bind(&rows);
        unindexed.execute(&mut *transaction).await.map_err(StoreError::write("a deletion"))?;
        let counted = query(TAKE_BYTES).bind(*account).bind(deleted.bytes).execute(&mut *transaction).await;
        counted.map_err(StoreError::write("a deletion"))?;
    }
    Ok(deleted.values().map(|deleted| deleted.rows.len()).sum())
}

/// The deleted rows of one account.
#[derive(Debug, Default)]
struct DeletedRows {
    rows: BTreeSet<i64>,
    /// The ids of their items.
    items: BTreeSet<String>,
    bytes: i64,
}

/// The account's oldest responses except `newest`, at most `rows`, that make room for so many bytes.
pub(super) async fn oldest(
    transaction: &mut StoreTransaction,
    account: i64,
    newest: &str,
    bytes: i64,
    rows: i64,
) -> Result<BTreeSet<i64>, StoreError> {
    let asked = query(OLDEST).bind(account).bind(newest).bind(bytes).bind(rows);
    asked.fetch_all(transaction).await.map_err(reading)?.iter().map(|row| number(row, 0)).collect()
}

/// A row with the time at which it expires.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowExpiry {
    pub(super) seq: i64,
    pub(super) account: i64,
    pub(super) expires_at_ms: i64,
}

/// The next `rows` rows after that number.
pub(super) async fn after(readers: &ReadPool, seq: i64, rows: i64) -> Result<Vec<RowExpiry>, StoreError> {
    let found = query(AFTER).bind(seq).bind(rows).fetch_all(readers).await.map_err(reading)?;
    let expiry = |row: &DatabaseRow| {
        Ok(RowExpiry { seq: number(row, 0)?, account: number(row, 1)?, expires_at_ms: number(row, 2)? })
    };
    found.iter().map(expiry).collect()
}

/// A response of the account with those that it goes on from.
pub(super) async fn conversation(
    readers: &ReadPool,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<Option<StoredConversation>, StoreError> {
    let asked = query(CONVERSATION).bind(account.0).bind(id).bind(now_ms);
    let found = asked.fetch_all(readers).await.map_err(reading)?;
    let Some(last) = found.last() else { return Ok(None) };
    let bytes = usize::try_from(number(last, 4)?).unwrap_or(usize::MAX);
    Ok(Some(StoredConversation { id: id.to_owned(), rows: found.iter().map(read).collect::<Result<_, _>>()?, bytes }))
}

/// A row of the account.
pub(super) async fn row(
    readers: &ReadPool,
    account: AccountId,
    seq: i64,
    now_ms: i64,
) -> Result<Option<StoredResponseRow>, StoreError> {
    let asked = query(ROW).bind(account.0).bind(seq).bind(now_ms);
    asked.fetch_optional(readers).await.map_err(reading)?.as_ref().map(read).transpose()
}

fn read(row: &DatabaseRow) -> Result<StoredResponseRow, StoreError> {
    Ok(StoredResponseRow {
        seq: number(row, 0)?,
        input: row.try_get(1).map_err(reading)?,
        response: row.try_get(2).map_err(reading)?,
        hidden: row.try_get(3).map_err(reading)?,
    })
}

/// A response of the account without its input.
pub(super) async fn response(
    readers: &ReadPool,
    account: AccountId,
    id: &str,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    let asked = query(RESPONSE).bind(account.0).bind(id).bind(now_ms);
    let row = asked.fetch_optional(readers).await.map_err(reading)?;
    row.map(|row| row.try_get(0)).transpose().map_err(reading)
}

/// True if the account has that response.
pub(super) async fn holds(readers: &ReadPool, account: AccountId, id: &str, now_ms: i64) -> Result<bool, StoreError> {
    let asked = query(HOLDS).bind(account.0).bind(id).bind(now_ms);
    asked.fetch_optional(readers).await.map(|row| row.is_some()).map_err(reading)
}

/// The numbers of the rows that have these items, in their order.
pub(super) async fn holders(
    readers: &ReadPool,
    account: AccountId,
    items: &BTreeSet<String>,
) -> Result<Vec<i64>, StoreError> {
    let rows = query(HOLDERS).bind(account.0).bind(&json(items)).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| number(row, 0)).collect()
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

fn json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("numbers and texts are JSON")
}

fn number(row: &DatabaseRow, column: usize) -> Result<i64, StoreError> {
    row.try_get(column).map_err(reading)
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

    /// The numbers of rows and of items that can be found, over all accounts.
    pub(in super::super) async fn rows(readers: &ReadPool) -> (i64, i64) {
        let text = "SELECT (SELECT count(*) FROM stored_responses), (SELECT count(*) FROM stored_items)";
        let row = query(text).fetch_one(readers).await.expect("a row");
        (row.try_get(0).expect("a number"), row.try_get(1).expect("a number"))
    }
}
