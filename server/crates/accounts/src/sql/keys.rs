//! The statements about keys.

use std::sync::Arc;

use super::{group, reading};
use crate::cache::FoundKey;
use crate::key::KeyHash;
use crate::{AccountError, AccountState, ApiKey, KeyLimits, KeyState};
use tollgate_api::generated::machines::api_key;
use tollgate_base::{AccountId, AddressRange, AgentId, KeyId, KeyScope, PoolId, Principal, Usd};
use tollgate_store::{
    BoundStatement, BoundValue, DatabaseRow, ReadPool, SqlText, StatementTarget, StoreError, StoreTransaction, query,
};

/// The columns of a key, in the order that [`key`] wants.
macro_rules! columns {
    () => {
        "id, account_id, shown_prefix, label, state, created_at, expires_at, models, operations, addresses, budget_day, \
        budget_week, budget_month, budget_life, requests_per_minute, tokens_per_minute, in_flight_max, include_cost, agent_id, team_id, member_id, manages, \
        made_by"
    };
}

const INSERT: &str = "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, expires_at, \
    models, operations, addresses, budget_day, budget_week, budget_month, budget_life, requests_per_minute, tokens_per_minute, \
    in_flight_max, include_cost, team_id, member_id, agent_id, manages, made_by) SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, \
    $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24 FROM accounts WHERE id = $2";
/// One that has expired never lives again.
const LIVE: &str = "SELECT count(*) FROM api_keys \
    WHERE account_id = $1 AND state = 'active' AND (expires_at IS NULL OR expires_at > $2)";
/// Those that live are all there, however many were revoked or have ended since.
const OF_ACCOUNT: &str = concat!(
    "SELECT * FROM (SELECT ",
    columns!(),
    " FROM api_keys WHERE account_id = $1 AND ($3 IS NULL OR member_id = $3) \
    ORDER BY CASE WHEN state <> 'active' THEN 2 WHEN expires_at <= $2 THEN 1 ELSE 0 END, created_at DESC, id LIMIT 2000) k \
    ORDER BY created_at DESC, id"
);
const OF_AGENT: &str = concat!("SELECT ", columns!(), " FROM api_keys WHERE agent_id = $1");
const OWN: &str = concat!("SELECT ", columns!(), " FROM api_keys WHERE account_id = $1 AND id = $2");
const ANY: &str = concat!("SELECT ", columns!(), " FROM api_keys WHERE id = $1");
/// Two rows are enough to see that one is not meant.
const LIKE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM api_keys WHERE id = $2 OR shown_prefix = $1 OR substr(shown_prefix, 1, 8) = $1 LIMIT 2"
);
const CHANGE: &str = "UPDATE api_keys SET label = $2, models = $3, operations = $4, addresses = $5, budget_day = $6, \
    budget_week = $7, budget_month = $8, budget_life = $9, requests_per_minute = $10, tokens_per_minute = $11, in_flight_max = $12, \
    include_cost = $13, team_id = $14, member_id = $15, manages = $16 WHERE id = $1 AND state = 'active'";
/// Locked, so that it is not closed meanwhile.
const HAS_POOL: SqlText = SqlText::of(
    "SELECT 1 FROM budget_pools WHERE id = $1 AND account_id = $2 AND kind = $3 AND state = 'active'",
    "SELECT 1 FROM budget_pools WHERE id = $1 AND account_id = $2 AND kind = $3 AND state = 'active' FOR SHARE",
);
/// The ledger reads the limits of an account's keys under this lock. A file has one writer at a time anyway.
const LOCK_ACCOUNT: SqlText = SqlText::of(
    "SELECT 1 FROM balances WHERE account_id = $1",
    "SELECT 1 FROM balances WHERE account_id = $1 FOR NO KEY UPDATE",
);
/// The widest of its budgets.
const BILLING_TERMS: &str =
    "SELECT expires_at, coalesce(budget_life, budget_month, budget_week, budget_day) FROM api_keys WHERE id = $1";
const KEY_EPOCH: &str = "SELECT epoch FROM key_epoch";
/// The count of changes comes with the key, from one snapshot: a cached key is known to belong to it.
const FIND: &str = "SELECT e.epoch, k.id, k.account_id, k.state, k.expires_at, a.state, k.models, k.operations, \
    k.addresses, a.price_group, k.agent_id, k.include_cost FROM key_epoch e LEFT JOIN api_keys k ON k.hash = $1 \
    LEFT JOIN accounts a ON a.id = k.account_id";

