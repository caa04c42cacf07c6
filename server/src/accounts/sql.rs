//! The statements of this room.

use super::cache::FoundKey;
use super::key::KeyHash;
use super::{Account, AccountError, AccountState, ApiKey, KeyState};
use crate::base::{AccountId, Group, KeyId, Principal, Usd};
use crate::generated::machines::api_key;
use crate::store::{Fault, Readers, Row, StoreError, Transaction, query};

const INSERT_ACCOUNT: &str =
    "INSERT INTO accounts (id, name, state, created_at, price_group) VALUES ($1, $2, $3, $4, $5)";
const ACCOUNTS: &str = "SELECT id, name, state, created_at, price_group FROM accounts ORDER BY name";
const FIND_ACCOUNT: &str = "SELECT id, name, state, created_at, price_group FROM accounts WHERE name = $1 OR id = $2";
const SET_ACCOUNT_STATE: &str =
    "UPDATE accounts SET state = $2 WHERE id = $1 RETURNING id, name, state, created_at, price_group";
const SET_GROUP: &str =
    "UPDATE accounts SET price_group = $2 WHERE id = $1 RETURNING id, name, state, created_at, price_group";
const GROUPS: &str = "SELECT DISTINCT price_group FROM accounts ORDER BY price_group";
const INSERT_KEY: &str = "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, expires_at) \
    SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM accounts WHERE id = $2";
/// One that has expired never lives again.
const LIVE_KEYS: &str = "SELECT count(*) FROM api_keys \
    WHERE account_id = $1 AND state = 'active' AND (expires_at IS NULL OR expires_at > $2)";
const KEYS: &str = "SELECT id, account_id, shown_prefix, label, state, created_at, expires_at FROM api_keys \
    WHERE account_id = $1 ORDER BY created_at DESC, id";
/// Two are enough to see that one is not meant.
const KEYS_LIKE: &str = "SELECT id, account_id, shown_prefix, label, state, created_at, expires_at FROM api_keys \
    WHERE id = $2 OR shown_prefix = $1 OR substr(shown_prefix, 1, 8) = $1 LIMIT 2";
/// The widest of its budgets.
const BILLING_TERMS: &str =
    "SELECT expires_at, coalesce(budget_life, budget_month, budget_day) FROM api_keys WHERE id = $1";
const KEY_EPOCH: &str = "SELECT epoch FROM key_epoch";
/// The count of changes comes with the key, from one snapshot: a cached key is known to belong to it.
const FIND_KEY: &str = "SELECT e.epoch, k.id, k.account_id, k.state, k.expires_at, a.state, a.price_group FROM key_epoch e \
    LEFT JOIN api_keys k ON k.hash = $1 LEFT JOIN accounts a ON a.id = k.account_id";

pub(super) async fn insert_account(transaction: &mut Transaction, account: &Account) -> Result<(), AccountError> {
    let inserted = query(INSERT_ACCOUNT)
        .bind(account.id.0)
        .bind(&account.name)
        .bind(account.state.as_str())
        .bind(account.created_at_ms)
        .bind(account.group.as_str())
        .execute(transaction)
        .await;
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if Fault::is_unique(&error, "accounts.name") => Err(AccountError::NameTaken),
        Err(source) => Err(StoreError::Write { what: "an account", source: source.into() }.into()),
    }
}

pub(super) async fn accounts(readers: &Readers) -> Result<Vec<Account>, StoreError> {
    let rows = query(ACCOUNTS).fetch_all(readers).await.map_err(StoreError::read("accounts"))?;
    rows.iter().map(account).collect()
}

pub(super) async fn find_account(readers: &Readers, id_or_name: &str) -> Result<Option<Account>, StoreError> {
    let row = query(FIND_ACCOUNT).bind(id_or_name).bind(id_or_name.parse::<i64>().ok()).fetch_optional(readers).await;
    row.map_err(StoreError::read("an account"))?.as_ref().map(account).transpose()
}

pub(super) async fn set_account_state(
    transaction: &mut Transaction,
    id: AccountId,
    state: AccountState,
) -> Result<Option<Account>, StoreError> {
    let row = query(SET_ACCOUNT_STATE).bind(id.0).bind(state.as_str()).fetch_optional(transaction).await;
    row.map_err(StoreError::write("an account's state"))?.as_ref().map(account).transpose()
}

pub(super) async fn set_group(
    transaction: &mut Transaction,
    id: AccountId,
    group: Group,
) -> Result<Option<Account>, StoreError> {
    let row = query(SET_GROUP).bind(id.0).bind(group.as_str()).fetch_optional(transaction).await;
    row.map_err(StoreError::write("an account's group"))?.as_ref().map(account).transpose()
}

/// Each once.
pub(super) async fn groups(readers: &Readers) -> Result<Vec<Group>, StoreError> {
    let rows = query(GROUPS).fetch_all(readers).await.map_err(StoreError::read("groups"))?;
    rows.iter().map(|row| group(row, 0)).collect()
}

pub(super) async fn insert_key(
    transaction: &mut Transaction,
    key: &ApiKey,
    hash: &KeyHash,
) -> Result<(), AccountError> {
    let inserted = query(INSERT_KEY)
        .bind(key.id.0)
        .bind(key.account.0)
        .bind(hash.as_slice())
        .bind(&key.shown)
        .bind(&key.label)
        .bind(key.state.as_str())
        .bind(key.created_at_ms)
        .bind(key.expires_at_ms)
        .execute(transaction)
        .await
        .map_err(StoreError::write("a key"))?;
    if inserted == 1 { Ok(()) } else { Err(AccountError::NoSuchAccount) }
}

