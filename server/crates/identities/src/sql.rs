//! The statements of this room.

use std::collections::BTreeSet;

use super::identity::{IdentityKey, kind_of};
use super::{Identity, IdentityError};
use tollgate_base::AccountId;
use tollgate_chains::WalletAddress;
use tollgate_store::{
    DatabaseRow, ErrorClass, ReadPool, SqlText, StatementTarget, StoreError, StoreTransaction, query,
};

/// The query of an identity, in the order that [`read`] wants.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT id, account_id, kind, issuer, subject, created_at, used_at FROM identities ", $rest)
    };
}

const OF_ACCOUNT: &str = select!("WHERE account_id = $1 ORDER BY created_at, id LIMIT 100");
const OWN: &str = select!("WHERE account_id = $1 AND id = $2");
const FIND: &str = select!("WHERE kind = $1 AND issuer = $2 AND subject = $3");
const COUNT: &str = "SELECT count(*) FROM identities WHERE account_id = $1";
const INSERT: &str = "INSERT INTO identities (id, account_id, kind, issuer, subject, created_at, used_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $6)";
const USED: &str = "UPDATE identities SET used_at = CASE WHEN used_at < $2 THEN $2 ELSE used_at END WHERE id = $1";
const SEEN_SINCE: &str =
    "SELECT DISTINCT account_id FROM identities WHERE kind = 'oidc' AND issuer = $1 AND used_at >= $2";
const LAST_SEEN: SqlText = SqlText::of(
    "SELECT used_at FROM identities WHERE account_id = $1 AND kind = 'oidc' AND issuer = $2",
    "SELECT used_at FROM identities WHERE account_id = $1 AND kind = 'oidc' AND issuer = $2 ORDER BY id FOR NO KEY UPDATE",
);
const DELETE: &str = "DELETE FROM identities WHERE id = $1";

const INSERT_CHALLENGE: &str = "INSERT INTO wallet_challenges (nonce, kind, address, account_id, uri, chain, created_at, ends_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const FIND_CHALLENGE: &str =
    "SELECT nonce, address, account_id, uri, chain, created_at, ends_at FROM wallet_challenges WHERE nonce = $1";
/// Of those who have it at once, one deletes it.
const USE_CHALLENGE: &str = "DELETE FROM wallet_challenges WHERE nonce = $1";
/// Deletes a few that are over.
/// On a server it leaves out those that somebody uses up, or deletes, at the moment, so that none waits for the other.
const CLEAR_OVER: SqlText = SqlText::of(
    "DELETE FROM wallet_challenges WHERE nonce IN \
        (SELECT nonce FROM wallet_challenges WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2)",
    "DELETE FROM wallet_challenges WHERE nonce IN \
        (SELECT nonce FROM wallet_challenges WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
);
/// Deletes a few of the oldest beyond so many. On a server only these are locked: whoever locks what it skips locks all of them.
const CLEAR_BEYOND: SqlText = SqlText::of(
    "DELETE FROM wallet_challenges WHERE nonce IN \
        (SELECT nonce FROM wallet_challenges ORDER BY ends_at DESC LIMIT $2 OFFSET $1)",
    "DELETE FROM wallet_challenges WHERE nonce IN \
        (SELECT nonce FROM wallet_challenges WHERE nonce IN \
            (SELECT nonce FROM wallet_challenges ORDER BY ends_at DESC LIMIT $2 OFFSET $1) FOR UPDATE SKIP LOCKED)",
);
/// The most that one new text deletes of either: more than it adds, so that they become fewer.
const CLEARED_AT_ONCE: i64 = 20;

/// An identity that is written down for the first time.
pub(super) struct NewIdentityRow<'a> {
    pub(super) id: i64,
    pub(super) account: AccountId,
    pub(super) key: &'a IdentityKey,
    pub(super) created_at_ms: i64,
}

/// A text that waits for a signature: all that is needed to write it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChallengeRow {
    pub(super) nonce: String,
    pub(super) wallet: WalletAddress,
    /// The account that takes the wallet; none where somebody signs in.
    pub(super) account: Option<AccountId>,
    pub(super) uri: String,
    pub(super) chain: String,
    pub(super) created_at_ms: i64,
    pub(super) ends_at_ms: i64,
}

pub(super) async fn of_account(readers: &ReadPool, account: AccountId) -> Result<Vec<Identity>, StoreError> {
    let rows = query(OF_ACCOUNT).bind(account.0).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(read).collect()
}

/// The identity of this number, where it is the account's own.
pub(super) async fn find_own(
    transaction: &mut StoreTransaction,
    account: AccountId,
    id: i64,
) -> Result<Option<Identity>, StoreError> {
    let row = query(OWN).bind(account.0).bind(id).fetch_optional(transaction).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

/// The identity that is known by this.
pub(super) async fn find<'t>(
    reader: impl Into<StatementTarget<'t>>,
    key: &IdentityKey,
) -> Result<Option<Identity>, StoreError> {
    let find = query(FIND).bind(key.kind.as_str()).bind(&key.issuer).bind(&key.subject);
    let row = find.fetch_optional(reader).await.map_err(reading)?;
    row.as_ref().map(read).transpose()
}

pub(super) async fn count(transaction: &mut StoreTransaction, account: AccountId) -> Result<i64, StoreError> {
    let row = query(COUNT).bind(account.0).fetch_one(transaction).await.map_err(reading)?;
    row.try_get(0).map_err(reading)
}