pub(in super::super) async fn insert(
    transaction: &mut StoreTransaction,
    key: &ApiKey,
    hash: &KeyHash,
) -> Result<(), AccountError> {
    let lists = ScopeLists::of(&key.limits.scope);
    let insert = query(INSERT)
        .bind(key.id.0)
        .bind(key.account.0)
        .bind(hash.as_slice())
        .bind(&key.shown)
        .bind(&key.label)
        .bind(key.state.as_str())
        .bind(key.created_at_ms)
        .bind(key.expires_at_ms);
    let insert = with_limits(insert, &key.limits, &lists).bind(key.agent.map(|agent| agent.0));
    let insert = insert.bind(i64::from(key.manages)).bind(key.made_by.map(|member| member.0));
    let inserted = insert.execute(transaction).await;
    if inserted.map_err(StoreError::write("a key"))? == 1 { Ok(()) } else { Err(AccountError::NoSuchAccount) }
}

/// Writes label and limits of a key that is not revoked, and whether it manages. False where there is no such key.
pub(in super::super) async fn change(transaction: &mut StoreTransaction, key: &ApiKey) -> Result<bool, StoreError> {
    let lists = ScopeLists::of(&key.limits.scope);
    let change = query(CHANGE).bind(key.id.0).bind(&key.label);
    let change = with_limits(change, &key.limits, &lists).bind(i64::from(key.manages));
    let changed = change.execute(transaction).await;
    Ok(changed.map_err(StoreError::write("a key"))? == 1)
}

/// Sees that team and member of a key, where it has them, are open ones of its account.
pub(in super::super) async fn check_pools(
    transaction: &mut StoreTransaction,
    key: &ApiKey,
) -> Result<(), AccountError> {
    if let Some(team) = key.limits.team
        && !has_pool(transaction, key.account, team, "team").await?
    {
        return Err(AccountError::NoSuchTeam(team));
    }
    if let Some(member) = key.limits.member
        && !has_pool(transaction, key.account, member, "member").await?
    {
        return Err(AccountError::NoSuchMember(member));
    }
    Ok(())
}

async fn has_pool(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: PoolId,
    kind: &'static str,
) -> Result<bool, StoreError> {
    let found = query(HAS_POOL).bind(id.0).bind(account.0).bind(kind).fetch_optional(transaction).await;
    Ok(found.map_err(reading)?.is_some())
}

/// Keeps the ledger from deciding by the account's limits while they change.
pub(in super::super) async fn lock_account(
    transaction: &mut StoreTransaction,
    account: AccountId,
) -> Result<(), StoreError> {
    query(LOCK_ACCOUNT).bind(account.0).fetch_optional(transaction).await.map(drop).map_err(reading)
}

/// The number of an account's keys that are neither revoked nor expired.
pub(in super::super) async fn live(
    transaction: &mut StoreTransaction,
    account: AccountId,
    now_ms: i64,
) -> Result<i64, StoreError> {
    let row = query(LIVE).bind(account.0).bind(now_ms).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The keys of an account, or of one member of it.
pub(in super::super) async fn of_account(
    readers: &ReadPool,
    account: AccountId,
    member: Option<PoolId>,
    now_ms: i64,
) -> Result<Vec<ApiKey>, StoreError> {
    let list = query(OF_ACCOUNT).bind(account.0).bind(now_ms).bind(member.map(|member| member.0));
    let rows = list.fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(key).collect()
}

/// The key of this number, where it is the account's own.
pub(in super::super) async fn own<'t>(
    reader: impl Into<StatementTarget<'t>>,
    account: AccountId,
    id: KeyId,
) -> Result<Option<ApiKey>, StoreError> {
    let row = query(OWN).bind(account.0).bind(id.0).fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(key).transpose()
}

/// The key of this number, whoever's it is.
pub(in super::super) async fn any(transaction: &mut StoreTransaction, id: KeyId) -> Result<Option<ApiKey>, StoreError> {
    let row = query(ANY).bind(id.0).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(key).transpose()
}

/// The key of an agent, which each has from its registration on.
pub(in super::super) async fn of_agent(
    transaction: &mut StoreTransaction,
    agent: AgentId,
) -> Result<ApiKey, StoreError> {
    key(&query(OF_AGENT).bind(agent.0).fetch_one(transaction).await.map_err(reading)?)
}

pub(in super::super) async fn like(
    transaction: &mut StoreTransaction,
    id_or_shown: &str,
) -> Result<Vec<ApiKey>, StoreError> {
    let rows = query(LIKE).bind(id_or_shown).bind(id_or_shown.parse::<i64>().ok()).fetch_all(transaction).await;
    rows.map_err(reading)?.iter().map(key).collect()
}

