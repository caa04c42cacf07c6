//! The statements about what operators put on offer.

use tollgate_store::{DatabaseRow, ReadPool, StatementTarget, StoreError, StoreTransaction, query};

use crate::entry::{CatalogEntry, EntryKind, EntryName, EntryVersion};
use crate::sealing::SealedSecret;

const REVISION: &str = "SELECT revision FROM catalog_state WHERE id = 1";
const NEXT_REVISION: &str = "UPDATE catalog_state SET revision = revision + 1 WHERE id = 1";
/// The last version of each that is not taken off.
const ENTRIES: &str = "SELECT v.kind, v.name, v.version, v.body, v.created_at, v.created_by FROM catalog_versions v \
    WHERE v.body IS NOT NULL AND NOT EXISTS (SELECT 1 FROM catalog_versions l \
    WHERE l.kind = v.kind AND l.name = v.name AND l.version > v.version) ORDER BY v.kind, v.name";
const VERSIONS: &str = "SELECT version, body, created_at, created_by FROM catalog_versions WHERE kind = $1 AND name = $2 \
    AND version < $3 ORDER BY version DESC LIMIT $4";
const INSERT: &str = "INSERT INTO catalog_versions (kind, name, version, body, created_at, created_by) \
    VALUES ($1, $2, (SELECT coalesce(max(version), 0) + 1 FROM catalog_versions WHERE kind = $1 AND name = $2), $3, $4, $5)";
const SECRETS: &str = "SELECT provider, key_id, sealed, set_at FROM provider_secrets ORDER BY provider";
const PUT_SECRET: &str = "INSERT INTO provider_secrets (provider, key_id, sealed, set_at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (provider) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, set_at = excluded.set_at";
const DROP_SECRET: &str = "DELETE FROM provider_secrets WHERE provider = $1";
const ACCOUNTS_OF_GROUP: &str = "SELECT count(*) FROM accounts WHERE price_group = $1";

pub(crate) async fn revision<'t>(target: impl Into<StatementTarget<'t>>) -> Result<i64, StoreError> {
    let row = query(REVISION).fetch_one(target).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Counts the revision up, and holds its row until the transaction has ended.
pub(crate) async fn next_revision(transaction: &mut StoreTransaction) -> Result<(), StoreError> {
    query(NEXT_REVISION).execute(transaction).await.map(drop).map_err(StoreError::write("the revision of the catalog"))
}

pub(crate) async fn entries<'t>(target: impl Into<StatementTarget<'t>>) -> Result<Vec<CatalogEntry>, StoreError> {
    let rows = query(ENTRIES).fetch_all(target).await.map_err(reading)?;
    rows.iter().map(entry).collect()
}

/// The versions of one before a number, the newest first.
pub(crate) async fn versions(
    readers: &ReadPool,
    name: &EntryName,
    before: i64,
    limit: i64,
) -> Result<Vec<EntryVersion>, StoreError> {
    let list = query(VERSIONS).bind(name.kind.as_str()).bind(&name.name).bind(before).bind(limit);
    let rows = list.fetch_all(readers).await.map_err(reading)?;
    let version = |row: &DatabaseRow| {
        Ok(EntryVersion {
            version: row.try_get(0)?,
            body: row.try_get(1)?,
            created_at_ms: row.try_get(2)?,
            created_by: row.try_get(3)?,
        })
    };
    rows.iter().map(|row| version(row).map_err(reading)).collect()
}

/// Adds the next version of one; without a body it is taken off.
pub(crate) async fn insert(
    transaction: &mut StoreTransaction,
    name: &EntryName,
    body: Option<&str>,
    now_ms: i64,
    by: &str,
) -> Result<(), StoreError> {
    let insert = query(INSERT).bind(name.kind.as_str()).bind(&name.name).bind(body).bind(now_ms).bind(by);
    insert.execute(transaction).await.map(drop).map_err(StoreError::write("what is on offer"))
}

pub(crate) async fn secrets<'t>(target: impl Into<StatementTarget<'t>>) -> Result<Vec<SealedSecret>, StoreError> {
    let rows = query(SECRETS).fetch_all(target).await.map_err(reading)?;
    let secret = |row: &DatabaseRow| {
        Ok(SealedSecret {
            provider: row.try_get(0)?,
            key_id: row.try_get(1)?,
            sealed: row.try_get(2)?,
            set_at_ms: row.try_get(3)?,
        })
    };
    rows.iter().map(|row| secret(row).map_err(reading)).collect()
}

pub(crate) async fn put_secret(transaction: &mut StoreTransaction, secret: &SealedSecret) -> Result<(), StoreError> {
    let SealedSecret { provider, key_id, sealed, set_at_ms } = secret;
    let put = query(PUT_SECRET).bind(provider).bind(key_id).bind(sealed.as_slice()).bind(*set_at_ms);
    put.execute(transaction).await.map(drop).map_err(StoreError::write("the secret of a provider"))
}

pub(crate) async fn drop_secret(transaction: &mut StoreTransaction, provider: &str) -> Result<(), StoreError> {
    let dropped = query(DROP_SECRET).bind(provider).execute(transaction).await;
    dropped.map(drop).map_err(StoreError::write("the secret of a provider"))
}

/// The number of accounts in a group.
pub(crate) async fn accounts_of_group(transaction: &mut StoreTransaction, group: &str) -> Result<i64, StoreError> {
    let row = query(ACCOUNTS_OF_GROUP).bind(group).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

fn entry(row: &DatabaseRow) -> Result<CatalogEntry, StoreError> {
    Ok(CatalogEntry {
        name: EntryName {
            kind: StoreError::parsed(row.try_get(0).map_err(reading)?, "a kind of the catalog", EntryKind::from_text)?,
            name: row.try_get(1).map_err(reading)?,
        },
        version: row.try_get(2).map_err(reading)?,
        body: row.try_get(3).map_err(reading)?,
        created_at_ms: row.try_get(4).map_err(reading)?,
        created_by: row.try_get(5).map_err(reading)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "what is on offer", source: source.into() }
}