/// Writes an identity down. Its rules are the database's, whatever was asked before.
pub(super) async fn insert(transaction: &mut StoreTransaction, new: &NewIdentityRow<'_>) -> Result<(), IdentityError> {
    let insert = query(INSERT)
        .bind(new.id)
        .bind(new.account.0)
        .bind(new.key.kind.as_str())
        .bind(&new.key.issuer)
        .bind(&new.key.subject)
        .bind(new.created_at_ms);
    match insert.execute(transaction).await {
        Ok(_) => Ok(()),
        Err(error) if ErrorClass::is_unique(&error, "identities.subject") => Err(IdentityError::Exists),
        Err(source) => Err(StoreError::Write { what: "an identity", source: source.into() }.into()),
    }
}

/// Writes down that an identity was used; false where it is there no more.
pub(super) async fn used(transaction: &mut StoreTransaction, id: i64, at_ms: i64) -> Result<bool, StoreError> {
    let used = query(USED).bind(id).bind(at_ms).execute(transaction).await;
    Ok(used.map_err(StoreError::write("an identity"))? == 1)
}

/// The accounts of the people who have signed in by a provider since then.
pub(super) async fn seen_since(
    readers: &ReadPool,
    issuer: &str,
    since_ms: i64,
) -> Result<BTreeSet<AccountId>, StoreError> {
    let rows = query(SEEN_SINCE).bind(issuer).bind(since_ms).fetch_all(readers).await.map_err(reading)?;
    rows.iter().map(|row| row.try_get(0).map(AccountId).map_err(reading)).collect()
}

/// The time of the latest sign-in of a person by a provider. Who signs in meanwhile waits for the end of the transaction.
pub(super) async fn last_seen(
    transaction: &mut StoreTransaction,
    account: AccountId,
    issuer: &str,
) -> Result<Option<i64>, StoreError> {
    let rows = query(LAST_SEEN).bind(account.0).bind(issuer).fetch_all(transaction).await.map_err(reading)?;
    let times: Vec<i64> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(reading)?;
    Ok(times.into_iter().max())
}

/// Takes an identity away, which ends the sessions of its account.
pub(super) async fn delete(transaction: &mut StoreTransaction, id: i64) -> Result<(), StoreError> {
    let deleted = query(DELETE).bind(id).execute(transaction).await;
    deleted.map(drop).map_err(StoreError::write("the end of an identity"))
}

/// Writes a text down, and deletes a few of those that are over or beyond `most`.
pub(super) async fn insert_challenge(
    transaction: &mut StoreTransaction,
    challenge: &ChallengeRow,
    most: i64,
) -> Result<(), StoreError> {
    let (kind, address) = (kind_of(&challenge.wallet), challenge.wallet.to_string());
    let insert = query(INSERT_CHALLENGE)
        .bind(challenge.nonce.as_str())
        .bind(kind.as_str())
        .bind(address.as_str())
        .bind(challenge.account.map(|account| account.0))
        .bind(challenge.uri.as_str())
        .bind(challenge.chain.as_str())
        .bind(challenge.created_at_ms)
        .bind(challenge.ends_at_ms);
    insert.execute(&mut *transaction).await.map_err(StoreError::write("a text to sign"))?;
    for (clear, bound) in [(CLEAR_OVER, challenge.created_at_ms), (CLEAR_BEYOND, most)] {
        let cleared = query(clear).bind(bound).bind(CLEARED_AT_ONCE).execute(&mut *transaction).await;
        cleared.map_err(StoreError::write("texts to sign"))?;
    }
    Ok(())
}

pub(super) async fn find_challenge(readers: &ReadPool, nonce: &str) -> Result<Option<ChallengeRow>, StoreError> {
    let row = query(FIND_CHALLENGE).bind(nonce).fetch_optional(readers).await.map_err(reading)?;
    let Some(row) = row else { return Ok(None) };
    let wallet = row.try_get(1).map_err(reading)?;
    Ok(Some(ChallengeRow {
        nonce: row.try_get(0).map_err(reading)?,
        wallet: StoreError::parsed(wallet, "the wallet of a text to sign", |text| text.parse().ok())?,
        account: row.try_get::<Option<i64>>(2).map_err(reading)?.map(AccountId),
        uri: row.try_get(3).map_err(reading)?,
        chain: row.try_get(4).map_err(reading)?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        ends_at_ms: row.try_get(6).map_err(reading)?,
    }))
}

/// Uses a text up; false where it was used before.
pub(super) async fn use_challenge(transaction: &mut StoreTransaction, nonce: &str) -> Result<bool, StoreError> {
    let used = query(USE_CHALLENGE).bind(nonce).execute(transaction).await;
    Ok(used.map_err(StoreError::write("a text to sign"))? == 1)
}

fn read(row: &DatabaseRow) -> Result<Identity, StoreError> {
    Ok(Identity {
        id: row.try_get(0).map_err(reading)?,
        account: AccountId(row.try_get(1).map_err(reading)?),
        kind: StoreError::parsed(row.try_get(2).map_err(reading)?, "an identity's kind", |text| text.parse().ok())?,
        issuer: row.try_get(3).map_err(reading)?,
        subject: row.try_get(4).map_err(reading)?,
        created_at_ms: row.try_get(5).map_err(reading)?,
        used_at_ms: row.try_get(6).map_err(reading)?,
    })
}

fn reading(source: sqlx::Error) -> StoreError {
    StoreError::Read { what: "identities", source: source.into() }
}