/// The one who revokes a key.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum KeyRevoker {
    /// The operator of the service, by the command line.
    Operator,
    /// The account whose key it is.
    Owner,
    /// An operator, by the admin API.
    Admin,
}

/// Revokes a key. True if this call moved it from active to revoked.
pub(in super::super) async fn revoke(
    transaction: &mut StoreTransaction,
    id: KeyId,
    by: KeyRevoker,
) -> Result<bool, StoreError> {
    let key = api_key::AnyRow::read(api_key::State::Active, id);
    let api_key::AnyRow::Active(key) = key else { return Ok(false) };
    let step = key.step(match by {
        KeyRevoker::Operator => api_key::mv::Revoke::by(&api_key::actor::Operator::grant()),
        KeyRevoker::Owner => api_key::mv::Revoke::by(&api_key::actor::KeysRevoke::grant()),
        KeyRevoker::Admin => api_key::mv::Revoke::by(&api_key::actor::AdminKeysRevoke::grant()),
    });
    let cas = step.cas();
    let moved = query(cas.sql).bind(id.0).bind(cas.to).bind(cas.from);
    let done = moved.execute(transaction).await.map_err(StoreError::write("a revocation"))?;
    // Lost where it was revoked before.
    Ok(step.done(done).is_ok())
}

/// The budget of a key in all, and its end.
pub(in super::super) struct BillingTerms {
    pub(in super::super) expires_at_ms: Option<i64>,
    pub(in super::super) budget: Option<Usd>,
}

pub(in super::super) async fn billing_terms(readers: &ReadPool, key: KeyId) -> Result<BillingTerms, StoreError> {
    let row = query(BILLING_TERMS).bind(key.0).fetch_one(readers).await.map_err(reading)?;
    let budget: Option<i64> = row.try_get(1).map_err(reading)?;
    Ok(BillingTerms { expires_at_ms: row.try_get(0).map_err(reading)?, budget: budget.map(Usd::from_nanos) })
}