/// How many keys an account has that are neither revoked nor expired.
pub(super) async fn live_keys(
    transaction: &mut Transaction,
    account: AccountId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(LIVE_KEYS).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

pub(super) async fn keys(readers: &Readers, account: AccountId) -> Result<Vec<ApiKey>, StoreError> {
    let rows = query(KEYS).bind(account.0).fetch_all(readers).await.map_err(StoreError::read("keys"))?;
    rows.iter().map(key).collect()
}

pub(super) async fn keys_like(transaction: &mut Transaction, id_or_shown: &str) -> Result<Vec<ApiKey>, StoreError> {
    let rows = query(KEYS_LIKE).bind(id_or_shown).bind(id_or_shown.parse::<i64>().ok()).fetch_all(transaction).await;
    rows.map_err(StoreError::read("keys"))?.iter().map(key).collect()
}

/// Whether this call moved the key from active to revoked.
pub(super) async fn revoke(transaction: &mut Transaction, id: KeyId) -> Result<bool, StoreError> {
    let key = api_key::AnyRow::read(api_key::State::Active, id);
    let api_key::AnyRow::Active(key) = key else { return Ok(false) };
    // The command line is the operator's; no other way leads here.
    let step = key.step(api_key::mv::Revoke::by(&api_key::actor::Operator::grant()));
    let cas = step.cas();
    let moved = query(cas.sql).bind(id.0).bind(cas.to).bind(cas.from);
    let done = moved.execute(transaction).await.map_err(StoreError::write("a revocation"))?;
    // Lost where it was revoked before.
    Ok(step.done(done).is_ok())
}

/// What a key may spend in all, and when it ends.
pub(super) struct BillingTerms {
    pub(super) expires_at_ms: Option<i64>,
    pub(super) budget: Option<Usd>,
}

pub(super) async fn billing_terms(readers: &Readers, key: KeyId) -> Result<BillingTerms, StoreError> {
    let row = query(BILLING_TERMS).bind(key.0).fetch_one(readers).await.map_err(reading)?;
    let budget: Option<i64> = row.try_get(1).map_err(reading)?;
    Ok(BillingTerms { expires_at_ms: row.try_get(0).map_err(reading)?, budget: budget.map(Usd::from_nanos) })
}

pub(super) async fn key_epoch(readers: &Readers) -> Result<i64, StoreError> {
    let row = query(KEY_EPOCH).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The count of changes, and the key if there is one.
pub(super) async fn find_key(readers: &Readers, hash: &KeyHash) -> Result<(i64, Option<FoundKey>), StoreError> {
    let row = query(FIND_KEY).bind(hash.as_slice()).fetch_one(readers).await.map_err(reading)?;
    let epoch = row.try_get(0).map_err(reading)?;
    let Some(id) = row.try_get::<Option<i64>>(1).map_err(reading)? else { return Ok((epoch, None)) };
    let found = FoundKey {
        principal: Principal {
            account: AccountId(row.try_get(2).map_err(reading)?),
            key: KeyId(id),
            group: group(&row, 6)?,
        },
        state: parsed(row.try_get(3).map_err(reading)?, "a key's state", KeyState::from_text)?,
        account_state: parsed(row.try_get(5).map_err(reading)?, "an account's state", AccountState::from_text)?,
        expires_at_ms: row.try_get(4).map_err(reading)?,
    };
    Ok((epoch, Some(found)))
}

fn account(row: &Row) -> Result<Account, StoreError> {
    Ok(Account {
        id: AccountId(row.try_get(0).map_err(reading)?),
        name: row.try_get(1).map_err(reading)?,
        state: parsed(row.try_get(2).map_err(reading)?, "an account's state", AccountState::from_text)?,
        group: group(row, 4)?,
        created_at_ms: row.try_get(3).map_err(reading)?,
    })
}

fn group(row: &Row, index: usize) -> Result<Group, StoreError> {
    parsed(row.try_get(index).map_err(reading)?, "a group", |text| text.parse().ok())
}

fn key(row: &Row) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: KeyId(row.try_get(0).map_err(reading)?),
        account: AccountId(row.try_get(1).map_err(reading)?),
        shown: row.try_get(2).map_err(reading)?,
        label: row.try_get(3).map_err(reading)?,
        state: parsed(row.try_get(4).map_err(reading)?, "a key's state", KeyState::from_text)?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        expires_at_ms: row.try_get(6).map_err(reading)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "accounts and keys", source: source.into() }
}

fn parsed<T>(text: &str, what: &'static str, parse: fn(&str) -> Option<T>) -> Result<T, StoreError> {
    parse(text).ok_or_else(|| StoreError::Unreadable { what, found: text.to_owned() })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::store::Store;

    /// Gives an account so many further keys, that nobody knows.
    pub(in super::super) async fn fill(store: &Store, account: AccountId, keys: i64) {
        let text = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
            INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) \
            SELECT i, $1, randomblob(32), 's', '', 'active', 1 FROM n";
        let mut connection = store.connect_attacker().await;
        query(text).bind(account.0).bind(keys).execute(&mut connection).await.expect("a fresh ledger");
    }
}