pub(in super::super) async fn key_epoch(readers: &ReadPool) -> Result<i64, StoreError> {
    let row = query(KEY_EPOCH).fetch_one(readers).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// The count of changes, and the key if there is one.
pub(in super::super) async fn find(readers: &ReadPool, hash: &KeyHash) -> Result<(i64, Option<FoundKey>), StoreError> {
    let row = query(FIND).bind(hash.as_slice()).fetch_one(readers).await.map_err(reading)?;
    let epoch = row.try_get(0).map_err(reading)?;
    let Some(id) = row.try_get::<Option<i64>>(1).map_err(reading)? else { return Ok((epoch, None)) };
    let scope = Some(scope(&row, 6)?).filter(|scope| !scope.is_all());
    let account = AccountId(row.try_get(2).map_err(reading)?);
    let found = FoundKey {
        principal: Principal {
            account,
            key: KeyId(id),
            agent: row.try_get::<Option<i64>>(10).map_err(reading)?.map(AgentId),
            group: group(&row, 9)?,
            scope: scope.map(Arc::new),
            include_cost: row.try_get::<i64>(11).map_err(reading)? == 1,
        },
        state: StoreError::parsed(row.try_get(3).map_err(reading)?, "a key's state", KeyState::from_text)?,
        account_state: StoreError::parsed(
            row.try_get(5).map_err(reading)?,
            "an account's state",
            AccountState::from_text,
        )?,
        expires_at_ms: row.try_get(4).map_err(reading)?,
    };
    Ok((epoch, Some(found)))
}

/// A scope's lists as they are stored.
struct ScopeLists {
    models: Option<String>,
    operations: Option<String>,
    addresses: Option<String>,
}

impl ScopeLists {
    fn of(scope: &KeyScope) -> Self {
        let list = |list: &Vec<String>| serde_json::Value::from(list.clone()).to_string();
        let text = |ranges: &Vec<AddressRange>| ranges.iter().map(AddressRange::to_string).collect();
        Self {
            models: scope.models.as_ref().map(list),
            operations: scope.operations.as_ref().map(list),
            addresses: scope.addresses.as_ref().map(text).as_ref().map(list),
        }
    }
}

fn with_limits<'q>(statement: BoundStatement<'q>, limits: &KeyLimits, lists: &'q ScopeLists) -> BoundStatement<'q> {
    let budget = |budget: Option<Usd>| budget.map(Usd::nanos);
    statement
        .bind(BoundValue::Text(lists.models.as_deref()))
        .bind(BoundValue::Text(lists.operations.as_deref()))
        .bind(BoundValue::Text(lists.addresses.as_deref()))
        .bind(budget(limits.budget_day))
        .bind(budget(limits.budget_week))
        .bind(budget(limits.budget_month))
        .bind(budget(limits.budget_life))
        .bind(limits.requests_per_minute)
        .bind(limits.tokens_per_minute)
        .bind(limits.in_flight)
        .bind(i64::from(limits.include_cost))
        .bind(limits.team.map(|team| team.0))
        .bind(limits.member.map(|member| member.0))
}

fn key(row: &DatabaseRow) -> Result<ApiKey, StoreError> {
    let budget = |index| Ok(row.try_get::<Option<i64>>(index).map_err(reading)?.map(Usd::from_nanos));
    Ok(ApiKey {
        id: KeyId(row.try_get(0).map_err(reading)?),
        account: AccountId(row.try_get(1).map_err(reading)?),
        shown: row.try_get(2).map_err(reading)?,
        label: row.try_get(3).map_err(reading)?,
        state: StoreError::parsed(row.try_get(4).map_err(reading)?, "a key's state", KeyState::from_text)?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        expires_at_ms: row.try_get(6).map_err(reading)?,
        limits: KeyLimits {
            scope: scope(row, 7)?,
            budget_day: budget(10)?,
            budget_week: budget(11)?,
            budget_month: budget(12)?,
            budget_life: budget(13)?,
            requests_per_minute: row.try_get(14).map_err(reading)?,
            tokens_per_minute: row.try_get(15).map_err(reading)?,
            in_flight: row.try_get(16).map_err(reading)?,
            include_cost: row.try_get::<i64>(17).map_err(reading)? == 1,
            team: row.try_get::<Option<i64>>(19).map_err(reading)?.map(PoolId),
            member: row.try_get::<Option<i64>>(20).map_err(reading)?.map(PoolId),
        },
        agent: row.try_get::<Option<i64>>(18).map_err(reading)?.map(AgentId),
        manages: row.try_get::<i64>(21).map_err(reading)? == 1,
        made_by: row.try_get::<Option<i64>>(22).map_err(reading)?.map(PoolId),
    })
}

/// The three lists from a column on. What cannot be read is no list that lets everything in.
fn scope(row: &DatabaseRow, first: usize) -> Result<KeyScope, StoreError> {
    let list = |index| -> Result<Option<Vec<String>>, StoreError> {
        let text: Option<&str> = row.try_get(index).map_err(reading)?;
        let parse = |text| StoreError::parsed(text, "a key's limits", |text| serde_json::from_str(text).ok());
        text.map(parse).transpose()
    };
    let addresses = list(first + 2)?.map(|texts| {
        texts.iter().map(|text| StoreError::parsed(text, "a key's addresses", |text| text.parse().ok())).collect()
    });
    Ok(KeyScope { models: list(first)?, operations: list(first + 1)?, addresses: addresses.transpose()? })
}

#[cfg(test)]
pub(in super::super) mod tests {
    use super::*;
    use tollgate_store::Store;

    /// Gives an account so many further keys, that nobody knows.
    pub(crate) async fn fill(store: &Store, account: AccountId, keys: i64) {
        let text = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
            INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) \
            SELECT i, $1, randomblob(32), 's', '', 'active', 1 FROM n";
        let mut connection = store.connect_attacker().await;
        query(text).bind(account.0).bind(keys).execute(&mut connection).await.expect("a fresh ledger");
    }

    /// The same with keys that were made and end at these times.
    pub(crate) async fn fill_ending(store: &Store, account: AccountId, keys: i64, (made_ms, ends_ms): (i64, i64)) {
        const FILL: SqlText = SqlText::of(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) \
            INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, expires_at) \
            SELECT i, $1, randomblob(32), 's', '', 'active', $3, $4 FROM n",
            "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, expires_at) \
            SELECT i, $1, sha256(CAST(CAST(i AS text) AS bytea)), 's', '', 'active', $3, $4 \
            FROM generate_series(CAST(1 AS bigint), $2) AS n (i)",
        );
        let mut transaction = store.begin_of(account).await.expect("a transaction");
        let fill = query(FILL).bind(account.0).bind(keys).bind(made_ms).bind(ends_ms);
        fill.execute(&mut transaction).await.expect("a fresh ledger");
        transaction.commit().await.expect("kept");
    }
}
